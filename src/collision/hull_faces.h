// Polygons out of the triangles of a convex hull.
#pragma once

#include "collision/quickhull.h"

namespace sinew {

struct HullPolygon {
  std::vector<Index> corners;  // counter-clockwise seen from outside
  Vec3T<double> normal;        // unit, outwards
  double offset;               // normal · x of the plane that holds all of it below
};

// Triangles that lie in one plane, up to `tolerance`, become one polygon; corners that are left
// between two polygons only, in the middle of an edge, go. Where that would leave no sound
// polyhedron, the triangles are returned as they are. `grid` are the points that the triangles are
// a hull of, in cells; `points` the same as given, and `tolerance` [m] with `cell` [m] per cell.
std::vector<HullPolygon> merge_coplanar(std::span<const HullTriangle> triangles,
                                        std::span<const GridPoint> grid,
                                        std::span<const Vec3T<double>> points, double tolerance,
                                        double cell);

}  // namespace sinew
