// Getting over being turned inside out. Materials that guard their volume strongly un-invert one
// element after the other, and so lock a tangled body in its tangle: every element is the right way
// round, but they are wound about each other, and the way back leads over a barrier. (Others, as
// St. Venant and Kirchhoff's, are as much at rest inside out as they are at rest.) Therefore an
// element that is inside out, and all around it, is made of something milder for a while:
// corotated, of the same shear modulus. With that, shear straightens bodies before volume matters,
// and the energy grows with no more than the square of the strain, even where slivers are strained
// by 1e5. It turns back into its own material once no element of the body is inside out and it is
// itself nearly at rest.
#pragma once

#include <sinew/materials/corotated.h>

#include "core/pack.h"

namespace sinew {

inline constexpr double kMildPoisson = 0.25;
// Its shear modulus by its stiffness λ + 2μ against being stretched in one direction.
inline constexpr double kMildShear = (1 - 2 * kMildPoisson) / (2 - 2 * kMildPoisson);
// How long it takes to turn back, in times that a wave of shear needs through the body.
inline constexpr double kRecoveryWaves = 3;

// Something milder, of shear modulus μ.
inline Corotated mild_material(double mu) {
  return {.young = Real(2 * mu * (1 + kMildPoisson)), .poisson = Real(kMildPoisson)};
}

// Of an element: the share of its own material, from 0 to 1.
template <class W>
struct Recovery {
  W share{Real(1)};

  SINEW_INLINE bool any_active() const { return any(share < W(Real(1))); }
  // `back`: by how much it turns back in this step.
  template <class Mask>
  SINEW_INLINE void follow(const Mask& struck, const W& back) {
    share = select(struck, W(Real(0)), min(share + back, W(Real(1))));
  }
};

}  // namespace sinew
