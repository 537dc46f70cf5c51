// A cylinder with flat ends.
#pragma once

#include <sinew/describe.h>
#include <sinew/signed_distance.h>

namespace sinew {

struct Cylinder {
  static constexpr const char* kName = "cylinder";
  static constexpr const char* kDoc = "A cylinder along y with flat ends.";

  Real radius = Real(0.25);      // [m]
  Real half_height = Real(0.5);  // [m]

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("radius", radius, {.doc = "Radius", .unit = "m", .min = 0, .exclusive_min = true});
    v.field("half_height", half_height,
            {.doc = "Half the length along y", .unit = "m", .min = 0, .exclusive_min = true});
  }

  // A box in the half-plane through the point: past the round side, and past the ends.
  template <class T>
  SignedDistance<T> signed_distance(const Vec3T<T>& p) const {
    const T zero(0), one(1), tiny(Real(1e-20));
    const T r = sqrt(p.x * p.x + p.z * p.z);
    const auto off_axis = r > tiny;
    const T inverse = one / max(r, tiny);
    const T out_x = select(off_axis, p.x * inverse, one);  // on the axis any way is as good
    const T out_z = select(off_axis, p.z * inverse, zero);
    const T up = select(p.y < zero, -one, one);
    const T past_side = r - T(radius), past_end = abs(p.y) - T(half_height);
    const T beyond_side = max(past_side, zero), beyond_end = max(past_end, zero);
    const T away = sqrt(beyond_side * beyond_side + beyond_end * beyond_end);
    const auto is_outside = away > tiny;
    const T scale = one / max(away, tiny);
    // Inside, the way out is through whichever is nearer.
    const T through_side = select(past_side >= past_end, one, zero);
    const T side = select(is_outside, beyond_side * scale, through_side);
    const T end = select(is_outside, beyond_end * scale, one - through_side);
    return {select(is_outside, away, max(past_side, past_end)),
            {out_x * side, up * end, out_z * side}};
  }
};

}  // namespace sinew
