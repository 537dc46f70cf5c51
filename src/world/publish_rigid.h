// What happened to rigid bodies in a step, for the user.
#pragma once

#include "world/world_impl.h"

namespace sinew {

void publish_rigid(World::Impl& world);
// Joints that were pulled harder than they bear in the last step.
std::vector<JointId> broken_joints(const World::Impl& world);

}  // namespace sinew
