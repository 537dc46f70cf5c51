// The world: put bodies in, step it, read it out.
//   World world;
//   world.add(StaticBody{.shape = Plane{}});
//   SoftId jelly = world.add(SoftBody{.mesh = box_tets({1, 1, 1}, {8, 8, 8})});
//   world.step(1.0f / 60);
// Functions throw Error for arguments they cannot use and change nothing then; a step never throws.
// One world belongs to one thread at a time; its own loops may run on an Executor. Results are the
// same bits for any executor.
#pragma once

#include <sinew/bodies.h>
#include <sinew/executor.h>
#include <sinew/handles.h>
#include <sinew/profile.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sinew {

// A vertex of a soft body as it lies in memory.
struct alignas(4 * sizeof(Real)) Particle {
  Vec3 position;      // [m]
  Real inverse_mass;  // [1/kg]; 0: pinned
};

struct Energy {
  double kinetic = 0, gravity = 0, elastic = 0;  // [J]; gravity's is zero at the origin
  double total() const { return kinetic + gravity + elastic; }
};

struct Momentum {
  Vec3T<double> linear;   // [kg m/s]
  Vec3T<double> angular;  // about the origin [kg m²/s]
};

struct SoftState {
  double volume_ratio = 1;  // volume now / at rest
  int inverted = 0;         // elements inside out
  double strain_max = 0;    // largest |principal stretch − 1|
  bool frozen = false;      // stopped, because it would have become non-finite
};

struct ContactState {
  int count = 0;               // vertices that touch something
  double penetration_max = 0;  // [m]
};

// How the last substep of a body with a variational solver went.
struct SolverReport {
  int iterations = 0;
  int evaluations = 0;   // of the objective and its gradient
  double objective = 0;  // g at the end: inertia and energy [J]
  double decrement = 0;  // what the last iteration lowered it by [J]
};

struct EquilibriumSettings {
  int iterations = 1000;
  Real tolerance = Real(1e-4);  // of the body's weight: forces within that are in balance
};
struct Equilibrium {
  bool found = false;  // within the tolerance
  int iterations = 0;
  double residual = 0;  // norm of the forces that are not in balance [N]
};

// Something that happened in the last step.
struct Event {
  // A body would have become non-finite, or no step could be found for it; it stays where it was.
  enum class Kind { kFrozen };
  Kind kind;
  SoftId body;
};

class World {
 public:
  explicit World(const WorldSettings& settings = {}, std::shared_ptr<Executor> executor = nullptr);
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;

  RigidId add(StaticBody body);
  SoftId add(SoftBody body);
  void remove(RigidId id);
  void remove(SoftId id);
  bool contains(RigidId id) const;
  bool contains(SoftId id) const;

  // Moves time on by dt [s].
  void step(Real dt);
  int substeps(Real dt) const;  // that a step of this length takes
  double time() const;          // [s]
  std::int64_t step_count() const;
  const WorldSettings& settings() const;

  // Bodies, in the order of their slots.
  std::vector<RigidId> rigid_bodies() const;
  std::vector<SoftId> soft_bodies() const;
  const StaticBody& definition(RigidId id) const;
  const std::string& name(SoftId id) const;
  Real thickness(SoftId id) const;  // of a sheet; diameter of a line [m]

  // The particles of a soft body, one per vertex of its mesh; valid until a body is added or
  // removed.
  std::span<const Particle> particles(SoftId id) const;
  std::vector<Vec3> positions(SoftId id) const;
  std::vector<Vec3> velocities(SoftId id) const;
  const BodyMesh& rest_mesh(SoftId id) const;
  const TriMesh& surface(SoftId id) const;  // its triangles index the particles

  // Holds a vertex at a place (where it is now, if none is given), or lets it go.
  void pin(SoftId id, Index vertex);
  void pin(SoftId id, Index vertex, const Vec3& position);
  void unpin(SoftId id, Index vertex);
  // Carries a pin to a place in the course of the next step, at constant speed, and pins the vertex
  // if it was free.
  void move_pin(SoftId id, Index vertex, const Vec3& position);
  // Carries the place that an attached vertex is pulled to (constraint Attachment) to another one,
  // in the course of the next step, at constant speed.
  void move_attachment(SoftId id, Index vertex, const Vec3& position);
  void set_positions(SoftId id, std::span<const Vec3> positions);
  void set_velocities(SoftId id, std::span<const Vec3> velocities);

  // Moves a body with a variational solver to where its forces, its weight and its contacts
  // (without friction) are in balance, at rest: what it would come to after a long time. Pins stay.
  Equilibrium find_equilibrium(SoftId id, const EquilibriumSettings& settings = {});
  // Of the last step; all zero for position-based bodies.
  SolverReport solver_report(SoftId id) const;

  Energy energy() const;
  Momentum momentum() const;
  SoftState state(SoftId id) const;
  ContactState contacts() const;
  bool finite() const;               // no body has been frozen
  std::uint64_t state_hash() const;  // of all positions and velocities, bit by bit
  std::span<const Event> events() const;

  void enable_profile(bool on);
  std::span<const StageTime> profile() const;

  struct Impl;  // behind the curtain: src/world/world_impl.h

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace sinew
