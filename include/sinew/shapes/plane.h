// A half-space: the ground.
#pragma once

#include <sinew/describe.h>
#include <sinew/signed_distance.h>

namespace sinew {

struct Plane {
  static constexpr const char* kName = "plane";
  static constexpr const char* kDoc =
      "Everything below y = 0 of its body; turn the body for walls and slopes.";

  template <class Visitor>
  void describe(Visitor&) {}

  template <class T>
  SignedDistance<T> signed_distance(const Vec3T<T>& p) const {
    return {p.y, {T(0), T(1), T(0)}};
  }
};

}  // namespace sinew
