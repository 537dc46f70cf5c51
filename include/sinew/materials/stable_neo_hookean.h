// Stable Neo-Hookean elasticity: rubber and flesh that keep their volume and survive any
// deformation, flat and inside-out elements included. Smith, de Goes and Kim, "Stable Neo-Hookean
// Flesh Simulation", ACM Transactions on Graphics 37(2), 2018, eq. 14:
//   Ψ(F) = μ/2 (I − 3) − μ/2 log(I + 1) + λ/2 (J − α)²,   I = ‖F‖², J = det F, α = 1 + 3μ/4λ
// with μ = 4/3 μ_Lamé and λ = λ_Lamé + 5/6 μ_Lamé, so that small strains obey Hooke's law with E
// and ν. The logarithm makes a point-sized element unstable, so that it opens again.
#pragma once

#include <sinew/hooke.h>
#include <sinew/math.h>
#include <sinew/principal.h>
#include <sinew/tangent_bound.h>

namespace sinew {

struct StableNeoHookean {
  static constexpr const char* kName = "stable_neo_hookean";
  static constexpr const char* kDoc =
      "Rubber and flesh: keeps its volume, survives any deformation.";
  static constexpr bool kElastic = true;
  static constexpr bool kRotationInvariant = true;
  static constexpr bool kNeedsRotation = false;

  Real young = Real(1e5);     // Young's modulus E [Pa]
  Real poisson = Real(0.45);  // Poisson's ratio ν

  template <class Visitor>
  void describe(Visitor& v) {
    describe_young(v, young);
    describe_poisson(v, poisson);
  }

  Real mu() const { return Real(4.0 / 3.0) * lame_mu(); }
  Real lambda() const { return lame_lambda() + Real(5.0 / 6.0) * lame_mu(); }
  // det F at which the volume term is at rest.
  Real alpha() const { return 1 + Real(0.75) * mu() / lambda(); }

  // Energy density [J/m³], zero at rest.
  template <class T>
  T energy(const Mat3T<T>& f) const {
    const T i = contract(f, f) - T(3), j = determinant(f) - T(1);
    const T shear = T(mu()) * (i - log(T(1) + i * T(Real(0.25))) - T(Real(1.5)) * j);
    return T(Real(0.5)) * (shear + T(lambda()) * j * j);
  }

  // First Piola–Kirchhoff stress ∂Ψ/∂F [Pa].
  template <class T>
  Mat3T<T> stress(const Mat3T<T>& f) const {
    const T i = contract(f, f);
    return f * (T(mu()) * i / (i + T(1))) + cofactor(f) * pressure(determinant(f));
  }

  // ∂P/∂F = μI/(I+1) + 2μ/(I+1)² F⊗F + λ cof⊗cof + λ(J − α) ∂cof/∂F. The eigenvalues of ∂cof/∂F lie
  // within ± the largest stretch, for which √(I/3) stands here: right at rest, too small by √3 at
  // worst. The second term matters only to elements shrunk to I < 1.
  template <class T>
  TangentBound<T> tangent_bound(const Mat3T<T>& f) const {
    const T i = contract(f, f);
    const T inverse = T(1) / (i + T(1));
    const Mat3T<T> cof = cofactor(f);
    const T shear = T(mu()) * i * inverse;
    const T p = pressure(dot(f.c[0], cof.c[0]));
    return {f * shear + cof * p,
            shear * max(inverse + inverse, T(1)) + abs(p) * sqrt(i * T(Real(1.0 / 3))), T(lambda()),
            cof};
  }

  template <class T>
  PrincipalDerivatives<T> principal(const Vec3T<T>& s) const {
    const T i = dot(s, s) + T(1), shear = T(mu() / 2);
    return principal_of_invariants(s, shear * (T(1) - T(1) / i), shear / (i * i),
                                   pressure(s.x * s.y * s.z), T(lambda()));
  }

  // λ (J − α), which is −¾μ at rest, exactly: α alone is rounded, by enough to set a body of GPa in
  // motion.
  template <class T>
  T pressure(const T& j) const {
    return T(lambda()) * (j - T(1)) - T(Real(0.75) * mu());
  }

  // Lamé's parameters of small strains [Pa].
  Real lame_mu() const { return hooke_mu(young, poisson); }
  Real lame_lambda() const { return hooke_lambda(young, poisson); }
};

}  // namespace sinew
