// Springs, rods or ropes along the edges of a body.
#pragma once

#include <sinew/describe.h>
#include <sinew/real.h>

namespace sinew {

struct Distance {
  static constexpr const char* kName = "distance";
  static constexpr const char* kDoc = "Springs, rods or ropes along all edges of the mesh.";

  Real stiffness = 0;         // of each spring [N/m]; 0: rigid
  bool tension_only = false;  // slack when shorter, like a rope
  Real plain = 0;             // plain PBD stiffness in place of the physical one; 0: physical

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("stiffness", stiffness,
            {.doc = "Stiffness of each spring; 0: rigid rods", .unit = "N/m", .min = 0});
    v.field("tension_only", tension_only, {.doc = "Slack when shorter than at rest, as a rope is"});
    v.field("plain", plain,
            {.doc = "Plain position-based stiffness k instead, by which an error shrinks in a "
                    "substep; 0: physical",
             .min = 0,
             .max = 1});
  }
};

}  // namespace sinew
