// See the header.
#include "collision/sah_split.h"

#include <algorithm>

namespace sinew {
namespace {

constexpr int kBins = 12;
constexpr std::size_t kFew = 4;      // so few are halved,
constexpr std::size_t kSparse = 48;  // and so few put into a third of the bins

struct Bin {
  Aabb box = Aabb::empty();
  std::uint32_t count = 0;
};

struct Binning {
  int axis, bins;
  Real lower, scale;

  // What is not a number, of a body about to be frozen, goes to the first.
  int operator()(const Aabb& box) const {
    const Real center = (&box.lower.x)[axis] + (&box.upper.x)[axis];
    const Real bin = (center - lower) * scale;
    return bin > 0 ? static_cast<int>(std::min(bin, static_cast<Real>(bins - 1))) : 0;
  }
};

// Where the least cost is: the first bin of the right side; 0 if there is nothing to choose.
int best_border(std::span<const Bin> bins) {
  const int size = static_cast<int>(bins.size());
  Real right_cost[kBins] = {};
  Aabb box = Aabb::empty();
  std::uint32_t count = 0;
  for (int k = size - 1; k > 0; --k) {
    box = merged(box, bins[k].box);
    count += bins[k].count;
    right_cost[k] = count > 0 ? area(box) * static_cast<Real>(count) : 0;
  }
  const std::uint32_t right_of_first = count;
  if (right_of_first == 0) return 0;

  int best = 0;
  Real best_cost = std::numeric_limits<Real>::infinity();
  box = Aabb::empty();
  count = 0;
  for (int k = 1; k < size; ++k) {
    box = merged(box, bins[k - 1].box);
    count += bins[k - 1].count;
    if (count == 0) continue;
    const Real cost = area(box) * static_cast<Real>(count) + right_cost[k];
    if (cost < best_cost) best_cost = cost, best = k;
  }
  return best;
}

SahSplit split_in_middle(std::span<BoxedItem> items, int axis) {
  const std::size_t middle = items.size() / 2;
  const auto center = [axis](const BoxedItem& item) {
    const Real at = item.box.lower[axis] + item.box.upper[axis];
    return at == at ? at : Real(0);  // an order, whatever overflowed
  };
  // Equal places are told apart by item, so that the halves do not depend on the library's sort.
  std::nth_element(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(middle), items.end(),
                   [&](const BoxedItem& a, const BoxedItem& b) {
                     const Real at_a = center(a), at_b = center(b);
                     return at_a != at_b ? at_a < at_b : a.item < b.item;
                   });
  return {middle, range_of(items.first(middle)), range_of(items.subspan(middle))};
}

}  // namespace

BoxedRange range_of(std::span<const BoxedItem> items) {
  BoxedRange range;
  for (const BoxedItem& item : items) range.add(item.box);
  return range;
}

SahSplit sah_split(std::span<BoxedItem> items, const BoxedRange& range, bool halve) {
  const Vec3 side = range.centers.upper - range.centers.lower;
  const int axis = side.x >= side.y && side.x >= side.z ? 0 : side.y >= side.z ? 1 : 2;
  const int bin_count = items.size() <= kSparse ? kBins / 3 : kBins;
  const Real scale = static_cast<Real>(bin_count) / side[axis];
  if (halve || items.size() <= kFew || !(scale > 0 && scale < std::numeric_limits<Real>::max()))
    return split_in_middle(items, axis);

  const Binning bin_of{axis, bin_count, range.centers.lower[axis], scale};
  Bin bins[kBins];
  for (const BoxedItem& item : items) {
    Bin& bin = bins[bin_of(item.box)];
    bin.box = merged(bin.box, item.box);
    ++bin.count;
  }
  const int border = best_border({bins, static_cast<std::size_t>(bin_count)});
  if (border == 0) return split_in_middle(items, axis);

  SahSplit split;
  std::size_t left = 0, right = items.size();
  while (left < right) {
    const BoxedItem item = items[left];
    if (bin_of(item.box) < border) {
      split.left.add(item.box);
      ++left;
    } else {
      split.right.add(item.box);
      std::swap(items[left], items[--right]);
    }
  }
  split.left_count = left;
  return split;
}

}  // namespace sinew
