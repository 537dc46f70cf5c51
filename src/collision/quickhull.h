// The convex hull of points on a grid of whole numbers, as triangles. All decisions are made in
// whole numbers, hence exactly: what is visible from a new point is always one connected patch with
// one closed border, whatever lies in one plane, on one line or in one place, and no triangle ever
// degenerates. (An edge of the border belongs to a triangle that the new point is strictly above
// of, so the point is not on its line.)
#pragma once

#include <sinew/mesh.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

using GridPoint = std::array<std::int32_t, 3>;
inline constexpr int kGridBits = 26;  // coordinates are 0 … 2^26: a determinant fits 128 bits

struct HullTriangle {
  Triangle corner;                         // counter-clockwise seen from outside
  std::array<std::uint32_t, 3> neighbour;  // across the edge from corner i to i + 1
};

// `start` are four of the points that do not lie in one plane. Points that are outside of the
// result by no more than `tolerance` cells, measured from each of its planes, may be left out.
// Closed and convex; the same for the same input.
std::vector<HullTriangle> quickhull(std::span<const GridPoint> points,
                                    const std::array<Index, 4>& start, double tolerance);

}  // namespace sinew
