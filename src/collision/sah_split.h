// How trees of boxes are built top down: one split of a set of boxes into two, where the surface
// area heuristic expects the least work,
//   cost = area(left) count(left) + area(right) count(right),
// among the borders of equal bins along the longest side of the boxes' centres (I. Wald, On fast
// Construction of SAH-based Bounding Volume Hierarchies, 2007). The result depends on the boxes and
// their order alone.
#pragma once

#include <cstdint>
#include <span>

#include "collision/bounds.h"

namespace sinew {

struct BoxedItem {
  Aabb box;
  std::uint32_t item;
};

// Of some items: the box about them, and the one about their centres, doubled.
struct BoxedRange {
  Aabb box = Aabb::empty();
  Aabb centers = Aabb::empty();

  void add(const Aabb& b) {
    box = merged(box, b);
    centers = merged(centers, b.lower + b.upper);
  }
};
BoxedRange range_of(std::span<const BoxedItem> items);

struct SahSplit {
  std::size_t left_count;  // neither side is empty
  BoxedRange left, right;
};

// Reorders at least two items so that the first left_count are one side. Halves them where the
// centres cannot be told apart, and always if `halve`, which bounds the depth of a tree.
SahSplit sah_split(std::span<BoxedItem> items, const BoxedRange& range, bool halve);

}  // namespace sinew
