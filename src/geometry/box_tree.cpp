// Building the tree; see the header.
#include "geometry/box_tree.h"

#include <algorithm>
#include <utility>

namespace sinew {

BoxTree::BoxTree(std::span<const TreeBox> boxes, std::vector<Index> items)
    : items_(std::move(items)) {
  nodes_.reserve(items_.size());
  build(boxes, 0, static_cast<Index>(items_.size()));
}

Index BoxTree::build(std::span<const TreeBox> boxes, Index begin, Index end) {
  const Index self = static_cast<Index>(nodes_.size());
  TreeBox all = boxes[items_[begin]];
  for (Index i = begin + 1; i < end; ++i)
    for (int axis = 0; axis < 3; ++axis) {
      all.lower[axis] = min(all.lower[axis], boxes[items_[i]].lower[axis]);
      all.upper[axis] = max(all.upper[axis], boxes[items_[i]].upper[axis]);
    }
  nodes_.push_back({all, begin, end, 0});
  if (end - begin <= kLeaf) {
    std::sort(items_.begin() + begin, items_.begin() + end);
    return self;
  }

  const Vec3T<double> side = all.upper - all.lower;
  const int axis = side.x >= side.y && side.x >= side.z ? 0 : side.y >= side.z ? 1 : 2;
  const Index middle = begin + (end - begin) / 2;
  // Equal places are told apart by index, so that the halves do not depend on the library's sort.
  const auto key = [&](Index i) {
    return std::pair(boxes[i].lower[axis] + boxes[i].upper[axis], i);
  };
  std::nth_element(items_.begin() + begin, items_.begin() + middle, items_.begin() + end,
                   [&](Index a, Index b) { return key(a) < key(b); });
  build(boxes, begin, middle);
  nodes_[self].right = build(boxes, middle, end);
  return self;
}

}  // namespace sinew
