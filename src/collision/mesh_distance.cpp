#include "collision/mesh_distance.h"

#include <cmath>

#include "geometry/keyed.h"
#include "geometry/weld.h"

namespace sinew {
namespace {

using Vec = Vec3T<double>;

const TriMesh& checked(const TriMesh& mesh) {
  if (mesh.cells.empty())
    throw Error("the mesh has no triangle; make one with a generator or read one from a file");
  check_indices(mesh);
  check_finite(mesh.vertices);
  return mesh;
}

std::vector<Index> with_area(const TriMesh& mesh) {
  std::vector<Index> items;
  for (Index t = 0; t < mesh.cells.size(); ++t)
    if (measure(mesh, t) > 0) items.push_back(t);
  if (items.empty()) throw Error("no triangle of the mesh has an area; move its vertices apart");
  return items;
}

// The angle between two vectors of any length; 0 for none.
double angle(const Vec& a, const Vec& b) { return std::atan2(length(cross(a, b)), dot(a, b)); }

}  // namespace

MeshDistance::MeshDistance(const TriMesh& mesh)
    : mesh_(checked(mesh)), tree_(mesh_.vertices, mesh_.cells, with_area(mesh_)) {
  const std::vector<Index> leaders = weld_leaders(mesh_.vertices, 0);
  find_face_normals(leaders);
  find_edge_normals(leaders);
}

void MeshDistance::find_face_normals(const std::vector<Index>& leaders) {
  normals_.resize(mesh_.cells.size());
  at_vertex_.assign(mesh_.vertices.size(), Vec{});
  for (Index t = 0; t < mesh_.cells.size(); ++t) {
    const Triangle& c = mesh_.cells[t];
    const auto corner = [&](std::size_t k) { return to_double(mesh_.vertices[c[k % 3]]); };
    const Vec n = cross(corner(1) - corner(0), corner(2) - corner(0));
    volume_ += dot(n, corner(0) - to_double(mesh_.vertices[mesh_.cells[0][0]])) / 6;
    const double size = length(n);
    normals_[t].face = size > 0 ? n / size : Vec{};
    for (std::size_t k = 0; k < 3; ++k)
      at_vertex_[leaders[c[k]]] +=
          normals_[t].face * angle(corner(k + 1) - corner(k), corner(k + 2) - corner(k));
  }
}

void MeshDistance::find_edge_normals(const std::vector<Index>& leaders) {
  TriMesh welded = mesh_;
  for (Triangle& t : welded.cells)
    for (Index& v : t) v = leaders[v];
  std::vector<char> at_border(mesh_.vertices.size(), 0);
  for_each_group(sorted_edges(welded), [&](std::span<const Keyed<2>> same) {
    const auto [a, b] = same[0].key;
    if (a == b) return;  // of a triangle without area
    Vec sum{};
    std::ptrdiff_t up = 0;
    for (const Keyed<2>& edge : same) {
      sum += normals_[edge.owner / 3].face;
      up += runs_upwards(welded, edge) ? 1 : -1;
    }
    if (up != 0) {
      closed_ = false;
      sum = {};
      at_border[a] = at_border[b] = 1;
    }
    for (const Keyed<2>& edge : same) normals_[edge.owner / 3].edge[edge.owner % 3] = sum;
  });
  for (Index v = 0; v < at_vertex_.size(); ++v) {
    if (at_border[leaders[v]]) at_vertex_[leaders[v]] = {};
    at_vertex_[v] = at_vertex_[leaders[v]];
  }
}

SignedDistance<Real> MeshDistance::at(const Vec3& point, Real thickness) const {
  const Vec p = to_double(point);
  NearestTriangle nearest(point, std::numeric_limits<Real>::infinity());
  tree_.near(point, nearest);
  if (!nearest.found()) return {length(point), {0, 1, 0}};  // a point that is no number
  const NearestOnTriangle& best = nearest.place();
  const Normals& n = normals_[nearest.triangle()];
  const int f = best.feature;
  const Vec side = f == 0   ? n.face
                   : f <= 3 ? n.edge[std::size_t(f - 1)]
                            : at_vertex_[mesh_.cells[nearest.triangle()][std::size_t(f - 4)]];
  const double distance = std::sqrt(best.distance2);
  const bool behind = dot(p - best.point, side) < 0;
  if (!(distance > 1e-20)) {  // on it
    const Vec out = dot(side, side) > 0 ? side : n.face;
    return {0, to_real(out / length(out))};
  }
  const Vec away = (p - best.point) / distance;
  if (!behind) return {Real(distance), to_real(away)};
  if (closed_ || distance < thickness) return {Real(-distance), to_real(-away)};
  return {Real(distance - thickness), to_real(away)};
}

}  // namespace sinew
