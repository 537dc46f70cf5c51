// A ball.
#pragma once

#include <sinew/describe.h>
#include <sinew/math.h>

namespace sinew {

struct Sphere {
  static constexpr const char* kName = "sphere";
  static constexpr const char* kDoc = "A ball about the origin of its body.";

  Real radius = Real(0.5);  // [m]

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("radius", radius, {.doc = "radius", .unit = "m", .min = 0, .exclusive_min = true});
  }
};

}  // namespace sinew
