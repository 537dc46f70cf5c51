// Bounds on how far cells may be stretched and squeezed, on top of what the material does.
#pragma once

#include <sinew/describe.h>
#include <sinew/real.h>

namespace sinew {

struct StrainLimit {
  static constexpr const char* kName = "strain_limit";
  static constexpr const char* kDoc =
      "Keeps the principal stretches of every cell of a solid or a sheet within bounds.";

  Real min = Real(0.9);
  Real max = Real(1.1);
  Real stiffness = 0;  // of what is outside them, variational [Pa]; 0: ten times Young's modulus
  Real plain = 1;      // position: plain PBD stiffness, how much of an excess goes in a substep

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("min", min, {.doc = "Smallest stretch", .min = 0, .max = 1, .exclusive_min = true});
    v.field("max", max, {.doc = "Largest stretch", .min = 1});
    v.field("stiffness", stiffness,
            {.doc = "Stiffness of the bounds in the variational solvers: the stress by which a "
                    "stretch exceeds them by one; 0: ten times the material's Young's modulus",
             .unit = "Pa",
             .min = 0});
    v.field(
        "plain", plain,
        {.doc = "Plain stiffness in the solver \"position\": the part of an excess that goes in "
                "a substep",
         .min = 0,
         .max = 1,
         .exclusive_min = true});
  }
};

}  // namespace sinew
