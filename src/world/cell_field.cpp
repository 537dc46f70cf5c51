#include "world/cell_field.h"

#include <algorithm>

#include "solvers/plastic_elements.h"

namespace sinew {
namespace {

// As position-based solvers sort them (solvers/coloured_packs.h); the others go over all at once.
std::vector<int> colours_of(const SoftRuntime& body) {
  return std::visit(
      [&]<class Cell>(const Mesh<Cell>& mesh) -> std::vector<int> {
        if (body.variational) return std::vector<int>(mesh.cells.size(), 0);
        return colour_cells<Cell>(mesh.cells, mesh.vertices.size());
      },
      body.rest_mesh);
}

// Fₚ⁻¹ of every cell; nothing for a body that has not been dented.
std::vector<Mat3T<double>> plastic_inverses(const SoftRuntime& body) {
  const auto* plastic = dynamic_cast<const PlasticElements*>(body.elements);
  if (!plastic || !plastic->flows()) return {};
  const std::vector<int> colour = colours_of(body);
  std::vector<Index> order(colour.size());
  for (Index i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return colour[a] < colour[b]; });
  std::vector<Mat3T<double>> out(order.size());
  plastic->plastic_inverses(order, out);
  return out;
}

}  // namespace

std::vector<Real> World::cell_field(SoftId id, CellField field) const {
  const SoftRuntime& body = impl_->soft.at(id, "soft body");
  if (field == CellField::kColour) {
    const std::vector<int> colours = colours_of(body);
    return {colours.begin(), colours.end()};
  }
  if (!body.samples) body.samples = make_cell_samples(body);
  std::vector<Real> out(
      std::visit([](const auto& mesh) { return mesh.cells.size(); }, body.rest_mesh));
  const std::vector<Row> rows =
      rows_seen_from_first(impl_->particles.places(body.begin), std::size_t(body.count));
  body.samples->measure(field, rows.data(), plastic_inverses(body), *impl_->executor, out);
  return out;
}

}  // namespace sinew
