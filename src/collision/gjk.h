// Distance and penetration of convex shapes.
#pragma once

#include <limits>

#include "collision/convex.h"

namespace sinew {

struct Closest {
  Real distance = 0;  // negative: depth of the overlap, the shortest way out [m]
  Vec3 normal = {};   // unit, from A to B
  Vec3 on_a = {};     // nearest or deepest points on the surfaces, both in the frame of A [m]
  Vec3 on_b = {};
};

// By Gilbert, Johnson and Keerthi's algorithm on the cores; by the expanding polytope algorithm
// where the cores themselves overlap. `b_in_a` is the pose of B in the frame of A. As soon as the
// distance is known to be more than `enough`, the search ends: `distance` is then a lower bound
// above `enough`, and the rest a good guess.
Closest closest(const Convex& a, const Convex& b, const Pose& b_in_a,
                Real enough = std::numeric_limits<Real>::infinity());

// Whether they have a point in common; cheaper than closest().
bool overlap(const Convex& a, const Convex& b, const Pose& b_in_a);

// The point of the surface that is nearest to p. The normal points outwards, from the surface to p
// if that is outside; on_b is p. Exact for every kind but a hull that p is outside of.
Closest closest_to_point(const Convex& a, const Vec3& p);

}  // namespace sinew
