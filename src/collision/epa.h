// Depth of the overlap of two cores, by the expanding polytope algorithm.
#pragma once

#include <span>

#include "collision/minkowski.h"

namespace sinew {

struct Penetration {
  double depth = 0;                    // of the cores [m]
  Vec3T<double> normal = {};           // unit, from A to B
  Vec3T<double> on_a = {}, on_b = {};  // deepest points of the cores
};

// `start` are one to four points of D whose hull holds the origin, to within rounding.
Penetration penetration(const Minkowski& difference, std::span<const Minkowski::Vertex> start);

}  // namespace sinew
