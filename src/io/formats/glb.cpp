// glTF 2.0 in one piece: .glb.
#include <fmt/format.h>
#include <sinew/error.h>

#include "geometry/vertex_normals.h"
#include "io/glb_builder.h"
#include "io/gltf_document.h"
#include "io/gltf_scene.h"

namespace sinew {

namespace glb {

bool recognises(std::string_view bytes) { return bytes.starts_with(kGlbMagic); }

void write_triangles(std::ostream& out, const TriMesh& mesh) {
  std::vector<Vec3f> positions;
  positions.reserve(mesh.vertices.size());
  for (const Vec3& v : mesh.vertices) {
    if (!is_finite_as_float(v))
      throw Error(
          fmt::format("vertex {} at ({}, {}, {}) is too far away for the 32-bit numbers of "
                      "a GLB file",
                      positions.size(), v.x, v.y, v.z));
    positions.push_back(to_float(v));
  }
  const std::vector<Vec3f> normals = vertex_normals(std::span<const Vec3f>(positions), mesh.cells);
  GlbBuilder glb;
  glb.add_node("",
               glb.add_mesh({glb.add_positions(positions), glb.add_normals(normals)},
                            glb.add_indices(mesh.cells, positions.size()), glb.add_material({})));
  glb.write(out);
}

constexpr const char* kExtensions[] = {".glb"};

}  // namespace glb

extern const MeshFormat k_glb;
const MeshFormat k_glb{"GLB",           glb::kExtensions,     glb::recognises,
                       read_gltf_scene, glb::write_triangles, nullptr,
                       nullptr};

}  // namespace sinew
