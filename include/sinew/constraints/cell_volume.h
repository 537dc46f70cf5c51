// What keeps the volume of every cell of a solid by itself.
#pragma once

#include <sinew/describe.h>
#include <sinew/real.h>

namespace sinew {

struct CellVolume {
  static constexpr const char* kName = "cell_volume";
  static constexpr const char* kDoc =
      "Keeps the volume of every cell of a solid, by that at rest, within bounds. An energy of "
      "½ stiffness ‖F − F'‖² per volume, with F' the nearest deformation within them.";

  Real min = 1;
  Real max = 1;
  Real stiffness = Real(1e5);  // [Pa]

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("min", min,
            {.doc = "Smallest volume, by that at rest", .min = 0, .max = 1, .exclusive_min = true});
    v.field("max", max, {.doc = "Largest volume, by that at rest", .min = 1});
    v.field("stiffness", stiffness,
            {.doc = "Stiffness of the bounds", .unit = "Pa", .min = 0, .exclusive_min = true});
  }
};

}  // namespace sinew
