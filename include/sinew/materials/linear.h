// Linear elasticity, Hooke's law of small strains:
//   Ψ(F) = μ ε:ε + λ/2 tr(ε)²,   ε = ½(F + Fᵀ) − I
// It takes rotation for strain: a body that turns by an angle φ swells as if it were stretched by
// 1 − cos φ. For comparison with theory and for bodies that stay where they are.
#pragma once

#include <sinew/hooke.h>
#include <sinew/math.h>
#include <sinew/principal.h>
#include <sinew/tangent_bound.h>

namespace sinew {

struct Linear {
  static constexpr const char* kName = "linear";
  static constexpr const char* kDoc =
      "Hooke's law of small strains. Takes rotation for strain, so that what turns swells: for "
      "comparison with theory.";
  static constexpr bool kElastic = true;
  static constexpr bool kRotationInvariant = false;
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
    const Mat3T<T> e = strain(f);
    const T tr = trace(e);
    return T(lame_mu()) * contract(e, e) + T(lame_lambda() / 2) * tr * tr;
  }

  // First Piola–Kirchhoff stress ∂Ψ/∂F [Pa].
  template <class T>
  Mat3T<T> stress(const Mat3T<T>& f) const {
    const Mat3T<T> e = strain(f);
    const T pressure = T(lame_lambda()) * trace(e);
    return e * T(2 * lame_mu()) + Mat3T<T>::diagonal({pressure, pressure, pressure});
  }

  // The tangent itself, but for rotations, which cost nothing here and count as shear in the bound.
  template <class T>
  TangentBound<T> tangent_bound(const Mat3T<T>& f) const {
    return {stress(f), T(2 * lame_mu()), T(max(lame_lambda(), Real(0))), Mat3T<T>::identity()};
  }

  template <class T>
  PrincipalDerivatives<T> principal(const Vec3T<T>& s) const {
    return principal_of_hooke(s, T(lame_mu()), T(lame_lambda()));
  }

  // Lamé's parameters of small strains [Pa].
  Real lame_mu() const { return hooke_mu(young, poisson); }
  Real lame_lambda() const { return hooke_lambda(young, poisson); }

 private:
  template <class T>
  static Mat3T<T> strain(const Mat3T<T>& f) {
    return (f + transpose(f)) * T(Real(0.5)) - Mat3T<T>::identity();
  }
};

}  // namespace sinew
