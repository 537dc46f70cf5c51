// What a shape answers about a point: how far from its surface (negative inside) and which way out.
#pragma once

#include <sinew/math.h>

namespace sinew {

template <class T>
struct SignedDistance {
  T distance;       // [m]
  Vec3T<T> normal;  // unit, outwards
};

}  // namespace sinew
