// A part of a body that is made of something else.
#pragma once

#include <sinew/materials.h>
#include <sinew/mesh.h>

#include <vector>

namespace sinew {

// The cells of the body whose middle is in a box, and those that are named. Of several regions that
// have a cell, the last one counts.
struct Region {
  static constexpr const char* kName = "region";
  static constexpr const char* kDoc =
      "A part of a body that is made of something else: all cells whose middle is in a box.";

  Vec3 min = {}, max = {};        // corners of the box, in the mesh's own axes [m]
  std::vector<Index> cells = {};  // beside those in the box
  Material material = StableNeoHookean{};

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("min", min, {.doc = "Least corner of the box, in the mesh's own axes", .unit = "m"});
    v.field("max", max, {.doc = "Greatest corner of the box", .unit = "m"});
    v.field("material", material, {.doc = "What it is made of", .required = true});
  }
};

}  // namespace sinew
