// Helpers shared by the tests of meshes.
#pragma once

#include <sinew/mesh.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "support.h"

namespace sinew {

// Whether every edge is walked exactly once in each direction.
inline bool is_closed_manifold(const TriMesh& mesh) {
  std::map<std::pair<Index, Index>, int> walks;
  for (const Triangle& t : mesh.cells)
    for (int k = 0; k < 3; ++k) ++walks[{t[k], t[(k + 1) % 3]}];
  return std::all_of(walks.begin(), walks.end(), [&](const auto& walk) {
    const auto back = walks.find({walk.first.second, walk.first.first});
    return walk.second == 1 && back != walks.end() && back->second == 1;
  });
}

template <class Cell>
double min_measure(const Mesh<Cell>& mesh) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t c = 0; c < mesh.cells.size(); ++c) least = std::min(least, measure(mesh, c));
  return least;
}

inline double min_quality(const TetMesh& mesh) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t c = 0; c < mesh.cells.size(); ++c) least = std::min(least, quality(mesh, c));
  return least;
}

}  // namespace sinew
