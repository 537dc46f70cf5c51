// Points are put on a grid of 2^26 cells along the longest side, where quickhull is exact
// (quickhull.h); triangles in one plane become polygons (hull_faces.h). What the hull has is
// the points as they were given.
#include "collision/hull.h"

#include <sinew/error.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/hull_faces.h"
#include "core/format.h"
#include "geometry/cells.h"

namespace sinew {
namespace {

using Vec = Vec3T<double>;

// Of the extent: some roundings of float. In double too, as points often come from files in float,
// and contact makes nothing of a finer relief.
constexpr double kTolerance = 1e-6;
constexpr std::size_t kMost = std::numeric_limits<std::uint16_t>::max();

// The points as seen from the middle of their bounds.
struct Cloud {
  std::vector<Vec> points = {};
  Vec middle = {};       // [m]
  Vec lower = {};        // of the bounds
  double extent = 0;     // longest side [m]
  double tolerance = 0;  // [m]
};

Cloud make_cloud(std::span<const Vec3> points) {
  if (points.size() < 4)
    throw Error(formatted("{} point{}; a hull needs at least four that are not in one plane",
                          points.empty() ? "no" : formatted("only {}", points.size()),
                          points.size() == 1 ? "" : "s"));
  for (std::size_t i = 0; i < points.size(); ++i)
    if (const Vec3& p = points[i]; !is_finite(p))
      throw Error(formatted("point {} is ({}, {}, {}); it must be finite", i, p.x, p.y, p.z));
  const Bounds box = bounds(points);
  const Vec lower = to_double(box.lower), upper = to_double(box.upper);
  Cloud cloud{.middle = lower * 0.5 + upper * 0.5};
  cloud.lower = lower - cloud.middle;
  const Vec side = upper - lower;
  cloud.extent = max(side.x, max(side.y, side.z));
  if (!std::isfinite(cloud.extent))
    throw Error("the points are farther apart than numbers reach; bring them closer");
  double largest = 0;
  for (int axis = 0; axis < 3; ++axis)
    largest = max(largest, max(std::abs(lower[axis]), std::abs(upper[axis])));
  cloud.tolerance =
      max(kTolerance * cloud.extent, double(std::numeric_limits<Real>::epsilon()) * largest);
  if (!(cloud.extent > 2 * cloud.tolerance))
    throw Error(formatted("all {} points are in one place, ({}, {}, {}); move them apart",
                          points.size(), points[0].x, points[0].y, points[0].z));
  cloud.points.reserve(points.size());
  for (const Vec3& p : points) cloud.points.push_back(to_double(p) - cloud.middle);
  return cloud;
}

// The point of the largest value, the first of equals.
template <class F>
Index farthest(const Cloud& cloud, F&& value) {
  Index best = 0;
  double most = value(cloud.points[0]);
  for (Index i = 1; i < cloud.points.size(); ++i)
    if (const double v = value(cloud.points[i]); v > most) {
      most = v;
      best = i;
    }
  return best;
}

// Four points far from one plane.
std::array<Index, 4> find_start(const Cloud& cloud) {
  const std::vector<Vec>& p = cloud.points;
  const double unit = 1 / cloud.extent;  // keeps squares within range
  const Index a = farthest(cloud, [&](const Vec& x) { return -x.x; });
  const auto seen = [&](const Vec& x) { return (x - p[a]) * unit; };
  const Index b = farthest(cloud, [&](const Vec& x) { return dot(seen(x), seen(x)); });
  const Vec along = seen(p[b]) / length(seen(p[b]));
  const auto off_line = [&](const Vec& x) { return length(cross(along, seen(x))); };
  const Index c = farthest(cloud, off_line);
  const auto refuse = [&](const char* what, double distance, const char* remedy) {
    throw Error(formatted("all {} points are {}, up to {:.3g} m; {}", p.size(), what,
                          distance * cloud.extent, remedy));
  };
  const double tolerance = cloud.tolerance * unit;
  if (!(off_line(p[c]) > tolerance))
    refuse("on one line", off_line(p[c]), "add some beside it, or use a capsule");
  const Vec across = cross(along, seen(p[c]));
  const Vec normal = across / length(across);
  const auto off_plane = [&](const Vec& x) { return std::abs(dot(normal, seen(x))); };
  const Index d = farthest(cloud, off_plane);
  if (!(off_plane(p[d]) > tolerance))
    refuse("in one plane", off_plane(p[d]), "give the hull some thickness, or use a thin box");
  return {a, b, c, d};
}

std::vector<GridPoint> on_grid(const Cloud& cloud, double cell) {
  std::vector<GridPoint> grid(cloud.points.size());
  for (std::size_t i = 0; i < grid.size(); ++i)
    for (int axis = 0; axis < 3; ++axis)
      grid[i][axis] = std::int32_t(std::lround((cloud.points[i][axis] - cloud.lower[axis]) / cell));
  return grid;
}

// Each begins with its first corner; ordered by their corners.
void sort_polygons(std::vector<HullPolygon>& polygons) {
  for (HullPolygon& p : polygons)
    std::rotate(p.corners.begin(), std::min_element(p.corners.begin(), p.corners.end()),
                p.corners.end());
  std::sort(polygons.begin(), polygons.end(),
            [](const auto& a, const auto& b) { return a.corners < b.corners; });
}

void add_edges(Hull& hull) {
  struct Half {
    std::uint16_t a, b, face;
    bool operator<(const Half& o) const { return a != o.a ? a < o.a : b < o.b; }
  };
  std::vector<Half> halves;
  for (std::size_t f = 0; f < hull.faces.size(); ++f) {
    const Hull::Face& face = hull.faces[f];
    for (int i = 0; i < face.count; ++i)
      halves.push_back({hull.face_vertices[face.first + i],
                        hull.face_vertices[face.first + (i + 1) % face.count], std::uint16_t(f)});
  }
  std::sort(halves.begin(), halves.end());
  for (const Half& h : halves) {
    if (h.a > h.b) continue;
    const auto back = std::lower_bound(halves.begin(), halves.end(), Half{h.b, h.a, 0});
    hull.edges.push_back({h.a, h.b, h.face, back->face});
  }
}

// Centre of volume, and the balls about it. By tetrahedra from a point inside.
void measure(Hull& hull, std::span<const HullPolygon> polygons, const Cloud& cloud) {
  double volume = 0;
  Vec moment{};
  const double unit = 1 / cloud.extent;
  for (const HullPolygon& p : polygons) {
    const auto x = [&](std::size_t i) { return cloud.points[p.corners[i]] * unit; };
    for (std::size_t i = 2; i < p.corners.size(); ++i) {
      const double v = dot(cross(x(0), x(i - 1)), x(i));
      volume += v;
      moment += (x(0) + x(i - 1) + x(i)) * (v / 4);
    }
  }
  const Vec center = moment / volume * cloud.extent;
  double radius = 0, inner = std::numeric_limits<double>::infinity();
  for (const HullPolygon& p : polygons) {
    inner = min(inner, p.offset - dot(p.normal, center));
    for (const Index v : p.corners) radius = max(radius, length(cloud.points[v] - center));
  }
  hull.center = to_real(cloud.middle + center);
  hull.radius = Real(radius * (1 + double(std::numeric_limits<Real>::epsilon())));
  hull.inner_radius = Real(max(inner, 0.0));
}

Hull assemble(std::span<const HullPolygon> polygons, std::span<const Vec3> points,
              const Cloud& cloud) {
  std::vector<Index> place(points.size(), kNoIndex);
  std::size_t corners = 0;
  for (const HullPolygon& p : polygons) {
    corners += p.corners.size();
    for (const Index v : p.corners) place[v] = 0;
  }
  Hull hull;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (place[i] != kNoIndex) {
      place[i] = Index(hull.vertices.size());
      hull.vertices.push_back(points[i]);
    }
  if (corners > kMost)
    throw Error(formatted(
        "the hull has {} corners in {} faces, where {} corners is the most; use fewer points",
        hull.vertices.size(), polygons.size(), kMost / 6));
  for (const HullPolygon& p : polygons) {
    hull.faces.push_back({to_real(p.normal), Real(p.offset + dot(p.normal, cloud.middle)),
                          std::uint16_t(hull.face_vertices.size()),
                          std::uint16_t(p.corners.size())});
    for (const Index v : p.corners) hull.face_vertices.push_back(std::uint16_t(place[v]));
  }
  add_edges(hull);
  measure(hull, polygons, cloud);
  return hull;
}

}  // namespace

Hull make_hull(std::span<const Vec3> points) {
  const Cloud cloud = make_cloud(points);
  const std::array<Index, 4> start = find_start(cloud);
  const double cell = cloud.extent / (1 << kGridBits);
  const std::vector<GridPoint> grid = on_grid(cloud, cell);
  const std::vector<HullTriangle> triangles = quickhull(grid, start, cloud.tolerance / cell);
  std::vector<HullPolygon> polygons =
      merge_coplanar(triangles, grid, cloud.points, cloud.tolerance, cell);
  sort_polygons(polygons);
  return assemble(polygons, points, cloud);
}

}  // namespace sinew
