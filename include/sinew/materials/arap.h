// As-rigid-as-possible elasticity:
//   Ψ(F) = μ‖F − R‖²,   P = 2μ(F − R)
// R is the proper rotation nearest to F; the caller keeps it, as for corotated elasticity. For
// small strains this is Hooke's law with λ = 0, that is ν = 0 and E = 2μ: it pulls with Young's
// modulus, exactly and at any stretch, but does not become thinner when it is stretched. No choice
// of μ gives it another Poisson's ratio, so it has none to set.
#pragma once

#include <sinew/hooke.h>
#include <sinew/math.h>
#include <sinew/principal.h>
#include <sinew/tangent_bound.h>

namespace sinew {

struct Arap {
  static constexpr const char* kName = "arap";
  static constexpr const char* kDoc =
      "As rigid as possible: the cheapest that bears any rotation. Poisson's ratio is 0; volume is "
      "not kept.";
  static constexpr bool kElastic = true;
  static constexpr bool kRotationInvariant = true;
  static constexpr bool kNeedsRotation = true;
  static constexpr bool kProjective = true;  // Ψ is a squared distance, to the rotations

  Real young = Real(1e5);  // Young's modulus E [Pa]

  template <class Visitor>
  void describe(Visitor& v) {
    describe_young(v, young);
  }

  // Energy density [J/m³], zero at rest. `r` is the rotation of `f`.
  template <class T>
  T energy(const Mat3T<T>& f, const Mat3T<T>& r) const {
    const Mat3T<T> difference = f - r;
    return T(lame_mu()) * contract(difference, difference);
  }

  // First Piola–Kirchhoff stress ∂Ψ/∂F [Pa].
  template <class T>
  Mat3T<T> stress(const Mat3T<T>& f, const Mat3T<T>& r) const {
    return (f - r) * T(2 * lame_mu());
  }

  // ∂P/∂F = 2μ − 2μ ∂R/∂F, and ∂R/∂F only ever softens.
  template <class T>
  TangentBound<T> tangent_bound(const Mat3T<T>& f, const Mat3T<T>& r) const {
    return {stress(f, r), T(2 * lame_mu()), T(0), r};
  }

  template <class T>
  PrincipalDerivatives<T> principal(const Vec3T<T>& s) const {
    return principal_of_hooke(s, T(lame_mu()), T(lame_lambda()));
  }

  // Lamé's parameters of small strains [Pa].
  Real lame_mu() const { return young / 2; }
  Real lame_lambda() const { return 0; }
};

}  // namespace sinew
