// Convex polyhedra as the comparison of engines measures them, in double and by brute force, so
// that no engine is judged by its own collision detection.
#pragma once

#include <sinew/math.h>

#include <array>
#include <span>
#include <vector>

namespace sinew {

struct Solid {
  using Vec = Vec3T<double>;

  std::vector<Vec> points;                // corners
  std::vector<std::array<int, 3>> faces;  // triangles, counter-clockwise seen from outside
  std::vector<Vec> normals;               // unit, of faces; parallel ones once
  std::vector<Vec> edges;                 // unit, along edges; parallel ones once
  double radius = 0;                      // of the ball about the origin that holds it [m]
  double volume = 0;                      // [m³]
};

// The hull of points, all of which must be corners of it and no four of which may be in one plane
// of the hull. Takes O(n⁴): for a few dozen points.
Solid solid_of(std::span<const Vec3> points);
Solid solid_box(const Vec3& half);

// A solid somewhere.
struct PlacedSolid {
  const Solid* solid;
  Pose pose;
};

// How far two solids are inside each other [m]; 0 if they are apart. The least overlap over all
// directions in which two convex polyhedra can be separated: the normals of both, and the cross
// products of their edges.
double penetration(const PlacedSolid& a, const PlacedSolid& b);
// The largest of all pairs.
double deepest_penetration(std::span<const PlacedSolid> solids);

}  // namespace sinew
