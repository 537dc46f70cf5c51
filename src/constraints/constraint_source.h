// What constraints of a body are made from.
#pragma once

#include <sinew/constraints.h>
#include <sinew/materials.h>

#include <memory>
#include <span>
#include <vector>

#include "constraints/attachment.h"
#include "constraints/row_forces.h"
#include "solvers/batch.h"
#include "variational/energy_term.h"

namespace sinew {

struct ConstraintSource {
  const BodyMesh& mesh;  // at rest
  const Material& material;
  Real thickness;               // of sheets and lines [m]
  std::span<const Real> mass;   // of every vertex [kg]
  std::span<const Index> pins;  // vertices that are held at the start
  const Pose& pose;             // where the rest shape starts
  std::shared_ptr<AttachmentTargets> attachments;
  std::shared_ptr<AttachmentTargets> spheres;  // the centres of those that vertices are kept in
  const RowForces** forces;                    // who tells those of this constraint
};

using BatchList = std::vector<std::shared_ptr<Batch>>;
using EnergyList = std::vector<std::unique_ptr<EnergyTerm>>;

}  // namespace sinew
