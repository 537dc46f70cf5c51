// What all solvers of soft bodies share in a step: its bodies and contacts, pins that are driven,
// free motion, contacts by projection.
#pragma once

#include "core/parallel.h"
#include "world/world_impl.h"

namespace sinew {

struct ContactPair {
  SoftRuntime* soft;
  const StaticBody* obstacle;
};

struct StepContext {
  World::Impl& world;
  Executor& executor;
  Real dt;
  int substeps;
  Real h;                          // substep [s]
  std::span<SoftRuntime*> bodies;  // those that move
  std::span<ContactPair> pairs;    // of these bodies, body by body
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
Vec3 from_anchor(const SoftRuntime& body, const Vec3& place, double time);
// Gives pins that follow an anchor the speed that takes them to where it is at the end of substep
// s.
void drive_anchors(const StepContext& c, int s);
// The places that attached vertices are pulled to, at the end of substep s.
void move_attachments(const StepContext& c, int s);

// Moves particles as if nothing held them together: position, previous and predicted.
void move_freely(const StepContext& c);

// Moves particles out of static bodies, with friction.
void resolve_contacts(const StepContext& c, bool first_pass);

}  // namespace sinew
