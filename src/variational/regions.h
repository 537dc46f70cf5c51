// Which cells a region of a body has, and a body's parts of one material each.
#pragma once

#include <sinew/bodies.h>

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

// A body for each material, with the cells that are made of it.
inline std::vector<SoftBody> parts_of(const SoftBody& body) {
  if (body.regions.empty()) return {body};
  std::vector<SoftBody> parts(body.regions.size() + 1, body);
  std::visit(
      [&](const auto& mesh) {
        std::vector<std::size_t> part_of(mesh.cells.size(), 0);
        for (std::size_t r = 0; r < body.regions.size(); ++r) {
          for (std::size_t i : cells_of(body.regions[r], mesh)) part_of[i] = r + 1;
          parts[r + 1].material = body.regions[r].material;
        }
        for (SoftBody& part : parts) {
          auto& cells = std::get<std::decay_t<decltype(mesh)>>(part.mesh).cells;
          cells.clear();
          part.cell_stiffness.clear();
        }
        for (std::size_t i = 0; i < mesh.cells.size(); ++i) {
          SoftBody& part = parts[part_of[i]];
          std::get<std::decay_t<decltype(mesh)>>(part.mesh).cells.push_back(mesh.cells[i]);
          if (!body.cell_stiffness.empty()) part.cell_stiffness.push_back(body.cell_stiffness[i]);
        }
      },
      body.mesh);
  std::erase_if(parts, [](const SoftBody& part) {
    return std::visit([](const auto& mesh) { return mesh.cells.empty(); }, part.mesh);
  });
  return parts;
}

}  // namespace sinew
