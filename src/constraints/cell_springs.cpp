// Springs of cells (the fitting thesis §2.2.1): with 12 edges, 12 face diagonals and 4 inner
// diagonals a cube of springs comes near to one of linear elasticity.
#include <sinew/error.h>

#include <map>

#include "constraints/cell_lengths.h"
#include "constraints/distance.h"
#include "constraints/scalar_batch.h"
#include "constraints_functions.h"
#include "variational/terms/length.h"

namespace sinew {
namespace {

struct Spring {
  Segment ends;
  double length;     // [m]
  double stiffness;  // [N/m]
};

template <class Cell>
std::vector<Spring> springs_in(const Mesh<Cell>& mesh, const CellSprings& definition) {
  const CellLengths lengths = lengths_of(mesh);
  if (lengths.faces.empty() && (definition.face > 0 || definition.diagonal > 0))
    throw Error("constraint cell_springs: face and diagonal are for hexahedra; leave them out");
  std::map<Segment, double> sums;  // by ends: those of several cells add up
  const auto add = [&](CellPairs pairs, Real stiffness) {
    if (!(stiffness > 0)) return;
    for (const Cell& cell : mesh.cells)
      for (const auto& [a, b] : pairs)
        sums[{std::min(cell[a], cell[b]), std::max(cell[a], cell[b])}] += double(stiffness);
  };
  add(lengths.edges, definition.edge);
  add(lengths.faces, definition.face);
  add(lengths.diagonals, definition.diagonal);
  if (sums.empty())
    throw Error("constraint cell_springs: all stiffnesses are 0; give one greater than 0 N/m");
  std::vector<Spring> springs;
  for (const auto& [ends, stiffness] : sums)
    springs.push_back(
        {ends, length(to_double(mesh.vertices[ends[1]]) - to_double(mesh.vertices[ends[0]])),
         stiffness});
  return springs;
}

std::vector<Spring> springs_of(const CellSprings& definition, const BodyMesh& mesh) {
  return std::visit([&](const auto& m) { return springs_in(m, definition); }, mesh);
}

}  // namespace

void add_batches(const CellSprings& definition, const ConstraintSource& body, BatchList& batches) {
  using Springs = ScalarBatch<DistanceConstraint, Wide>;
  std::vector<Springs::Item> items;
  for (const Spring& spring : springs_of(definition, body.mesh))
    items.push_back({spring.ends, {spring.length}, spring.stiffness});
  batches.push_back(
      std::make_unique<Springs>(items, vertices_of(body.mesh).size(), StiffnessKind::kPhysical));
}

void add_energies(const CellSprings& definition, const ConstraintSource& body,
                  EnergyList& energies) {
  using Springs = LocalEnergy<LengthKernel<2, false>, Wide>;
  const std::span<const Vec3> x = vertices_of(body.mesh);
  std::vector<Springs::Item> items;
  for (const Spring& spring : springs_of(definition, body.mesh)) {
    const Vec3T<double> d = to_double(x[spring.ends[1]]) - to_double(x[spring.ends[0]]);
    const double k = spring.stiffness;
    items.push_back({spring.ends, {{-1, 1}, k, spring.length, normalized(d)}, k * dot(d, d)});
  }
  energies.push_back(std::make_unique<Springs>(items, x.size()));
}

}  // namespace sinew
