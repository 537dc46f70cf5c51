// Signed distance from a surface of triangles. On which side a point is tells the normal where the
// surface is nearest: of the triangle, of the edge (the sum of its two triangles'), or of the
// corner (the sum of its triangles', weighted by their angles there): J. A. Bærentzen and H. Aanæs,
// Signed distance computation using the angle weighted pseudonormal, 2005.
#pragma once

#include <sinew/signed_distance.h>

#include <array>

#include "collision/triangle_tree.h"

namespace sinew {

class MeshDistance {
 public:
  // Corners at the same place are one. Throws Error for a mesh without an area, with indices out of
  // range or positions that are not finite.
  explicit MeshDistance(const TriMesh& mesh);

  const TriMesh& mesh() const { return mesh_; }
  bool closed() const { return closed_; }  // no border, and one side throughout
  // Closed, with the inside behind the triangles. Otherwise it is a room, which is in front.
  bool solid() const { return closed_ && volume_ > 0; }

  // Behind a surface with a border, what is `thickness` away is outside again; beyond the border
  // all is.
  SignedDistance<Real> at(const Vec3& p, Real thickness) const;

 private:
  using Vec = Vec3T<double>;
  struct Normals {
    Vec face;
    std::array<Vec, 3> edge;  // not unit; zero at a border
  };

  // `leaders` says for each vertex which one stands for all at its place.
  void find_face_normals(const std::vector<Index>& leaders);
  void find_edge_normals(const std::vector<Index>& leaders);

  TriMesh mesh_;
  TriangleTree tree_;             // those without area are not in
  std::vector<Normals> normals_;  // of the triangles
  std::vector<Vec> at_vertex_;    // zero at a border
  bool closed_ = true;
  double volume_ = 0;  // in front of none of the triangles; negative: of a room [m³]
};

}  // namespace sinew
