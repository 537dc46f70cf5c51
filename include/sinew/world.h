// The world: put bodies in, step it, read it out.
//   World world;
//   world.add(StaticBody{.shape = Plane{}});
//   RigidId crate = world.add(RigidBody{.shape = Box{}, .pose = {{0, 3, 0}}});
//   SoftId jelly = world.add(SoftBody{.mesh = box_tets({1, 1, 1}, {8, 8, 8})});
//   world.step(1.0f / 60);
// Functions throw Error for arguments they cannot use and change nothing then; a step never throws.
// One world belongs to one thread at a time; its own loops may run on an Executor. Results are the
// same bits for any executor.
#pragma once

#include <sinew/bodies.h>
#include <sinew/cell_field.h>
#include <sinew/executor.h>
#include <sinew/grab.h>
#include <sinew/handles.h>
#include <sinew/joint_state.h>
#include <sinew/joints.h>
#include <sinew/profile.h>
#include <sinew/queries.h>

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
  bool frozen = false;      // stopped (Event::Kind::kFrozen)
  // Position-based bodies: how much of its elastic force the stiffest element at rest started the
  // last substeps from. 1: the body is as stiff as its material; less: it is softer, as its
  // substeps are too long.
  double stiffness_share = 1;
  // Position-based and explicit bodies: that they had gained out of nothing, so far [J].
  double energy_taken = 0;
};

struct RigidState {
  Pose pose = {};              // of the body's own frame
  Vec3 center_of_mass = {};    // [m]
  Vec3 velocity = {};          // of the centre of mass [m/s]
  Vec3 angular_velocity = {};  // [rad/s]
  Real mass = 0;               // [kg]; 0: does not move by forces
  bool asleep = false;
  bool is_static = false;
};

struct ContactState {
  int count = 0;               // vertices that touch something
  double penetration_max = 0;  // [m]
  int rigid_count = 0;         // pairs of rigid bodies that touch
  int asleep = 0;              // rigid bodies that sleep
  int sweeps = 0;              // over joints and contacts of rigid bodies in the last step
};

// Two rigid bodies that have begun to touch, still do, or have parted.
struct ContactEvent {
  enum class Kind { kBegin, kPersist, kEnd };
  Kind kind;
  RigidId a, b;
  int part_a, part_b;  // which of their shapes
  Real impulse;        // along the normal, in the whole step [N s]; 0 for sensors
};

// How two rigid bodies touch now.
struct RigidContact {
  RigidId a, b;
  Vec3 normal;         // unit, from a to b
  int count;           // of points
  Vec3 point[4];       // [m]
  Real separation[4];  // negative: overlap [m]
  Real impulse[4];     // along the normal, of the last substep [N s]
};

// A vertex of a soft body that touches something.
struct SoftContact {
  Index vertex;
  Vec3 point;       // [m]
  Vec3 normal;      // unit, out of what it touches
  Real separation;  // negative: overlap [m]
};

// How the last substep of a body with a variational solver went.
struct SolverReport {
  int iterations = 0;
  int evaluations = 0;   // of the objective and its gradient
  double objective = 0;  // g at the end: inertia and energy [J]
  double decrement = 0;  // what the last iteration lowered it by [J]
  double residual = 0;   // norm of the forces that were not in balance at the end [N]
  // The last iteration changed next to nothing, or nothing could be won any more. If not, more
  // iterations or substeps are asked for: the body moves too slowly or seems too stiff.
  bool converged = false;
  // Of the whole step, of position-based bodies, too.
  int substeps = 0;
  int total_iterations = 0;  // in all substeps
  double stiffness = 1;      // share of its stiffness that an explicit body had; 1: all of it
};

struct EquilibriumSettings {
  int iterations = 1000;
  Real tolerance = Real(1e-4);  // of the body's weight: forces within that are in balance
};
struct Equilibrium {
  bool found = false;  // within the tolerance
  int iterations = 0;
  double residual = 0;  // norm of the forces on free vertices that are not in balance [N]
  double tolerance =
      0;  // what it had to come down to: as asked for, or to what numbers resolve [N]
};

// Something that happened in the last step.
struct Event {
  // kFrozen: a body would have become non-finite or faster than light (3e8 m/s), or no step could
  // be found for it; it stays where it was. kBroken: a joint carried more than it can, and is gone.
  // kSoftened: the substeps have become too long for a soft body to be as stiff as its material
  // (SoftState::stiffness_share). kCalmed: a soft body has begun to gain energy out of nothing,
  // which is taken from it (solvers Position and Explicit).
  enum class Kind { kFrozen, kBroken, kSoftened, kCalmed };
  Kind kind;
  SoftId body = {};
  RigidId rigid = {};
  JointId joint = {};
};

// The whole of a world at one time, to go back to.
class Snapshot {
 public:
  double time() const;  // [s]

 private:
  friend class World;
  struct Data;
  std::shared_ptr<const Data> data_;
};

class World {
 public:
  explicit World(const WorldSettings& settings = {}, std::shared_ptr<Executor> executor = nullptr);
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;

  RigidId add(StaticBody body);
  RigidId add(RigidBody body);
  SoftId add(SoftBody body);
  JointId add(Joint joint);
  GrabId add(Grab grab);
  void remove(RigidId id);  // with its joints
  void remove(SoftId id);   // with its grabs
  void remove(JointId id);
  void remove(GrabId id);
  bool contains(RigidId id) const;
  bool contains(SoftId id) const;
  bool contains(JointId id) const;
  bool contains(GrabId id) const;

  // Makes a soft body anew from another definition with as many vertices (another material,
  // density, solver, …): it stays where it is and goes on as fast, held by the same pins and grabs.
  // Pose and velocities of the definition do not count; plastic deformation begins anew.
  void replace(SoftId id, SoftBody body);

  // Moves time on by dt [s].
  void step(Real dt);
  int substeps(Real dt) const;  // that a step of this length takes
  double time() const;          // [s]
  std::int64_t step_count() const;
  const WorldSettings& settings() const;
  void set_settings(const WorldSettings& settings);  // from the next step on

  // Bodies, in the order of their slots.
  std::vector<RigidId> rigid_bodies() const;
  std::vector<SoftId> soft_bodies() const;
  std::vector<JointId> joints() const;
  std::vector<GrabId> grabs() const;
  const std::string& name(RigidId id) const;
  const std::string& name(SoftId id) const;
  std::span<const Part> parts(RigidId id) const;  // its shapes, in its own frame
  Real thickness(SoftId id) const;                // of a sheet; diameter of a line [m]

  // The particles of a soft body, one per vertex of its mesh; valid until a body is added or
  // removed.
  std::span<const Particle> particles(SoftId id) const;
  std::vector<Vec3> positions(SoftId id) const;
  std::vector<Vec3> velocities(SoftId id) const;
  const BodyMesh& rest_mesh(SoftId id) const;
  const TriMesh& surface(SoftId id) const;  // its triangles index the particles
  // The detailed surface that rides in it (SoftBody::skin), at rest; without vertices if it has
  // none. And where its vertices are now.
  const TriMesh& skin(SoftId id) const;
  std::vector<Vec3> skin_positions(SoftId id) const;
  // One value for every cell of its mesh, as it is now.
  std::vector<Real> cell_field(SoftId id, CellField field) const;
  std::vector<SoftContact> soft_contacts(SoftId id) const;
  // What the broad phase takes a body to fill, with margins and motion; of a plane: infinite.
  Bounds bounds(RigidId id) const;
  Bounds bounds(SoftId id) const;

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
  // Carries the sphere that a vertex is kept in (constraint KeepInSphere) to another place, in the
  // course of the next step, at constant speed.
  void move_sphere(SoftId id, Index vertex, const Vec3& center);
  // The forces along the gradients of the rows of a constraint CustomRows, which is the one of that
  // number in SoftBody::constraints: of every constraint and row, in the last substep; for the
  // variational solvers those where the body is now.
  std::vector<double> row_forces(SoftId id, int constraint) const;
  // Carries the place that a grab pulls to to another one, in the course of the next step, at
  // constant speed.
  void move_grab(GrabId id, const Vec3& place);
  GrabState state(GrabId id) const;
  void set_positions(SoftId id, std::span<const Vec3> positions);
  void set_velocities(SoftId id, std::span<const Vec3> velocities);

  // Rigid bodies. What changes them wakes them.
  RigidState state(RigidId id) const;
  Pose pose(RigidId id) const;
  void set_pose(RigidId id, const Pose& pose);  // at once: a jump
  // Carries a kinematic body to a pose in the course of the next step of length dt.
  void move_to(RigidId id, const Pose& pose, Real dt);
  void set_velocity(RigidId id, const Vec3& velocity, const Vec3& angular_velocity);
  // For the length of the next step; at the centre of mass, or at a point of the world.
  void apply_force(RigidId id, const Vec3& force);
  void apply_force(RigidId id, const Vec3& force, const Vec3& point);
  void apply_torque(RigidId id, const Vec3& torque);
  // At once.
  void apply_impulse(RigidId id, const Vec3& impulse);
  void apply_impulse(RigidId id, const Vec3& impulse, const Vec3& point);
  void apply_angular_impulse(RigidId id, const Vec3& impulse);
  void wake(RigidId id);
  // Of all its parts, in contacts from now on.
  void set_friction(RigidId id, Real friction);
  void set_restitution(RigidId id, Real restitution);
  void scale_mass(RigidId id, Real factor);  // and its moments of inertia
  JointState state(JointId id) const;
  // Gives the motor of a joint another aim; of a joint with several (universal, six degrees), that
  // of one of its axes, counted from 0 in the order of their fields.
  void set_motor(JointId id, const Motor& motor, int axis = 0);
  void move_nail(JointId id, const Vec3& anchor);  // to another place of the world [m]

  // What happened between rigid bodies in the last step. Both bodies of each event exist: events of
  // a body go when it is removed.
  std::span<const ContactEvent> contact_events() const;
  // Contacts that ended because a body was removed before the last step. At least one of the two
  // handles names a body that is gone; contains() tells which.
  std::span<const ContactEvent> lost_contacts() const;
  std::vector<RigidContact> rigid_contacts() const;

  // What a ray or a moving shape meets first, what a shape overlaps, what is nearest to a point:
  // of the rigid bodies of this world. Single and many at once.
  std::optional<RayHit> cast_ray(const Ray& ray) const;
  void cast_rays(std::span<const Ray> rays, std::span<std::optional<RayHit>> hits) const;
  std::optional<RayHit> cast_shape(const ShapeCast& cast) const;
  std::vector<RigidId> overlap(const Shape& shape, const Pose& pose,
                               const QueryFilter& filter = {}) const;
  std::optional<ClosestPoint> closest_point(const Vec3& point, Real max_distance,
                                            const QueryFilter& filter = {}) const;

  Snapshot snapshot() const;
  // Goes back to it, bit by bit: steps from there on come out the same. Bodies and joints that were
  // added since are gone, those that were removed are back, handles are what they were then: those
  // of what is gone must not be used any more, as what is added next may get the same. It must be a
  // snapshot of this world.
  void restore(const Snapshot& snapshot);

  // Moves a body with a variational solver to where its forces, its weight and its contacts
  // (without friction) are in balance, at rest: what it would come to after a long time. Pins stay,
  // grabs do not pull.
  Equilibrium find_equilibrium(SoftId id, const EquilibriumSettings& settings = {});
  // Of the last step; but for how many substeps and iterations, all zero for position-based bodies.
  SolverReport solver_report(SoftId id) const;

  Energy energy() const;
  // Of one body. The elastic energy is that of its material and of its physical constraints, also
  // of a body that is softer than its material (SoftState::stiffness_share) and so has less.
  Energy energy(SoftId id) const;
  Energy energy(RigidId id) const;
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
