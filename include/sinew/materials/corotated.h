// Corotated linear elasticity, Hooke's law in the frame that turns with the element:
//   Ψ(F) = μ‖F − R‖² + λ/2 tr²(RᵀF − I),   P = 2μ(F − R) + λ tr(RᵀF − I) R
// R is the proper rotation nearest to F. It makes Ψ stationary, so its own derivative appears in
// the tangent only. The caller keeps R, because following it from the last one is cheaper than
// finding it anew.
#pragma once

#include <sinew/hooke.h>
#include <sinew/math.h>
#include <sinew/principal.h>
#include <sinew/tangent_bound.h>

namespace sinew {

struct Corotated {
  static constexpr const char* kName = "corotated";
  static constexpr const char* kDoc =
      "Hooke's law in a frame that turns with the element: small strains, any rotation. Crushed, "
      "it "
      "resists no more than a spring, so it may end up flat or inside out.";
  static constexpr bool kElastic = true;
  static constexpr bool kRotationInvariant = true;
  static constexpr bool kNeedsRotation = true;

  Real young = Real(1e5);    // Young's modulus E [Pa]
  Real poisson = Real(0.3);  // Poisson's ratio ν

  template <class Visitor>
  void describe(Visitor& v) {
    describe_young(v, young);
    describe_poisson(v, poisson);
  }

  // Energy density [J/m³], zero at rest. `r` is the rotation of `f`.
  template <class T>
  T energy(const Mat3T<T>& f, const Mat3T<T>& r) const {
    const Mat3T<T> difference = f - r;
    const T swelling = contract(r, difference);  // tr(RᵀF − I)
    return T(lame_mu()) * contract(difference, difference) +
           T(lame_lambda() / 2) * swelling * swelling;
  }

  // First Piola–Kirchhoff stress ∂Ψ/∂F [Pa].
  template <class T>
  Mat3T<T> stress(const Mat3T<T>& f, const Mat3T<T>& r) const {
    const Mat3T<T> difference = f - r;
    return difference * T(2 * lame_mu()) + r * (T(lame_lambda()) * contract(r, difference));
  }

  // ∂P/∂F = 2μ + λ R⊗R + (λ tr(S − I) − 2μ) ∂R/∂F, S = RᵀF. The last term counts only where it is
  // positive, in elements that are swollen. The eigenvalues of ∂R/∂F are 2/(σᵢ + σⱼ): twice those
  // of G⁻¹, G = tr(S) I − S, for the largest of which ‖G⁻¹‖/√3 stands: right at rest, too small by
  // √3 at worst.
  template <class T>
  TangentBound<T> tangent_bound(const Mat3T<T>& f, const Mat3T<T>& r) const {
    const Mat3T<T> s = transpose(r) * f;
    const T tr = trace(s), swelling = tr - T(3);
    const T swollen = max(T(lame_lambda()) * swelling - T(2 * lame_mu()), T(0));
    const Mat3T<T> g = Mat3T<T>::diagonal({tr, tr, tr}) - s;
    const Mat3T<T> cof = cofactor(g);
    // Collapsed to a line, ∂R/∂F is infinite; ten thousand times its value at rest is enough.
    const T det = max(dot(g.c[0], cof.c[0]), T(Real(1e-4)) * abs(tr * tr * tr) + T(Real(1e-20)));
    const T turning = sqrt(contract(cof, cof) * T(Real(1.0 / 3))) / det;
    return {(f - r) * T(2 * lame_mu()) + r * (T(lame_lambda()) * swelling),
            T(2 * lame_mu()) + T(2) * swollen * turning, T(max(lame_lambda(), Real(0))), r};
  }

  template <class T>
  PrincipalDerivatives<T> principal(const Vec3T<T>& s) const {
    return principal_of_hooke(s, T(lame_mu()), T(lame_lambda()));
  }

  // Lamé's parameters of small strains [Pa].
  Real lame_mu() const { return hooke_mu(young, poisson); }
  Real lame_lambda() const { return hooke_lambda(young, poisson); }
};

}  // namespace sinew
