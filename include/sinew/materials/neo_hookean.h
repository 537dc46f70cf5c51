// Neo-Hookean elasticity, rubber with a barrier against being crushed:
//   Ψ(F) = μ/2 (I − 3) + g(J),   g(J) = −μ log J + λ/2 log²J,   I = ‖F‖², J = det F
// The logarithm ends at J = 0. Below J₀ = 0.2, g goes on as its quadratic Taylor expansion about
// J₀: the stress and its derivative are continuous, and elements that are flat or inside out have a
// finite energy and are pushed open, with the stiffness g″ ∼ 1/J₀² that they had at J₀. (Replacing
// the logarithm alone by its expansion would make the energy grow with J⁴.) With ν < 0, log²J would
// draw the element to J = 0, so that is refused.
#pragma once

#include <sinew/hooke.h>
#include <sinew/math.h>
#include <sinew/principal.h>
#include <sinew/tangent_bound.h>
#include <sinew/volume_term.h>

namespace sinew {

struct NeoHookean {
  static constexpr const char* kName = "neo_hookean";
  static constexpr const char* kDoc =
      "Rubber that resists being crushed ever more strongly, down to a fifth of its volume, and as "
      "a stiff spring from there on.";
  static constexpr bool kElastic = true;
  static constexpr bool kRotationInvariant = true;
  static constexpr bool kNeedsRotation = false;
  static constexpr Real kSmallestLog = Real(0.2);  // J₀

  Real young = Real(1e5);     // Young's modulus E [Pa]
  Real poisson = Real(0.45);  // Poisson's ratio ν

  template <class Visitor>
  void describe(Visitor& v) {
    describe_young(v, young);
    describe_poisson_from_zero(v, poisson);
  }

  // Energy density [J/m³], zero at rest.
  template <class T>
  T energy(const Mat3T<T>& f) const {
    return T(lame_mu() / 2) * (contract(f, f) - T(3)) + volume_term(determinant(f)).value;
  }

  // First Piola–Kirchhoff stress ∂Ψ/∂F [Pa].
  template <class T>
  Mat3T<T> stress(const Mat3T<T>& f) const {
    return f * T(lame_mu()) + cofactor(f) * volume_term(determinant(f)).slope;
  }

  // ∂P/∂F = μ + g″ cof⊗cof + g′ ∂cof/∂F. The eigenvalues of ∂cof/∂F lie within ±2√(I/3), and only a
  // dilation, which cof⊗cof sees, reaches 2 at rest, where the others are ±1: √(I/3) stands for
  // them.
  template <class T>
  TangentBound<T> tangent_bound(const Mat3T<T>& f) const {
    const Mat3T<T> cof = cofactor(f);
    const VolumeTerm<T> g = volume_term(dot(f.c[0], cof.c[0]));
    const T mu = T(lame_mu());
    return {f * mu + cof * g.slope, mu + abs(g.slope) * sqrt(contract(f, f) * T(Real(1.0 / 3))),
            max(g.curvature, T(0)), cof};
  }

  template <class T>
  PrincipalDerivatives<T> principal(const Vec3T<T>& s) const {
    const VolumeTerm<T> g = volume_term(s.x * s.y * s.z);
    return principal_of_invariants(s, T(lame_mu() / 2), T(0), g.slope, g.curvature);
  }

  // Lamé's parameters of small strains [Pa].
  Real lame_mu() const { return hooke_mu(young, poisson); }
  Real lame_lambda() const { return hooke_lambda(young, poisson); }

  // g, g′ and g″ at J.
  template <class T>
  VolumeTerm<T> volume_term(const T& j) const {
    const T mu = T(lame_mu()), lambda = T(lame_lambda());
    const T safe = max(j, T(kSmallestLog)), below = j - safe;
    const T l = log(safe), inverse = T(1) / safe;
    const T slope = (lambda * l - mu) * inverse;
    const T curvature = (mu + lambda * (T(1) - l)) * inverse * inverse;
    return {
        (T(Real(0.5)) * lambda * l - mu) * l + (slope + T(Real(0.5)) * curvature * below) * below,
        slope + curvature * below, curvature};
  }
};

}  // namespace sinew
