// A tree over triangles that do not move, eight children to a node and up to eight triangles to a
// leaf: a ray is cut with all of them at once in the lanes of a pack. Built top down by the surface
// area heuristic; a node opens the largest of its children until it has eight (I. Wald, C. Benthin
// and S. Boulos, Getting Rid of Packets, 2008).
#pragma once

#include <sinew/mesh.h>

#include <bit>
#include <cstring>
#include <vector>

#include "collision/nearest_triangle.h"
#include "collision/sah_split.h"
#include "core/pack.h"

namespace sinew {

class TriangleTree {
 public:
  struct Hit {
    Real fraction;
    Index triangle;
  };

  // Over those triangles whose numbers are in `used`; at least one.
  TriangleTree(std::span<const Vec3> vertices, std::span<const Triangle> triangles,
               std::span<const Index> used);

  const Aabb& bounds() const { return bounds_; }

  // f(triangle) for all whose boxes overlap.
  template <class F>
  void query(const Aabb& box, F&& f) const;
  // The first hit, from either side.
  std::optional<Hit> cast(const Vec3& origin, const Vec3& way, Real max_fraction) const;
  // Offers what may be nearer to the point than what has been found.
  void near(const Vec3& point, NearestTriangle& nearest) const;

 private:
  static constexpr int kWide = 8;
  static constexpr int kDepth = 28;  // of which half may be lopsided
  static constexpr int kStack = (kWide - 1) * kDepth + 1;
  static constexpr std::uint32_t kLeaf = 1u << 31;
  static constexpr Index kNone = ~Index(0);
  using P = Pack<Real, kWide>;
  using Lanes = Real[kWide];

  struct alignas(64) Node {
    Lanes lower[3], upper[3];    // infinite, both, where there is no child
    std::uint32_t child[kWide];  // a node, or kLeaf and a block
  };
  struct alignas(64) Block {
    Lanes corner[3][3];  // by corner, then axis; infinite where there is no triangle
    Index triangle[kWide];
  };
  struct Entry {
    std::uint32_t node;
    Real key;
  };

  static SINEW_INLINE Vec3T<P> load(const Lanes (&lanes)[3]) {
    return {load_lanes<P>(lanes[0]), load_lanes<P>(lanes[1]), load_lanes<P>(lanes[2])};
  }
  // The boxes of a block's triangles.
  static SINEW_INLINE void bound(const Block& block, Vec3T<P>& lower, Vec3T<P>& upper) {
    const Vec3T<P> a = load(block.corner[0]), b = load(block.corner[1]), c = load(block.corner[2]);
    lower = {min(min(a.x, b.x), c.x), min(min(a.y, b.y), c.y), min(min(a.z, b.z), c.z)};
    upper = {max(max(a.x, b.x), c.x), max(max(a.y, b.y), c.y), max(max(a.z, b.z), c.z)};
  }
  static SINEW_INLINE PackMask<Real, kWide> overlaps(const Vec3T<P>& lower, const Vec3T<P>& upper,
                                                     const Vec3T<P>& to, const Vec3T<P>& from) {
    return (lower.x <= to.x) & (lower.y <= to.y) & (lower.z <= to.z) & (upper.x >= from.x) &
           (upper.y >= from.y) & (upper.z >= from.z);
  }
  // The lanes that are set, eight bits for each, so that no CPU needs its own instruction.
  static SINEW_INLINE std::uint64_t bytes_of(const PackMask<Real, kWide>& mask) {
    typedef std::int8_t Bytes __attribute__((vector_size(kWide)));
    const Bytes bytes = __builtin_convertvector(mask.m, Bytes);
    std::uint64_t word;
    std::memcpy(&word, &bytes, sizeof word);
    return word;
  }
  template <class F>
  static SINEW_INLINE void for_each_lane(std::uint64_t bytes, F&& f) {
    while (bytes != 0) {
      const int lane = std::countr_zero(bytes) / 8;
      bytes &= ~(std::uint64_t(0xff) << (8 * lane));
      f(lane);
    }
  }
  // Keeps the stack of a node's children in order, the smallest key on top.
  static SINEW_INLINE void push(Entry* stack, int base, int& height, Entry entry) {
    int at = height++;
    for (; at > base && stack[at - 1].key < entry.key; --at) stack[at] = stack[at - 1];
    stack[at] = entry;
  }

  struct Source;
  std::uint32_t build(const Source& source, std::span<BoxedItem> items, const BoxedRange& range,
                      int depth);
  std::uint32_t add_block(const Source& source, std::span<BoxedItem> items);

  std::vector<Node> nodes_;
  std::vector<Block> blocks_;
  std::uint32_t root_ = 0;
  Aabb bounds_;
};

template <class F>
void TriangleTree::query(const Aabb& box, F&& f) const {
  const Vec3T<P> from{P(box.lower.x), P(box.lower.y), P(box.lower.z)};
  const Vec3T<P> to{P(box.upper.x), P(box.upper.y), P(box.upper.z)};
  std::uint32_t stack[kStack];
  int height = 0;
  stack[height++] = root_;
  while (height > 0) {
    const std::uint32_t at = stack[--height];
    if ((at & kLeaf) == 0) {
      const Node& node = nodes_[at];
      for_each_lane(bytes_of(overlaps(load(node.lower), load(node.upper), to, from)),
                    [&](int lane) { stack[height++] = node.child[lane]; });
      continue;
    }
    const Block& block = blocks_[at & ~kLeaf];
    Vec3T<P> lower, upper;
    bound(block, lower, upper);
    for_each_lane(bytes_of(overlaps(lower, upper, to, from)),
                  [&](int lane) { f(block.triangle[lane]); });
  }
}

}  // namespace sinew
