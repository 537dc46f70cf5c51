// What tells the forces of the rows of a user's constraint (World::row_forces).
#pragma once

#include <vector>

#include "core/places.h"

namespace sinew {

class RowForces {
 public:
  virtual ~RowForces() = default;
  // Along the gradients, for every constraint and row [N by the unit of C].
  virtual std::vector<double> row_forces(const Places& at) const = 0;
};

}  // namespace sinew
