// Eigenvectors of symmetric 3×3 matrices by Jacobi rotations kept as a quaternion, without
// branches. Each rotation by φ removes one off-diagonal entry: tan φ/2 ≈ s_pq / (2 (s_pp - s_qq))
// when that is small (the remainder is of third order), φ = π/4 otherwise, which at least never
// makes it larger. McAdams et al., "Computing the singular value decomposition of 3×3 matrices with
// minimal branching and elementary floating point operations", 2011, §2; with exact square roots.
#pragma once

#include <limits>

#include "core/pack.h"
#include "math/sym3.h"

namespace sinew {

// Enough for nearly every matrix, to the accuracy of the number type.
template <class T>
inline constexpr int kJacobiSweeps = sizeof(NumberOf<T>) == 4 ? 5 : 8;

// q·(s eᵢ, c): q, first turned about its own axis i by the angle with the half cosine c and the
// half sine s.
template <int kAxis, class T>
SINEW_INLINE QuatT<T> turned(const QuatT<T>& q, const T& c, const T& s) {
  if constexpr (kAxis == 0)
    return {c * q.x + s * q.w, c * q.y + s * q.z, c * q.z - s * q.y, c * q.w - s * q.x};
  if constexpr (kAxis == 1)
    return {c * q.x - s * q.z, c * q.y + s * q.w, c * q.z + s * q.x, c * q.w - s * q.y};
  if constexpr (kAxis == 2)
    return {c * q.x + s * q.y, c * q.y - s * q.x, c * q.z + s * q.w, c * q.w - s * q.z};
}

namespace jacobi_detail {

// The half angle's cosine and sine.
template <class T>
struct HalfAngle {
  T c, s;

  SINEW_INLINE HalfAngle(const T& pp, const T& qq, const T& pq) {
    constexpr NumberOf<T> kBound = NumberOf<T>(5.8284271247461903);  // 1/tan²(π/8)
    constexpr NumberOf<T> kLeast = std::numeric_limits<NumberOf<T>>::min();
    const T ch = T(2) * (pp - qq), sh = pq, size = ch * ch + sh * sh;
    const auto small = T(kBound) * sh * sh < ch * ch;
    const auto turns = size > T(kLeast);
    const T scale = rsqrt(max(size, T(kLeast)));
    c = select(turns, select(small, ch * scale, T(NumberOf<T>(0.92387953251128674))), T(1));
    s = select(turns, select(small, sh * scale, T(NumberOf<T>(0.38268343236508977))), T(0));
  }
};

// Turns the plane (p, q); r is the third direction.
template <class T>
SINEW_INLINE HalfAngle<T> turn(T& pp, T& qq, T& pq, T& pr, T& qr) {
  const HalfAngle<T> half(pp, qq, pq);
  const T c = half.c * half.c - half.s * half.s, s = T(2) * half.c * half.s;
  const T cc = c * c, ss = s * s, cs = c * s, cross = T(2) * cs * pq;
  const T old_pp = pp, old_qq = qq, old_pr = pr;
  pp = cc * old_pp + cross + ss * old_qq;
  qq = ss * old_pp - cross + cc * old_qq;
  pq = (cc - ss) * pq - cs * (old_pp - old_qq);
  pr = c * old_pr + s * qr;
  qr = c * qr - s * old_pr;
  return half;
}

// Turns s and v by the three planes, one after the other.
template <class T>
SINEW_INLINE void sweep(Sym3T<T>& s, QuatT<T>& v) {
  const auto xy = turn(s.xx, s.yy, s.xy, s.xz, s.yz);
  v = turned<2>(v, xy.c, xy.s);
  const auto yz = turn(s.yy, s.zz, s.yz, s.xy, s.xz);
  v = turned<0>(v, yz.c, yz.s);
  const auto zx = turn(s.zz, s.xx, s.xz, s.yz, s.xy);
  v = turned<1>(v, zx.c, zx.s);
}

}  // namespace jacobi_detail

// Rotates s towards a diagonal matrix, `sweeps` times over its three off-diagonal entries. Returns
// the rotation V with diagonal Vᵀ s V.
template <class T>
SINEW_INLINE QuatT<T> diagonalise(Sym3T<T>& s, int sweeps) {
  QuatT<T> v{T(0), T(0), T(0), T(1)};
  for (int i = 0; i < sweeps; ++i) jacobi_detail::sweep(s, v);
  return normalized(v);
}

// The same, with as many sweeps as the matrices of the pack need. Squares of entries must be
// numbers.
template <class T>
SINEW_INLINE QuatT<T> diagonalise_quickly(Sym3T<T>& s) {
  constexpr NumberOf<T> kEnough =
      4 * std::numeric_limits<NumberOf<T>>::epsilon() * std::numeric_limits<NumberOf<T>>::epsilon();
  QuatT<T> v{T(0), T(0), T(0), T(1)};
#pragma GCC unroll 1
  for (int i = 0; i < kJacobiSweeps<T> + 2; ++i) {
    jacobi_detail::sweep(s, v);
    const T off = max(s.xy * s.xy, max(s.yz * s.yz, s.xz * s.xz));
    const T least = min(s.xx, min(s.yy, s.zz));
    if (!any(off > T(kEnough) * least * least)) break;
  }
  return normalized(v);
}

}  // namespace sinew
