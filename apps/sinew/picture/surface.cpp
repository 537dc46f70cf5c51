// Smooth normals with creases. The normal at a corner is the mean, weighted by angle, of the
// normals of those triangles round the vertex that are within kCrease of its own: round things look
// smooth, boxes keep their edges. (G. Thürmer, C. Wüthrich, "Computing vertex normals from
// polygonal facets", 1998, for the weights.)
#include "surface.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <tuple>

namespace sinew {
namespace {

constexpr Real kCosCrease = Real(0.766);  // 40 degrees
constexpr Real kFarthest = Real(1e9);     // [m]

// The same number for all vertices at the same place, so that seams of the mesh do not show.
std::vector<Index> weld(const std::vector<Vec3>& points) {
  std::vector<Index> order(points.size()), place(points.size());
  std::iota(order.begin(), order.end(), Index(0));
  const auto key = [&](Index i) { return std::tie(points[i].x, points[i].y, points[i].z); };
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return key(a) < key(b); });
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool repeats = i > 0 && key(order[i - 1]) == key(order[i]);
    place[order[i]] = repeats ? place[order[i - 1]] : order[i];
  }
  return place;
}

struct Face {
  Triangle corners;
  Vec3 normal;
  std::array<Real, 3> angles;
};

Real angle_between(const Vec3& a, const Vec3& b) {
  return std::atan2(length(cross(a, b)), dot(a, b));
}

std::vector<Face> drawable_faces(const std::vector<Triangle>& cells,
                                 const std::vector<Vec3>& points) {
  std::vector<Face> faces;
  faces.reserve(cells.size());
  for (const Triangle& t : cells) {
    const auto usable = [&](Index i) { return i < points.size() && drawable(points[i]); };
    if (!std::all_of(t.begin(), t.end(), usable)) continue;
    const Vec3 a = points[t[0]], b = points[t[1]], c = points[t[2]];
    // Unit edges first: the area of a tiny triangle would underflow.
    const Vec3 ab = normalized(b - a), bc = normalized(c - b), ca = normalized(a - c);
    const Vec3 normal = normalized(cross(ab, -ca));
    if (normal == Vec3{}) continue;
    faces.push_back(
        {t, normal, {angle_between(ab, -ca), angle_between(bc, -ab), angle_between(ca, -bc)}});
  }
  return faces;
}

// Which (face, corner) pairs meet at each place: those of place p are around[first[p]..first[p+1]).
struct Fans {
  std::vector<std::size_t> first;
  std::vector<std::pair<Index, int>> around;
};

Fans gather_fans(const std::vector<Face>& faces, const std::vector<Index>& place) {
  Fans fans;
  fans.first.assign(place.size() + 1, 0);
  for (const Face& face : faces)
    for (const Index i : face.corners) ++fans.first[place[i] + 1];
  std::partial_sum(fans.first.begin(), fans.first.end(), fans.first.begin());
  fans.around.resize(faces.size() * 3);
  std::vector<std::size_t> next = fans.first;
  for (std::size_t f = 0; f < faces.size(); ++f)
    for (int k = 0; k < 3; ++k)
      fans.around[next[place[faces[f].corners[std::size_t(k)]]]++] = {Index(f), k};
  return fans;
}

}  // namespace

bool drawable(const Vec3& p) {  // false for NaN too
  return std::fabs(p.x) < kFarthest && std::fabs(p.y) < kFarthest && std::fabs(p.z) < kFarthest;
}

std::vector<SurfaceCorner> surface_corners(const PictureBody& body) {
  std::vector<Vec3> points;
  points.reserve(body.surface.vertices.size());
  for (const Vec3& v : body.surface.vertices) {
    const Vec3 p = body.pose.to_world(v);
    points.push_back(drawable(p) ? p : Vec3{2 * kFarthest, 0, 0});  // NaN would upset the sort
  }
  const std::vector<Face> faces = drawable_faces(body.surface.cells, points);
  const std::vector<Index> place = weld(points);
  const Fans fans = gather_fans(faces, place);

  std::vector<SurfaceCorner> corners;
  corners.reserve(faces.size() * 3);
  for (const Face& face : faces)
    for (const Index i : face.corners) {
      Vec3 sum{};
      for (std::size_t n = fans.first[place[i]]; n < fans.first[place[i] + 1]; ++n) {
        const auto [other, k] = fans.around[n];
        const Face& neighbour = faces[other];
        if (dot(neighbour.normal, face.normal) >= kCosCrease)
          sum += neighbour.normal * neighbour.angles[std::size_t(k)];
      }
      corners.push_back({points[i], normalized(sum)});
    }
  return corners;
}

}  // namespace sinew
