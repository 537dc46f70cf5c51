// A direction across another one.
#pragma once

#include <sinew/math.h>

namespace sinew {

// A unit vector across the unit vector n.
template <class T>
Vec3T<T> perpendicular(const Vec3T<T>& n) {
  const auto steep = abs(n.x) > T(0.6F);
  return normalized(select(steep, Vec3T<T>{-n.z, T(0), n.x}, Vec3T<T>{T(0), n.z, -n.y}));
}

}  // namespace sinew
