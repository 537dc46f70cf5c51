// What the position-based solver asks of a material at a deformation gradient F: the stress, and a
// simple symmetric positive bound on its derivative,
//   ∂P/∂F ≈ a I + b d⊗d,
// at least half of the true tangent in every direction, so that a Newton step with it converges,
// and close to it at rest, so that it converges fast.
#pragma once

#include <sinew/math.h>

namespace sinew {

template <class T>
struct TangentBound {
  Mat3T<T> stress;     // first Piola–Kirchhoff stress P(F) [Pa]
  T isotropic;         // a ≥ 0 [Pa]
  T along;             // b ≥ 0 [Pa]
  Mat3T<T> direction;  // d
};

// Materials that can be asked for one. Others are for solvers that minimise an energy.
template <class M>
concept HasTangentBound = requires(const M& m, const Mat3T<Real>& f) {
  m.tangent_bound(f);
}
|| requires(const M& m, const Mat3T<Real>& f) { m.tangent_bound(f, f); };

}  // namespace sinew
