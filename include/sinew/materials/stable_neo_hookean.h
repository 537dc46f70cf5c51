// Stable Neo-Hookean elasticity: rubber and flesh that keep their volume and survive any
// deformation, flat and inside-out elements included. Smith, de Goes and Kim, "Stable Neo-Hookean
// Flesh Simulation", ACM Transactions on Graphics 37(2), 2018, eq. 14:
//   Ψ(F) = μ/2 (I − 3) − μ/2 log(I + 1) + λ/2 (J − α)²,   I = ‖F‖², J = det F, α = 1 + 3μ/4λ
// with μ = 4/3 μ_Lamé and λ = λ_Lamé + 5/6 μ_Lamé, so that small strains obey Hooke's law with E and ν.
// The logarithm makes a point-sized element unstable, so that it opens again.
#pragma once

#include <sinew/describe.h>
#include <sinew/math.h>

#include <array>

namespace sinew {

struct StableNeoHookean {
  static constexpr const char* kName = "stable_neo_hookean";
  static constexpr const char* kDoc = "Rubber and flesh: keeps its volume, survives any deformation.";

  Real young = Real(1e5);     // Young's modulus E [Pa]
  Real poisson = Real(0.45);  // Poisson's ratio ν

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("young", young,
            {.doc = "Young's modulus E: stiffness", .unit = "Pa", .min = 0, .exclusive_min = true});
    v.field("poisson", poisson,
            {.doc = "Poisson's ratio ν: 0.5 would keep volume exactly",
             .min = -1,
             .max = 0.5,
             .exclusive_min = true,
             .exclusive_max = true});
  }

  Real mu() const { return Real(4.0 / 3.0) * shear_modulus(); }
  Real lambda() const {
    const Real lame = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
    return lame + Real(5.0 / 6.0) * shear_modulus();
  }
  // det F at which the volume term is at rest.
  Real alpha() const { return 1 + Real(0.75) * mu() / lambda(); }

  // Energy density [J/m³], zero at rest.
  template <class T>
  T energy(const Mat3T<T>& f) const {
    const T i = contract(f, f);
    const T j = determinant(f) - T(alpha());
    const Real rest = mu() * (3 - std::log(Real(4))) + lambda() * (1 - alpha()) * (1 - alpha());
    return T(Real(0.5)) * (T(mu()) * (i - log(T(1) + i)) + T(lambda()) * j * j - T(rest));
  }

  // First Piola–Kirchhoff stress ∂Ψ/∂F [Pa].
  template <class T>
  Mat3T<T> stress(const Mat3T<T>& f) const {
    const T i = contract(f, f);
    return f * (T(mu()) * i / (i + T(1))) +
           cofactor(f) * (T(lambda()) * (determinant(f) - T(alpha())));
  }

  // The same energy as constraints: Ψ = ½ Σ kₙ Cₙ² − const, with the shape term C₀ = √(I − log(1 + I))
  // and the volume term C₁ = J − α (after Macklin and Müller, "A Constraint-based Formulation of
  // Stable Neo-Hookean Materials", MIG 2021, which has C₀ = √I).
  static constexpr int kConstraints = 2;
  std::array<Real, 2> stiffness() const { return {mu(), lambda()}; }  // kₙ [Pa]

  template <class T>
  void constraints(const Mat3T<T>& f, T (&value)[2], Mat3T<T> (&gradient)[2]) const {
    const T i = contract(f, f);
    // I − log(1 + I) cancels for small I; there it is I²/2 − I³/3 + I⁴/4.
    const T small = i * i * (T(Real(0.5)) - i * (T(Real(1.0 / 3.0)) - i * T(Real(0.25))));
    const T shape2 = select(i < T(Real(0.03)), small, i - log(T(1) + i));
    value[0] = sqrt(max(shape2, T(Real(1e-30))));
    gradient[0] = f * (i / ((i + T(1)) * value[0]));
    gradient[1] = cofactor(f);
    value[1] = dot(f.c[0], gradient[1].c[0]) - T(alpha());
  }

 private:
  Real shear_modulus() const { return young / (2 * (1 + poisson)); }
};

}  // namespace sinew
