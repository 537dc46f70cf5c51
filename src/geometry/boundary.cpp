// The outer surface of a solid mesh: the faces that belong to exactly one cell, in the order of the
// cells they belong to.
#include "geometry/keyed.h"

namespace sinew {
namespace {

// The faces of a cell that is right side out, counter-clockwise seen from outside.
constexpr int kTetrahedronFaces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
constexpr int kHexahedronFaces[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                        {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};

template <std::size_t N, class Cell>
std::array<Index, N> corners(const Cell& cell, const int (&face)[N]) {
  std::array<Index, N> result;
  for (std::size_t k = 0; k < N; ++k) result[k] = cell[face[k]];
  return result;
}

void append(std::vector<Triangle>& surface, const std::array<Index, 3>& face) {
  surface.push_back(face);
}
// The diagonal from the smallest vertex number: every cell that has this face would choose it.
void append(std::vector<Triangle>& surface, std::array<Index, 4> face) {
  std::rotate(face.begin(), std::min_element(face.begin(), face.end()), face.end());
  surface.push_back({face[0], face[1], face[2]});
  surface.push_back({face[0], face[2], face[3]});
}

template <class Cell, std::size_t Faces, std::size_t N>
TriMesh outer_faces(const Mesh<Cell>& mesh, const int (&faces)[Faces][N]) {
  check_indices(mesh);
  std::vector<Keyed<N>> keys;
  keys.reserve(Faces * mesh.cells.size());
  for (const Cell& cell : mesh.cells)
    for (const auto& face : faces) keys.push_back(keyed(corners(cell, face), keys.size()));

  std::vector<char> outer(keys.size(), 0);
  for_each_group(sorted(keys, mesh.vertices.size()), [&](std::span<const Keyed<N>> same) {
    if (same.size() == 1) outer[same[0].owner] = 1;
  });

  TriMesh surface{mesh.vertices, {}};
  for (std::size_t f = 0; f < outer.size(); ++f)
    if (outer[f]) append(surface.cells, corners(mesh.cells[f / Faces], faces[f % Faces]));
  return surface;
}

}  // namespace

TriMesh boundary(const TetMesh& mesh) { return outer_faces(mesh, kTetrahedronFaces); }
TriMesh boundary(const HexMesh& mesh) { return outer_faces(mesh, kHexahedronFaces); }

}  // namespace sinew
