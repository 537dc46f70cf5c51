// Springs in every cell: along edges, and along the diagonals of hexahedra.
#pragma once

#include <sinew/describe.h>
#include <sinew/real.h>

namespace sinew {

struct CellSprings {
  static constexpr const char* kName = "cell_springs";
  static constexpr const char* kDoc =
      "Springs along the edges of every cell, and along the face and inner diagonals of hexahedra, "
      "as `sinew fit --springs` finds them. Springs that cells share add up. With the material "
      "\"none\".";

  Real edge = 0;      // of each cell [N/m]
  Real face = 0;      // diagonals of the faces of hexahedra [N/m]
  Real diagonal = 0;  // diagonals through hexahedra [N/m]

  template <class Visitor>
  void describe(Visitor& v) {
    const auto with = [](const char* doc) {
      return FieldInfo{.doc = doc, .unit = "N/m", .min = 0};
    };
    v.field("edge", edge, with("Stiffness of the springs along a cell's edges; 0: none"));
    v.field("face", face, with("… along the face diagonals of a hexahedron; 0: none"));
    v.field("diagonal", diagonal, with("… along the inner diagonals of a hexahedron; 0: none"));
  }
};

}  // namespace sinew
