// Fields over the cells of a soft body (World::cell_field), whatever solves it.
#pragma once

#include <sinew/cell_field.h>

#include <memory>
#include <span>

#include "world/world_impl.h"

namespace sinew {

// Where the cells of a body are looked at, in packs of cells of the same material: made once from
// the body, and never changed.
class CellSamples {
 public:
  virtual ~CellSamples() = default;
  // One value for each cell, with the body's particles at x. `flowed` has Fₚ⁻¹ of every cell, or
  // nothing.
  virtual void measure(CellField field, const Row* x, std::span<const Mat3T<double>> flowed,
                       Executor& executor, std::span<Real> out) const = 0;
};

std::shared_ptr<const CellSamples> make_cell_samples(const SoftRuntime& body);

}  // namespace sinew
