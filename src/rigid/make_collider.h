// What a shape becomes in a world.
#pragma once

#include "rigid/rigid_world.h"

namespace sinew {

// Kind, geometry, size and place in the frame of the shape; the rest is left to the caller.
Collider make_collider(const Shape& shape);

// Does what a shape needs done once; throws Error for one that cannot be used.
void prepare_shape(Shape& shape);
// The name of a shape that only static bodies can have; null for others.
const char* surface_name(const Shape& shape);

}  // namespace sinew
