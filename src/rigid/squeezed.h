// Light bodies under heavy ones. A sweep leaves about 1 − m/M of the error of a light body m that
// bears a heavy one M, so a few of them do not find the load: a column of 20 cubes under one of
// 1,000 times their mass fell, and threw some of them away.
//
// For the length of a step, such a body is given more inertia. With the mass M that it carries,
//
//   m' = max(m, min(M / kMostCarried, 2 M g ℓ / v²)),   a' = a m / m',
//
// and moments of inertia grow alike. The second bound limits the energy that the added mass seems
// to have to what M has at the height ℓ, a small share of the body's size; v is the speed of the
// body against what it carries. It is 1,000 times its own at most: impulses that are remembered for
// m' act on m when it lets go. Its weight stays, m' a' = m a, so contacts at rest bear what
// they should; beside the inertia of what it carries, the added one is small.
//
// M is found from top to bottom: a body hands its own mass and what it carries on to all that it
// stands on, in equal shares. That does not depend on impulses, which are not known at first.
#pragma once

#include "rigid/rigid_step.h"

namespace sinew {

// Whether a body of a pack is so much lighter than the other that it may need that.
bool is_uneven(const ContactPack<Wide>& pack);
// Gives inertia to all that carry much, or takes it back. The first returns whether it did.
bool add_inertia(const RigidStep& s);
void take_inertia(const RigidStep& s);

}  // namespace sinew
