// Stable Neo-Hookean elasticity: rubber and flesh that keep their volume and survive any
// deformation, flat and inside-out elements included.
#pragma once

#include <sinew/describe.h>
#include <sinew/math.h>

namespace sinew {

struct StableNeoHookean {
  static constexpr const char* kName = "stable_neo_hookean";
  static constexpr const char* kDoc = "Rubber and flesh: keeps volume, survives inversion.";

  Real young = Real(1e5);     // Young's modulus E [Pa]
  Real poisson = Real(0.45);  // Poisson's ratio ν

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("young", young, {.doc = "Young's modulus E", .unit = "Pa", .min = 0, .exclusive_min = true});
    v.field("poisson", poisson,
            {.doc = "Poisson's ratio ν", .min = -1, .max = 0.5, .exclusive_min = true, .exclusive_max = true});
  }
};

}  // namespace sinew
