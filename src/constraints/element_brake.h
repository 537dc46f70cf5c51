// Damping of elements that have no force to which viscosity could be added. Of the displacement u
// in a substep, from which velocity follows, what is no rigid motion of the element shrinks by a
// share d (Müller et al., "Position based dynamics", 2007, for an element instead of a body):
//   u ← u − d (u − ū − ω × r),   ū: the mean,  ω = I⁻¹ Σ m r × u,   r = (x + x_before)/2 − its
//   mean.
// Seen from half way, u = ω × r is exactly what turns an element, by any angle, so that turning is
// not damped. The parts are orthogonal with the masses as weights: kinetic energy never rises, and
// momentum stays. Positions do not follow: moved along with u, elements undid each other's
// corrections, and gained energy.
#pragma once

#include "core/row_packs.h"
#include "math/sym3.h"

namespace sinew {

// d of an element of plain stiffness k with damping τ, of which `rate` is τ/h. A share k of an
// error is what a stiffness K takes away where h²K/m = k/(1 − k). With a viscosity Kτ beside it,
// both the way back and whatever else the element does are shorter by 1/(1 + kτ/h) in an implicit
// step.
inline double viscous_share(double k, double rate) { return k * rate / (1 + k * rate); }

// `before`: the nodes at the start of the substep, seen from the first of them; p: their
// displacements since.
template <int N, class W>
SINEW_INLINE void brake(const Vec3T<W> (&before)[N], const W& share, Rows4<W> (&p)[N]) {
  // Those that are held are a thousand times as heavy as the lightest, and do not move.
  W lightest = p[0].w;
  for (int n = 1; n < N; ++n) lightest = max(lightest, p[n].w);
  const W tiny(Real(1e-30)), least = max(lightest * W(Real(1e-3)), tiny);
  Vec3T<W> r[N], u[N], middle{W(0), W(0), W(0)}, mean = middle, torque = middle;
  W m[N], sum(0);
  for (int n = 0; n < N; ++n) {
    m[n] = least / max(p[n].w, least);
    sum = sum + m[n];
    u[n] = p[n].xyz;
    r[n] = before[n] + u[n] * W(Real(0.5));
    middle += r[n] * m[n];
    mean += u[n] * m[n];
  }
  middle *= W(1) / sum;
  mean *= W(1) / sum;
  Sym3T<W> spread = Sym3T<W>::identity() * W(0);
  for (int n = 0; n < N; ++n) {
    r[n] -= middle;
    u[n] -= mean;
    spread = spread + outer(r[n], m[n]);
    torque += cross(r[n], u[n]) * m[n];
  }
  const W size = max(trace(spread), tiny);
  const Sym3T<W> inertia = Sym3T<W>::identity() * W(Real(1 + 1e-6)) - spread * (W(1) / size);
  const Vec3T<W> omega = inverse(inertia) * torque * (W(1) / size);
  for (int n = 0; n < N; ++n) {
    const W free = select(p[n].w > W(0), share, W(0));
    p[n].xyz -= (u[n] - cross(omega, r[n])) * free;
  }
}

}  // namespace sinew
