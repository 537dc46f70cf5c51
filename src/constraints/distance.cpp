#include "constraints/distance.h"

#include "constraints/energy_stiffness.h"
#include "constraints/scalar_batch.h"
#include "constraints_functions.h"
#include "geometry/edges.h"
#include "variational/terms/length.h"

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

template <bool kPull>
std::unique_ptr<EnergyTerm> springs(const Distance& definition, const ConstraintSource& body) {
  using Springs = LocalEnergy<LengthKernel<2, kPull>, Wide>;
  const std::span<const Vec3> x = vertices_of(body.mesh);
  const double k = definition.stiffness;
  std::vector<typename Springs::Item> items;
  for (const Segment& edge : edges_of(body.mesh)) {
    const Vec3T<double> d = to_double(x[edge[1]]) - to_double(x[edge[0]]);
    items.push_back({edge, {{-1, 1}, k, length(d), normalized(d)}, k * dot(d, d)});
  }
  return std::make_unique<Springs>(items, x.size());
}

}  // namespace

void add_batches(const Distance& definition, const ConstraintSource& body, BatchList& batches) {
  if (definition.tension_only)
    add<RopeConstraint>(definition, body, batches);
  else
    add<DistanceConstraint>(definition, body, batches);
}

void add_energies(const Distance& definition, const ConstraintSource& body, EnergyList& energies) {
  check_energy("distance", definition.plain, "stiffness", definition.stiffness, "N/m");
  energies.push_back(definition.tension_only ? springs<true>(definition, body)
                                             : springs<false>(definition, body));
}

}  // namespace sinew
