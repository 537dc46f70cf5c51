#include "io/scene_meshes.h"

#include <fmt/format.h>
#include <sinew/error.h>
#include <sinew/mesh_io.h>

namespace sinew {
namespace {

constexpr double kCellsMax = 1e7;

}  // namespace

BodyMesh FileMesh::make(MeshContext& context) const {
  // A path from JSON is UTF-8; std::filesystem takes char8_t for that.
  const std::u8string utf8(path.begin(), path.end());
  const std::filesystem::path file = context.folder / std::filesystem::path(utf8);
  const auto take = [&](auto read) -> BodyMesh {
    MendReport report;
    auto mesh = read(file, &report);
    if (report.changed())
      context.notes.push_back(fmt::format("{}: {}", file.string(), report.summary()));
    for (Vec3& vertex : mesh.vertices) vertex *= scale;
    return mesh;
  };
  const MeshFile content = read_mesh(file);
  if (!content.tetrahedra.empty() && !content.hexahedra.empty())
    throw Error(fmt::format("{}: has {} tetrahedra and {} hexahedra; a body is made of one kind",
                            file.string(), content.tetrahedra.size(), content.hexahedra.size()));
  return content.hexahedra.empty() ? take(read_tetrahedra) : take(read_hexahedra);
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

}  // namespace sinew
