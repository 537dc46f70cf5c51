// What the stiffness of a constraint must be for it to be an energy.
#pragma once

#include <sinew/error.h>
#include <sinew/real.h>

#include "core/format.h"

namespace sinew {

inline void check_not_plain(const char* constraint, Real plain) {
  if (plain > 0)
    throw Error(
        formatted("constraint {}: plain stiffness is for the solver \"position\"; leave it out "
                  "and give a physical one",
                  constraint));
}

// `field`: how the physical stiffness is called, in `unit`.
inline void check_energy(const char* constraint, Real plain, const char* field, Real stiffness,
                         const char* unit) {
  check_not_plain(constraint, plain);
  if (!(stiffness > 0))
    throw Error(
        formatted("constraint {}: {} is 0, that is rigid, and no energy is; give one greater than "
                  "0 {}, or use the solver \"position\"",
                  constraint, field, unit));
}

}  // namespace sinew
