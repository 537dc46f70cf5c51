// A rectangular box.
#pragma once

#include <sinew/describe.h>
#include <sinew/signed_distance.h>

namespace sinew {

struct Box {
  static constexpr const char* kName = "box";
  static constexpr const char* kDoc = "A rectangular box about the origin of its body.";

  Vec3 size{1, 1, 1};  // full edge lengths [m]

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("size", size, {.doc = "Edge lengths", .unit = "m", .min = 0, .exclusive_min = true});
  }

  template <class T>
  SignedDistance<T> signed_distance(const Vec3T<T>& p) const {
    const T zero(0), one(1);
    const Vec3T<T> sign{select(p.x < zero, -one, one), select(p.y < zero, -one, one),
                        select(p.z < zero, -one, one)};
    // Distance past each pair of faces, negative between them.
    const Vec3T<T> past{abs(p.x) - T(size.x / 2), abs(p.y) - T(size.y / 2),
                        abs(p.z) - T(size.z / 2)};
    const T deepest = max(max(past.x, past.y), past.z);
    const Vec3T<T> outside{max(past.x, zero), max(past.y, zero), max(past.z, zero)};
    const T away = length(outside);
    // Inside, the way out is through the nearest face.
    const auto through_x = past.x >= deepest;
    const auto through_y = past.y >= deepest;
    const T face_x = select(through_x, one, zero);
    const T face_y = select(through_x, zero, select(through_y, one, zero));
    const Vec3T<T> face{face_x, face_y, one - face_x - face_y};
    const auto is_outside = away > T(Real(1e-20));
    const Vec3T<T> n = select(is_outside, outside * (one / max(away, T(Real(1e-20)))), face);
    return {select(is_outside, away, deepest), {n.x * sign.x, n.y * sign.y, n.z * sign.z}};
  }
};

}  // namespace sinew
