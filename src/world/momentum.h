// Internal forces cannot change the momentum of a body. Implicit Euler brakes rotation by ω²h/2,
// and adding up thousands of rounded pushes drifts; so a body that touches nothing gets back the
// rigid motion that its velocity change Δv contains: v −= p/M + I⁻¹L × r, with p = Σ m Δv and L = Σ
// m r × Δv about the centre of mass.
#pragma once

#include "world/world_impl.h"

namespace sinew {

// After the velocities of a substep of length h [s] were updated and multiplied by `kept` (drag).
void keep_momentum(const SoftRuntime& body, Particles& particles, Real kept, Real h);

}  // namespace sinew
