// Contact of particles with an immovable shape, a pack of particles at a time: the particle is put
// back onto the surface, and Coulomb friction takes away its tangential motion in this substep, at
// most μ times what the normal push was (Müller et al., "Detailed Rigid Body Simulation with
// Extended Position Based Dynamics", 2020, section 3.5, for a fixed second body). What friction did
// not use stays in a budget, so that a vertex that elasticity moves between two passes still
// sticks.
#pragma once

#include <sinew/bodies.h>

#include <cstring>

#include "core/row_packs.h"

namespace sinew {

struct ContactRange {
  Row4<Real>* position;
  Row4<Real>* previous;   // at the start of the substep
  Row4<Real>* predicted;  // after free motion
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
// another) is undone by no more than `parting` [m], and without giving the particle a velocity, so
// that bodies part gently instead of being shot out.
template <class S>
SINEW_FLATTEN void resolve_static_contact(const S& shape, const Pose& pose, Real friction,
                                          Real parting, const ContactRange& range, int begin,
                                          int end) {
  using W = Wide;
  const Mat3T<W> to_world = broadcast<W>(pose.orientation.matrix());
  const Mat3T<W> to_local = transpose(to_world);
  const Vec3T<W> origin = broadcast<W>(pose.position);
  const auto distance = [&](const Vec3T<W>& p) {
    SignedDistance<W> at = world_distance(shape, to_local, to_world, origin, p);
    at.distance = at.distance - W(range.margin);
    return at;
  };
  for (int i = begin * kLanes; i < end * kLanes; i += kLanes) {
    Rows4<W> x = load<W>(range.position + i);
    const SignedDistance<W> at = distance(x.xyz);
    const W depth = select(x.w > W(0), max(-at.distance, W(0)), W(0));
    W budget;  // the array is aligned for its numbers only, not for a pack
    std::memcpy(&budget, range.friction_budget + i, sizeof budget);
    if (!any(depth + budget > W(0))) continue;

    Rows4<W> previous = load<W>(range.previous + i);
    const W before = min(max(-distance(previous.xyz).distance, W(0)), depth);
    const W part = min(before, W(parting));
    if (any(part > W(0))) {
      Rows4<W> predicted = load<W>(range.predicted + i);
      previous.xyz += at.normal * part;
      predicted.xyz += at.normal * part;
      store<W>(range.previous + i, previous);
      store<W>(range.predicted + i, predicted);
    }
    const W pushed = depth - before;
    x.xyz += at.normal * (pushed + part);

    const W touching = select(at.distance < W(0), W(1), W(0));
    const Vec3T<W> moved = x.xyz - previous.xyz;
    const Vec3T<W> slid = moved - at.normal * dot(moved, at.normal);
    const W slid_length = length(slid);
    budget += W(friction) * pushed;
    const W stopped = touching * min(slid_length, budget);
    x.xyz -= slid * (stopped / max(slid_length, W(Real(1e-20))));
    budget -= stopped;
    std::memcpy(range.friction_budget + i, &budget, sizeof budget);
    store<W>(range.position + i, x);
  }
}

}  // namespace sinew
