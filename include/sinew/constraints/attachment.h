// Springs that pull vertices to places in space: softer than pins, and never torn off.
#pragma once

#include <sinew/describe.h>
#include <sinew/mesh.h>

#include <vector>

namespace sinew {

struct Attachment {
  static constexpr const char* kName = "attachment";
  static constexpr const char* kDoc =
      "Pulls vertices to where they start, each by a spring without length. Their places can be "
      "moved.";

  std::vector<Index> vertices = {};
  Real stiffness = 1000;  // of each spring [N/m]
  bool anchored = true;   // their places move with the body's anchor_motion

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("vertices", vertices, {.doc = "Vertices that are pulled", .required = true});
    v.field("stiffness", stiffness,
            {.doc = "Stiffness of each spring", .unit = "N/m", .min = 0, .exclusive_min = true});
    v.field("anchored", anchored,
            {.doc = "Their places move with the body's anchor_motion, if it has one"});
  }
};

}  // namespace sinew
