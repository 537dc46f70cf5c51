#include "io/scene_meshes.h"

#include <fmt/format.h>
#include <sinew/error.h>
#include <sinew/mesh_io.h>

namespace sinew {
namespace {

constexpr double kCellsMax = 1e7;

std::filesystem::path place(const MeshContext& context, const std::string& path) {
  // A path from JSON is UTF-8; std::filesystem takes char8_t for that.
  const std::u8string utf8(path.begin(), path.end());
  return context.folder / std::filesystem::path(utf8);
}

template <class Mesh>
Mesh take(Mesh read(const std::filesystem::path&, MendReport*), const std::filesystem::path& file,
          Real scale, MeshContext& context) {
  MendReport report;
  Mesh mesh = read(file, &report);
  if (report.changed())
    context.notes.push_back(fmt::format("{}: {}", file.string(), report.summary()));
  for (Vec3& vertex : mesh.vertices) vertex *= scale;
  return mesh;
}

// Without the vertices inside.
struct SurfaceOf {
  template <class Cell>
  TriMesh operator()(const Mesh<Cell>& mesh) const {
    TriMesh surface = boundary(mesh);
    mend(surface, {.weld = false});
    return surface;
  }
  TriMesh operator()(const TriMesh& mesh) const { return mesh; }
  TriMesh operator()(const LineMesh&) const {
    throw Error("is a line, which has no surface; use a solid or a sheet, or capsules for shapes");
  }
};
TriMesh surface_of(const BodyMesh& mesh) { return std::visit(SurfaceOf{}, mesh); }

}  // namespace

BodyMesh FileMesh::make(MeshContext& context) const {
  const std::filesystem::path file = place(context, path);
  const MeshFile content = read_mesh(file);
  if (!content.tetrahedra.empty() && !content.hexahedra.empty())
    throw Error(fmt::format("{}: has {} tetrahedra and {} hexahedra; a body is made of one kind",
                            file.string(), content.tetrahedra.size(), content.hexahedra.size()));
  return content.hexahedra.empty() ? BodyMesh(take(read_tetrahedra, file, scale, context))
                                   : BodyMesh(take(read_hexahedra, file, scale, context));
}

TriMesh FileMesh::surface(MeshContext& context) const {
  const std::filesystem::path file = place(context, path);
  const MeshFile content = read_mesh(file);
  if (content.tetrahedra.empty() && content.hexahedra.empty())
    return take(read_triangles, file, scale, context);
  return surface_of(make(context));
}

std::vector<Vec3> SceneStart::positions(const MeshContext& context) const {
  const std::filesystem::path file = place(context, path);
  std::vector<Vec3> vertices = read_vertices(file);
  const std::size_t count = context.mesh ? vertices_of(*context.mesh).size() : vertices.size();
  if (vertices.size() != count)
    throw Error(fmt::format("{}: has {} vertices, but the body's mesh has {}", file.string(),
                            vertices.size(), count));
  for (Vec3& vertex : vertices) vertex *= scale;
  return vertices;
}

BodyMesh as_cells(HexMesh hexes, SolidCells cells, Split how) {
  if (cells == SolidCells::kHexahedra) return hexes;
  return split(hexes, how);
}

BodyMesh make_mesh(const SceneMesh& source, MeshContext& context) {
  return std::visit(
      [&](const auto& one) {
        if (!(one.cell_count() <= kCellsMax))
          throw Error(fmt::format("would have {:.3g} cells; at most {:.0f} million are allowed",
                                  one.cell_count(), kCellsMax / 1e6));
        return one.make(context);
      },
      source);
}

TriMesh make_surface(const SceneMesh& source, MeshContext& context) {
  const auto* file = std::get_if<FileMesh>(&source);
  return file ? file->surface(context) : surface_of(make_mesh(source, context));
}

}  // namespace sinew
