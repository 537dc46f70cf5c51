// The broad phase's tree: a binary tree of boxes over things that move. A node is 32 bytes (64 in
// double), two children lie side by side and fill a cache line. Leaves are found by a handle that
// stays while nodes change places.
//
// Insertion descends to the sibling that adds the least area (E. Catto, Dynamic Bounding Volume
// Hierarchies, 2019), and on the way back turns the tree where grandchildren fit better on the
// other side (Kopta et al., Fast, Effective BVH Updates for Animated Scenes, 2012). Moving a leaf
// only enlarges its ancestors; refit() later shrinks and turns all. rebuild() makes the tree anew
// with the surface area heuristic.
//
// The same calls give the same tree. Queries are const and may run at the same time.
#pragma once

#include <concepts>
#include <type_traits>
#include <vector>

#include "collision/bounds.h"
#include "collision/sah_split.h"
#include "core/assert.h"
#include "core/pack.h"

namespace sinew {

class DynamicTree {
 public:
  static constexpr std::uint32_t kMostLeaves = (1u << 30) - 1;

  // Returns the leaf's handle. It counts as moved.
  std::uint32_t insert(const Aabb& box, std::uint32_t item);
  void remove(std::uint32_t leaf);
  void move(std::uint32_t leaf, const Aabb& box);

  const Aabb& box(std::uint32_t leaf) const { return nodes_[leaves_[leaf].node].box; }
  std::uint32_t item(std::uint32_t leaf) const { return leaves_[leaf].item; }
  std::uint32_t size() const { return count_; }
  int height() const { return count_ == 0 ? 0 : height_of(nodes_[0]); }
  void clear();

  // Makes every inner box as small as it can be.
  void refit();
  void rebuild();
  // Once a step: refits when a quarter of the leaves have moved since it last did, and rebuilds if
  // queries would then still cost half as much again as in a fresh tree. O(1) for every leaf moved.
  void maintain();
  // Σ area of the inner nodes: what queries cost [m²].
  double cost() const;

  // f(item) for every leaf whose box overlaps. f may return bool; false ends the query.
  template <class F>
  void query(const Aabb& box, F&& f) const;

  // f(item, fraction) for the leaves whose boxes origin + t way meets at 0 ≤ t ≤ fraction, roughly
  // the nearest first; f returns the largest fraction that is of interest from then on, or a
  // negative number to end. `half` sweeps a box of that size instead of a point.
  template <class F>
  void cast(const Vec3& origin, const Vec3& way, Real max_fraction, F&& f, Vec3 half = {}) const;

  // A part of the search for pairs: one subtree against another, or against itself.
  struct PairTask {
    std::uint32_t a, b;  // nodes
  };
  // f(item, item) for every pair of leaves whose boxes overlap and of which one at least has moved
  // (was inserted or given to move()) since forget_moves(); each pair once. Subtrees where nothing
  // moved cost nothing.
  template <class F>
  void find_pairs(F&& f) const {
    if (count_ > 1) find_pairs(PairTask{0, 0}, f);
  }
  // The same in tasks that may run in parallel: about `parts`, fewer where there is little to do.
  void split_pairs(int parts, std::vector<PairTask>& tasks) const;
  template <class F>
  void find_pairs(const PairTask& task, F&& f) const;
  void forget_moves();

 private:
  static constexpr std::uint32_t kLeaf = 1u << 31, kMoved = 1u << 30, kIndex = kMoved - 1;
  static constexpr std::uint32_t kNone = kIndex;
  static constexpr int kTallest = 120;  // the stacks of queries hold that

  struct alignas(8 * sizeof(Real)) Node {
    Aabb box;
    std::uint32_t link;  // of a leaf its handle and kLeaf, else the first child; kMoved
    std::uint32_t data;  // of a leaf its item, else the height
  };
  struct Leaf {
    std::uint32_t node;  // of a handle that is not in use: kLeaf and the next such
    std::uint32_t item;
  };
  struct Scratch {  // is not copied
    Scratch() = default;
    Scratch(const Scratch&) {}
    Scratch& operator=(const Scratch&) { return *this; }
    std::vector<BoxedItem> items;
  };

  static bool is_leaf(const Node& node) { return (node.link & kLeaf) != 0; }
  static bool moved(const Node& node) { return (node.link & kMoved) != 0; }
  static std::uint32_t index_of(const Node& node) { return node.link & kIndex; }
  static int height_of(const Node& n) { return is_leaf(n) ? 0 : static_cast<int>(n.data); }
  std::uint32_t parent_of(std::uint32_t node) const { return parents_[node / 2]; }

  // A box that many nodes are held against: lower against upper in one comparison of six lanes.
  class Probe {
   public:
    explicit Probe(const Aabb& box) : Probe(Node{box, 0, 0}) {}
    SINEW_INLINE explicit Probe(const Node& node) {
      constexpr Real kMost = std::numeric_limits<Real>::infinity();
      const Pack8 raw = turned(node);
      const Raw upper_first = __builtin_shufflevector(raw.v, raw.v, 3, 4, 5, 0, 1, 2, 6, 7);
      const Ints kLast = {0, 0, 0, 0, 0, 0, -1, -1};
      bound_ = Pack8::from(kLast ? Pack8(kMost).v : -upper_first);
    }
    SINEW_INLINE bool overlaps(const Node& node) const { return !any(turned(node) > bound_); }

   private:
    using Pack8 = Pack<Real, 8>;
    using Raw = Pack8::Raw;
    using Ints = PackMask<Real, 8>::Raw;

    // Lower bounds, and upper ones with the other sign.
    static SINEW_INLINE Pack8 turned(const Node& node) {
      constexpr auto kSign = std::numeric_limits<PackMask<Real, 8>::Int>::min();
      const Ints kUpper = {0, 0, 0, kSign, kSign, kSign, 0, 0};
      const Pack8 raw = load_lanes<Pack8>(&node.box.lower.x);
      return Pack8::from((Raw)(Ints(raw.v) ^ kUpper));
    }
    Pack8 bound_;
  };

  std::uint32_t new_pair();
  void relocate(std::uint32_t node);
  std::uint32_t best_sibling(const Aabb& box) const;
  void refresh(std::uint32_t node);
  void swap_nodes(std::uint32_t a, std::uint32_t b);
  void balance(std::uint32_t node);
  void turn(std::uint32_t node);
  void refit_upwards(std::uint32_t node);
  void refit_below(std::uint32_t node);
  void build(std::uint32_t node, std::span<BoxedItem> items, const BoxedRange& range, int depth);
  void forget_below(std::uint32_t node);
  double cost_below(std::uint32_t node) const;
  bool expand(const PairTask& task, PairTask (&out)[4], int& count) const;

  std::vector<Node> nodes_;             // the root is the first; the second is not used
  std::vector<std::uint32_t> parents_;  // one for each two nodes
  std::vector<Leaf> leaves_;            // by handle
  std::uint32_t free_leaf_ = kNone;     // chains of what may be used again
  std::uint32_t free_pair_ = kNone;
  std::uint32_t count_ = 0;
  std::uint32_t churn_ = 0;    // leaves moved, inserted or removed since refit or rebuild
  std::uint32_t changes_ = 0;  // leaves inserted or removed since rebuild
  double fresh_cost_ = 0;      // after the last rebuild
  Scratch scratch_;
};

template <class F>
void DynamicTree::query(const Aabb& box, F&& f) const {
  if (count_ == 0) return;
  const Probe probe(box);
  if (!probe.overlaps(nodes_[0])) return;
  std::uint32_t stack[kTallest + 8];
  int height = 0;
  std::uint32_t at = 0;
  for (;;) {
    const Node& node = nodes_[at];
    if (is_leaf(node)) {
      if constexpr (std::same_as<std::invoke_result_t<F&, std::uint32_t>, bool>) {
        if (!f(node.data)) return;
      } else {
        f(node.data);
      }
    } else {
      const std::uint32_t child = index_of(node);
      const bool first = probe.overlaps(nodes_[child]);
      const bool second = probe.overlaps(nodes_[child + 1]);
      if (first && second) stack[height++] = child + 1;
      if (first || second) {
        at = first ? child : child + 1;
        continue;
      }
    }
    if (height == 0) return;
    at = stack[--height];
  }
}

template <class F>
void DynamicTree::cast(const Vec3& origin, const Vec3& way, Real max_fraction, F&& f,
                       Vec3 half) const {
  if (count_ == 0) return;
  SlabRay<Real> ray(origin, way);
  ray.above += half;
  ray.below -= half;
  struct Entry {
    std::uint32_t node;
    Real enter;
  };
  Entry stack[kTallest + 8];
  int height = 0;
  stack[height++] = {0, enter_box(ray, nodes_[0].box, max_fraction)};
  while (height > 0) {
    const Entry entry = stack[--height];
    if (!(entry.enter <= max_fraction)) continue;
    const Node& node = nodes_[entry.node];
    if (is_leaf(node)) {
      max_fraction = f(node.data, max_fraction);
      continue;
    }
    const std::uint32_t child = index_of(node);
    Entry near{child, enter_box(ray, nodes_[child].box, max_fraction)};
    Entry far{child + 1, enter_box(ray, nodes_[child + 1].box, max_fraction)};
    if (far.enter < near.enter) std::swap(near, far);
    if (far.enter <= max_fraction) stack[height++] = far;
    if (near.enter <= max_fraction) stack[height++] = near;
  }
}

// What a task comes down to: up to four smaller ones. False for two leaves, which are a pair.
inline bool DynamicTree::expand(const PairTask& task, PairTask (&out)[4], int& count) const {
  count = 0;
  const Node &a = nodes_[task.a], &b = nodes_[task.b];
  if (task.a == task.b) {
    if (is_leaf(a) || !moved(a)) return true;
    const std::uint32_t child = index_of(a);
    const Node &left = nodes_[child], &right = nodes_[child + 1];
    if ((moved(left) || moved(right)) && overlap(left.box, right.box))
      out[count++] = {child, child + 1};
    if (moved(right)) out[count++] = {child + 1, child + 1};
    if (moved(left)) out[count++] = {child, child};
    return true;
  }
  if (is_leaf(a) && is_leaf(b)) return false;
  const std::uint32_t first_a = is_leaf(a) ? task.a : index_of(a), parts_a = is_leaf(a) ? 1 : 2;
  const std::uint32_t first_b = is_leaf(b) ? task.b : index_of(b), parts_b = is_leaf(b) ? 1 : 2;
  for (std::uint32_t i = 0; i < parts_a; ++i) {
    const Node& part_a = nodes_[first_a + i];
    const Probe probe(part_a);
    for (std::uint32_t j = 0; j < parts_b; ++j) {
      const Node& part_b = nodes_[first_b + j];
      out[count] = {first_a + i, first_b + j};
      count += ((part_a.link | part_b.link) & kMoved) != 0 && probe.overlaps(part_b) ? 1 : 0;
    }
  }
  return true;
}

template <class F>
void DynamicTree::find_pairs(const PairTask& task, F&& f) const {
  PairTask stack[4 * kTallest];  // every level leaves at most three behind
  int height = 0;
  stack[height++] = task;
  while (height > 0) {
    const PairTask next = stack[--height];
    PairTask parts[4];
    int count;
    if (!expand(next, parts, count)) {
      f(nodes_[next.a].data, nodes_[next.b].data);
      continue;
    }
    SINEW_ASSERT(height + count <= 4 * kTallest);
    for (int k = 0; k < count; ++k) stack[height++] = parts[k];
  }
}

}  // namespace sinew
