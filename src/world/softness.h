// How much of its elastic forces a body of the position-based solver may start its substeps from
// (stress_multiplier.h). All of them, while its stiffest element has h²k/m ≤ 4: its stiffness is
// the material's own. Beyond, elements within the body are cut down as those at its corners are,
// and add up to more than is stable; so each may do its share of what they may do together
// (assembled_stiffness.h). The body is softer then than its material, and says so.
#pragma once

#include "world/motion.h"

namespace sinew {

// For Substep::prediction, with sweeps of Gauss and Seidel in one direction.
Real prediction_share(const SoftRuntime& body, Real h);

// What the stiffest element of every body predicts of its force in this step, and events of those
// that have become softer than their material.
void tell_softness(const StepContext& c);

}  // namespace sinew
