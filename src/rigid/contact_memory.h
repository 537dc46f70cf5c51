// What contacts remember from one substep to the next. Impulses start from what they were, and few
// sweeps are enough for what rests. But what has been true a moment ago may be wrong now, and what
// sweeps do not take back of it then is energy out of nothing. Forgotten is
//   - all, where a tumbler is held (tumblers.h): rows are others now, and few sweeps from nothing
//     only ever take energy away;
//   - what is beyond a few times the weight of the island, where contacts overlap deeply: what is
//     squeezed between things that do not give way has impulses that grow with every sweep, and
//     shoots out with all of them once it slips;
//   - what is beyond twice that weight, of bodies that were jolted: an impact is over when it has
//     been stopped, and must not be stopped again. Done once more in the next substep, it threw
//     stacks that were set down into the air and kept them rocking without end.
// A body is jolted when contacts and joints change its velocity by more than they did a substep
// before and twice gravity ask for. So what goes on is learnt at once, and what is borne at rest
// never is forgotten: a heavy body on light ones jolts them while its load is found, but needs no
// more than its weight. Kinematic bodies that are told a new velocity in every step hit what lies
// on them in every step.
//
// Joints that are solved at once forget as large a share as any contact of their bodies does. Half
// of a balance is a blow: a net that had just caught a heavy ball threw its knots at 350 m/s.
#pragma once

#include "rigid/rigid_step.h"

namespace sinew {

// Of a pack that has just been prepared: which of its contacts overlap deeply.
void note_depth(const RigidStep& s, const ContactGeometry<Wide>& geometry, ContactPack<Wide>& pack);

// How hard bodies were jolted in the step before; where that is kept; and that it is.
void begin_jolts(const RigidStep& s);
void note_jolts(const RigidStep& s, int first, const BodyRow* rows, const Vec3T<Wide>& change,
                Real h);
void end_jolts(const RigidStep& s);

// 1 in lanes whose contact has a tumbler.
Wide tumbling_lanes(const RigidScratch& scratch, const ContactPack<Wide>& pack);

// Impulses of the last substep are forgotten, and taken out of what is done again in this one.
void forget_impulses(const RigidStep& s, Real h);

}  // namespace sinew
