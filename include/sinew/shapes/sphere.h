// A ball.
#pragma once

#include <sinew/describe.h>
#include <sinew/signed_distance.h>

namespace sinew {

struct Sphere {
  static constexpr const char* kName = "sphere";
  static constexpr const char* kDoc = "A ball about the origin of its body.";

  Real radius = Real(0.5);  // [m]

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("radius", radius, {.doc = "Radius", .unit = "m", .min = 0, .exclusive_min = true});
  }

  template <class T>
  SignedDistance<T> signed_distance(const Vec3T<T>& p) const {
    const T r = length(p);
    const T inverse = T(1) / max(r, T(Real(1e-20)));
    const Vec3T<T> up{T(0), T(1), T(0)};  // at the very centre any way out is as good
    return {r - T(radius), select(r > T(Real(1e-20)), p * inverse, up)};
  }
};

}  // namespace sinew
