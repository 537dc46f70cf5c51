// Corners folded through their own hexahedron. The deformation gradient at the centre does not see
// them, and neighbours can hold each other folded in balance for ever: a stiffer hourglass energy
// only moves that balance, and so does an energy of the corners' volumes, which is zero again
// before the fold is gone. Therefore an element remembers: once a corner has folded it resists its
// hourglass modes more and more, by the Laplacian E = κ μ ‖F(ξ) − F₀‖², and lets go only when
// hardly anything is left of them. Elements that never fold, however much they bend, never feel it.
#pragma once

#include "elements/hexahedron.h"

namespace sinew {

// κ. A quarter of it was enough for bars of random vertices.
inline constexpr Real kUnfoldingStiffness = 4;
// From nothing to all of it, and back [s].
inline constexpr Real kUnfoldingTime = Real(0.1);
// Means of ‖F(ξ) − F₀‖². A column of F(ξ) − F₀ is q ξᵢ + q′ ξⱼ + q″ ξᵢξⱼ, whose square is nowhere
// more than 3 + 3 + 9 = 15 times its mean over a box: below 1/15 no corner of an element folds that
// is not compressed itself.
inline constexpr Real kMayFold = Real(0.05);
// Below this, what is left of a fold is gone.
inline constexpr Real kUnfolded = Real(0.02);

// det of the edges that meet at the corner where it is least, with J those of the middle; of
// parallelepipeds, and for others what a parallelepiped of the same modes would have.
template <class T>
SINEW_INLINE T least_corner(const Mat3T<T>& j, const Vec3T<T> (&q)[4]) {
  T least = determinant(j);
  for (int n = 0; n < 8; ++n) {
    const T sx(n & 1 ? Real(1) : Real(-1)), sy(n & 2 ? Real(1) : Real(-1)),
        sz(n & 4 ? Real(1) : Real(-1));
    least = min(least, determinant(Mat3T<T>{{j.c[0] + q[1] * sz + q[2] * sy + q[3] * (sy * sz),
                                             j.c[1] + q[0] * sz + q[2] * sx + q[3] * (sx * sz),
                                             j.c[2] + q[0] * sy + q[1] * sx + q[3] * (sx * sy)}}));
  }
  return least;
}

// How much of the unfolding stiffness an element has, from 0 to 1.
template <class T>
struct Unfolding {
  T share;

  SINEW_INLINE bool any_active() const { return any(share > T(Real(0))); }
  SINEW_INLINE bool may_change(const T& strain2) const {
    return any(strain2 > T(kMayFold)) || any_active();
  }
  // After a substep of h [s], with `strain2` the mean of ‖F(ξ) − F₀‖² and `least` of a corner.
  SINEW_INLINE void follow(const T& strain2, const T& least, Real h) {
    const T step(h / kUnfoldingTime), none(Real(0));
    const T released = select(strain2 < T(kUnfolded), max(share - step, none), share);
    share = select(least < none, min(share + step, T(Real(1))), released);
  }
};

}  // namespace sinew
