// Polar decomposition F = U S by symmetric diagonalisation: S² = FᵀF = V diag(λ) Vᵀ by Jacobi
// rotations from the last eigenvectors, and U = F S⁻¹ = Σ (F vᵢ / √λᵢ) vᵢᵀ. Lewin §3.2; Hauth
// and Etzmuss 2001; Rivers and James 2007.
//
// U is orthogonal but, as the literature has it, a *reflection* where F is inverted: what uses it
// cannot recover from inversion. Kept for comparison.
#pragma once

#include "math/jacobi.h"
#include "math/perpendicular.h"

namespace sinew {

template <class T>
struct PolarJacobi {
  Mat3T<T> u;             // orthogonal; det U = -1 where det F < 0
  QuatT<T> eigenvectors;  // of FᵀF: where to start next time
};

namespace polar_detail {

// v where it is long enough to have a direction, else w.
template <class T>
SINEW_INLINE Vec3T<T> direction(const Vec3T<T>& v, const Vec3T<T>& w) {
  const T length2 = dot(v, v);
  const auto clear = length2 > T(NumberOf<T>(sizeof(NumberOf<T>) == 4 ? 1e-12 : 1e-28));
  return select(clear, v * rsqrt(select(clear, length2, T(1))), w);
}

}  // namespace polar_detail

// From the identity kJacobiSweeps sweeps are needed; from a neighbour's eigenvectors
// one or two.
template <class T>
SINEW_INLINE PolarJacobi<T> polar_jacobi(const Mat3T<T>& f, const QuatT<T>& start, int sweeps) {
  const T size = max(largest_entry(f), T(std::numeric_limits<NumberOf<T>>::min() * 16));
  Mat3T<T> axes = start.matrix();
  Sym3T<T> s = gram(f * (T(1) / size) * axes);
  const QuatT<T> v = normalized(start * diagonalise(s, sweeps));
  axes = v.matrix();
  const Mat3T<T> stretched = f * (T(1) / size) * axes;

  // The shortest of the three directions F vᵢ is had from the other two, taken in cyclic order: F
  // may be flat.
  const Vec3T<T>*c = stretched.c, *v3 = axes.c;
  const T xx = dot(c[0], c[0]), yy = dot(c[1], c[1]), zz = dot(c[2], c[2]);
  const auto x_least = (xx < yy) & (xx < zz);
  const auto y_least = yy < zz;
  const auto pick = [&](const Vec3T<T>& if_x, const Vec3T<T>& if_y, const Vec3T<T>& if_z) {
    return select(x_least, if_x, select(y_least, if_y, if_z));
  };
  const Vec3T<T> a = pick(c[1], c[2], c[0]), b = pick(c[2], c[0], c[1]);
  const auto b_longer = dot(a, a) < dot(b, b);
  const Vec3T<T> longer = select(b_longer, b, a), shorter = select(b_longer, a, b);
  const Vec3T<T> u1 = polar_detail::direction(longer, Vec3T<T>{T(1), T(0), T(0)});
  const Vec3T<T> u2 = polar_detail::direction(shorter - u1 * dot(u1, shorter), perpendicular(u1));
  const Vec3T<T> ua = select(b_longer, u2, u1), ub = select(b_longer, u1, u2);
  const Vec3T<T> uc = cross(ua, ub) * select(determinant(stretched) < T(0), T(-1), T(1));

  const Mat3T<T> from = {{ua, ub, uc}};
  const Mat3T<T> to = {
      {pick(v3[1], v3[2], v3[0]), pick(v3[2], v3[0], v3[1]), pick(v3[0], v3[1], v3[2])}};
  return {from * transpose(to), v};
}

}  // namespace sinew
