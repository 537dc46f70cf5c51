// How much of the impulses of a substep is done again in the next one, in islands with joints.
//
// Impulses λ start from what they were. Their sweeps lower the objective of the dual problem,
//   D(λ) = ½ λᵀAλ + λᵀ(Jv₀ + b),  A = JM⁻¹Jᵀ + Γ,
// and from λ = 0 on that means that constraints do no more work than their biases b ask for. From
// another start they need not: a joint that has just stopped two bodies stops them once more,
// sweeps do not take all of it back, and what is left is energy out of nothing. So an island starts
// from s λ with the largest s ≤ 1 for which D(s λ) ≤ D(0):
//   s = −2 λᵀ(Jv₀ + b) / λᵀAλ.
// With δ = M⁻¹Jᵀλ, the change of velocities in the last substep, λᵀJv₀ = ⟨δ, v₀⟩ and
// λᵀJM⁻¹Jᵀλ = ⟨δ, δ⟩ by the masses of the bodies: no pass over contacts is needed. What rests has
// δ = −v₀ and s = 2; nothing is forgotten there.
#pragma once

#include "rigid/rigid_step.h"

namespace sinew {

void begin_memory(const RigidStep& s);
// After a substep of h: finds s of all islands with joints.
void weigh_memory(const RigidStep& s, Real h);
void end_memory(const RigidStep& s);
// Adds to the sums of islands the work of bodies that are moved on what touches them.
void add_pushes(const RigidStep& s);

}  // namespace sinew
