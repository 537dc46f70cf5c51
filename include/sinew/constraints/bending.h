// What keeps a sheet from folding: stiffness across its inner edges.
#pragma once

#include <sinew/describe.h>
#include <sinew/real.h>

namespace sinew {

enum class BendingModel {
  kDihedral,   // the angle between neighbouring triangles (variational: its size); any rest shape
  kIsometric,  // quadratic in the positions: cheaper and calmer; for sheets flat at rest
};
template <>
struct EnumWords<BendingModel> {
  static constexpr const char* kWords[] = {"dihedral", "isometric"};
};

struct Bending {
  static constexpr const char* kName = "bending";
  static constexpr const char* kDoc =
      "Resistance of a sheet to bending, by its material and thickness t: a strip bends as a beam "
      "of "
      "rigidity E t³/12 by its width.";

  BendingModel model = BendingModel::kDihedral;
  Real stiffness = 1;    // factor on the rigidity of material and thickness
  Real plain = 0;        // plain PBD stiffness in place of the physical one; 0: physical
  Real free_radius = 0;  // bends freely down to this radius of curvature [m]; 0: resists any bend

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("model", model,
            {.doc = "Angles between triangles, or a quadratic energy for sheets that are flat at "
                    "rest"});
    v.field("stiffness", stiffness,
            {.doc = "Factor on the rigidity that material and thickness give", .min = 0});
    v.field("plain", plain,
            {.doc = "Plain position-based stiffness k instead, by which an error shrinks in a "
                    "substep; 0: physical",
             .min = 0,
             .max = 1});
    v.field("free_radius", free_radius,
            {.doc = "Bends freely down to this radius of curvature, and resists only sharper "
                    "folds; 0: resists any bend",
             .unit = "m",
             .min = 0});
  }
};

}  // namespace sinew
