// What islands keep, after every step.
//
// Bodies that hold on to nothing but each other keep their angular momentum. Contacts and joints
// act on arms and inertias that are kept for a while, and positions are corrected without
// velocities, so a tumbling heap would lose or gain some thousandths of it in a second. What an
// island that is closed has lost in a step is given back as a turn of the whole about its centre of
// mass,
//   δω = (Σ Iᵢ + mᵢ (rᵢ² 1 − rᵢ rᵢᵀ))⁻¹ δL,
// which changes nothing within it.
//
// Islands that nothing drives, neither motors nor springs nor what moves by itself, never gain
// energy, T + V of gravity. Where that is not so by itself, for what spins fast on joints and for
// what bounces, the gain is taken back: out of the motion within a closed island, so that
// its momenta stay and its joints hold; of one that holds on to the ground out of all motion.
//
// What hangs on joints and is driven has no more than it had and was given (joint_memory.h).
#pragma once

#include "rigid/rigid_step.h"

namespace sinew {

void keep_conserved(const RigidStep& s);

}  // namespace sinew
