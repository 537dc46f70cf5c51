// Building the tree, rays and nearest points; see the header.
#include "collision/triangle_tree.h"

#include <algorithm>

namespace sinew {
namespace {

constexpr Real kBeyondAll = std::numeric_limits<Real>::infinity();

}  // namespace

struct TriangleTree::Source {
  std::span<const Vec3> vertices;
  std::span<const Triangle> triangles;
};

TriangleTree::TriangleTree(std::span<const Vec3> vertices, std::span<const Triangle> triangles,
                           std::span<const Index> used) {
  std::vector<BoxedItem> items;
  items.reserve(used.size());
  for (const Index t : used) {
    Aabb box = Aabb::empty();
    for (const Index v : triangles[t]) box = merged(box, vertices[v]);
    items.push_back({box, t});
  }
  const BoxedRange all = range_of(items);
  bounds_ = all.box;
  root_ = build({vertices, triangles}, items, all, 0);
}

std::uint32_t TriangleTree::add_block(const Source& source, std::span<BoxedItem> items) {
  std::sort(items.begin(), items.end(),
            [](const BoxedItem& a, const BoxedItem& b) { return a.item < b.item; });
  Block& block = blocks_.emplace_back();
  for (std::size_t lane = 0; lane < kWide; ++lane) {
    const bool filled = lane < items.size();
    block.triangle[lane] = filled ? items[lane].item : kNone;
    for (std::size_t k = 0; k < 3; ++k)
      for (int axis = 0; axis < 3; ++axis)
        block.corner[k][axis][lane] =
            filled ? source.vertices[source.triangles[items[lane].item][k]][axis] : kBeyondAll;
  }
  return kLeaf | static_cast<std::uint32_t>(blocks_.size() - 1);
}

std::uint32_t TriangleTree::build(const Source& source, std::span<BoxedItem> items,
                                  const BoxedRange& range, int depth) {
  if (items.size() <= kWide) return add_block(source, items);
  struct Part {
    std::span<BoxedItem> items;
    BoxedRange range;
  };
  Part parts[kWide] = {{items, range}};
  int count = 1;
  while (count < kWide) {
    int largest = -1;
    Real most = -1;
    for (int k = 0; k < count; ++k) {
      const Real size = area(parts[k].range.box);
      if (parts[k].items.size() > kWide && size > most) most = size, largest = k;
    }
    if (largest < 0) break;
    Part& part = parts[largest];
    const SahSplit split = sah_split(part.items, part.range, depth >= kDepth / 2);
    parts[count++] = {part.items.subspan(split.left_count), split.right};
    part = {part.items.first(split.left_count), split.left};
  }
  const auto self = static_cast<std::uint32_t>(nodes_.size());
  nodes_.emplace_back();
  for (int k = 0; k < kWide; ++k) {
    const bool filled = k < count;
    for (int axis = 0; axis < 3; ++axis) {
      nodes_[self].lower[axis][k] = filled ? parts[k].range.box.lower[axis] : kBeyondAll;
      nodes_[self].upper[axis][k] = filled ? parts[k].range.box.upper[axis] : kBeyondAll;
    }
    const std::uint32_t child =
        filled ? build(source, parts[k].items, parts[k].range, depth + 1) : kNone;
    nodes_[self].child[k] = child;
  }
  return self;
}

std::optional<TriangleTree::Hit> TriangleTree::cast(const Vec3& origin, const Vec3& way,
                                                    Real max_fraction) const {
  constexpr Real kBeside = 16 * std::numeric_limits<Real>::epsilon();
  const SlabRay<P> ray(origin, way);
  const Vec3T<P> o{P(origin.x), P(origin.y), P(origin.z)}, d{P(way.x), P(way.y), P(way.z)};
  Real best = max_fraction;
  Index triangle = kNone;

  // As cut_triangle(), for all triangles of a block.
  const auto cut_block = [&](const Block& block) {
    const Vec3T<P> a = load(block.corner[0]);
    const Vec3T<P> ab = load(block.corner[1]) - a, ac = load(block.corner[2]) - a;
    const Vec3T<P> across = cross(d, ac), from = o - a, turned = cross(from, ab);
    const P scale = P(1) / dot(ab, across);
    const P u = dot(from, across) * scale, v = dot(d, turned) * scale;
    const P t = dot(ac, turned) * scale;
    const auto hit = (u >= P(-kBeside)) & (v >= P(-kBeside)) & (u + v <= P(1 + kBeside)) &
                     (t >= P(0)) & (t <= P(best));
    for_each_lane(bytes_of(hit), [&](int lane) {
      const Real at = t.lane(lane);
      if (at < best || (at == best && block.triangle[lane] < triangle))
        best = at, triangle = block.triangle[lane];
    });
  };

  Entry stack[kStack];
  int height = 0;
  stack[height++] = {root_, 0};
  while (height > 0) {
    const Entry entry = stack[--height];
    if (entry.key > best) continue;
    if ((entry.node & kLeaf) != 0) {
      cut_block(blocks_[entry.node & ~kLeaf]);
      continue;
    }
    const Node& node = nodes_[entry.node];
    P enter, leave;
    ray.cut(load(node.lower), load(node.upper), enter, leave);
    enter = max(enter, P(0));
    const int base = height;
    for_each_lane(bytes_of(enter <= min(leave, P(best))), [&](int lane) {
      push(stack, base, height, {node.child[lane], enter.lane(lane)});
    });
  }
  if (triangle == kNone) return {};
  return Hit{best, triangle};
}

void TriangleTree::near(const Vec3& point, NearestTriangle& nearest) const {
  const Vec3T<P> p{P(point.x), P(point.y), P(point.z)};
  const auto distance2 = [&](const Vec3T<P>& lower, const Vec3T<P>& upper) {
    const Vec3T<P> below = lower - p, above = p - upper;
    const Vec3T<P> gap{max(max(below.x, above.x), P(0)), max(max(below.y, above.y), P(0)),
                       max(max(below.z, above.z), P(0))};
    return dot(gap, gap);
  };
  const auto offer_block = [&](const Block& block) {
    Vec3T<P> lower, upper;
    bound(block, lower, upper);
    const P away = distance2(lower, upper);
    for_each_lane(bytes_of(away <= P(nearest.bound())), [&](int lane) {
      if (block.triangle[lane] == kNone || away.lane(lane) > nearest.bound()) return;
      Vec3 corner[3];
      for (int k = 0; k < 3; ++k)
        for (int axis = 0; axis < 3; ++axis) corner[k][axis] = block.corner[k][axis][lane];
      nearest.offer(block.triangle[lane], corner);
    });
  };

  Entry stack[kStack];
  int height = 0;
  stack[height++] = {root_, 0};
  while (height > 0) {
    const Entry entry = stack[--height];
    if (entry.key > nearest.bound()) continue;
    if ((entry.node & kLeaf) != 0) {
      offer_block(blocks_[entry.node & ~kLeaf]);
      continue;
    }
    const Node& node = nodes_[entry.node];
    const P away = distance2(load(node.lower), load(node.upper));
    const int base = height;
    for_each_lane(bytes_of(away <= P(nearest.bound())), [&](int lane) {
      if (node.child[lane] != kNone) push(stack, base, height, {node.child[lane], away.lane(lane)});
    });
  }
}

}  // namespace sinew
