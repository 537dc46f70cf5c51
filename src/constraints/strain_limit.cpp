#include "constraints/strain_limit.h"

#include <sinew/error.h>

#include "constraints/scalar_batch.h"
#include "constraints_functions.h"

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
                       {Shape::inverse_of(x), double(definition.min), double(definition.max)},
                       double(definition.plain)});
    }
    batches.push_back(
        std::make_unique<Strains>(items, mesh.vertices.size(), StiffnessKind::kPlain));
  }
};

}  // namespace

void add_batches(const StrainLimit& definition, const ConstraintSource& body, BatchList& batches) {
  std::visit(Add{definition, batches}, body.mesh);
}

}  // namespace sinew
