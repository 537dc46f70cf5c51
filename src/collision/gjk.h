// Distance and penetration of convex shapes.
#pragma once

#include "collision/convex.h"

namespace sinew {

struct Closest {
  Real distance = 0;  // negative: depth of the overlap, the shortest way out [m]
  Vec3 normal = {};   // unit, from A to B
  Vec3 on_a = {};     // nearest or deepest points on the surfaces, both in the frame of A [m]
  Vec3 on_b = {};
};

// By Gilbert, Johnson and Keerthi's algorithm on the cores; by the expanding polytope algorithm
// where the cores themselves overlap. `b_in_a` is the pose of B in the frame of A.
Closest closest(const Convex& a, const Convex& b, const Pose& b_in_a);

}  // namespace sinew
