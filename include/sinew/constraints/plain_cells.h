// Cells held together by plain position-based constraints, with the stiffnesses that `sinew fit`
// finds.
#pragma once

#include <sinew/describe.h>
#include <sinew/real.h>

namespace sinew {

struct PlainCells {
  static constexpr const char* kName = "plain_cells";
  static constexpr const char* kDoc =
      "Plain position-based constraints of every cell: lengths of edges and diagonals, and volume. "
      "What cells share counts once for each. Game stiffness, not physical; with the material "
      "\"none\".";

  Real edge = Real(0.1);
  Real face = 0;      // diagonals of the faces of hexahedra
  Real diagonal = 0;  // diagonals through hexahedra
  Real volume = 0;    // area of triangles

  template <class Visitor>
  void describe(Visitor& v) {
    const auto with = [](const char* doc) { return FieldInfo{.doc = doc, .min = 0, .max = 1}; };
    v.field("edge", edge, with("Plain stiffness of edges; 1: rigid"));
    v.field("face", face, with("Plain stiffness of the face diagonals of hexahedra"));
    v.field("diagonal", diagonal, with("Plain stiffness of the inner diagonals of hexahedra"));
    v.field("volume", volume, with("Plain stiffness of volume; of area for sheets"));
  }
};

}  // namespace sinew
