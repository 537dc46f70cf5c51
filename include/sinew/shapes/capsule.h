// A cylinder with round ends.
#pragma once

#include <sinew/describe.h>
#include <sinew/shapes/sphere.h>
#include <sinew/signed_distance.h>

namespace sinew {

struct Capsule {
  static constexpr const char* kName = "capsule";
  static constexpr const char* kDoc = "A cylinder along y with round ends.";

  Real radius = Real(0.25);      // [m]
  Real half_height = Real(0.5);  // of the cylindrical part [m]

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("radius", radius, {.doc = "Radius", .unit = "m", .min = 0, .exclusive_min = true});
    v.field(
        "half_height", half_height,
        {.doc = "Half the length between the centres of the round ends", .unit = "m", .min = 0});
  }

  template <class T>
  SignedDistance<T> signed_distance(const Vec3T<T>& p) const {
    const T along = max(-T(half_height), min(p.y, T(half_height)));
    return Sphere{radius}.signed_distance(Vec3T<T>{p.x, p.y - along, p.z});
  }
};

}  // namespace sinew
