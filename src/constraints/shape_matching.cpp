#include "constraints/shape_matching.h"

#include <sinew/error.h>

#include "constraints/matching_batches.h"
#include "constraints_functions.h"
#include "math/rotation_methods.h"

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
    with_rotation(definition.rotation, [&]<class Rotation>(Rotation) {
      if (definition.clusters == MatchingClusters::kBody)
        batches.push_back(std::make_unique<BodyMatchingBatch<Rotation, Wide>>(
            mesh.vertices, body.mass, stiffness));
      else
        batches.push_back(
            std::make_unique<CellMatchingBatch<std::tuple_size_v<Cell>, Rotation, Wide>>(
                mesh, body.mass, stiffness));
    });
  }
};

}  // namespace

void add_batches(const ShapeMatching& definition, const ConstraintSource& body,
                 BatchList& batches) {
  std::visit(Add{definition, body, batches}, body.mesh);
}

}  // namespace sinew
