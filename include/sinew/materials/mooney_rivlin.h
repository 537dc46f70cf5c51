// Mooney–Rivlin elasticity, rubber, for compressible solids and in a form that survives any
// deformation:
//   Ψ(F) = a(I₁ − 3) + b(I₂ − 3) − (2a + 4b)(J − 1) + k/2 (J − 1)²
//   I₁ = ‖F‖² = Σσ²,   I₂ = ‖cof F‖² = Σ(σⱼσₖ)²,   J = det F
// (M. Mooney, "A theory of large elastic deformation", 1940, made compressible by a parabola about
// α = 1 + (2a + 4b)/k, as in Smith, de Goes and Kim, "Stable Neo-Hookean flesh simulation", 2018;
// the completed square would divide by k, which may be zero.) Derived by the stretches at rest,
//   ∂Ψ/∂σᵢ = 2a + 4b − (2a + 4b) = 0
//   ∂²Ψ/∂σᵢ² = 2a + 4b + k = λ + 2μ,   ∂²Ψ/∂σᵢ∂σⱼ = 4b − (2a + 4b) + k = λ
// so that small strains obey Hooke's law with μ = 2(a + b) and λ = k − 2a. The user chooses E, ν
// and the share of the second invariant, b = share·μ/2. With b = 0 this is Neo-Hookean rubber. It
// is a polynomial: nothing happens where an element becomes flat, and one that is inside out is
// pushed open. Of one that is nothing but a point no direction is the way back, and it stays. With
// ν < 0 k may be negative and the energy falls without end, so that is refused.
#pragma once

#include <sinew/hooke.h>
#include <sinew/math.h>
#include <sinew/principal.h>
#include <sinew/volume_term.h>

namespace sinew {

struct MooneyRivlin {
  static constexpr const char* kName = "mooney_rivlin";
  static constexpr const char* kDoc =
      "Rubber whose faces resist being stretched, too: stiffer than Neo-Hookean when pulled in two "
      "directions, softer in one. Not for the position-based solver.";
  static constexpr bool kElastic = true;
  static constexpr bool kRotationInvariant = true;
  static constexpr bool kNeedsRotation = false;

  Real young = Real(1e5);     // Young's modulus E [Pa]
  Real poisson = Real(0.45);  // Poisson's ratio ν
  Real second = Real(0.25);   // share of the second invariant

  template <class Visitor>
  void describe(Visitor& v) {
    describe_young(v, young);
    describe_poisson_from_zero(v, poisson);
    v.field("second", second,
            {.doc = "Share of the shear modulus that the second invariant has, b/(a + b); 0: "
                    "Neo-Hookean",
             .min = 0,
             .max = 1});
  }

  Real a() const { return lame_mu() * (1 - second) / 2; }
  Real b() const { return lame_mu() * second / 2; }
  Real k() const { return lame_lambda() + 2 * a(); }

  // Energy density [J/m³], zero at rest.
  template <class T>
  T energy(const Mat3T<T>& f) const {
    const Mat3T<T> cof = cofactor(f);
    return T(a()) * (contract(f, f) - T(3)) + T(b()) * (contract(cof, cof) - T(3)) +
           volume_term(dot(f.c[0], cof.c[0])).value;
  }

  // First Piola–Kirchhoff stress ∂Ψ/∂F [Pa]. ∂I₂/∂F = 2(I₁ F − F FᵀF).
  template <class T>
  Mat3T<T> stress(const Mat3T<T>& f) const {
    const Mat3T<T> cof = cofactor(f);
    const Mat3T<T> second_part = f * contract(f, f) - f * (transpose(f) * f);
    return f * T(2 * a()) + second_part * T(2 * b()) +
           cof * volume_term(dot(f.c[0], cof.c[0])).slope;
  }

  template <class T>
  PrincipalDerivatives<T> principal(const Vec3T<T>& s) const {
    const T a2 = T(2 * a()), b2 = T(2 * b());
    const VolumeTerm<T> g = volume_term(s.x * s.y * s.z);
    return principal_of_valanis_landel(s, s * a2, {a2, a2, a2},
                                       Vec3T<T>{s.y * s.z, s.z * s.x, s.x * s.y} * b2, {b2, b2, b2},
                                       g.slope, g.curvature);
  }

  // Lamé's parameters of small strains [Pa].
  Real lame_mu() const { return hooke_mu(young, poisson); }
  Real lame_lambda() const { return hooke_lambda(young, poisson); }

 private:
  template <class T>
  VolumeTerm<T> volume_term(const T& j) const {
    const VolumeTerm<T> g = quadratic_volume_term(T(k()), j);
    const T balance = T(2 * a() + 4 * b());
    return {g.value - balance * (j - T(1)), g.slope - balance, g.curvature};
  }
};

}  // namespace sinew
