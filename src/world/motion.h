// What all solvers of soft bodies share in a step: its bodies and contacts, pins that are driven,
// free motion, contacts by projection.
#pragma once

#include "core/parallel.h"
#include "variational/grab_spring.h"
#include "world/world_impl.h"

namespace sinew {

struct ContactPair {
  SoftRuntime* soft;
  const StaticBody* obstacle;
};

// A grab in a step (grabs.h).
struct GrabInStep {
  GrabEntry* entry = nullptr;
  double mass = 0;                      // of the whole body [kg]
  Vec3T<double> from = {}, speed = {};  // of its place, at the start of the substep [m], [m/s]
  Vec3T<double> force = {};             // of the substep [N]
  Vec3T<double> mean_force = {};        // of the substeps that are over, by how many there are [N]
};

struct StepContext {
  World::Impl& world;
  Executor& executor;
  Real dt;
  int substeps;
  Real h;                          // substep [s]
  std::span<SoftRuntime*> bodies;  // those that move
  std::span<ContactPair> pairs;    // of these bodies, body by body
  std::span<GrabInStep> grabs;     // of all bodies; each knows which are its own
  std::span<GrabSpring> springs;   // of these grabs, in the substep
  Vec3T<double> origin = {};       // from which the particles are seen
};

using Stage = Profiler::Scope;

inline constexpr int kParticleBlock = 64;  // packs in a block of a parallel loop over particles

// A loop over the particle packs of a body: f(first particle) for each pack.
template <class F>
void for_each_particle_pack(const StepContext& c, const SoftRuntime& body, F&& f) {
  parallel_for(c.executor, body.packs, kParticleBlock, [&](int first, int end) {
    for (int i = first; i < end; ++i) f(body.begin + i * kLanes);
  });
}

// Where something that follows a body's anchor has to be seen from the middle of its pins, to be at
// `place` at that time.
Vec3T<double> from_anchor(const SoftRuntime& body, const Vec3T<double>& place, double time);
// Gives pins that follow an anchor the speed that takes them to where it is at the end of substep
// s.
void drive_anchors(const StepContext& c, int s);
// The places that attached vertices are pulled to, at the end of substep s.
void move_attachments(const StepContext& c, int s);

// Moves particles of implicit steps as if nothing held them together: position, previous and
// predicted.
void move_freely(const StepContext& c);

// All other steps work on displacements u from where the particles are, which stay until the end
// (core/places.h). Begins with those of free motion: displacement and predicted.
void begin_displacements(const StepContext& c);
// Moves particles out of static bodies, with friction.
void resolve_contacts(const StepContext& c, bool first_pass);
// v += (u − predicted)/h rather than v = u/h: what rounding does to free motion is no force.
// Velocities of what is not held then decay as exp(−drag t).
void push_velocities(const StepContext& c, const SoftRuntime& body, double drag);
// Moves particles by their displacements.
void end_displacements(const StepContext& c, const SoftRuntime& body);

}  // namespace sinew
