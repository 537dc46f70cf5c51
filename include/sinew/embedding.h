// Points that ride in a solid mesh: the vertices of a detailed surface inside the coarser mesh that
// is simulated. Each is held by the corners of one cell, with weights that add up to 1.
#pragma once

#include <sinew/mesh.h>

#include <cstddef>
#include <span>
#include <vector>

namespace sinew {

struct Embedding {
  int corners = 0;                   // of a cell: 4 or 8
  std::vector<Index> cells = {};     // the cell of each point
  std::vector<Index> vertices = {};  // its corners, `corners` for each point
  std::vector<Real> weights = {};    // of those corners

  // A report, in terms of points, ascending.
  std::vector<Index> outside = {};      // in no cell, by more than rounding: see embed()
  std::vector<Index> clamped = {};      // of those: put at the nearest place inside
  std::vector<Index> unconverged = {};  // the search inside a hexahedron ended before its goal

  std::size_t size() const { return cells.size(); }
};

// Finds the cell of each point in the mesh at rest. A point outside goes to the nearest cell, with
// weights extrapolated from there, some of them negative: it comes back where it was, and moves
// with any affine deformation, too. Where that would take a weight beyond 8 (far away, or near a
// sliver, which would blow up every small motion) it is put at the nearest place in the cell
// instead. Flat cells are used only if there are no others. On a common face, either cell may be
// taken, always the same one for the same input.
// Throws Error for a mesh without cells, an index out of range, a position that is not finite.
Embedding embed(std::span<const Vec3> points, const TetMesh& mesh);
Embedding embed(std::span<const Vec3> points, const HexMesh& mesh);

// Where the points are when the mesh's vertices are at `vertices`. Throws Error if those are fewer
// than the embedding refers to.
std::vector<Vec3> interpolate(const Embedding& embedding, std::span<const Vec3> vertices);

}  // namespace sinew
