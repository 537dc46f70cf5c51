#include "constraints/distance.h"

#include "constraints/scalar_batch.h"
#include "constraints_functions.h"
#include "geometry/edges.h"

namespace sinew {
namespace {

template <class C>
void add(const Distance& definition, const ConstraintSource& body, BatchList& batches) {
  const std::span<const Vec3> x = vertices_of(body.mesh);
  std::vector<typename ScalarBatch<C, Wide>::Item> items;
  const double physical = definition.stiffness > 0 ? double(definition.stiffness) : kRigid;
  for (const Segment& edge : edges_of(body.mesh))
    items.push_back({edge,
                     {length(to_double(x[edge[1]]) - to_double(x[edge[0]]))},
                     definition.plain > 0 ? double(definition.plain) : physical});
  const auto kind = definition.plain > 0 ? StiffnessKind::kPlain : StiffnessKind::kPhysical;
  batches.push_back(std::make_unique<ScalarBatch<C, Wide>>(items, x.size(), kind));
}

}  // namespace

void add_batches(const Distance& definition, const ConstraintSource& body, BatchList& batches) {
  if (definition.tension_only)
    add<RopeConstraint>(definition, body, batches);
  else
    add<DistanceConstraint>(definition, body, batches);
}

}  // namespace sinew
