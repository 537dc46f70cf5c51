// What ConvexHull keeps of its points.
#pragma once

#include "collision/hull.h"

namespace sinew {

struct PreparedHull {
  std::vector<Vec3> points;  // it was made of
  Hull hull;
};

}  // namespace sinew
