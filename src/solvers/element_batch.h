// A batch: all elements of one kind and one material in a body, in packs, sorted by colour. Virtual
// calls happen once per batch and stage, never per element.
#pragma once

#include <sinew/executor.h>
#include <sinew/materials.h>
#include <sinew/mesh.h>

#include <memory>

#include "core/pack.h"

namespace sinew {

// The particles of one body, and the substep under way.
struct Substep {
  Row4<Real>* position;        // with the inverse mass in w
  const Row4<Real>* previous;  // at the start of the substep
  Real h;                      // length of the substep [s]
  Real damping;                // SoftBody::damping [s]
  Executor& executor;
};

struct ElementSummary {
  double energy = 0;  // [J]
  double volume = 0;  // [m³]
  int inverted = 0;
  double strain_max = 0;  // largest |principal stretch − 1|
};

class ElementBatch {
 public:
  virtual ~ElementBatch() = default;
  // Adds the elastic forces at the previous positions to the free motion.
  virtual void predict(const Substep& substep) = 0;
  // One coloured Gauss–Seidel sweep.
  virtual void solve(const Substep& substep) = 0;
  virtual ElementSummary summary(const Row4<Real>* position) const = 0;
  virtual int element_count() const = 0;
  // Elements too flat at rest to have a stiffness.
  virtual int slack_count() const = 0;
};

std::unique_ptr<ElementBatch> make_tetrahedron_batch(const TetMesh& mesh, const Material& material);

}  // namespace sinew
