#include "geometry/vertex_normals.h"

#include <algorithm>
#include <numeric>

namespace sinew {

namespace {

using Vec3d = Vec3T<double>;

// Twice the triangle's area along its normal.
template <class T>
Vec3d area_vector(std::span<const Vec3T<T>> vertices, const Triangle& t) {
  const auto at = [&](int corner) {
    const Vec3T<T>& v = vertices[t[static_cast<std::size_t>(corner)]];
    return Vec3d{double(v.x), double(v.y), double(v.z)};
  };
  return cross(at(1) - at(0), at(2) - at(0));
}

// The zero vector stays zero. By the largest component first: the areas of tiny meshes would vanish
// when squared.
Vec3d unit(const Vec3d& v) {
  const double size = std::max({abs(v.x), abs(v.y), abs(v.z)});
  return size > 0 && std::isfinite(size) ? normalized(v / size) : Vec3d{};
}

// The corners at each vertex: those of vertex v are corners[first[v]] to corners[first[v + 1]].
// Corner c is corner c % 3 of triangle c / 3.
struct VertexCorners {
  std::vector<std::size_t> first;
  std::vector<Index> corners;
};

VertexCorners corners_by_vertex(const TriMesh& mesh) {
  VertexCorners result{std::vector<std::size_t>(mesh.vertices.size() + 1),
                       std::vector<Index>(3 * mesh.cells.size())};
  for (const Triangle& t : mesh.cells)
    for (const Index v : t) ++result.first[v + 1];
  std::partial_sum(result.first.begin(), result.first.end(), result.first.begin());
  std::vector<std::size_t> next(result.first.begin(), result.first.end() - 1);
  for (std::size_t c = 0; c < result.corners.size(); ++c)
    result.corners[next[mesh.cells[c / 3][c % 3]]++] = static_cast<Index>(c);
  return result;
}

// Which corners of one vertex belong together: the first corner of its smooth patch, for each.
// Corners are in one patch when their triangles are joined by smooth edges at the vertex.
class PatchFinder {
 public:
  PatchFinder(const TriMesh& mesh, double cosine) : mesh_(mesh), cosine_(cosine) {
    normals_.reserve(mesh.cells.size());
    for (const Triangle& t : mesh.cells)
      normals_.push_back(unit(area_vector(std::span<const Vec3>(mesh.vertices), t)));
  }

  const std::vector<Index>& find(std::span<const Index> corners) {
    spokes_.clear();
    for (Index k = 0; k < corners.size(); ++k)
      for (const Index step : {1u, 2u})
        spokes_.push_back({mesh_.cells[corners[k] / 3][(corners[k] % 3 + step) % 3], k});
    std::sort(spokes_.begin(), spokes_.end());
    first_.resize(corners.size());
    std::iota(first_.begin(), first_.end(), Index{0});
    for (std::size_t s = 1; s < spokes_.size(); ++s) {
      const auto [end_a, a] = spokes_[s - 1];
      const auto [end_b, b] = spokes_[s];
      if (end_a != end_b || !smooth(corners[a] / 3, corners[b] / 3)) continue;
      const Index root_a = root(a), root_b = root(b);
      first_[std::max(root_a, root_b)] = std::min(root_a, root_b);
    }
    for (Index k = 0; k < corners.size(); ++k) first_[k] = root(k);
    return first_;
  }

 private:
  bool smooth(Index a, Index b) const {
    const bool blends_in = normals_[a] == Vec3d{} || normals_[b] == Vec3d{};  // has no direction
    return blends_in || dot(normals_[a], normals_[b]) >= cosine_;
  }
  Index root(Index k) {
    while (first_[k] != k) k = first_[k] = first_[first_[k]];
    return k;
  }

  const TriMesh& mesh_;
  double cosine_;
  std::vector<Vec3d> normals_;                   // of the triangles
  std::vector<std::pair<Index, Index>> spokes_;  // other end of an edge, corner it belongs to
  std::vector<Index> first_;                     // a forest; in the end, the roots
};

}  // namespace

template <class T>
std::vector<Vec3T<float>> vertex_normals(std::span<const Vec3T<T>> vertices,
                                         std::span<const Triangle> triangles) {
  std::vector<Vec3d> sums(vertices.size());
  for (const Triangle& t : triangles) {
    const Vec3d area = area_vector(vertices, t);
    for (const Index v : t) sums[v] += area;
  }
  std::vector<Vec3T<float>> normals;
  normals.reserve(sums.size());
  for (const Vec3d& sum : sums) {
    const Vec3d direction = unit(sum);
    const Vec3d n = direction == Vec3d{} ? Vec3d{0, 1, 0} : direction;
    normals.push_back({float(n.x), float(n.y), float(n.z)});
  }
  return normals;
}
template std::vector<Vec3T<float>> vertex_normals(std::span<const Vec3T<float>>,
                                                  std::span<const Triangle>);
template std::vector<Vec3T<float>> vertex_normals(std::span<const Vec3T<double>>,
                                                  std::span<const Triangle>);

ShadedSurface split_creases(const TriMesh& mesh, Real crease_angle) {
  ShadedSurface result{{}, mesh.cells};
  const VertexCorners around = corners_by_vertex(mesh);
  PatchFinder patches(mesh, std::cos(double(crease_angle)));
  std::vector<Index> new_vertex;
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    const std::span<const Index> corners(around.corners.data() + around.first[v],
                                         around.first[v + 1] - around.first[v]);
    const std::vector<Index>& first = patches.find(corners);
    new_vertex.assign(corners.size(), 0);
    for (Index k = 0; k < corners.size(); ++k) {
      if (first[k] == k) {
        new_vertex[k] = static_cast<Index>(result.source.size());
        result.source.push_back(static_cast<Index>(v));
      }
      result.triangles[corners[k] / 3][corners[k] % 3] = new_vertex[first[k]];
    }
  }
  return result;
}

}  // namespace sinew
