// Which cells a region of a body has.
#pragma once

#include <sinew/region.h>

#include <algorithm>

namespace sinew {

template <class Cell>
std::vector<std::size_t> cells_of(const Region& region, const Mesh<Cell>& mesh) {
  std::vector<std::size_t> cells(region.cells.begin(), region.cells.end());
  for (std::size_t i = 0; i < mesh.cells.size(); ++i) {
    Vec3 middle{};
    for (Index v : mesh.cells[i]) middle += mesh.vertices[v] * (1 / Real(mesh.cells[i].size()));
    bool inside = true;
    for (int k = 0; k < 3; ++k)
      inside = inside && middle[k] >= region.min[k] && middle[k] <= region.max[k];
    if (inside) cells.push_back(i);
  }
  return cells;
}

}  // namespace sinew
