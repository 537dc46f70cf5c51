// St. Venant–Kirchhoff elasticity for solids of the position-based solver. Of its own, an element
// that was pressed flat has no force to open again: its resistance falls to nothing there. Here its
// volume is guarded below J = 0.4, where the material is of no use any more:
//   Ψ += (λ + 2μ) (0.4 − J)²,   J = det F < 0.4.
#pragma once

#include <sinew/materials/st_venant_kirchhoff.h>

namespace sinew {

struct GuardedStVenantKirchhoff : StVenantKirchhoff {
  static constexpr Real kFlat = Real(0.4);

  template <class T>
  T energy(const Mat3T<T>& f) const {
    const T missing = max(T(kFlat) - determinant(f), T(0));
    return StVenantKirchhoff::energy(f) + T(guard() / 2) * missing * missing;
  }

  template <class T>
  Mat3T<T> stress(const Mat3T<T>& f) const {
    return tangent_bound(f).stress;
  }

  // The guard adds c cof⊗cof − c (0.4 − J) ∂cof/∂F, and no eigenvalue of the last is larger than
  // the largest stretch.
  template <class T>
  TangentBound<T> tangent_bound(const Mat3T<T>& f) const {
    TangentBound<T> m = StVenantKirchhoff::tangent_bound(f);
    const Mat3T<T> cof = cofactor(f);
    const T missing = max(T(kFlat) - dot(f.c[0], cof.c[0]), T(0)) * T(guard());
    m.stress = m.stress - cof * missing;
    m.isotropic += select(missing > T(0), T(guard()) * contract(cof, cof), T(0)) +
                   missing * sqrt(contract(f, f));
    return m;
  }

 private:
  Real guard() const { return 2 * (lame_lambda() + 2 * lame_mu()); }  // [Pa]
};

}  // namespace sinew
