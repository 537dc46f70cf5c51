// St. Venant–Kirchhoff elasticity, Hooke's law between the Green strain E and its stress S:
//   Ψ(F) = μ E:E + λ/2 tr(E)²,   E = ½(FᵀF − I),   S = 2μE + λ tr(E) I,   P = F S
// Right for large rotations with moderate strains. Weak in compression: pushed together along one
// direction its resistance is E s(1 − s²)/2 at the stretch s, which is greatest at s = 1/√3 and
// falls to nothing when flat; beyond that the element prefers to be inside out.
#pragma once

#include <sinew/hooke.h>
#include <sinew/math.h>
#include <sinew/principal.h>
#include <sinew/tangent_bound.h>

namespace sinew {

struct StVenantKirchhoff {
  static constexpr const char* kName = "st_venant_kirchhoff";
  static constexpr const char* kDoc =
      "Hooke's law for large rotations. Stiffens when stretched; gives way when compressed to some "
      "60 %, and may turn inside out.";
  static constexpr bool kElastic = true;
  static constexpr bool kRotationInvariant = true;
  static constexpr bool kNeedsRotation = false;

  Real young = Real(1e5);    // Young's modulus E [Pa]
  Real poisson = Real(0.3);  // Poisson's ratio ν

  template <class Visitor>
  void describe(Visitor& v) {
    describe_young(v, young);
    describe_poisson(v, poisson);
  }

  // Energy density [J/m³], zero at rest.
  template <class T>
  T energy(const Mat3T<T>& f) const {
    const Mat3T<T> e = (transpose(f) * f - Mat3T<T>::identity()) * T(Real(0.5));
    const T tr = trace(e);
    return T(lame_mu()) * contract(e, e) + T(lame_lambda() / 2) * tr * tr;
  }

  // First Piola–Kirchhoff stress ∂Ψ/∂F [Pa].
  template <class T>
  Mat3T<T> stress(const Mat3T<T>& f) const {
    return tangent_bound(f).stress;
  }

  // D : ∂P/∂F : D = D:DS + 2μ ‖sym FᵀD‖² + λ (F:D)². The first term is at most the largest
  // eigenvalue of S, the second 2μ times the largest stretch². That is at most the mean of the
  // squared stretches and √2 times their standard deviation: equal at rest and under uniaxial
  // tension. A compressive S softens the tangent; it counts as stiffness all the same, or a crushed
  // element, with hardly any stiffness of its own left, would burst open in one step.
  template <class T>
  TangentBound<T> tangent_bound(const Mat3T<T>& f) const {
    const T mu = T(lame_mu());
    const Mat3T<T> c = transpose(f) * f;
    const T mean = trace(c) * T(Real(1.0 / 3));
    const T deviation2 = contract(c, c) - T(3) * mean * mean;
    const T stretch2 = mean + sqrt(max(deviation2, T(0)) * T(Real(2.0 / 3)));
    const T pressure = T(lame_lambda() * Real(1.5)) * (mean - T(1));
    const Mat3T<T> s =
        (c - Mat3T<T>::identity()) * mu + Mat3T<T>::diagonal({pressure, pressure, pressure});
    return {f * s, T(2) * mu * stretch2 + abs(mu * (stretch2 - T(1)) + pressure),
            T(max(lame_lambda(), Real(0))), f};
  }

  template <class T>
  PrincipalDerivatives<T> principal(const Vec3T<T>& s) const {
    const T mu = T(lame_mu()), lambda = T(lame_lambda());
    const T swelling = lambda * T(Real(0.5)) * (dot(s, s) - T(3));
    PrincipalDerivatives<T> d;
    for (int i = 0; i < 3; ++i) {
      const T stress = mu * (s[i] * s[i] - T(1)) + swelling;
      d.gradient[i] = stress * s[i];
      d.diagonal[i] = stress + (T(2) * mu + lambda) * s[i] * s[i];
      d.mixed[i] = lambda * s[(i + 1) % 3] * s[(i + 2) % 3];
    }
    return d;
  }

  // Lamé's parameters of small strains [Pa].
  Real lame_mu() const { return hooke_mu(young, poisson); }
  Real lame_lambda() const { return hooke_lambda(young, poisson); }
};

}  // namespace sinew
