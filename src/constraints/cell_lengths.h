// The pairs of vertices whose distances plain constraints and springs keep in each kind of cell.
// Corners are in the order of mesh.h.
#pragma once

#include <sinew/mesh.h>

#include <array>
#include <span>

namespace sinew {

using CellPairs = std::span<const std::array<int, 2>>;

// By classes that share a stiffness. Only hexahedra have diagonals.
struct CellLengths {
  CellPairs edges, faces = {}, diagonals = {};
};

namespace cell_pairs {
inline constexpr std::array<int, 2> kSegment[] = {{0, 1}};
inline constexpr std::array<int, 2> kTriangle[] = {{0, 1}, {1, 2}, {2, 0}};
inline constexpr std::array<int, 2> kTetrahedron[] = {{0, 1}, {0, 2}, {0, 3},
                                                      {1, 2}, {1, 3}, {2, 3}};
inline constexpr std::array<int, 2> kHexahedron[] = {
    {0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
inline constexpr std::array<int, 2> kFaceDiagonals[] = {
    {0, 2}, {1, 3}, {4, 6}, {5, 7}, {0, 5}, {1, 4}, {3, 6}, {2, 7}, {1, 6}, {2, 5}, {0, 7}, {3, 4}};
inline constexpr std::array<int, 2> kInnerDiagonals[] = {{0, 6}, {1, 7}, {2, 4}, {3, 5}};
}  // namespace cell_pairs

inline CellLengths lengths_of(const LineMesh&) { return {cell_pairs::kSegment}; }
inline CellLengths lengths_of(const TriMesh&) { return {cell_pairs::kTriangle}; }
inline CellLengths lengths_of(const TetMesh&) { return {cell_pairs::kTetrahedron}; }
inline CellLengths lengths_of(const HexMesh&) {
  return {cell_pairs::kHexahedron, cell_pairs::kFaceDiagonals, cell_pairs::kInnerDiagonals};
}

}  // namespace sinew
