// The step of bodies with a variational or an explicit solver. Each goes its own way, in substeps
// of its own.
#pragma once

#include "world/motion.h"

namespace sinew {

void step_variational(const StepContext& c);

// Moves a body to where its forces are in balance (World::find_equilibrium).
// Forces within `force` [N] are in balance.
Equilibrium find_equilibrium(World::Impl& world, SoftRuntime& body, int iterations, double force);

}  // namespace sinew
