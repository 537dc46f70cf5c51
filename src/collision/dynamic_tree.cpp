// Keeping the tree; see the header.
#include "collision/dynamic_tree.h"

#include <algorithm>
#include <utility>

namespace sinew {
namespace {

constexpr int kLean = 12;          // how much taller a child may be than its sibling
constexpr int kSplitsByArea = 40;  // levels of a fresh tree; below, nodes are halved
constexpr double kWorn = 1.5;      // cost against that of a fresh tree when it is rebuilt

}  // namespace

std::uint32_t DynamicTree::new_pair() {
  std::uint32_t pair = free_pair_;
  if (pair != kNone) {
    free_pair_ = parents_[pair / 2];
  } else {
    pair = static_cast<std::uint32_t>(nodes_.size());
    nodes_.resize(pair + 2);
    parents_.push_back(kNone);
  }
  return pair;
}

// Tells those that point to a node that it is here now.
void DynamicTree::relocate(std::uint32_t node) {
  const Node& n = nodes_[node];
  if (is_leaf(n))
    leaves_[index_of(n)].node = node;
  else
    parents_[index_of(n) / 2] = node;
}

// The node whose union with the box costs least: the area of the new parent, and what all of its
// ancestors grow by. Descends greedily into the child with the lower bound on that.
std::uint32_t DynamicTree::best_sibling(const Aabb& box) const {
  const Real own = area(box);
  std::uint32_t at = 0, best = 0;
  Real direct = area(merged(nodes_[0].box, box)), inherited = 0, best_cost = direct;
  while (!is_leaf(nodes_[at])) {
    inherited += direct - area(nodes_[at].box);
    const std::uint32_t child = index_of(nodes_[at]);
    for (std::uint32_t k = 0; k < 2; ++k)
      if (!is_leaf(nodes_[child + k])) __builtin_prefetch(&nodes_[index_of(nodes_[child + k])]);
    Real bound[2], next[2];
    for (int k = 0; k < 2; ++k) {
      const std::uint32_t c = child + static_cast<std::uint32_t>(k);
      next[k] = area(merged(nodes_[c].box, box));
      const Real cost = inherited + next[k];
      if (cost < best_cost) best_cost = cost, best = c;
      bound[k] = is_leaf(nodes_[c]) ? std::numeric_limits<Real>::infinity()
                                    : cost + min(own - area(nodes_[c].box), Real(0));
    }
    const int k = bound[1] < bound[0] ? 1 : 0;
    if (!(bound[k] < best_cost)) break;
    at = child + static_cast<std::uint32_t>(k);
    direct = next[k];
  }
  return best;
}

void DynamicTree::refresh(std::uint32_t node) {
  Node& n = nodes_[node];
  const Node &a = nodes_[index_of(n)], &b = nodes_[index_of(n) + 1];
  n.box = merged(a.box, b.box);
  n.data = static_cast<std::uint32_t>(1 + std::max(height_of(a), height_of(b)));
  n.link = (n.link & ~kMoved) | ((a.link | b.link) & kMoved);
}

// Neither may be above the other.
void DynamicTree::swap_nodes(std::uint32_t a, std::uint32_t b) {
  std::swap(nodes_[a], nodes_[b]);
  relocate(a);
  relocate(b);
}

// Brings the taller child of a leaning child up. The height stays within a multiple of log n, as in
// AVL trees.
void DynamicTree::balance(std::uint32_t node) {
  const std::uint32_t child = index_of(nodes_[node]);
  const int lean = height_of(nodes_[child]) - height_of(nodes_[child + 1]);
  if (std::abs(lean) <= kLean) return;
  const std::uint32_t tall = lean > 0 ? child : child + 1;
  const std::uint32_t grandchild = index_of(nodes_[tall]);
  const bool second = height_of(nodes_[grandchild + 1]) > height_of(nodes_[grandchild]);
  swap_nodes(tall ^ 1, grandchild + (second ? 1 : 0));
  refresh(tall);
}

// Swaps a child with a grandchild of the other side, where that makes the other child smaller: of
// the four ways to do so, the one that gains most.
void DynamicTree::turn(std::uint32_t node) {
  const std::uint32_t child = index_of(nodes_[node]);
  Real most_gain = 0;
  std::uint32_t up = 0, down = 0;
  for (std::uint32_t k = 0; k < 2; ++k) {
    const Node &whole = nodes_[child + k], &lone = nodes_[child + 1 - k];
    if (is_leaf(whole) || height_of(lone) + 2 > kTallest / 2) continue;
    const std::uint32_t grandchild = index_of(whole);
    const Real before = area(whole.box);
    for (std::uint32_t j = 0; j < 2; ++j) {
      const Real gain = before - area(merged(lone.box, nodes_[grandchild + 1 - j].box));
      if (gain > most_gain) most_gain = gain, up = grandchild + j, down = child + 1 - k;
    }
  }
  if (!(most_gain > 0)) return;
  swap_nodes(up, down);
  refresh(down ^ 1);
  refresh(node);
}

void DynamicTree::refit_upwards(std::uint32_t node) {
  for (;; node = parent_of(node)) {
    balance(node);
    refresh(node);
    turn(node);
    if (node == 0) return;
  }
}

std::uint32_t DynamicTree::insert(const Aabb& box, std::uint32_t item) {
  SINEW_ASSERT(count_ < kMostLeaves);
  std::uint32_t handle = free_leaf_;
  if (handle != kNone) {
    free_leaf_ = leaves_[handle].node & kIndex;
  } else {
    handle = static_cast<std::uint32_t>(leaves_.size());
    leaves_.emplace_back();
  }
  ++churn_;
  ++changes_;
  const Node leaf{box, kLeaf | kMoved | handle, item};
  leaves_[handle] = {0, item};
  if (count_++ == 0) {
    if (nodes_.empty()) new_pair();
    nodes_[0] = leaf;
    return handle;
  }
  const std::uint32_t sibling = best_sibling(box);
  const std::uint32_t pair = new_pair();
  nodes_[pair] = nodes_[sibling];
  nodes_[pair + 1] = leaf;
  nodes_[sibling].link = pair;
  for (std::uint32_t node : {pair, pair + 1, sibling}) relocate(node);
  refit_upwards(sibling);
  if (height() >= kTallest) rebuild();
  return handle;
}

void DynamicTree::remove(std::uint32_t leaf) {
  const std::uint32_t node = leaves_[leaf].node;
  leaves_[leaf].node = kLeaf | free_leaf_;
  free_leaf_ = leaf;
  ++churn_;
  ++changes_;
  if (--count_ == 0) return;
  const std::uint32_t parent = parent_of(node), pair = node & ~1u;
  nodes_[parent] = nodes_[node ^ 1];
  relocate(parent);
  parents_[pair / 2] = free_pair_;
  free_pair_ = pair;
  if (parent != 0) refit_upwards(parent_of(parent));
}

void DynamicTree::move(std::uint32_t leaf, const Aabb& box) {
  ++churn_;
  std::uint32_t node = leaves_[leaf].node;
  nodes_[node].box = box;
  nodes_[node].link |= kMoved;
  while (node != 0) {
    node = parent_of(node);
    Node& n = nodes_[node];
    if (moved(n) && contains(n.box, box)) return;
    n.box = merged(n.box, box);
    n.link |= kMoved;
  }
}

void DynamicTree::clear() {
  nodes_.clear();
  parents_.clear();
  leaves_.clear();
  free_leaf_ = free_pair_ = kNone;
  count_ = churn_ = changes_ = 0;
  fresh_cost_ = 0;
}

void DynamicTree::refit_below(std::uint32_t node) {
  if (is_leaf(nodes_[node])) return;
  const std::uint32_t child = index_of(nodes_[node]);
  refit_below(child);
  refit_below(child + 1);
  refresh(node);
  turn(node);
}

void DynamicTree::refit() {
  if (count_ > 0) refit_below(0);
  churn_ = 0;
}

void DynamicTree::build(std::uint32_t node, std::span<BoxedItem> items, const BoxedRange& range,
                        int depth) {
  if (items.size() == 1) {
    const std::uint32_t handle = items[0].item & kIndex;
    nodes_[node] = {items[0].box, items[0].item, leaves_[handle].item};
    leaves_[handle].node = node;
    return;
  }
  const std::uint32_t pair = new_pair();
  parents_[pair / 2] = node;
  nodes_[node].link = pair;
  const SahSplit split = sah_split(items, range, depth >= kSplitsByArea);
  build(pair, items.first(split.left_count), split.left, depth + 1);
  build(pair + 1, items.subspan(split.left_count), split.right, depth + 1);
  refresh(node);
}

void DynamicTree::rebuild() {
  std::vector<BoxedItem>& items = scratch_.items;
  items.clear();
  for (const Leaf& leaf : leaves_)
    if ((leaf.node & kLeaf) == 0) items.push_back({nodes_[leaf.node].box, nodes_[leaf.node].link});
  nodes_.clear();
  parents_.clear();
  free_pair_ = kNone;
  churn_ = changes_ = 0;
  fresh_cost_ = 0;
  if (items.empty()) return;
  new_pair();
  build(0, items, range_of(items), 0);
  fresh_cost_ = cost();
}

void DynamicTree::maintain() {
  if (4ull * churn_ < count_ || count_ < 2) return;
  refit();
  if (2ull * changes_ > count_ || cost() > kWorn * fresh_cost_) rebuild();
}

double DynamicTree::cost_below(std::uint32_t node) const {
  const Node& n = nodes_[node];
  if (is_leaf(n)) return 0;
  return static_cast<double>(area(n.box)) + cost_below(index_of(n)) + cost_below(index_of(n) + 1);
}

double DynamicTree::cost() const { return count_ == 0 ? 0 : cost_below(0); }

void DynamicTree::forget_below(std::uint32_t node) {
  Node& n = nodes_[node];
  if (!moved(n)) return;
  n.link &= ~kMoved;
  if (is_leaf(n)) return;
  forget_below(index_of(n));
  forget_below(index_of(n) + 1);
}

void DynamicTree::forget_moves() {
  if (count_ > 0) forget_below(0);
}

void DynamicTree::split_pairs(int parts, std::vector<PairTask>& tasks) const {
  tasks.clear();
  if (count_ < 2) return;
  // A queue in the vector itself; tasks that come to nothing leave it.
  tasks.push_back({0, 0});
  std::size_t first = 0;
  const auto wanted = static_cast<std::size_t>(parts);
  for (std::size_t step = 0; step < 4 * wanted; ++step) {
    if (first == tasks.size() || tasks.size() - first >= wanted) break;
    const PairTask task = tasks[first++];
    PairTask out[4];
    int count;
    if (!expand(task, out, count)) tasks.push_back(task);
    for (int k = count - 1; k >= 0; --k) tasks.push_back(out[k]);
  }
  tasks.erase(tasks.begin(), tasks.begin() + static_cast<std::ptrdiff_t>(first));
}

}  // namespace sinew
