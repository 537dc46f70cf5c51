#include "constraints/strain_limit.h"

#include <sinew/error.h>

#include "constraints/scalar_batch.h"
#include "constraints_functions.h"
#include "variational/terms/bounded_cell.h"

namespace sinew {
namespace {

struct Add {
  const StrainLimit& definition;
  BatchList& batches;

  void operator()(const TetMesh& mesh) const { add<SimplexStrain<TetrahedronElement>>(mesh); }
  void operator()(const TriMesh& mesh) const { add<SimplexStrain<TriangleElement>>(mesh); }
  void operator()(const HexMesh& mesh) const { add<HexahedronStrain>(mesh); }
  void operator()(const LineMesh&) const {
    throw Error("constraint strain_limit needs a solid or a sheet; for a line take distance");
  }

  template <class Shape>
  void add(const Mesh<typename Shape::Cell>& mesh) const {
    using Strains = ScalarBatch<StrainConstraint<Shape>, Wide>;
    std::vector<typename Strains::Item> items;
    for (const auto& cell : mesh.cells) {
      Vec3T<double> x[Shape::kNodes];
      for (int n = 0; n < Shape::kNodes; ++n) x[n] = to_double(mesh.vertices[cell[n]]);
      items.push_back({cell,
                       {Shape::inverse_of(x), {double(definition.min), double(definition.max)}},
                       double(definition.plain)});
    }
    batches.push_back(
        std::make_unique<Strains>(items, mesh.vertices.size(), StiffnessKind::kPlain));
  }
};

constexpr double kStifferThanMaterial = 10;

double stiffness_of(const StrainLimit& definition, const Material& material) {
  if (definition.stiffness > 0) return definition.stiffness;
  return std::visit(
      [](const auto& m) -> double {
        if constexpr (requires { m.young; })
          return kStifferThanMaterial * double(m.young);
        else
          throw Error(
              "constraint strain_limit: the body's material has no Young's modulus to take a "
              "stiffness from; give one in Pa");
      },
      material);
}

struct AddEnergy {
  StretchBounds<double> bounds;
  double stiffness, thickness;  // of sheets
  EnergyList& energies;

  void operator()(const TetMesh& mesh) const { add<SimplexStrain<TetrahedronElement>>(mesh, 1); }
  void operator()(const TriMesh& mesh) const {
    add<SimplexStrain<TriangleElement>>(mesh, thickness);
  }
  void operator()(const HexMesh& mesh) const { add<HexahedronStrain>(mesh, 1); }
  void operator()(const LineMesh&) const {
    throw Error("constraint strain_limit needs a solid or a sheet; for a line take distance");
  }
  template <class Shape>
  void add(const Mesh<typename Shape::Cell>& mesh, double thick) const {
    energies.push_back(make_bounded_cells<Shape, StretchBounds>(mesh, stiffness, thick, bounds));
  }
};

}  // namespace

void add_batches(const StrainLimit& definition, const ConstraintSource& body, BatchList& batches) {
  std::visit(Add{definition, batches}, body.mesh);
}

void add_energies(const StrainLimit& definition, const ConstraintSource& body,
                  EnergyList& energies) {
  std::visit(AddEnergy{{double(definition.min), double(definition.max)},
                       stiffness_of(definition, body.material),
                       double(body.thickness),
                       energies},
             body.mesh);
}

}  // namespace sinew
