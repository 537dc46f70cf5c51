// What pulls clusters of vertices back to their rest shape, wherever they are and however turned.
#pragma once

#include <sinew/describe.h>
#include <sinew/real.h>
#include <sinew/rotation_method.h>

namespace sinew {

enum class MatchingClusters {
  kBody,   // all vertices together
  kCells,  // every cell by itself
};
template <>
struct EnumWords<MatchingClusters> {
  static constexpr const char* kWords[] = {"body", "cells"};
};

struct ShapeMatching {
  static constexpr const char* kName = "shape_matching";
  static constexpr const char* kDoc =
      "Pulls the vertices of a solid or a sheet, all together or cell by cell, to where their rest "
      "shape fits best.";

  MatchingClusters clusters = MatchingClusters::kBody;
  RotationMethod rotation = RotationMethod::kDefault;
  Real stiffness = 0;  // of a cluster [N/m], shared out by mass; 0: rigid
  Real plain = 0;      // plain PBD stiffness in place of the physical one; 0: physical

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("clusters", clusters, {.doc = "The whole body as one, or every cell by itself"});
    v.field("rotation", rotation, {.doc = "How a cluster's rotation is found"});
    v.field("stiffness", stiffness,
            {.doc = "Stiffness of all springs of a cluster together; 0: rigid",
             .unit = "N/m",
             .min = 0});
    v.field("plain", plain,
            {.doc = "Plain position-based stiffness k instead, by which an error shrinks in a "
                    "substep; 0: physical",
             .min = 0,
             .max = 1});
  }
};

}  // namespace sinew
