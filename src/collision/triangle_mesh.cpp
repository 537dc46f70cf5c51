// The shape of a surface of triangles: see sinew/shapes/triangle_mesh.h.
#include <sinew/error.h>
#include <sinew/shapes/triangle_mesh.h>

#include "collision/mesh_distance.h"
#include "core/format.h"

namespace sinew {

void TriangleMesh::prepare() {
  if (prepared && prepared->mesh().vertices == mesh.vertices &&
      prepared->mesh().cells == mesh.cells)
    return;
  try {
    prepared = std::make_shared<const MeshDistance>(mesh);
  } catch (const Error& error) {
    throw Error(formatted("mesh: {}", error.what()));
  }
}

SignedDistance<Real> TriangleMesh::distance_at(const Vec3& p) const {
  return prepared ? prepared->at(p, thickness) : MeshDistance(mesh).at(p, thickness);
}

}  // namespace sinew
