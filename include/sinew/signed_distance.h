// What a shape answers about a point: how far from its surface (negative inside) and which way out.
#pragma once

#include <sinew/math.h>

namespace sinew {

// The distance is exact close to the surface, and farther away never larger than it is: nothing
// touches before it has come that near.
template <class T>
struct SignedDistance {
  T distance;       // [m]
  Vec3T<T> normal;  // unit, outwards
};

// For shapes that are searched rather than computed: ask(Vec3) once for each point of a pack.
template <class T, class Ask>
SignedDistance<T> lane_by_lane(const Vec3T<T>& p, Ask&& ask) {
  if constexpr (Scalar<T>) {
    const SignedDistance<Real> at = ask(Vec3{Real(p.x), Real(p.y), Real(p.z)});
    return {T(at.distance), {T(at.normal.x), T(at.normal.y), T(at.normal.z)}};
  } else {
    SignedDistance<T> all;
    constexpr int kLaneCount = sizeof(T) / sizeof(p.x.lane(0));
    for (int i = 0; i < kLaneCount; ++i) {
      const SignedDistance<Real> at =
          ask(Vec3{Real(p.x.lane(i)), Real(p.y.lane(i)), Real(p.z.lane(i))});
      all.distance.set_lane(i, at.distance);
      for (int k = 0; k < 3; ++k) all.normal[k].set_lane(i, at.normal[k]);
    }
    return all;
  }
}

}  // namespace sinew
