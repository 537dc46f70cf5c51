// What keeps the volume inside a body's surface: a balloon, a cushion, a body of water.
#pragma once

#include <sinew/describe.h>
#include <sinew/real.h>

namespace sinew {

struct Volume {
  static constexpr const char* kName = "volume";
  static constexpr const char* kDoc =
      "Keeps the volume inside a solid's surface or a closed sheet, as a whole.";

  Real pressure = 1;  // the volume aimed at, by that at rest
  Real bulk = 0;      // bulk modulus [Pa]; 0: rigid
  Real plain = 0;     // plain PBD stiffness in place of the physical one; 0: physical

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("pressure", pressure,
            {.doc = "Volume aimed at, by that at rest: above 1 inflates", .min = 0});
    v.field("bulk", bulk, {.doc = "Bulk modulus; 0: the volume is exact", .unit = "Pa", .min = 0});
    v.field("plain", plain,
            {.doc = "Plain position-based stiffness k instead, by which an error shrinks in a "
                    "substep; 0: physical",
             .min = 0,
             .max = 1});
  }
};

}  // namespace sinew
