// What a shape becomes in a world.
#pragma once

#include "rigid/rigid_world.h"

namespace sinew {

// Kind, geometry, size and place in the frame of the shape; the rest is left to the caller.
Collider make_collider(const Shape& shape);

}  // namespace sinew
