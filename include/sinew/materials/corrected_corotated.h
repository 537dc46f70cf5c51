// Corotated elasticity with a proper measure of volume. Stomakhin, Howes, Schroeder and Teran,
// "Energetically consistent invertible elasticity", SCA 2012, eq. 3 (their "fixed" corotated):
//   Ψ(F) = μ‖F − R‖² + λ/2 (J − 1)²,   P = 2μ(F − R) + λ(J − 1) cof F,   J = det F
// Where corotated elasticity adds up the stretches, which three wrong ones may satisfy, J is the
// volume itself: elements that are crushed or inside out are pushed open. With F = I + ε, ‖F − R‖²
// is ‖ε‖² and J − 1 is tr ε to first order: μ and λ are Lamé's, and small strains obey Hooke's law
// with E and ν. R is the proper rotation nearest to F, and the stress is continuous wherever there
// is one. With ν < 0, (J − 1)² would draw the element out without end, so that is refused.
#pragma once

#include <sinew/hooke.h>
#include <sinew/math.h>
#include <sinew/principal.h>
#include <sinew/volume_term.h>

namespace sinew {

struct CorrectedCorotated {
  static constexpr const char* kName = "corrected_corotated";
  static constexpr const char* kDoc =
      "Corotated, but with the true volume: a spring against shape, and pushed open when crushed "
      "or inside out. Not for the position-based solver.";
  static constexpr bool kElastic = true;
  static constexpr bool kRotationInvariant = true;
  static constexpr bool kNeedsRotation = true;

  Real young = Real(1e5);    // Young's modulus E [Pa]
  Real poisson = Real(0.3);  // Poisson's ratio ν

  template <class Visitor>
  void describe(Visitor& v) {
    describe_young(v, young);
    describe_poisson_from_zero(v, poisson);
  }

  // Energy density [J/m³], zero at rest. `r` is the rotation of `f`.
  template <class T>
  T energy(const Mat3T<T>& f, const Mat3T<T>& r) const {
    const Mat3T<T> difference = f - r;
    return T(lame_mu()) * contract(difference, difference) +
           quadratic_volume_term(T(lame_lambda()), determinant(f)).value;
  }

  // First Piola–Kirchhoff stress ∂Ψ/∂F [Pa].
  template <class T>
  Mat3T<T> stress(const Mat3T<T>& f, const Mat3T<T>& r) const {
    return (f - r) * T(2 * lame_mu()) +
           cofactor(f) * quadratic_volume_term(T(lame_lambda()), determinant(f)).slope;
  }

  template <class T>
  PrincipalDerivatives<T> principal(const Vec3T<T>& s) const {
    const T mu2 = T(2 * lame_mu()), none = T(0);
    const VolumeTerm<T> g = quadratic_volume_term(T(lame_lambda()), s.x * s.y * s.z);
    const Vec3T<T> away{s.x - T(1), s.y - T(1), s.z - T(1)};
    return principal_of_valanis_landel(s, away * mu2, {mu2, mu2, mu2}, {none, none, none},
                                       {none, none, none}, g.slope, g.curvature);
  }

  // Lamé's parameters of small strains [Pa].
  Real lame_mu() const { return hooke_mu(young, poisson); }
  Real lame_lambda() const { return hooke_lambda(young, poisson); }
};

}  // namespace sinew
