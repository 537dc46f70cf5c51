// Extended position-based dynamics (Macklin, Müller and Chentanez, "XPBD", MIG 2016) for finite
// elements, with the element's whole stress as its multiplier. One substep of implicit Euler asks
// of every element
//   Λ = −h²V P(F),      x = y + M⁻¹ Σ Gᵀ Λ,      so that ΔF = ΔΛ K,  K = Σᵢ wᵢ bᵢ bᵢᵀ
// (y: free motion; bᵢ: gradient of node i's shape function; wᵢ: inverse mass; G: ∂F/∂x). Elements
// are visited colour by colour (Gauss–Seidel); each solves its own equation by one Newton step with
// the material's bound on the tangent, ∂P/∂F ≈ a I + b d⊗d, and with κ = ‖K‖ for K beside a:
//   β ΔΛ + h²V b d (d : ΔΛ K) = R,      β = 1 + h²V a κ,      R = −h²V P(F) − Λ
// which is Sherman–Morrison: no singular values, no branch, and no division that can fail, whatever
// the stiffness, the masses or the shape of the element. Splitting the energy into scalar
// constraints instead (√(2Ψ), or ‖F‖ and det F) leaves the stiffness across their gradients
// explicit, and stiff bodies never come to rest.
//
// A sweep alone leaves a force imbalance that grows with h²k/m, so that bodies sag more the larger
// the substep or the finer the mesh. Therefore each substep starts from the elastic forces where it
// found the body: Λ = −θ h²V P(F_prev), added to the free motion, and the sweep only corrects them.
// With θ = 1 a body in equilibrium is a fixed point of the solver for any number of substeps and
// iterations: its stiffness is the material's own. An explicit force is stable only up to a
// stiffness and a size, so θ falls below 1 for elements that are too stiff for the substep or too
// far from rest; those fall back by degrees to the plain sweep, which is always stable, but soft.
#pragma once

#include <sinew/tangent_bound.h>

#include "core/pack.h"
#include "math/sym3.h"

namespace sinew {

// Bars of 1e5 to 1e7 Pa and any ν up to 0.49 were seen to be calm up to 6, and no longer at 8.
inline constexpr Real kExplicitStiffness = 4;
// Of that, for sweeps to and fro: bars of 1e9 Pa vibrated for ever with all of it.
inline constexpr Real kSymmetricPrediction = Real(0.5);
// How much of a strain a predicted force may cause in a substep.
inline constexpr Real kExplicitStrain = Real(0.5);

// h²k/m of an element: `scale` is h²V, `mobility` K.
template <class W>
SINEW_INLINE W explicit_stiffness(const TangentBound<W>& m, const Sym3T<W>& mobility,
                                  const W& scale) {
  return scale *
         (m.isotropic * trace(mobility) + m.along * contract(m.direction, m.direction * mobility));
}

// −θ h²V P; `share` is Substep::prediction.
template <class W>
SINEW_INLINE Mat3T<W> predicted_multiplier(const TangentBound<W>& m, const Sym3T<W>& mobility,
                                           const W& scale, Real share) {
  const W stiffness = explicit_stiffness(m, mobility, scale);
  const W strain = scale * sqrt(contract(m.stress, m.stress)) * trace(mobility);
  const W excess =
      max(stiffness * W(1 / (kExplicitStiffness * share)), strain * W(1 / kExplicitStrain));
  return m.stress * (-scale / max(excess, W(1)));
}

// The same limit for constraints that know nothing of each other, at most `crowding` of them at a
// vertex: together they must not be too stiff. h²ω² of the stiffest vibration is at most that of
// one of them times their number, and forces over a whole substep keep any up to 4.
inline constexpr Real kExplicitStiffnessTogether = 4;
inline Real explicit_limit(int crowding) {
  return min(kExplicitStiffness, kExplicitStiffnessTogether / Real(crowding));
}

// ΔΛ of one Newton step.
template <class W>
SINEW_INLINE Mat3T<W> multiplier_correction(const TangentBound<W>& m, const Sym3T<W>& mobility,
                                            const W& scale, const Mat3T<W>& lambda) {
  const Mat3T<W> residual = m.stress * -scale - lambda;
  const W beta = W(1) + scale * m.isotropic * sqrt(contract(mobility, mobility));
  const Mat3T<W> dk = m.direction * mobility;
  const W along = scale * m.along;
  const W share = along * contract(dk, residual) / (beta + along * contract(dk, m.direction));
  return (residual - m.direction * share) * (W(1) / beta);
}

// Viscosity in terms of the Green strain E = ½(FᵀF − I), so that rotating costs nothing and exerts
// no torque: P += F · 2μ Ė · damping. In shear only: that of volume, λ tr(Ė), is so stiff for
// nearly incompressible materials that one sweep crumples the body instead. `rate` is damping/h.
template <class W>
SINEW_INLINE void add_viscosity(const W& lame_mu, const W& rate, const Mat3T<W>& f,
                                const Mat3T<W>& f_previous, TangentBound<W>& m) {
  // Per stretch²: otherwise what is stretched tenfold would be a hundred times as viscous.
  const W size2 = contract(f, f), size2_previous = contract(f_previous, f_previous);
  const W stretch2 = max(max(size2, size2_previous), W(3)) * W(Real(1.0 / 3));
  const W viscosity = rate * W(2) * lame_mu / stretch2;
  const Sym3T<W> stress = (gram(f) - gram(f_previous)) * (viscosity * W(Real(0.5)));
  m.stress = m.stress + f * stress;
  // Its derivative is at most the viscosity times the largest stretch², which is no more than
  // ‖F‖² − 2 (and 1 at rest), and the stress itself, where F has changed much.
  m.isotropic += viscosity * max(size2 - W(2), W(1)) + sqrt(contract(stress, stress));
}

}  // namespace sinew
