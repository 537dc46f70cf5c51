// Fibres in a material, as collagen in tissue and yarn in cloth: they make it stiffer in one
// direction.
#pragma once

#include <sinew/describe.h>
#include <sinew/math.h>

namespace sinew {

// Adds κ/2 (‖F d‖ − 1)² to the energy density of a solid or a sheet, d the direction at rest.
struct Fibres {
  static constexpr const char* kName = "fibres";
  static constexpr const char* kDoc =
      "Fibres in a solid or a sheet: resist being stretched and compressed in one direction, "
      "beside "
      "what the material resists in all of them.";

  Real stiffness = Real(1e5);  // κ: of all fibres by the area of the material [Pa]
  Vec3 direction{1, 0, 0};     // d, in the mesh's own axes; of any length

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("stiffness", stiffness,
            {.doc = "Young's modulus that they add in their direction", .unit = "Pa", .min = 0});
    v.field("direction", direction,
            {.doc = "Direction at rest, in the mesh's own axes; in a sheet, as far as it lies in "
                    "it"});
  }
};

}  // namespace sinew
