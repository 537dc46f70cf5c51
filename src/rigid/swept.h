// Manifolds of what moves far in a step.
#pragma once

#include <span>

#include "rigid/rigid_world.h"

namespace sinew {

// Where the shapes first meet within the step, seen from its start: the contact is made where they
// are then, so that its normal is that of what is really hit, and what passes by is not. Returns
// the number of manifolds; in the frames of the colliders.
int collide_swept(const RigidWorld& world, const Pair& pair, const Pose& b_in_a, Real dt,
                  Real within, std::span<Manifold> out);

}  // namespace sinew
