// The second derivative of a sheet's energy ψ(σ₀, σ₁) = Ψ(σ₀, σ₁, 1) by its 3×2 deformation
// gradient, as eigenvalues and eigenmatrices like isotropic_tangent.h's. With n the normal of the
// sheet now and v₀, v₁ in its plane at rest,
//   two scalings      of the plane, from the 2×2 matrix ∂²ψ/∂σᵢ∂σⱼ;
//   a twist, a flip   in the plane, (ψ₀ + ψ₁)/(σ₀ + σ₁) and (ψ₀ − ψ₁)/(σ₀ − σ₁);
//   two tilts         n vᵢᵀ,  ψᵢ/σᵢ:
// what is stretched resists leaving its plane as a drum's skin does, and what is compressed wants
// to. The normal turns with the sheet, so that it is not to be decomposed with the rest: where a
// stretch is one, as at rest, singular vectors of F would mix the two.
#pragma once

#include <sinew/principal.h>

#include <limits>

#include "core/pack.h"
#include "math/isotropic_tangent.h"
#include "math/perpendicular.h"

namespace sinew {

template <class T>
struct SheetTangent {
  static constexpr int kModes = 6;
  T value[kModes];        // [Pa]
  Mat3T<T> mode[kModes];  // of norm one

  void project() {
    for (T& v : value) v = max(v, T(0));
  }
};

namespace sheet_detail {

// A vector of length one along v, or, where v is nothing, along `otherwise`.
template <class T>
Vec3T<T> unit_or(const Vec3T<T>& v, const Vec3T<T>& otherwise) {
  const T n2 = dot(v, v);
  const auto usable = n2 > T(NumberOf<T>(1e-30));
  return select(usable, v * rsqrt(max(n2, T(NumberOf<T>(1e-30)))), otherwise);
}

// The turn (c, s) that makes the symmetric matrix (xx, xy; xy, yy) diagonal, larger value first.
template <class T>
struct Turn2 {
  T c, s;

  static Turn2 of(const T& xx, const T& xy, const T& yy) {
    constexpr NumberOf<T> kTiny = std::numeric_limits<NumberOf<T>>::min() * 16;
    // (cos 2θ, sin 2θ) ∝ (xx − yy, 2xy); half of it without cancellation.
    const T half = (xx - yy) * T(NumberOf<T>(0.5)), radius = sqrt(half * half + xy * xy);
    const auto wide = half > T(0);
    const T x = select(wide, radius + half, abs(xy)), y = select(wide, abs(xy), radius - half);
    const T size = sqrt(x * x + y * y);
    const auto any_turn = size > T(kTiny);
    const T scale = T(1) / max(size, T(kTiny));
    const T sign = select(xy < T(0), T(-1), T(1));
    return {select(any_turn, x * scale, T(1)), select(any_turn, y * scale * sign, T(0))};
  }
};

}  // namespace sheet_detail

// Of a material at F = [F₂ | n] (triangle.h), with the sheet's normal at rest.
template <class Mat, class T>
SheetTangent<T> sheet_tangent_at(const Mat& material, const Mat3T<T>& f, const Vec3T<T>& normal) {
  using Number = NumberOf<T>;
  constexpr Number kRootHalf = Number(0.70710678118654752);
  const Vec3T<T> t0 = perpendicular(normal), t1 = cross(normal, t0);
  const Vec3T<T> a = f * t0, b = f * t1;
  const auto turn = sheet_detail::Turn2<T>::of(dot(a, a), dot(a, b), dot(b, b));
  const Vec3T<T> v[2] = {t0 * turn.c + t1 * turn.s, t1 * turn.c - t0 * turn.s};
  const Vec3T<T> along = a * turn.c + b * turn.s, across = b * turn.c - a * turn.s;
  Vec3T<T> u[2], n;
  u[0] = sheet_detail::unit_or(along, t0);
  // Collapsed to a line it has no normal; any across the line will do.
  n = f * normal;
  n = sheet_detail::unit_or(n - u[0] * dot(n, u[0]), perpendicular(u[0]));
  u[1] = cross(n, u[0]);
  const Vec3T<T> sigma{length(along), abs(dot(across, u[1])), T(1)};
  const PrincipalDerivatives<T> d = material.principal(sigma);

  SheetTangent<T> t;
  const T mixed = d.mixed.z;
  const auto q = sheet_detail::Turn2<T>::of(d.diagonal.x, mixed, d.diagonal.y);
  const Mat3T<T> first = outer_product(u[0], v[0]), second = outer_product(u[1], v[1]);
  t.mode[0] = first * q.c + second * q.s;
  t.mode[1] = second * q.c - first * q.s;
  t.value[0] = q.c * q.c * d.diagonal.x + T(2) * q.c * q.s * mixed + q.s * q.s * d.diagonal.y;
  t.value[1] = q.s * q.s * d.diagonal.x - T(2) * q.c * q.s * mixed + q.c * q.c * d.diagonal.y;

  const T least = max(max(sigma.x, sigma.y), T(std::numeric_limits<Number>::min() * 16)) *
                  T(std::sqrt(std::numeric_limits<Number>::epsilon()));
  const T apart = sigma.x - sigma.y;
  const Mat3T<T> one = outer_product(u[0], v[1]) * T(kRootHalf),
                 other = outer_product(u[1], v[0]) * T(kRootHalf);
  t.mode[2] = one - other;
  t.mode[3] = one + other;
  t.value[2] = (d.gradient.x + d.gradient.y) / max(sigma.x + sigma.y, least);
  t.value[3] = select(abs(apart) > least,
                      (d.gradient.x - d.gradient.y) / select(abs(apart) > least, apart, T(1)),
                      (d.diagonal.x + d.diagonal.y) * T(Number(0.5)) - mixed);
  for (int i = 0; i < 2; ++i) {
    t.mode[4 + i] = outer_product(n, v[i]);
    t.value[4 + i] = d.gradient[i] / max(sigma[i], least);
  }
  return t;
}

}  // namespace sinew
