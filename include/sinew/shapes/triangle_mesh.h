// Any surface of triangles.
#pragma once

#include <sinew/describe.h>
#include <sinew/mesh.h>
#include <sinew/signed_distance.h>

#include <memory>

namespace sinew {

class MeshDistance;  // src/collision/mesh_distance.h

struct TriangleMesh {
  static constexpr const char* kName = "triangle_mesh";
  static constexpr const char* kDoc =
      "A surface of triangles, for static bodies. They face outwards, counter-clockwise. A closed "
      "surface is solid; one with a border is a plate behind its triangles.";

  TriMesh mesh = {};
  Real thickness = Real(0.1);                         // of a surface with a border [m]
  std::shared_ptr<const MeshDistance> prepared = {};  // by prepare()

  template <class Visitor>
  void describe(Visitor& v) {
    v.field(
        "mesh", mesh,
        {.doc = "The surface: that of a solid mesh, or triangles as they are", .required = true});
    v.field("thickness", thickness,
            {.doc = "Of a surface with a border: how far behind it things are still pushed back",
             .unit = "m",
             .min = 0,
             .exclusive_min = true});
  }

  // Builds the tree of triangles; a world does so when a body is added. Copies share it, and while
  // the mesh stays the same nothing is done again. Throws Error for a mesh that cannot be used.
  void prepare();
  const MeshDistance& search() const { return *prepared; }  // prepare() comes first

  // To the nearest triangle. Behind is where the nearest point's normal (that of its triangle, or
  // the mean about its edge or corner) points away. Without prepare(), from scratch each time.
  SignedDistance<Real> distance_at(const Vec3& p) const;

  template <class T>
  SignedDistance<T> signed_distance(const Vec3T<T>& p) const {
    return lane_by_lane(p, [&](const Vec3& one) { return distance_at(one); });
  }
};

}  // namespace sinew
