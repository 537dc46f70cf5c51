#include "geometry/edges.h"

#include <algorithm>

namespace sinew {
namespace {

constexpr int kLine[][2] = {{0, 1}};
constexpr int kTriangle[][2] = {{0, 1}, {1, 2}, {2, 0}};
constexpr int kTetrahedron[][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
constexpr int kHexahedron[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},
                                  {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};

template <class Cell, std::size_t N>
std::vector<Segment> collect(const Mesh<Cell>& mesh, const int (&corners)[N][2]) {
  std::vector<Segment> edges;
  for (const Cell& cell : mesh.cells)
    for (const auto& [a, b] : corners)
      edges.push_back({std::min(cell[a], cell[b]), std::max(cell[a], cell[b])});
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

struct Collect {
  std::vector<Segment> operator()(const LineMesh& m) const { return collect(m, kLine); }
  std::vector<Segment> operator()(const TriMesh& m) const { return collect(m, kTriangle); }
  std::vector<Segment> operator()(const TetMesh& m) const { return collect(m, kTetrahedron); }
  std::vector<Segment> operator()(const HexMesh& m) const { return collect(m, kHexahedron); }
};

}  // namespace

std::vector<Segment> edges_of(const BodyMesh& mesh) { return std::visit(Collect{}, mesh); }

}  // namespace sinew
