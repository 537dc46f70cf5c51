// Tethers that keep a hanging cloth or rope from stretching, however few the sweeps.
#pragma once

#include <sinew/describe.h>
#include <sinew/real.h>

namespace sinew {

struct LongRangeAttachment {
  static constexpr const char* kName = "long_range_attachment";
  static constexpr const char* kDoc =
      "Keeps every vertex no further from its nearest pin than the way along the mesh at rest. The "
      "pins may move; one that is let go lets go of its vertices.";

  Real slack = 1;  // factor on the length of the tethers

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("slack", slack, {.doc = "Factor on the length of the tethers", .min = 1});
  }
};

}  // namespace sinew
