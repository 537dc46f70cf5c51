// Distance of a point from the core of a convex shape, by formula.
#pragma once

#include "collision/convex.h"

namespace sinew {

struct CoreDistance {
  double distance = 0;         // negative inside [m]
  Vec3T<double> normal = {};   // unit, outwards
  Vec3T<double> on_core = {};  // nearest point of the core's surface
};

// In the frame of the convex; it must not be a hull.
CoreDistance core_distance(const Convex& convex, const Vec3T<double>& p);

}  // namespace sinew
