#include <sinew/error.h>

#include "constraints/finite_elements_batch.h"
#include "constraints_functions.h"
#include "math/rotation_methods.h"
#include "solvers/element_batches.h"

namespace sinew {
namespace {

template <class Shape>
void add(const Mesh<typename Shape::Cell>& mesh, const FiniteElements& definition,
         BatchList& batches) {
  with_rotation(definition.rotation, [&]<class Rotation>(Rotation method) {
    batches.push_back(
        std::make_unique<FiniteElementsBatch<Shape, Rotation, Wide>>(mesh, definition, method));
  });
}

}  // namespace

void add_batches(const FiniteElements& definition, const ConstraintSource& body,
                 BatchList& batches) {
  if (const auto* tets = std::get_if<TetMesh>(&body.mesh))
    add<TetrahedronShape>(*tets, definition, batches);
  else if (const auto* hexes = std::get_if<HexMesh>(&body.mesh))
    any_skewed(rests_of(*hexes)) ? add<HexahedronShape<true>>(*hexes, definition, batches)
                                 : add<HexahedronShape<false>>(*hexes, definition, batches);
  else
    throw Error("constraint finite_elements needs a solid: a mesh of tetrahedra or hexahedra");
}

void add_energies(const FiniteElements&, const ConstraintSource&, EnergyList&) {
  throw Error(
      "constraint finite_elements has plain stiffnesses, for the solver \"position\"; give the "
      "body "
      "a material instead");
}

}  // namespace sinew
