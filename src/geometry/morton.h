// Points in the order of a curve that fills space (Morton 1966): those that follow each other are
// mostly close together.
#pragma once

#include <sinew/mesh.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace sinew {

// The bits of v with two zeros after each.
inline std::uint64_t spread_bits(std::uint64_t v) {
  v &= 0x1fffff;
  v = (v | v << 32) & 0x1f00000000ffffull;
  v = (v | v << 16) & 0x1f0000ff0000ffull;
  v = (v | v << 8) & 0x100f00f00f00f00full;
  v = (v | v << 4) & 0x10c30c30c30c30c3ull;
  return (v | v << 2) & 0x1249249249249249ull;
}

// Numbers of the points along the curve; equal ones as they come. Points must be finite.
inline std::vector<Index> morton_order(std::span<const Vec3> points) {
  if (points.empty()) return {};
  Vec3 lower = points[0], upper = points[0];
  for (const Vec3& p : points)
    for (int k = 0; k < 3; ++k) {
      lower[k] = std::min(lower[k], p[k]);
      upper[k] = std::max(upper[k], p[k]);
    }
  const Vec3 size = upper - lower;
  const double extent = std::max({double(size.x), double(size.y), double(size.z), 1e-30});
  const double scale = 0x1fffff / extent;
  std::vector<std::pair<std::uint64_t, Index>> keys(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::uint64_t key = 0;
    for (int k = 0; k < 3; ++k)
      key |= spread_bits(std::uint64_t((double(points[i][k]) - lower[k]) * scale)) << k;
    keys[i] = {key, static_cast<Index>(i)};
  }
  std::sort(keys.begin(), keys.end());
  std::vector<Index> order(points.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = keys[i].second;
  return order;
}

}  // namespace sinew
