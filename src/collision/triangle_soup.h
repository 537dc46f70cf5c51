// A triangle mesh as collision geometry that does not move: a Surface with a tree over its
// triangles. They need not be closed; their front is where they are counter-clockwise. What closed
// triangles hold behind them is solid, if the signed distance is given that tells what it is.
#pragma once

#include <sinew/mesh.h>

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "collision/mesh_distance.h"
#include "collision/surface.h"
#include "collision/triangle_tree.h"

namespace sinew {

struct SurfaceRay {
  Vec3 origin, way;
  Real max_fraction = 1;
};

class TriangleSoup {
 public:
  // Triangles keep their numbers. Those without area are left out of all queries. Throws Error if
  // none is left, an index is out of range or a coordinate is not finite.
  TriangleSoup(std::span<const Vec3> vertices, std::span<const Triangle> triangles);
  // `distance` is that of the same mesh.
  explicit TriangleSoup(const TriMesh& mesh, std::shared_ptr<const MeshDistance> distance = {});

  Index triangle_count() const { return static_cast<Index>(triangles_.size()); }
  Index degenerate_count() const { return degenerate_; }
  void triangle(Index index, Vec3 (&corner)[3]) const {
    for (std::size_t k = 0; k < 3; ++k) corner[k] = vertices_[triangles_[index][k]];
  }
  // Zero for a triangle without area.
  const Vec3& normal(Index triangle) const { return normals_[triangle]; }
  // Vertices at the same place count as one; where more than two triangles meet, or their fronts
  // disagree, all their edges are borders.
  const SurfaceEdge& edge(Index triangle, int k) const {
    return edges_[3 * std::size_t(triangle) + std::size_t(k)];
  }
  const Aabb& bounds() const { return tree_.bounds(); }

  template <class F>
  void query(const Aabb& box, F&& f) const {
    tree_.query(box, f);
  }
  SignedDistance<Real> from_solid(const Vec3& point) const;
  // The first hit at 0 ≤ fraction ≤ max_fraction of the way, from either side.
  std::optional<SurfaceHit> cast_ray(const Vec3& origin, const Vec3& way, Real max_fraction) const;
  // Of many rays, one after the other; spans of the same size.
  void cast_rays(std::span<const SurfaceRay> rays, std::span<std::optional<SurfaceHit>> hits) const;
  std::optional<SurfacePoint> closest_point(const Vec3& point, Real max_distance) const {
    NearestTriangle nearest(point, max_distance);
    tree_.near(point, nearest);
    return nearest.point();
  }

 private:
  std::vector<Index> measure();
  void find_edges(std::span<const Index> used);

  std::vector<Vec3> vertices_;
  std::vector<Triangle> triangles_;
  std::vector<Vec3> normals_;
  std::vector<SurfaceEdge> edges_;
  Index degenerate_ = 0;
  TriangleTree tree_;
  std::shared_ptr<const MeshDistance> solid_;  // null: nothing is solid
};
static_assert(Surface<TriangleSoup>);

}  // namespace sinew
