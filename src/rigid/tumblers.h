// Bodies that touch or hold something and turn out of their inertia within a step: rods that fall
// on their ends, above all, or swing on joints. Contacts know the inertia, the arms and the gaps of
// the start of the step. An impulse through the inertia that a rod had a little while ago may turn
// it about its thin axis as it does about a thick one, and with that its energy grows by the ratio
// of its moments: nails have left the ground with hundreds of metres a second. So whatever touches
// a tumbler is made anew in every substep: manifolds, inertia, response. Impulses start from
// nothing there, along rows that are true: then sweeps only ever take energy away, however few they
// are,
//   T(v₀ + M⁻¹Jᵀλ) − T(v₀) = λᵀ(Jv₀ + gap/h) + ½ λᵀJM⁻¹Jᵀλ − λᵀgap/h ≤ 0,
// as the first two terms are what every projected step lowers, from zero on. After the sweeps a
// tumbler turns as if nothing held it (free_spin.h), which keeps its energy, too.
#pragma once

#include "rigid/rigid_step.h"

namespace sinew {

// Looks for more tumblers, and follows those that there are, before a substep (its number within
// the step) or before positions are corrected.
enum class Before { kFirstSubstep, kSubstep, kCorrection };
void follow_tumblers(const RigidStep& s, Before what, Real h);

}  // namespace sinew
