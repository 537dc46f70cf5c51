// Rows of joints for those who solve many of them together (direct_joints.h).
#pragma once

#include <sinew/math.h>

namespace sinew {

// A row of a joint in the packs of its kind.
struct RowPlace {
  int pack, lane, row;  // rows of the block first, then loose ones
};
// An equation J·v = 0.
struct alignas(64) HardRow {
  double a[8], b[8];  // J: linear xyz, angular xyz, 0, 0; all zero if it says nothing at present
};
struct HardError {
  double start;  // what is wrong with C where the way of the step is 0
  bool on;       // false: says nothing at present
};
struct HardArms {
  Vec3T<double> a, b;   // from the centres to the joint; only b is told by the joint
  Vec3T<double> apart;  // from the point on b to that on a, of a rod; otherwise they are one
};

}  // namespace sinew
