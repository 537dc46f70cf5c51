// Sets of deformations that are bounded by their principal stretches, and the nearest member to one
// that is outside. With F = U Σ Vᵀ, U and V rotations and σ₀ ≥ σ₁ ≥ |σ₂| (signed_svd.h), the
// nearest has the same U and V (von Neumann's trace inequality) and positive stretches q in the
// same order: what remains is min Σ (σᵢ − qᵢ)² (Liu, §6.2). A set is a struct with
//   Vec3T<T> nearest(σ): q, and
//   PrincipalDerivatives<T> derivatives(σ, q): of ½ Σ (σᵢ − qᵢ(σ))².
#pragma once

#include <sinew/principal.h>

#include <cmath>

#include "core/pack.h"

namespace sinew {

// Every stretch within [low, high].
template <class T>
struct StretchBounds {
  T low, high;

  static StretchBounds<double> of(double low, double high) { return {low, high}; }

  SINEW_INLINE Vec3T<T> nearest(const Vec3T<T>& s) const {
    Vec3T<T> q;
    for (int i = 0; i < 3; ++i) q[i] = min(max(s[i], low), high);
    return q;
  }
  PrincipalDerivatives<T> derivatives(const Vec3T<T>& s, const Vec3T<T>& q) const {
    PrincipalDerivatives<T> d;
    d.gradient = s - q;
    for (int i = 0; i < 3; ++i) {
      d.diagonal[i] = select(abs(d.gradient[i]) > T(0), T(1), T(0));
      d.mixed[i] = T(0);
    }
    return d;
  }
};
template <class T>
void set_lane(StretchBounds<T>& to, int lane, const StretchBounds<double>& from) {
  set_lane(to.low, lane, NumberOf<T>(from.low));
  set_lane(to.high, lane, NumberOf<T>(from.high));
}

// Their product, the volume, within [low, high]; both 1: SL(3). Where the bound c is to be met,
// Lagrange's conditions are σᵢ − qᵢ + μ/qᵢ = 0 with one μ for all. The last one, t = q₂, tells the
// others: μ = t(t − σ₂),  qᵢ = (σᵢ + rᵢ)/2,  rᵢ = √(σᵢ² + 4μ),  and what is left is one equation
// for t,
//   P(t) = t q₀ q₁ = c.
// Too small or inside out: P grows with a power of t from 1 to 3, is solved by one t, and as
// P ≥ t³ and P ≥ t σ₀ σ₁ Newton's method starts from above it and near. Too large: so it is for
// t > σ₂/2, where cells shrink evenly. But much too large, they are nearer to being squashed flat
// (σ₂ − t > t), to which P ≤ t σ₀ σ₁ is the start from below; the nearer of both is taken.
template <class T>
struct VolumeBounds {
  T low, high, low_root, high_root;  // and their cube roots

  static VolumeBounds<double> of(double low, double high) {
    return {low, high, std::cbrt(low), std::cbrt(high)};
  }

  SINEW_INLINE Vec3T<T> nearest(const Vec3T<T>& s) const {
    const T volume = s.x * s.y * s.z, area = s.x * s.y;
    const auto small = volume < low;
    const auto large = volume > high;
    if (!any(small | large)) return s;
    const T c = select(small, low, high), root = select(small, low_root, high_root);
    const T even_start = select(small, c / max(area, T(kTiny)), s.z), half = s.z * T(Number(0.5));
    Vec3T<T> q = solve(s, c, min(root, even_start), T(kHuge));
    // Squashed flat: t ≥ c/(σ₀σ₁) must be less than σ₂/2.
    const auto much = large & (area * half > c);
    if (any(much)) {
      const Vec3T<T> flat =
          solve(s, c, select(much, c / max(area, T(kTiny)), T(1)), select(much, half, T(kHuge)));
      const T tolerance = c * T(Number(1e-4));
      const auto even_fits = abs(q.x * q.y * q.z - c) < tolerance;
      const auto flat_fits = abs(flat.x * flat.y * flat.z - c) < tolerance;
      const auto even_nearer = dot(s - q, s - q) < dot(s - flat, s - flat) * T(Number(1 - 1e-5));
      const auto flatter = much & flat_fits & !(even_fits & even_nearer);
      q = select(flatter, flat, q);
    }
    return select(small | large, q, s);
  }

  // From qᵢ² − σᵢqᵢ = μ and Π q = c, with r = 2q − σ:
  //   ∂qᵢ/∂σⱼ = δᵢⱼ qᵢ/rᵢ − 1/(rᵢ rⱼ D),   D = Σ 1/(qₖ rₖ).
  PrincipalDerivatives<T> derivatives(const Vec3T<T>& s, const Vec3T<T>& q) const {
    const T volume = s.x * s.y * s.z;
    const auto outside = (volume < low) | (volume > high);
    const T tiny(Number(sizeof(Number) == 4 ? 1e-6 : 1e-12));
    PrincipalDerivatives<T> d;
    d.gradient = s - q;
    Vec3T<T> inverse;  // 1/r
    T sum(0);
    for (int i = 0; i < 3; ++i) {
      const T r = T(2) * q[i] - s[i];
      inverse[i] = T(1) / select(abs(r) > tiny, r, tiny);
      sum = sum + inverse[i] / max(q[i], tiny);
    }
    const T scale = T(1) / select(abs(sum) > tiny, sum, tiny);
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      d.diagonal[i] =
          select(outside, T(1) - q[i] * inverse[i] + inverse[i] * inverse[i] * scale, T(0));
      d.mixed[i] = select(outside, inverse[j] * inverse[k] * scale, T(0));
    }
    return d;
  }

 private:
  using Number = NumberOf<T>;
  static constexpr Number kTiny = Number(1e-30), kHuge = Number(1e30);
  static constexpr int kSteps = sizeof(Number) == 4 ? 6 : 10;

  // Newton's method for t, up to `most`.
  SINEW_INLINE static Vec3T<T> solve(const Vec3T<T>& s, const T& c, const T& start, const T& most) {
    T t = start;
    Vec3T<T> q;
    for (int step = 0;; ++step) {
      const T mu4 = T(4) * t * (t - s.z);
      const T r0 = sqrt(max(s.x * s.x + mu4, T(0))), r1 = sqrt(max(s.y * s.y + mu4, T(0)));
      q = {(s.x + r0) * T(Number(0.5)), (s.y + r1) * T(Number(0.5)), t};
      if (step == kSteps) return q;
      const T rate = T(2) * t - s.z;  // dq/dt of the others, times r
      const T both = q.x * q.y;
      const T slope = both + t * rate * (q.y / max(r0, T(kTiny)) + q.x / max(r1, T(kTiny)));
      const T next = t - (t * both - c) / max(slope, both * T(Number(0.05)) + T(kTiny));
      t = min(max(next, t * T(Number(0.25))), most);
    }
  }
};
template <class T>
void set_lane(VolumeBounds<T>& to, int lane, const VolumeBounds<double>& from) {
  set_lane(to.low, lane, NumberOf<T>(from.low));
  set_lane(to.high, lane, NumberOf<T>(from.high));
  set_lane(to.low_root, lane, NumberOf<T>(from.low_root));
  set_lane(to.high_root, lane, NumberOf<T>(from.high_root));
}

}  // namespace sinew
