// The rotation nearest to a deformation gradient F: the R that maximises tr(RᵀF). A unit quaternion
// q has tr(R(q)ᵀF) = qᵀKq with a symmetric 4×4 matrix K, so R belongs to the largest eigenvalue of
// K; every other stationary point is a saddle or a minimum. Seen from the present R, with B = RᵀF,
// S = sym B and g the axial vector of B - Bᵀ,
//
//   K = | tr B     gᵀ         |
//       | g     2S - tr(S) I  |
//
// and a step of inverse iteration with the shift λ is R ← R·(1, v), v = ((λ + tr B) I - 2S)⁻¹ g.
// With λ = tr B that is Newton's step ω = 2v = (tr(S) I - S)⁻¹ g, which may run to a saddle; with a
// λ at or just above the largest eigenvalue the matrix is positive definite and the step finds the
// maximum from any start, for flat, collapsed and inverted F too. That λ is the largest root of
//
//   λ⁴ - 2‖F‖²λ² - 8 det(F) λ + ‖F‖⁴ - 4‖cof F‖² = 0,
//
// to which Newton's method descends monotonically from above.
//
// Horn, "Closed-form solution of absolute orientation using unit quaternions", 1987; Müller et al.,
// "A robust method to extract the rotational part of deformations", 2016 (λ = ∞, as it were).
#pragma once

#include <limits>

#include "core/pack.h"
#include "math/sym3.h"

namespace sinew {

namespace rotation_detail {

template <class T>
inline constexpr NumberOf<T> kEpsilon = std::numeric_limits<NumberOf<T>>::epsilon();

// LDLᵀ of a positive definite matrix of size 1. Pivots that rounding made too small, or negative,
// are replaced.
template <class T>
struct Definite3 {
  T d0, d1, d2, l10, l20, l21;

  explicit SINEW_INLINE Definite3(const Sym3T<T>& m, const T& least = T(16 * kEpsilon<T>)) {
    d0 = T(1) / max(m.xx, least);
    l10 = m.xy * d0, l20 = m.xz * d0;
    d1 = T(1) / max(m.yy - l10 * m.xy, least);
    const T u21 = m.yz - l10 * m.xz;
    l21 = u21 * d1;
    d2 = T(1) / max(m.zz - l20 * m.xz - l21 * u21, least);
  }
  SINEW_INLINE Vec3T<T> solve(const Vec3T<T>& b) const {
    const T y1 = b.y - l10 * b.x;
    const T z = (b.z - l20 * b.x - l21 * y1) * d2, y = y1 * d1 - l21 * z;
    return {b.x * d0 - l10 * y - l20 * z, y, z};
  }
};

// The quartic above for ‖F‖ = 1. All its roots are real; the largest, σ₀+σ₁+σ₂, lies between 1/√3
// (F = -I/√3), where the quartic turns convex, and √3 (F = I/√3).
template <class T>
struct LargestEigenvalue {
  static constexpr NumberOf<T> kLeast = NumberOf<T>(0.57735026918962576);
  static constexpr NumberOf<T> kMost = NumberOf<T>(1.7320508075688773);
  // A double root leaves the slope to rounding: below this it says nothing.
  static constexpr NumberOf<T> kFlat = sizeof(NumberOf<T>) == 4 ? NumberOf<T>(1e-3) : 1e-7;

  T det8, cofactor4;

  explicit SINEW_INLINE LargestEigenvalue(const Mat3T<T>& f) {
    const Mat3T<T> cof = cofactor(f);
    det8 = T(8) * dot(f.c[0], cof.c[0]);
    cofactor4 = T(4) * contract(cof, cof);
  }
  SINEW_INLINE T value(const T& x) const {
    const T u = x * x - T(1);
    return u * u - det8 * x - cofactor4;
  }
  SINEW_INLINE T slope(const T& x) const { return T(4) * x * (x * x - T(1)) - det8; }

  // σ₀+σ₁+σ₂ = λ and (σ₀σ₁+σ₀σ₂+σ₁σ₂)² = ‖cof F‖² + 2λ det F turn a bound on λ into another one.
  SINEW_INLINE T upper_bound(const T& lower) const {
    const T pairs = cofactor4 + det8 * select(det8 > T(0), T(kMost), lower);
    return min(sqrt(T(1) + sqrt(max(pairs, T(0)))) * T(1 + 4 * kEpsilon<T>), T(kMost));
  }

  // From a lower bound, one step of Newton's method leads above the root if it starts beyond the
  // last turning point; otherwise start from the upper bound.
  SINEW_INLINE T from_below(const T& lower) const {
    const T x = max(lower, T(kLeast)), s = slope(x), most = upper_bound(x);
    const T above = min(x + max(-value(x), T(0)) / max(s, T(kFlat)), most);
    return select(s > T(-kFlat / 64), above, most);
  }
  // Laguerre's step; it ends where rounding could lead below the root. For real roots it, too,
  // comes down monotonically, but three times as far as Newton's to a double root, and cubically to
  // a single one.
  SINEW_INLINE T descend(const T& x) const {
    const T p = max(value(x) - T(16 * kEpsilon<T>), T(0)), s = max(slope(x), T(kFlat));
    const T bend = T(9) * s * s - p * (T(144) * x * x - T(48));
    return max(x - T(4) * p / (s + sqrt(max(bend, T(0)))), T(kLeast));
  }
};

// Inverse iteration from `start`: `kRootSteps` on the eigenvalue, then `kSteps` on the rotation.
// F that is zero (or not finite) keeps the start.
template <int kRootSteps, int kSteps, class T>
SINEW_INLINE QuatT<T> follow(const Mat3T<T>& f_any, const QuatT<T>& start) {
  constexpr NumberOf<T> kTiny = std::numeric_limits<NumberOf<T>>::min() * 16;
  // Twice, or the squares of very large and very small entries overflow and vanish.
  const T size = largest_entry(f_any);
  Mat3T<T> f = f_any * (T(1) / max(size, T(kTiny)));
  f = f * rsqrt(max(contract(f, f), T(1)));

  QuatT<T> q = start;
  Mat3T<T> b = transpose(q.matrix()) * f;
  const LargestEigenvalue<T> eigenvalue(f);
  T shift = eigenvalue.from_below(trace(b));
  for (int i = 0; i < kRootSteps; ++i) shift = eigenvalue.descend(shift);
  shift = shift * T(1 + 64 * kEpsilon<T>);

  for (int i = 0; i < kSteps; ++i) {
    if (i > 0) {
      b = transpose(q.matrix()) * f;
      shift = min(shift, eigenvalue.from_below(trace(b)) * T(1 + 64 * kEpsilon<T>));
    }
    const T tr = trace(b), lambda = max(shift, tr), diagonal = lambda + tr, gap = lambda - tr;
    const Definite3<T> m({diagonal - T(2) * b.c[0].x, -(b.c[0].y + b.c[1].x),
                          -(b.c[0].z + b.c[2].x), diagonal - T(2) * b.c[1].y,
                          -(b.c[1].z + b.c[2].y), diagonal - T(2) * b.c[2].z});
    const Vec3T<T> g = {b.c[1].z - b.c[2].y, b.c[2].x - b.c[0].z, b.c[0].y - b.c[1].x};
    Vec3T<T> v = m.solve(g);
    // On a saddle g is zero: start from a little beside it, in some direction. Elsewhere this
    // vanishes with the residual of the eigenvector that v leads to.
    const T beside = T(0.05) * gap * max(gap - max(dot(g, v), T(0)), T(0));
    v += m.solve({T(1), T(0.83), T(0.71)}) * beside;
    q = normalized(q * QuatT<T>{v.x, v.y, v.z, T(1)});
  }
  const T norm = contract(f, f);  // 1, or 0 or NaN
  const auto usable = [&](const T& found, const T& kept) {
    return select(size > T(kTiny), select(norm < T(2), found, kept), kept);
  };
  return {usable(q.x, start.x), usable(q.y, start.y), usable(q.z, start.z), usable(q.w, start.w)};
}

}  // namespace rotation_detail

// The library's default: tracks the rotation of F from the last one. Any turn and any deformation
// in between is followed in one call; only where two eigenvalues nearly meet (σ₁ + σ₂ ≈ 0:
// collapsed to a line, or turned inside out) may it take a few. `start` must be a unit quaternion.
struct RotationTracker {
  template <class T>
  static QuatT<T> update(const Mat3T<T>& f, const QuatT<T>& start) {
    return rotation_detail::follow<3, 1>(f, start);
  }
};

// The rotation of F without a history. Where there are several (F flat to a line, zero or as far
// inverted as it is stretched) it is one of them.
template <class T>
QuatT<T> rotation_of(const Mat3T<T>& f) {
  return rotation_detail::follow<8, 4>(f, QuatT<T>{T(0), T(0), T(0), T(1)});
}

}  // namespace sinew
