#include "constraints/attachment.h"

#include <sinew/error.h>

#include <algorithm>

#include "constraints_functions.h"
#include "core/format.h"
#include "variational/terms/attachment.h"

namespace sinew {
namespace {

// The vertices, each once, with their places at the start.
std::vector<Index> attach(const Attachment& definition, const ConstraintSource& body) {
  const std::span<const Vec3> x = vertices_of(body.mesh);
  if (definition.vertices.empty())
    throw Error("constraint attachment names no vertices; name some, or leave it out");
  std::vector<Index> vertices = definition.vertices;
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  if (vertices.back() >= x.size())
    throw Error(formatted("constraint attachment names vertex {}, but there are {} vertices",
                          vertices.back(), x.size()));
  AttachmentTargets& targets = *body.attachments;
  targets.place.resize(x.size());
  targets.low.resize(x.size());
  for (Index v : vertices) {
    targets.set(v, to_world(body.pose, x[v]));
    if (definition.anchored) targets.anchored.push_back(v);
  }
  return vertices;
}

}  // namespace

void add_batches(const Attachment& definition, const ConstraintSource& body, BatchList& batches) {
  const std::vector<Index> vertices = attach(definition, body);
  batches.push_back(std::make_unique<AttachmentBatch<Wide>>(
      vertices, vertices_of(body.mesh).size(), double(definition.stiffness), body.attachments));
}

void add_energies(const Attachment& definition, const ConstraintSource& body,
                  EnergyList& energies) {
  std::vector<AttachmentEnergy::Item> items;
  for (Index v : attach(definition, body)) {
    const Row4<Real>& y = body.attachments->place[v];
    items.push_back({{v}, {Vec3T<double>{y.x, y.y, y.z}, double(definition.stiffness)}, 0});
  }
  energies.push_back(
      std::make_unique<AttachmentEnergy>(items, vertices_of(body.mesh).size(), body.attachments));
}

}  // namespace sinew
