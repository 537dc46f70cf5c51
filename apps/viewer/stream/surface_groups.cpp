#include "surface_groups.h"

#include <algorithm>

namespace sinew::viewer {
namespace {

// The cells at every vertex, one after the other.
template <class Cell>
struct CellsAtVertices {
  std::vector<Index> first, cells;

  explicit CellsAtVertices(const Mesh<Cell>& mesh) : first(mesh.vertices.size() + 1, 0) {
    for (const Cell& cell : mesh.cells)
      for (Index v : cell) ++first[v + 1];
    for (std::size_t v = 1; v < first.size(); ++v) first[v] += first[v - 1];
    cells.resize(first.back());
    std::vector<Index> next = first;
    for (Index c = 0; c < mesh.cells.size(); ++c)
      for (Index v : mesh.cells[c]) cells[next[v]++] = c;
  }
  std::span<const Index> at(Index vertex) const {
    return std::span(cells).subspan(first[vertex], first[vertex + 1] - first[vertex]);
  }
};

}  // namespace

std::vector<std::uint8_t> surface_groups(const BodyMesh& mesh, std::span<const Triangle> triangles,
                                         std::span<const Real> group) {
  std::vector<std::uint8_t> groups(triangles.size(), 0);
  std::visit(
      [&](const auto& m) {
        const CellsAtVertices around(m);
        const auto has = [&](Index cell, Index vertex) {
          return std::ranges::find(m.cells[cell], vertex) != m.cells[cell].end();
        };
        for (std::size_t t = 0; t < triangles.size(); ++t)
          for (Index cell : around.at(triangles[t][0]))
            if (has(cell, triangles[t][1]) && has(cell, triangles[t][2]))
              groups[t] = static_cast<std::uint8_t>(static_cast<int>(group[cell]) & 255);
      },
      mesh);
  return groups;
}

}  // namespace sinew::viewer
