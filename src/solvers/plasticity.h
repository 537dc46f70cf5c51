// Multiplicative plasticity, F = Fₑ Fₚ (Lewin §5.3.2 wants bodies that stay dented; the flow
// rule is the usual one of O'Brien, Bargteil and Hodgins, "Graphical modeling and animation of
// ductile fracture", 2002, and Irving et al. 2004, without their singular values). With the
// deviatoric elastic strain
//   E = ½ (J^(−2/3) FₑᵀFₑ − I),      e = √(2/3) ‖dev E‖ (von Mises' equivalent strain),
// the part beyond the yield strain flows at the creep rate:
//   Fₚ ← (I + φ dev E) Fₚ,      φ = (1 − yield/e) (1 − exp(−rate h)) / (1 + e),
// scaled to keep the volume. Elements hold Dₘ⁻¹Fₚ⁻¹ in place of Dₘ⁻¹, so that flowing costs nothing
// while solving.
#pragma once

#include <sinew/plasticity.h>

#include <cmath>

#include "core/pack.h"
#include "math/sym3.h"

namespace sinew {

// How far elements have flowed.
template <class W>
struct PlasticState {
  Mat3T<W> inverse = Mat3T<W>::identity();  // Fₚ⁻¹
};

namespace plastic_detail {

// x^(1/3) for x near 1, by Newton's method.
template <class W>
SINEW_INLINE W cube_root(const W& x) {
  const W third(Real(1.0 / 3));
  W r = W(1) + (x - W(1)) * third;
  for (int i = 0; i < 3; ++i) r = (r + r + x / (r * r)) * third;
  return r;
}

template <class W>
SINEW_INLINE Sym3T<W> deviator(const Sym3T<W>& m) {
  return m - Sym3T<W>::identity() * (trace(m) * W(Real(1.0 / 3)));
}
template <class W>
SINEW_INLINE W equivalent(const Sym3T<W>& deviator) {
  return sqrt(contract(deviator, deviator) * W(Real(2.0 / 3)));
}
// Of Fₚ, whose determinant is 1, from its inverse: ½ (FₚᵀFₚ − I) has the invariants of ½ (cof cofᵀ
// − I).
template <class W>
SINEW_INLINE W plastic_strain(const Mat3T<W>& inverse) {
  return equivalent(deviator(gram(cofactor(inverse)) * W(Real(0.5))));
}

}  // namespace plastic_detail

// Lets the strain of elements with deformation gradient f flow; `rest_inverse` takes it up.
template <class W>
SINEW_INLINE void flow_strain(const Plasticity& plasticity, const Mat3T<W>& f, Real h,
                              Mat3T<W>& rest_inverse, PlasticState<W>& state) {
  using namespace plastic_detail;
  const W det = determinant(f);
  const Sym3T<W> c = gram(f);
  // An element that is nearly flat or inside out is not dented but about to come back.
  const auto sound = det > W(Real(0.05));
  const W size = cube_root(max(det * det, W(Real(0.0025))));
  const Sym3T<W> strain = deviator(c * (W(Real(0.5)) / size));
  const W e = equivalent(strain);
  const W beyond = max(W(1) - W(plasticity.yield_strain) / max(e, W(Real(1e-9))), W(0));
  // No more than half of what is left up to the bound, so that it is reached and not passed.
  const W now = plastic_strain(state.inverse);
  const W left = max(W(plasticity.strain_max) - now, W(0)) * W(Real(0.5));
  const W phi = min(beyond * W(1 - std::exp(-plasticity.creep_rate * h)) / (W(1) + e),
                    left / max(e, W(Real(1e-9))));
  Sym3T<W> stretch = Sym3T<W>::identity() + strain * select(sound, phi, W(0));
  const Sym3T<W> unscaled = inverse(stretch);
  const W volume = determinant(Mat3T<W>::identity() * unscaled);
  const Sym3T<W> step = unscaled * (W(1) / cube_root(volume));

  const Mat3T<W> flowed = state.inverse * step;
  const auto allowed = plastic_strain(flowed) <= max(W(plasticity.strain_max), now);
  const Mat3T<W> rest_flowed = rest_inverse * step;
  for (int k = 0; k < 3; ++k) {
    state.inverse.c[k] = select(allowed, flowed.c[k], state.inverse.c[k]);
    rest_inverse.c[k] = select(allowed, rest_flowed.c[k], rest_inverse.c[k]);
  }
}

// The same for the hourglass amplitudes q of hexahedra, whose strain is of the size ‖q‖ ·
// `per_length`; `flowed` is what they have at rest.
template <class W>
SINEW_INLINE void flow_modes(const Plasticity& plasticity, const W& per_length, Real h,
                             const Vec3T<W> (&q)[4], Vec3T<W> (&flowed)[4]) {
  const W creep(1 - std::exp(-plasticity.creep_rate * h));
  for (int i = 0; i < 4; ++i) {
    const Vec3T<W> elastic = q[i] - flowed[i];
    const W e = length(elastic) * per_length;
    const W phi = max(W(1) - W(plasticity.yield_strain) / max(e, W(Real(1e-9))), W(0)) * creep;
    const Vec3T<W> next = flowed[i] + elastic * phi;
    const W size = length(next) * per_length;
    flowed[i] = next * min(W(1), W(plasticity.strain_max) / max(size, W(Real(1e-9))));
  }
}

}  // namespace sinew
