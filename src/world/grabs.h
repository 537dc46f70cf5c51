// Grabs of soft bodies in a step. What they are is in variational/grab_spring.h; implicit steps
// take them as energies, all others as one constraint on the patch that each holds.
#pragma once

#include "world/motion.h"

namespace sinew {

// Gathers the grabs of bodies that move, body by body, in the arena.
void begin_grabs(StepContext& c);
// Where the places are in substep s of a body, on a straight way through the step.
void carry_grabs(const StepContext& c, const SoftRuntime& body, int s);
// Makes springs of them for an implicit step of length c.h from the previous positions, that ends
// `ahead` after the substep began [s].
void stretch_grabs(const StepContext& c, const SoftRuntime& body, const Places& start, Real ahead);
// Pulls particles by stretched grabs: once, towards where spring, damper and the inertia of the
// patch are in balance, on from what was pulled already.
void pull_by_grabs(const StepContext& c, const SoftRuntime& body);
// Those of an implicit step that was solved: how hard they pull.
void read_grabs(const StepContext& c, const SoftRuntime& body);
// A substep of the body is over: how hard they pulled goes into the mean of the step.
void count_grabs(const StepContext& c, const SoftRuntime& body);
// The step is over: places have arrived.
void end_grabs(const StepContext& c);

// How far grabs may take the particles of a body in this step [m].
Real grab_reach(const StepContext& c, const SoftRuntime& body);

// Those of a body that is removed.
void remove_grabs(World::Impl& world, SoftId body);

// The springs of a body's grabs.
inline std::span<GrabSpring> springs_of(const StepContext& c, const SoftRuntime& body) {
  return c.springs.subspan(body.grab_begin, body.grab_end - body.grab_begin);
}

}  // namespace sinew
