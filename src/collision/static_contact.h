// Contact of particles with an immovable shape, a pack of particles at a time: the particle is put
// back onto the surface, and Coulomb friction takes away its tangential motion in this substep, at
// most μ times what the normal push was (Müller et al., "Detailed Rigid Body Simulation with
// Extended Position Based Dynamics", 2020, section 3.5, for a fixed second body). What friction did
// not use stays in a budget, so that a vertex that elasticity moves between two passes still
// sticks.
#pragma once

#include <sinew/bodies.h>

#include <cstring>

#include "core/places.h"

namespace sinew {

struct ContactRange {
  Row4<Real>* position;  // at the start of the substep …
  Row4<Real>* low;       // … and what it lost by rounding
  Row4<Real>* displacement;
  Real* friction_budget;  // one per particle
  Real margin;            // how far the surface is from the particles: half a thickness [m]
};

// Distance and way out in world space.
template <class T, class S>
SINEW_INLINE SignedDistance<T> world_distance(const S& shape, const Mat3T<T>& to_local,
                                              const Mat3T<T>& to_world, const Vec3T<T>& origin,
                                              const Vec3T<T>& p) {
  const SignedDistance<T> local = shape.signed_distance(to_local * (p - origin));
  return {local.distance, to_world * local.normal};
}

template <class T>
Mat3T<T> broadcast(const Mat3& m) {
  Mat3T<T> wide;
  for (int k = 0; k < 9; ++k) wide(k % 3, k / 3) = T(m(k % 3, k / 3));
  return wide;
}
template <class T>
Vec3T<T> broadcast(const Vec3& v) {
  return {T(v.x), T(v.y), T(v.z)};
}

// Resolves packs [begin, end). Penetration that was there before the substep (a body put into
// another) is undone by no more than `parting` [m]. The start of the substep moves, not the
// displacement, which would give the particle a velocity: bodies part gently and are not shot out.
template <class S>
SINEW_FLATTEN void resolve_static_contact(const S& shape, const Pose& pose, Real friction,
                                          Real parting, const ContactRange& range, int begin,
                                          int end) {
  using W = Wide;
  const Mat3T<W> to_world = broadcast<W>(pose.orientation.matrix());
  const Mat3T<W> to_local = transpose(to_world);
  const Vec3T<W> origin = broadcast<W>(pose.position), none{W(0), W(0), W(0)};
  const auto distance = [&](const Vec3T<W>& from_origin) {
    SignedDistance<W> at = world_distance(shape, to_local, to_world, none, from_origin);
    at.distance = at.distance - W(range.margin);
    return at;
  };
  for (int i = begin * kLanes; i < end * kLanes; i += kLanes) {
    Rows4<W> x = load<W>(range.position + i), low = load<W>(range.low + i);
    Rows4<W> u = load<W>(range.displacement + i);
    const Vec3T<W> start = (x.xyz - origin) + low.xyz;
    const SignedDistance<W> at = distance(start + u.xyz);
    const W depth = select(u.w > W(0), max(-at.distance, W(0)), W(0));
    W budget;  // the array is aligned for its numbers only, not for a pack
    std::memcpy(&budget, range.friction_budget + i, sizeof budget);
    if (!any(depth + budget > W(0))) continue;

    const W before = min(max(-distance(start).distance, W(0)), depth);
    const W part = min(before, W(parting));
    if (any(part > W(0))) {
      move_place(at.normal * part, x.xyz, low.xyz);
      store<W>(range.position + i, x);
      store<W>(range.low + i, low);
    }
    const W pushed = depth - before;
    u.xyz += at.normal * pushed;

    const W touching = select(at.distance < W(0), W(1), W(0));
    const Vec3T<W> slid = u.xyz - at.normal * dot(u.xyz, at.normal);
    const W slid_length = length(slid);
    budget += W(friction) * pushed;
    const W stopped = touching * min(slid_length, budget);
    u.xyz -= slid * (stopped / max(slid_length, W(Real(1e-20))));
    budget -= stopped;
    std::memcpy(range.friction_budget + i, &budget, sizeof budget);
    store<W>(range.displacement + i, u);
  }
}

}  // namespace sinew
