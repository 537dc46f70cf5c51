// A tree of boxes over things that do not move, for what is nearest to a point. Built top down,
// halved at the median of the longest side; the same for the same input.
#pragma once

#include <sinew/mesh.h>

#include <span>
#include <utility>
#include <vector>

namespace sinew {

struct TreeBox {
  Vec3T<double> lower, upper;
};

// Squared distance of a point from a box, 0 inside.
inline double distance2(const TreeBox& box, const Vec3T<double>& p) {
  double sum = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const double gap = max(max(box.lower[axis] - p[axis], p[axis] - box.upper[axis]), 0.0);
    sum += gap * gap;
  }
  return sum;
}

class BoxTree {
 public:
  // `items` are the indices of boxes to put in; at least one.
  BoxTree(std::span<const TreeBox> boxes, std::vector<Index> items);

  // Calls visit(item) for the items whose boxes are nearer than √bound, roughly the nearest first.
  // visit returns the bound from then on.
  template <class Visit>
  void near(const Vec3T<double>& p, double bound, Visit&& visit) const {
    struct Entry {
      Index node;
      double distance2;
    };
    Entry stack[64];  // the tree is balanced
    int height = 0;
    stack[height++] = {0, distance2(nodes_[0].box, p)};
    while (height > 0) {
      const Entry entry = stack[--height];
      if (!(entry.distance2 < bound)) continue;
      const Node& node = nodes_[entry.node];
      if (node.right == 0) {
        for (Index i = node.begin; i < node.end; ++i) bound = visit(items_[i]);
        continue;
      }
      Entry left{entry.node + 1, distance2(nodes_[entry.node + 1].box, p)};
      Entry right{node.right, distance2(nodes_[node.right].box, p)};
      if (left.distance2 <= right.distance2) std::swap(left, right);
      stack[height++] = left;  // the farther one
      stack[height++] = right;
    }
  }

 private:
  static constexpr Index kLeaf = 4;

  struct Node {
    TreeBox box;
    Index begin, end;  // of items_
    Index right;       // the left child follows its parent; 0: a leaf
  };

  Index build(std::span<const TreeBox> boxes, Index begin, Index end);

  std::vector<Index> items_;
  std::vector<Node> nodes_;
};

}  // namespace sinew
