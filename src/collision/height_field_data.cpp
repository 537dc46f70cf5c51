// See the header.
#include "collision/height_field_data.h"

#include <sinew/error.h>

#include <algorithm>

#include "collision/nearest_triangle.h"
#include "core/format.h"

namespace sinew {
namespace {

constexpr double kMostFieldVertices = 1 << 28;

void check(int columns, int rows, Real spacing_x, Real spacing_z, std::span<const Real> heights) {
  if (columns < 2 || rows < 2)
    throw Error(
        formatted("height field: it has {} columns and {} rows; it needs at least 2 of "
                  "each",
                  columns, rows));
  if (double(columns) * double(rows) > kMostFieldVertices)
    throw Error(
        formatted("height field: {} columns by {} rows are more than the {:.0f} heights "
                  "that it may have; use several",
                  columns, rows, kMostFieldVertices));
  for (const Real spacing : {spacing_x, spacing_z})
    if (!(spacing > 0) || !std::isfinite(spacing))
      throw Error(formatted("height field: the spacing is {} by {}; it must be positive", spacing_x,
                            spacing_z));
  const std::size_t wanted = std::size_t(columns) * std::size_t(rows);
  if (heights.size() != wanted)
    throw Error(formatted("height field: {} heights for {} columns by {} rows; there must be {}",
                          heights.size(), columns, rows, wanted));
  for (std::size_t i = 0; i < heights.size(); ++i)
    if (!std::isfinite(heights[i]))
      throw Error(
          formatted("height field: the height in column {}, row {} is {}; it must be "
                    "finite",
                    i % std::size_t(columns), i / std::size_t(columns), heights[i]));
}

}  // namespace

HeightFieldData::HeightFieldData(int columns, int rows, Real spacing_x, Real spacing_z,
                                 std::span<const Real> heights)
    : cells_x_(columns - 1),
      cells_z_(rows - 1),
      spacing_x_(spacing_x),
      spacing_z_(spacing_z),
      middle_x_(static_cast<Real>(columns - 1) / 2),
      middle_z_(static_cast<Real>(rows - 1) / 2) {
  check(columns, rows, spacing_x, spacing_z, heights);
  heights_.assign(heights.begin(), heights.end());
  build_pyramid();
  bounds_ = box(static_cast<int>(levels_.size()) - 1, 0, 0);
}

void HeightFieldData::build_pyramid() {
  levels_.push_back({cells_x_, cells_z_, 0});
  for (int z = 0; z < cells_z_; ++z)
    for (int x = 0; x < cells_x_; ++x) {
      const auto [low, high] = std::minmax(
          {vertex(x, z).y, vertex(x + 1, z).y, vertex(x, z + 1).y, vertex(x + 1, z + 1).y});
      ranges_.push_back({low, high});
    }
  while (levels_.back().cells_x > 1 || levels_.back().cells_z > 1) {
    const Level fine = levels_.back();
    const Level coarse{(fine.cells_x + 1) / 2, (fine.cells_z + 1) / 2, ranges_.size()};
    levels_.push_back(coarse);
    for (int z = 0; z < coarse.cells_z; ++z)
      for (int x = 0; x < coarse.cells_x; ++x) {
        Range sum = range(fine, 2 * x, 2 * z);
        for (int k = 1; k < 4; ++k) {
          const Range part = range(fine, std::min(2 * x + k % 2, fine.cells_x - 1),
                                   std::min(2 * z + k / 2, fine.cells_z - 1));
          sum = {min(sum.least, part.least), max(sum.greatest, part.greatest)};
        }
        ranges_.push_back(sum);
      }
  }
}

Aabb HeightFieldData::box(int level, int x, int z) const {
  const int x1 = std::min((x + 1) << level, cells_x_), z1 = std::min((z + 1) << level, cells_z_);
  const Range& height = range(levels_[static_cast<std::size_t>(level)], x, z);
  return {{(static_cast<Real>(x << level) - middle_x_) * spacing_x_, height.least,
           (static_cast<Real>(z << level) - middle_z_) * spacing_z_},
          {(static_cast<Real>(x1) - middle_x_) * spacing_x_, height.greatest,
           (static_cast<Real>(z1) - middle_z_) * spacing_z_}};
}

void HeightFieldData::triangle(Index index, Vec3 (&corner)[3]) const {
  const int cell = static_cast<int>(index / 2), x = cell % cells_x_, z = cell / cells_x_;
  corner[0] = vertex(x, z);
  corner[1] = index % 2 == 0 ? vertex(x, z + 1) : vertex(x + 1, z + 1);
  corner[2] = index % 2 == 0 ? vertex(x + 1, z + 1) : vertex(x + 1, z);
}

Vec3 HeightFieldData::normal(Index index) const {
  Vec3 corner[3];
  triangle(index, corner);
  // Along x and z the height rises steadily: no cross product, and no cancellation.
  const bool first = index % 2 == 0;
  const Real rise_x = first ? corner[2].y - corner[1].y : corner[2].y - corner[0].y;
  const Real rise_z = first ? corner[1].y - corner[0].y : corner[1].y - corner[2].y;
  const Vec3 n{-rise_x / spacing_x_, 1, -rise_z / spacing_z_};
  // By its largest part first, or the square of a cliff might overflow.
  const Real scale = max(max(std::fabs(n.x), std::fabs(n.z)), Real(1));
  return normalized(n / scale);
}

SurfaceEdge HeightFieldData::edge(Index index, int k) const {
  const int cell = static_cast<int>(index / 2), x = cell % cells_x_, z = cell / cells_x_;
  const bool first = index % 2 == 0;
  Index neighbour = index ^ 1;  // over the diagonal
  if (k != (first ? 2 : 0)) {
    int next_x = x, next_z = z;
    if (first)
      (k == 0 ? --next_x : ++next_z);
    else
      (k == 1 ? ++next_x : --next_z);
    if (next_x < 0 || next_z < 0 || next_x >= cells_x_ || next_z >= cells_z_) return {};
    neighbour = 2 * static_cast<Index>(next_z * cells_x_ + next_x) + (first ? 1 : 0);
  }
  // The corner of the neighbour that this triangle does not have.
  constexpr int kOpposite[2][3] = {{0, 1, 2}, {1, 2, 0}};
  Vec3 corner[3], other[3];
  triangle(index, corner);
  triangle(neighbour, other);
  const Vec3& apart = other[kOpposite[first ? 0 : 1][k]];
  return {edge_kind(normal(index), normal(neighbour), apart - corner[k]), neighbour};
}

SignedDistance<Real> HeightFieldData::from_solid(const Vec3& p) const {
  constexpr Vec3 kUp{0, 1, 0};
  if (p.y > bounds_.upper.y) return {p.y - bounds_.upper.y, kUp};
  const bool beside = p.x < bounds_.lower.x || p.x > bounds_.upper.x || p.z < bounds_.lower.z ||
                      p.z > bounds_.upper.z;
  if (beside) return {0, kUp};
  const Real column = p.x / spacing_x_ + middle_x_, row = p.z / spacing_z_ + middle_z_;
  const int x = std::clamp(static_cast<int>(column), 0, cells_x_ - 1);
  const int z = std::clamp(static_cast<int>(row), 0, cells_z_ - 1);
  const bool first = row - static_cast<Real>(z) > column - static_cast<Real>(x);
  const Index above = 2 * static_cast<Index>(z * cells_x_ + x) + (first ? 0 : 1);
  const Vec3 n = normal(above);
  const Real height = dot(n, p - vertex(x, z));
  return {min(height, Real(0)), n};
}

template <class Key, class Visit>
void HeightFieldData::nearest_first(Real bound, Key&& key, Visit&& visit) const {
  struct Entry {
    int level, x, z;
    Real key;
  };
  Entry stack[3 * 32 + 1];
  int height = 0;
  const int top = static_cast<int>(levels_.size()) - 1;
  stack[height++] = {top, 0, 0, key(box(top, 0, 0))};
  while (height > 0) {
    const Entry entry = stack[--height];
    if (!(entry.key <= bound)) continue;
    if (entry.level == 0) {
      const Index first = 2 * static_cast<Index>(entry.z * cells_x_ + entry.x);
      for (Index t = first; t < first + 2; ++t) {
        Vec3 corner[3];
        triangle(t, corner);
        bound = visit(t, corner);
      }
      continue;
    }
    const int level = entry.level - 1, base = height;
    const Level& size = levels_[static_cast<std::size_t>(level)];
    for (int z = 2 * entry.z; z < std::min(2 * entry.z + 2, size.cells_z); ++z)
      for (int x = 2 * entry.x; x < std::min(2 * entry.x + 2, size.cells_x); ++x) {
        const Entry next{level, x, z, key(box(level, x, z))};
        if (!(next.key <= bound)) continue;
        int at = height++;
        for (; at > base && stack[at - 1].key < next.key; --at) stack[at] = stack[at - 1];
        stack[at] = next;
      }
  }
}

std::optional<SurfaceHit> HeightFieldData::cast_ray(const Vec3& origin, const Vec3& way,
                                                    Real max_fraction) const {
  const SlabRay<Real> ray(origin, way);
  Real best = max_fraction;
  Index found = triangle_count();
  nearest_first(
      best, [&](const Aabb& cell) { return enter_box(ray, cell, best); },
      [&](Index t, const Vec3(&corner)[3]) {
        const std::optional<Real> at = cut_triangle(corner, origin, way);
        if (at && (*at < best || (*at == best && t < found))) best = *at, found = t;
        return best;
      });
  if (found == triangle_count()) return {};
  const Vec3 n = normal(found);
  return SurfaceHit{best, found, dot(n, way) > 0 ? -n : n};
}

std::optional<SurfacePoint> HeightFieldData::closest_point(const Vec3& point,
                                                           Real max_distance) const {
  NearestTriangle nearest(point, max_distance);
  nearest_first(
      nearest.bound(), [&](const Aabb& cell) { return distance2(cell, point); },
      [&](Index t, const Vec3(&corner)[3]) {
        nearest.offer(t, corner);
        return nearest.bound();
      });
  return nearest.point();
}

}  // namespace sinew
