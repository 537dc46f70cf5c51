// A polynomial of the principal stretches: Hooke's law in the frame that turns with the element,
// and the fourth power of the strains on top (Liu, ch. 7, after Xu et al., "Nonlinear material
// design using principal stretches", 2015),
//   Ψ = l (μ Σ(σ − 1)² + λ/2 (Σσ − 3)²) + q μ Σ(σ − 1)⁴
// Liu's polynomial material, a(σ) = μ(σ − 1)⁴, is l = 0 and q = 1: it does not resist small
// strains at all, and large ones ever more. With l = 1 small strains obey Hooke's law with E and ν.
// No stretches are needed: they are the eigenvalues of S = RᵀF, R the proper rotation nearest to F,
// and Σ(σ − 1)⁴ = ‖(S − I)²‖². An isotropic function φ(S) has the stress R φ′(S):
//   P = R (2lμ D + lλ tr(D) I + 4qμ D³),   D = S − I
#pragma once

#include <sinew/hooke.h>
#include <sinew/math.h>
#include <sinew/principal.h>

#include <string>

namespace sinew {

struct Polynomial {
  static constexpr const char* kName = "polynomial";
  static constexpr const char* kDoc =
      "Hooke's law in a frame that turns with the element, and the fourth power of the strains: "
      "soft at first, ever stiffer. Not for the position-based solver.";
  static constexpr bool kElastic = true;
  static constexpr bool kRotationInvariant = true;
  static constexpr bool kNeedsRotation = true;

  Real young = Real(1e5);    // Young's modulus E [Pa]
  Real poisson = Real(0.3);  // Poisson's ratio ν
  Real linear = 1;           // l
  Real quartic = 10;         // q

  template <class Visitor>
  void describe(Visitor& v) {
    describe_young(v, young);
    describe_poisson(v, poisson);
    v.field("linear", linear,
            {.doc = "Share of Hooke's law. 1: small strains have E and ν; 0: they are free",
             .min = 0,
             .max = 1});
    v.field("quartic", quartic,
            {.doc = "Factor of the fourth powers, by the shear modulus: 10 makes a strain of 0.3 "
                    "some three times as stiff",
             .min = 0});
  }
  // What is wrong with it as a whole; empty: nothing.
  std::string problem() const {
    return linear > 0 || quartic > 0 ? "" : " has neither a linear nor a quartic part; give one";
  }

  // Energy density [J/m³], zero at rest. `r` is the rotation of `f`.
  template <class T>
  T energy(const Mat3T<T>& f, const Mat3T<T>& r) const {
    const Mat3T<T> d = strain(f, r), d2 = d * d;
    const T swelling = trace(d);
    return T(lame_mu()) * contract(d, d) + T(lame_lambda() / 2) * swelling * swelling +
           T(fourth()) * contract(d2, d2);
  }

  // First Piola–Kirchhoff stress ∂Ψ/∂F [Pa].
  template <class T>
  Mat3T<T> stress(const Mat3T<T>& f, const Mat3T<T>& r) const {
    const Mat3T<T> d = strain(f, r);
    const T pressure = T(lame_lambda()) * trace(d);
    return r * (d * T(2 * lame_mu()) + d * (d * d) * T(4 * fourth()) +
                Mat3T<T>::diagonal({pressure, pressure, pressure}));
  }

  template <class T>
  PrincipalDerivatives<T> principal(const Vec3T<T>& s) const {
    PrincipalDerivatives<T> d = principal_of_hooke(s, T(lame_mu()), T(lame_lambda()));
    for (int i = 0; i < 3; ++i) {
      const T away = s[i] - T(1), away2 = away * away;
      d.gradient[i] = d.gradient[i] + T(4 * fourth()) * away2 * away;
      d.diagonal[i] = d.diagonal[i] + T(12 * fourth()) * away2;
    }
    return d;
  }

  // Lamé's parameters of small strains [Pa].
  Real lame_mu() const { return linear * hooke_mu(young, poisson); }
  Real lame_lambda() const { return linear * hooke_lambda(young, poisson); }

 private:
  Real fourth() const { return quartic * hooke_mu(young, poisson); }

  // D, made exactly symmetric.
  template <class T>
  static Mat3T<T> strain(const Mat3T<T>& f, const Mat3T<T>& r) {
    const Mat3T<T> s = transpose(r) * f;
    return (s + transpose(s)) * T(Real(0.5)) - Mat3T<T>::identity();
  }
};

}  // namespace sinew
