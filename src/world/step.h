// The step, stage by stage; step.cpp reads top to bottom.
#pragma once

#include "world/world_impl.h"

namespace sinew {

void run_step(World::Impl& world, Real dt, int substeps);

}  // namespace sinew
