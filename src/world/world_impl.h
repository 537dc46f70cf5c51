// The data of a world. All particles of all soft bodies lie in one structure of arrays, a body
// owning a range that starts at a whole pack; the stages of a step are free functions over this
// (step.cpp).
#pragma once

#include <sinew/world.h>

#include "constraints/attachment.h"
#include "constraints/row_forces.h"
#include "core/arena.h"
#include "core/profiler.h"
#include "core/slot_map.h"
#include "rigid/rigid_step.h"
#include "solvers/batch.h"
#include "solvers/chebyshev.h"
#include "variational/variational_body.h"

namespace sinew {

using Row = Row4<Real>;
static_assert(sizeof(Particle) == sizeof(Row) && alignof(Particle) == alignof(Row));

struct Particles {
  std::vector<Row> position;          // inverse mass in w
  std::vector<Row> low;               // what positions lost by rounding (core/places.h)
  std::vector<Row> velocity;          // w unused
  std::vector<Row> velocity_low;      // and what those lost, of swept bodies
  std::vector<Row> displacement;      // in the substep, of swept bodies; inverse mass in w
  std::vector<Row> previous;          // positions at the start of the substep, of implicit ones
  std::vector<Row> predicted;         // positions after free motion; of swept ones displacements
  std::vector<Row> at_step_start;     // positions to fall back to …
  std::vector<Row> low_at_start;      // … and what they had lost by rounding
  std::vector<Real> friction_budget;  // how far friction may still pull in this substep [m]

  void resize(std::size_t size);
  void erase(int begin, int count);

  Places places(int begin) const { return {&position[begin], &low[begin]}; }
  Places places_at_start(int begin) const { return {&at_step_start[begin], &low_at_start[begin]}; }
  Vec3T<double> place(int i) const { return places(0)[i]; }
  Vec3T<double> velocity_of(int i) const { return Places{velocity.data(), velocity_low.data()}[i]; }
  void set_velocity(int i, const Vec3T<double>& v) {
    sinew::set_place(v, 0, velocity[i], velocity_low[i]);
  }
  // All but the inverse mass.
  void set_place(int i, const Vec3T<double>& x) {
    sinew::set_place(x, position[i].w, position[i], low[i]);
  }
};

struct AnchoredPin {
  Index vertex;
  Vec3T<double> from_middle;  // where it is at the start, seen from the middle of all pins [m]
};

struct PinTarget {
  Index vertex;
  Vec3 position;  // where it is to be at the end of the next step [m]
};

// What is known of the energy of a body that nothing drives (energy_guard.h).
struct EnergyWatch {
  struct Kinetic {
    double moving = 0;  // [J]; of a free body from its centre of mass
    double weight = 0;  // of its weight [J]; of a free body none
  };
  bool known = false;    // else it has to be found anew
  bool free = false;     // seen from the centre of mass, without gravity
  bool told = false;     // that energy is taken, by an event
  int age = 0;           // steps since it was found
  double total = 0;      // it has no more than that [J]
  double moving = 0;     // of which kinetic and elastic [J]
  double rounding = 0;   // of energies, where it is [J]
  double stiffness = 0;  // λ + 2μ times volume by squared size of a cell [N/m]
  double taken = 0;      // out of it so far [J]
  bool watched = false;  // in this step
  bool changes = false;  // its elastic energy may, in the same place: cells unfold, or flow
  bool unknown = false;  // a constraint of it has none, and yet does work
  Kinetic before;        // at the start of the step
};

class CellSamples;  // world/cell_field.cpp
struct Skin;        // world/skins.h

struct SoftRuntime {
  std::string name;
  Material material;
  std::vector<Region> regions;       // of other materials
  std::vector<Real> cell_stiffness;  // SoftBody::cell_stiffness
  Pose pose;                         // where the rest shape started
  BodyMesh rest_mesh;
  std::vector<Row> rest;  // particles at rest: positions of the mesh, and inverse masses
  TriMesh surface;
  std::shared_ptr<const Skin> skin;  // to be seen instead of the surface; none: nullptr
  std::vector<Real> mass;            // [kg]
  Vec3T<double> anchor_middle = {};
  double anchor_start = 0;  // when its motion began [s]
  Real friction = 0, damping = 0, drag = 0, settling = 0;
  Real thickness = 0;      // of a sheet; diameter of a line [m]
  Real margin = 0;         // from its particles to its surface: half of that; 0 for solids [m]
  double rest_volume = 0;  // [m³]; of lines: length [m]
  int begin = 0;           // first particle
  int count = 0;           // particles, one per vertex
  int packs = 0;           // particle packs; the last one is filled up with immovable particles
  int pins = 0;            // particles that are held
  bool held = false;       // some constraint holds it from outside
  int pair_begin = 0, pair_end = 0;  // its contacts in this step
  int grab_begin = 0, grab_end = 0;  // and its grabs
  bool free = false;                 // touches nothing in this step and nothing holds it
  bool frozen = false;
  bool broken = false;           // no step could be found for it
  double stiffness = 0;          // largest of its batches [1/s²]
  double element_stiffness = 0;  // of its elements alone [1/s²]
  double crowding = 1;           // of its elements (assembled_stiffness.h)
  Real stiffness_share = 1;      // SoftState::stiffness_share
  bool softened = false;         // was told by an event
  EnergyWatch energy;
  Position solver;
  // Shared with snapshots, which keep as bytes what changes in them (visit_state).
  std::vector<std::shared_ptr<Batch>> batches;   // the elements first
  std::shared_ptr<VariationalBody> variational;  // instead of batches
  const ElementMeasure* elements = nullptr;
  // Made when somebody asks for a field (cell_field.cpp); never changed, so that snapshots share
  // it.
  mutable std::shared_ptr<const CellSamples> samples;
  ChebyshevSolver chebyshev;
  std::optional<AnchorMotion> anchor_motion;
  std::vector<AnchoredPin> anchored;  // pins that follow it
  std::vector<PinTarget> pin_targets;
  std::shared_ptr<AttachmentTargets> attachments;  // what they are pulled to; shared, too
  std::vector<AnchoredPin> anchored_attachments;   // that follow the anchor, too
  std::vector<PinTarget> attachment_targets;
  // The same for the centres of spheres that vertices are kept in.
  std::shared_ptr<AttachmentTargets> spheres;
  std::vector<AnchoredPin> anchored_spheres;
  std::vector<PinTarget> sphere_targets;
  std::vector<const RowForces*> row_forces;  // of each constraint; nullptr: not a user's

  // Whether something other than pins may do work on it in this step.
  bool driven() const { return held || grab_begin != grab_end; }
};

// What the world remembers of a rigid body beside what moves it.
struct RigidEntry {
  std::vector<Part> parts;
  std::optional<StaticBody> obstacle;  // of what stands still: what soft bodies touch
};

struct JointEntry {
  BodyRow a, b;
  JointSlot slot;
  bool collide;
  Vec3 on_a, on_b;  // its point, in the frames in which the bodies move; of a nail: in the world
};

// Not with what the solvers of its body keep, so that it stays when those are made anew.
struct GrabEntry {
  SoftId body = {};
  std::vector<Index> vertices = {};
  std::vector<Real> weights = {};  // of the vertices; their sum is one
  Spring spring = {};
  Real max_force = 0;         // [N]; 0: none was told
  Vec3 place = {}, aim = {};  // where it pulls to now, and at the end of the next step [m]
  Vec3 force = {};            // mean of the last step [N]
};

// What a snapshot copies.
struct WorldState {
  WorldSettings settings;
  SlotMap<RigidId, RigidEntry> rigid;
  SlotMap<JointId, JointEntry> joints;
  RigidWorld bodies;
  std::vector<ContactEvent> contact_events, lost_contacts;
  SlotMap<SoftId, SoftRuntime> soft;
  SlotMap<GrabId, GrabEntry> grabs;
  Particles particles;
  std::vector<Event> events;
  double time = 0;
  int substeps_done = 0;  // of position-based bodies in the last step
  std::int64_t step_count = 0;
};

// And what it does not.
struct World::Impl : WorldState {
  std::shared_ptr<Executor> executor;
  RigidScratch rigid_scratch;
  Arena arena;  // emptied at the start of every step
  Profiler profiler;
  std::shared_ptr<const char> identity = std::make_shared<const char>();  // known to snapshots
};

// Rows of rigid bodies are their slots, after those that belong to none.
inline BodyRow row_of(RigidId id) { return id.index + kFirstBody; }
inline RigidId id_of(const World::Impl& world, BodyRow row) {
  return world.rigid.id_at(row - kFirstBody);
}

// A place for one event of everything there is, of each kind, so that no step allocates; by
// doubling, so that what comes and goes does not, either.
inline void hold_events(World::Impl& world) {
  constexpr std::size_t kOfSoftBody = 3;  // kinds of events
  const std::size_t alive =
      world.rigid.size() + world.joints.size() + kOfSoftBody * world.soft.size();
  if (world.events.capacity() < alive)
    world.events.reserve(std::max(alive, 2 * world.events.capacity()));
}

// f(obstacle) for everything that stands still.
template <class F>
void for_each_obstacle(const World::Impl& world, F&& f) {
  world.rigid.for_each([&](RigidId, const RigidEntry& entry) {
    if (entry.obstacle) f(*entry.obstacle);
  });
}

}  // namespace sinew
