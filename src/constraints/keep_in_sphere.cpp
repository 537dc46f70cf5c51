// Lewin §1.2.1: "With the freedom to use inequality constraints, we can instead simply keep each
// point inside a sphere of a given radius from our known-good point."
#include <sinew/error.h>

#include <cmath>

#include "constraints/tether_batch.h"
#include "constraints_functions.h"

namespace sinew {

void add_batches(const KeepInSphere& definition, const ConstraintSource& body, BatchList& batches) {
  using Spheres = TetherBatch<TetherKind::kSphere, Wide>;
  const std::span<const Vec3> vertices = vertices_of(body.mesh);
  std::vector<Spheres::Item> items;
  AttachmentTargets& centres = *body.spheres;
  centres.place.resize(vertices.size());
  centres.low.resize(vertices.size());
  for (Index i = 0; i < vertices.size(); ++i) {
    centres.set(i, to_world(body.pose, vertices[i]));
    if (definition.anchored) centres.anchored.push_back(i);
    items.push_back({i, i, double(definition.radius)});
  }
  batches.push_back(std::make_unique<Spheres>(items, vertices.size(), body.spheres));
}

void add_energies(const KeepInSphere&, const ConstraintSource&, EnergyList&) {
  throw Error(
      "constraint keep_in_sphere is a guarantee that only the solver \"position\" gives; an "
      "attachment pulls vertices to where they start");
}

}  // namespace sinew
