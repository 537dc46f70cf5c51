// How a body turns that nothing holds. It keeps its angular momentum L = R I Rᵀ ω, while ω does not
// keep still. The energy is split about one of the principal moments, I₀,
//   H = |L|²/2I₀ + Σ (1/Iᵢ − 1/I₀) Lᵢ²/2,
// and the parts act one after the other, each exactly. The first turns the body about L, which
// stays where it is in space and in the body, and commutes with all others; the rest turn L in the
// body, and the body the other way, about one axis each: x, y, z, z, y, x, half of the time each,
// with the first in between. So |L| never changes and the energy does not drift (R. McLachlan,
// Explicit Lie–Poisson integration and the Euler equations, 1993; S. Reich, 1994). With the middle
// moment as I₀, rods and discs have no more than one of the others, and turn exactly, however fast;
// split by axes alone, a rod of 100 rad/s gained ten times its energy.
#pragma once

#include <cmath>
#include <limits>

#include "core/row_packs.h"
#include "rigid/body_rows.h"

namespace sinew {

// A unit quaternion without a bias: scaled by a number near one, which has more neighbours below
// than above, quaternions would be a little too long on the average, and so would everything they
// turn; in an hour that adds up. What is missing is added instead.
template <class W>
SINEW_INLINE QuatT<W> unit(const QuatT<W>& rough) {
  const QuatT<W> q = normalized(rough);
  const W missing =
      ((((W(Real(1)) - q.x * q.x) - q.y * q.y) - q.z * q.z) - q.w * q.w) * W(Real(0.5));
  return {q.x + q.x * missing, q.y + q.y * missing, q.z + q.z * missing, q.w + q.w * missing};
}

// exp(θ/2) as a quaternion, to the fourth order, to be made unit by the caller.
template <class W>
SINEW_INLINE QuatT<W> turn_by(const Vec3T<W>& angle) {
  const W quarter = dot(angle, angle) * W(Real(0.25));
  const W sine =
      W(Real(0.5)) * (W(Real(1)) - quarter * (W(Real(1.0 / 6)) - quarter * W(Real(1.0 / 120))));
  const W cosine = W(Real(1)) - quarter * (W(Real(0.5)) - quarter * W(Real(1.0 / 24)));
  return {angle.x * sine, angle.y * sine, angle.z * sine, cosine};
}

// Turns the momentum in the body's frame and the body about one of its axes, by Cayley's map with a
// tangent good to the fifth order: exactly a rotation whatever the angle. Told by the angular
// velocity and by what is added to it: products with moments and inverse moments, and with a
// rounded cosine, are the same in every substep, and would add up.
template <int Axis, class W>
SINEW_INLINE void turn_about(const Vec3T<W>& moments, const Vec3T<W>& inverse, const W& angle,
                             Vec3T<W>& w, QuatT<W>& turn) {
  constexpr int kNext = (Axis + 1) % 3, kLast = (Axis + 2) % 3;
  const W one(Real(1)), a2 = angle * angle;
  const W t = angle * (W(Real(0.5)) + a2 * (W(Real(1.0 / 24)) + a2 * W(Real(1.0 / 240))));
  const W scale = one / (one + t * t);
  const W sine = (t + t) * scale, versine = sine * t;  // 1 − cos
  const W y = w[kNext], z = w[kLast];
  w[kNext] = y + (sine * (moments[kLast] * inverse[kNext]) * z - versine * y);
  w[kLast] = z - (sine * (moments[kNext] * inverse[kLast]) * y + versine * z);
  const W c = sqrt(scale), s = t * c, v = s * t * c / (one + c);  // of half the angle; 1 − c
  const Vec3T<W> u{turn.x, turn.y, turn.z};
  Vec3T<W> axis{W(Real(0)), W(Real(0)), W(Real(0))};
  axis[Axis] = one;
  const Vec3T<W> change = axis * (turn.w * s) + cross(u, axis) * s - u * v;
  turn = {u.x + change.x, u.y + change.y, u.z + change.z, turn.w - (u[Axis] * s + turn.w * v)};
}

// How many equal parts a time h is taken in, by what does not change while a body is free: that
// turns do not commute is the error, and the turn about L must be one that its series knows.
template <class W>
SINEW_INLINE W spin_parts(const Vec3T<W>& apart, const W& middle, const W& momentum, const W& h) {
  constexpr Real kMostAngle = Real(1.5), kMostCommuting = Real(0.1);  // [rad]
  constexpr Real kMostParts = 64;
  const W one(Real(1));
  // One of the three is zero.
  const W product = abs(apart.x * apart.y) + abs(apart.y * apart.z) + abs(apart.z * apart.x);
  W parts = momentum * h * max(middle * W(1 / kMostAngle), sqrt(product) * W(1 / kMostCommuting));
  parts = min(max(parts, one), W(kMostParts));
  if (any(parts > one))
    for (int l = 0; l < kWidth<W>; ++l) set_lane(parts, l, std::ceil(lane(parts, l)));
  return parts;
}

// What constraints turn a body by, beyond its free turn, leaves its angular momentum as it is; with
// the angular velocity instead, a top on a joint would gain a share ωh of the torque that it
// precesses by, at right angles to it, and with that spin up and fall. Its spin after such a turn,
// with no more energy than before it: of a rod, a little momentum that comes to lie along it is
// much energy.
template <class W>
SINEW_INLINE Vec3T<W> turned_spin(const Vec3T<W>& moments, const Vec3T<W>& inverse,
                                  const QuatT<W>& before, const QuatT<W>& after,
                                  const Vec3T<W>& w) {
  constexpr Real kRounding = Real(1e-5);  // must not count, or it would brake what is free
  const Vec3T<W> old = before.conjugate().rotate(w);
  const Vec3T<W> momentum{moments.x * old.x, moments.y * old.y, moments.z * old.z};
  const Vec3T<W> l = after.conjugate().rotate(before.rotate(momentum));
  const Vec3T<W> now{inverse.x * l.x, inverse.y * l.y, inverse.z * l.z};
  const W was = dot(old, momentum), is = dot(now, l);
  const W kept = select(is > was * W(1 + kRounding),
                        sqrt(was / max(is, W(std::numeric_limits<Real>::min()))), W(Real(1)));
  return after.rotate(now) * kept;
}

// The share of an angular velocity that is kept as it is which has no more energy after a turn than
// before it: for tumblers, whose momentum lies across them, and turned with them would jump by the
// ratio of their moments.
template <class W>
SINEW_INLINE W kept_spin(const Vec3T<W>& moments, const QuatT<W>& before, const QuatT<W>& after,
                         const Vec3T<W>& w) {
  const auto energy = [&](const QuatT<W>& turn) {
    const Vec3T<W> local = turn.conjugate().rotate(w);
    return moments.x * local.x * local.x + moments.y * local.y * local.y +
           moments.z * local.z * local.z;
  };
  constexpr Real kRounding = Real(1e-5);  // must not count, or it would brake what is free
  const W was = energy(before), is = energy(after);
  return select(is > was * W(1 + kRounding),
                sqrt(was / max(is, W(std::numeric_limits<Real>::min()))), W(Real(1)));
}

// Free rotation over h: new orientation, and new angular velocity in the world's frame.
template <class W>
SINEW_INLINE void spin_freely(const Vec3T<W>& moments, const Vec3T<W>& inverse, const W& h,
                              QuatT<W>& turn, Vec3T<W>& w) {
  const W zero(Real(0));
  Vec3T<W> local = turn.conjugate().rotate(w);
  const W middle = max(min(inverse.x, inverse.y), min(max(inverse.x, inverse.y), inverse.z));
  const Vec3T<W> apart{inverse.x - middle, inverse.y - middle, inverse.z - middle};
  const Vec3T<W> share = moments * middle;                                             // Iᵢ/I₀
  const Vec3T<W> rest{moments.x * apart.x, moments.y * apart.y, moments.z * apart.z};  // 1 − Iᵢ/I₀
  const Vec3T<W> momentum{moments.x * local.x, moments.y * local.y, moments.z * local.z};
  const W parts = spin_parts(apart, middle, length(momentum), h);
  const W part = h / parts;
  for (int k = 0; any(W(Real(k)) < parts); ++k) {
    // Lanes that are done turn by nothing, which changes no bit of them.
    const W step = select(W(Real(k)) < parts, part, zero), half = step * W(Real(0.5));
    turn_about<0>(moments, inverse, local.x * rest.x * half, local, turn);
    turn_about<1>(moments, inverse, local.y * rest.y * half, local, turn);
    turn_about<2>(moments, inverse, local.z * rest.z * half, local, turn);
    const Vec3T<W> about{local.x * share.x, local.y * share.y, local.z * share.z};  // L/I₀
    turn = turn * turn_by(about * step);
    turn_about<2>(moments, inverse, local.z * rest.z * half, local, turn);
    turn_about<1>(moments, inverse, local.y * rest.y * half, local, turn);
    turn_about<0>(moments, inverse, local.x * rest.x * half, local, turn);
  }
  turn = unit(turn);
  w = turn.rotate(local);
}

}  // namespace sinew
