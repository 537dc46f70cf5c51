#include "geometry/keyed.h"

namespace sinew {

std::vector<Keyed<2>> sorted_edges(const TriMesh& mesh) {
  std::vector<Keyed<2>> edges;
  edges.reserve(3 * mesh.cells.size());
  for (std::size_t t = 0; t < mesh.cells.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k)
      edges.push_back(keyed<2>({mesh.cells[t][k], mesh.cells[t][(k + 1) % 3]}, 3 * t + k));
  return sorted(edges, mesh.vertices.size());
}

}  // namespace sinew
