// Bodies that hold on to nothing but each other keep their angular momentum. Contacts and joints
// act on arms and inertias that are kept for a while, and positions are corrected without
// velocities, so a tumbling heap would lose or gain some thousandths of it in a second. What an
// island that is closed has lost in a step is given back as a turn of the whole about its centre of
// mass,
//   δω = (Σ Iᵢ + mᵢ (rᵢ² 1 − rᵢ rᵢᵀ))⁻¹ δL,
// which changes nothing within it.
#pragma once

#include "rigid/rigid_step.h"

namespace sinew {

void keep_angular_momentum(const RigidStep& s);

}  // namespace sinew
