// Liu, §6.2: the nearest deformation of determinant 1, or within bounds of it. Position-based,
// the distance to it is one constraint (strain_limit.h) with the same energy.
#include <sinew/error.h>

#include "constraints/scalar_batch.h"
#include "constraints_functions.h"
#include "variational/terms/bounded_cell.h"

namespace sinew {
namespace {

// add.operator()<Shape>(mesh) for solids.
template <class Add>
void for_solid(const BodyMesh& mesh, Add&& add) {
  if (const auto* tets = std::get_if<TetMesh>(&mesh))
    add.template operator()<SimplexStrain<TetrahedronElement>>(*tets);
  else if (const auto* hexes = std::get_if<HexMesh>(&mesh))
    add.template operator()<HexahedronStrain>(*hexes);
  else
    throw Error("constraint cell_volume needs a solid: a mesh of tetrahedra or hexahedra");
}

VolumeBounds<double> bounds_of(const CellVolume& definition) {
  return VolumeBounds<double>::of(definition.min, definition.max);
}

}  // namespace

void add_batches(const CellVolume& definition, const ConstraintSource& body, BatchList& batches) {
  for_solid(body.mesh, [&]<class Shape>(const Mesh<typename Shape::Cell>& mesh) {
    using Volumes = ScalarBatch<StrainConstraint<Shape, VolumeBounds>, Wide>;
    std::vector<typename Volumes::Item> items;
    for (const auto& cell : mesh.cells) {
      Vec3T<double> x[Shape::kNodes];
      for (int n = 0; n < Shape::kNodes; ++n) x[n] = to_double(mesh.vertices[cell[n]]);
      items.push_back({cell,
                       {Shape::inverse_of(x), bounds_of(definition)},
                       Shape::volume_of(x) * double(definition.stiffness)});
    }
    batches.push_back(
        std::make_unique<Volumes>(items, mesh.vertices.size(), StiffnessKind::kPhysical));
  });
}

void add_energies(const CellVolume& definition, const ConstraintSource& body,
                  EnergyList& energies) {
  for_solid(body.mesh, [&]<class Shape>(const Mesh<typename Shape::Cell>& mesh) {
    energies.push_back(make_bounded_cells<Shape, VolumeBounds>(mesh, double(definition.stiffness),
                                                               1, bounds_of(definition)));
  });
}

}  // namespace sinew
