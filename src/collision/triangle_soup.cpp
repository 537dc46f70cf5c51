// See the header.
#include "collision/triangle_soup.h"

#include <sinew/error.h>

#include <cmath>
#include <utility>

#include "core/format.h"
#include "geometry/keyed.h"
#include "geometry/weld.h"

namespace sinew {
namespace {

// Twice the area against the longest edge squared: what is thinner has no direction to trust.
constexpr double kThinTriangle = 1e-7;

bool finite(const Vec3& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

}  // namespace

TriangleSoup::TriangleSoup(std::span<const Vec3> vertices, std::span<const Triangle> triangles)
    : vertices_(vertices.begin(), vertices.end()),
      triangles_(triangles.begin(), triangles.end()),
      tree_(vertices_, triangles_, measure()) {}

TriangleSoup::TriangleSoup(const TriMesh& mesh, std::shared_ptr<const MeshDistance> distance)
    : TriangleSoup(mesh.vertices, mesh.cells) {
  if (distance && distance->solid()) solid_ = std::move(distance);
}

// Checks the input, and finds the normals. Returns the triangles that have area.
std::vector<Index> TriangleSoup::measure() {
  for (std::size_t v = 0; v < vertices_.size(); ++v)
    if (!finite(vertices_[v]))
      throw Error(formatted("triangle mesh: vertex {} is ({}, {}, {}); coordinates must be finite",
                            v, vertices_[v].x, vertices_[v].y, vertices_[v].z));
  std::vector<Index> used;
  normals_.resize(triangles_.size());
  for (std::size_t t = 0; t < triangles_.size(); ++t) {
    Vec3T<double> x[3];
    for (std::size_t k = 0; k < 3; ++k) {
      const Index v = triangles_[t][k];
      if (v >= vertices_.size())
        throw Error(formatted("triangle mesh: triangle {} has the vertex {}; there are only {}", t,
                              v, vertices_.size()));
      x[k] = to_double(vertices_[v]);
    }
    const Vec3T<double> ab = x[1] - x[0], bc = x[2] - x[1], ca = x[0] - x[2];
    const Vec3T<double> n = cross(ab, bc);
    const double size = length(n);
    if (!(size > kThinTriangle * max(max(dot(ab, ab), dot(bc, bc)), dot(ca, ca)))) continue;
    normals_[t] = {Real(n.x / size), Real(n.y / size), Real(n.z / size)};
    used.push_back(static_cast<Index>(t));
  }
  degenerate_ = static_cast<Index>(triangles_.size() - used.size());
  if (used.empty())
    throw Error(triangles_.empty()
                    ? std::string("triangle mesh: it has no triangles; give it at least one")
                    : formatted("triangle mesh: none of its {} triangles has an area; check the "
                                "scale and the indices of the mesh",
                                triangles_.size()));
  find_edges(used);
  return used;
}

void TriangleSoup::find_edges(std::span<const Index> used) {
  edges_.assign(3 * triangles_.size(), {});
  const std::vector<Index> leader = weld_leaders(vertices_, 0);
  TriMesh welded{vertices_, {}};
  for (const Index t : used) {
    Triangle corners = triangles_[t];
    for (Index& v : corners) v = leader[v];
    welded.cells.push_back(corners);
  }
  for_each_group(sorted_edges(welded), [&](std::span<const Keyed<2>> same) {
    if (same.size() != 2) return;
    if (runs_upwards(welded, same[0]) == runs_upwards(welded, same[1])) return;
    for (std::size_t side = 0; side < 2; ++side) {
      const std::uint64_t own = same[side].owner, other = same[1 - side].owner;
      const Index self = used[own / 3], neighbour = used[other / 3];
      const Vec3& opposite = vertices_[triangles_[neighbour][(other % 3 + 2) % 3]];
      const Vec3& from = vertices_[triangles_[self][own % 3]];
      edges_[3 * std::size_t(self) + own % 3] = {
          edge_kind(normals_[self], normals_[neighbour], opposite - from), neighbour};
    }
  });
}

// What is outside of the bounds is as far from all triangles as from them.
SignedDistance<Real> TriangleSoup::from_solid(const Vec3& point) const {
  constexpr Vec3 kUp{0, 1, 0};
  if (!solid_) return {0, kUp};
  if (const Real beside = distance2(bounds(), point); beside > 0) return {std::sqrt(beside), kUp};
  return solid_->at(point, 0);
}

std::optional<SurfaceHit> TriangleSoup::cast_ray(const Vec3& origin, const Vec3& way,
                                                 Real max_fraction) const {
  const auto hit = tree_.cast(origin, way, max_fraction);
  if (!hit) return {};
  const Vec3& n = normals_[hit->triangle];
  return SurfaceHit{hit->fraction, hit->triangle, dot(n, way) > 0 ? -n : n};
}

void TriangleSoup::cast_rays(std::span<const SurfaceRay> rays,
                             std::span<std::optional<SurfaceHit>> hits) const {
  for (std::size_t i = 0; i < rays.size(); ++i)
    hits[i] = cast_ray(rays[i].origin, rays[i].way, rays[i].max_fraction);
}

}  // namespace sinew
