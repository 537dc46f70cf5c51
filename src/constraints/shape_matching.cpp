#include "constraints/shape_matching.h"

#include <sinew/error.h>

#include "constraints/energy_stiffness.h"
#include "constraints/matching_batches.h"
#include "constraints_functions.h"
#include "math/rotation_methods.h"
#include "variational/terms/matching.h"

namespace sinew {
namespace {

struct Add {
  const ShapeMatching& definition;
  const ConstraintSource& body;
  BatchList& batches;

  void operator()(const LineMesh&) const {
    throw Error("constraint shape_matching needs a solid or a sheet; for a line take distance");
  }
  template <class Cell>
  void operator()(const Mesh<Cell>& mesh) const {
    const MatchingStiffness stiffness{double(definition.stiffness), double(definition.plain)};
    with_rotation(definition.rotation, [&]<class Rotation>(Rotation method) {
      if (definition.clusters == MatchingClusters::kBody)
        batches.push_back(std::make_unique<BodyMatchingBatch<Rotation, Wide>>(
            mesh.vertices, body.mass, stiffness, method));
      else
        batches.push_back(
            std::make_unique<CellMatchingBatch<std::tuple_size_v<Cell>, Rotation, Wide>>(
                mesh, body.mass, stiffness, method));
    });
  }
};

struct AddEnergy {
  const ShapeMatching& definition;
  const ConstraintSource& body;
  EnergyList& energies;

  void operator()(const LineMesh&) const {
    throw Error("constraint shape_matching needs a solid or a sheet; for a line take distance");
  }
  template <class Cell>
  void operator()(const Mesh<Cell>& mesh) const {
    const double stiffness = definition.stiffness;
    if (definition.clusters == MatchingClusters::kBody)
      energies.push_back(
          std::make_unique<BodyMatchingEnergy<Wide>>(mesh.vertices, body.mass, stiffness));
    else
      energies.push_back(make_matched_cells(mesh, body.mass, stiffness));
  }
};

}  // namespace

void add_batches(const ShapeMatching& definition, const ConstraintSource& body,
                 BatchList& batches) {
  std::visit(Add{definition, body, batches}, body.mesh);
}

void add_energies(const ShapeMatching& definition, const ConstraintSource& body,
                  EnergyList& energies) {
  check_energy("shape_matching", definition.plain, "stiffness", definition.stiffness, "N/m");
  if (definition.rotation != RotationMethod::kDefault)
    throw Error(
        "constraint shape_matching: rotation is for the solver \"position\"; an energy needs the "
        "nearest one, leave it out");
  std::visit(AddEnergy{definition, body, energies}, body.mesh);
}

}  // namespace sinew
