// Spin-based rotation tracking of a group of particles (Lewin §3.4, Algorithm 1). With pᵢ the
// particles, p⁰ᵢ their rest positions about the barycentre and R the present rotation, the spin
//
//   s = Σ Rp⁰ᵢ × pᵢ        vanishes at the best R; a small turn ω more takes it away when
//   J ω = s,  J = Σ (Rp⁰ᵢ·pᵢ) I - Rp⁰ᵢ pᵢᵀ.
//
// Either with this J, or with the one of the rest state, J₀ = Σ |p⁰ᵢ|² I - p⁰ᵢ p⁰ᵢᵀ, whose inverse
// is known beforehand. Both depend on the particles only through the moments A = Σ pᵢ p⁰ᵢᵀ: seen
// from R, with B = RᵀA, s is the axial vector of B - Bᵀ and J = tr(B) I - Bᵀ. For a deformation
// gradient A is F itself, with J₀ = 2I.
//
// The result is always a rotation, but s also vanishes on saddles: the methods follow a history and
// may not find the nearest rotation without one. RotationTracker (math/rotation.h) does.
#pragma once

#include <limits>

#include "core/pack.h"
#include "math/sym3.h"

namespace sinew {

// A = Σ pᵢ p⁰ᵢᵀ. The rest positions add up to zero, so the barycentre of the pᵢ does not matter.
template <int N, class T>
SINEW_INLINE Mat3T<T> moments(const Vec3T<T> (&position)[N], const Vec3T<T> (&rest)[N]) {
  Mat3T<T> a{};
  for (int i = 0; i < N; ++i) {
    a.c[0] += position[i] * rest[i].x;
    a.c[1] += position[i] * rest[i].y;
    a.c[2] += position[i] * rest[i].z;
  }
  return a;
}

// s, straight from its definition.
template <int N, class T>
SINEW_INLINE Vec3T<T> spin(const Vec3T<T> (&position)[N], const Vec3T<T> (&rest)[N],
                           const QuatT<T>& q) {
  const Mat3T<T> r = q.matrix();
  Vec3T<T> s{T(0), T(0), T(0)};
  for (int i = 0; i < N; ++i) s += cross(r * rest[i], position[i]);
  return s;
}

// J₀⁻¹. Directions about which the particles have no inertia (all on one line) never turn.
template <int N, class T>
Sym3T<T> inverse_rest_inertia(const Vec3T<T> (&rest)[N]) {
  Sym3T<T> sum = Sym3T<T>::identity() * T(0);
  T squares(0);
  for (int i = 0; i < N; ++i) {
    sum = sum + outer(rest[i], T(1));
    squares += dot(rest[i], rest[i]);
  }
  const T least = T(std::numeric_limits<NumberOf<T>>::min());
  const T scale = T(1) / max(squares, least);
  const T floor = T(NumberOf<T>(sizeof(NumberOf<T>) == 4 ? 1e-5 : 1e-10));
  const Sym3T<T> inertia = Sym3T<T>::identity() * (T(1) + floor) - sum * scale;
  return inverse(inertia) * select(squares > least, scale, T(0));
}

namespace spin_detail {

template <class T>
SINEW_INLINE Vec3T<T> axial(const Mat3T<T>& b) {
  return {b.c[1].z - b.c[2].y, b.c[2].x - b.c[0].z, b.c[0].y - b.c[1].x};
}

// q·(1, ω/2), normalised; q where ω is not finite.
template <class T>
SINEW_INLINE QuatT<T> turned(const QuatT<T>& q, const Vec3T<T>& omega) {
  const Vec3T<T> half = omega * T(NumberOf<T>(0.5));
  const auto sound = abs(half.x) + abs(half.y) + abs(half.z) < T(NumberOf<T>(1e15));
  const Vec3T<T> v = select(sound, half, Vec3T<T>{T(0), T(0), T(0)});
  return normalized(q * QuatT<T>{v.x, v.y, v.z, T(1)});
}

}  // namespace spin_detail

// With J of the present state.
struct SpinExact {
  // `a` is the moments of a group, or a deformation gradient.
  template <class T>
  static QuatT<T> update(const Mat3T<T>& a, const QuatT<T>& start) {
    const T size = largest_entry(a);
    const T least = T(std::numeric_limits<NumberOf<T>>::min() * 16);
    const Mat3T<T> b = transpose(start.matrix()) * (a * (T(1) / max(size, least)));
    const Vec3T<T> spin = spin_detail::axial(b);
    const T tr = trace(b);
    const Mat3T<T> j = Mat3T<T>::diagonal({tr, tr, tr}) - transpose(b);
    // Where J has (almost) no inverse, a step up the gradient of tr(RᵀA) instead.
    const Mat3T<T> cof = cofactor(j);
    const T det = dot(j.c[0], cof.c[0]);
    const auto regular = abs(det) > T(NumberOf<T>(1e-4));
    const Vec3T<T> newton = transpose(cof) * spin * (T(1) / select(regular, det, T(1)));
    return spin_detail::turned(start, select(regular, newton, spin * T(NumberOf<T>(0.25))));
  }
};

// With J₀ of the rest state: Algorithm 1.
struct SpinRest {
  template <class T>
  static QuatT<T> update(const Mat3T<T>& a, const Sym3T<T>& inverse_inertia,
                         const QuatT<T>& start) {
    const Vec3T<T> spin = spin_detail::axial(transpose(start.matrix()) * a);
    return spin_detail::turned(start, inverse_inertia * spin);
  }
  // For a deformation gradient.
  template <class T>
  static QuatT<T> update(const Mat3T<T>& f, const QuatT<T>& start) {
    const Vec3T<T> spin = spin_detail::axial(transpose(start.matrix()) * f);
    return spin_detail::turned(start, spin * T(NumberOf<T>(0.5)));
  }
};

// About the axis of Algorithm 1, d = J₀⁻¹s, by the angle that is best. Turned by φ about d̂,
//   tr(RᵀA) = const + c cos φ + s·d̂ sin φ,   c = d̂ᵀ J d̂,
// is largest at φ = atan2(s·d̂, c). It never falls, however far the particles are stretched, where
// Algorithm 1 overestimates the turn.
struct SpinBest {
  template <class T>
  static QuatT<T> update(const Mat3T<T>& a, const Sym3T<T>& inverse_inertia,
                         const QuatT<T>& start) {
    const Mat3T<T> b = transpose(start.matrix()) * a;
    const Vec3T<T> spin = spin_detail::axial(b);
    const Vec3T<T> d = inverse_inertia * spin;
    const T least = T(std::numeric_limits<NumberOf<T>>::min() * 16);
    const T length = sqrt(dot(d, d));
    const Vec3T<T> axis = d * (T(1) / max(length, least));
    const T sine = dot(spin, axis), cosine = trace(b) - dot(axis, b * axis);
    // tan φ/2, as twice that for turned()
    const T sum = cosine + sqrt(cosine * cosine + sine * sine);
    return spin_detail::turned(start, axis * (T(2) * sine / max(sum, least)));
  }
};

}  // namespace sinew
