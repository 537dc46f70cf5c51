// Signed singular value decomposition F = U diag(σ) Vᵀ of 3×3 matrices: U and V are rotations
// (never reflections), σ₀ ≥ σ₁ ≥ |σ₂|, and σ₂ has the sign of det F. V comes from diagonalising
// FᵀF, U and σ from a QR decomposition of FV by Givens rotations; there are no branches and no
// special cases. Lewin §3.3; McAdams et al., "Computing the singular value decomposition of 3×3
// matrices with minimal branching and elementary floating point operations", 2011, with exact
// square roots.
#pragma once

#include "math/jacobi.h"

namespace sinew {

template <class T>
struct SignedSvd {
  QuatT<T> u;
  Vec3T<T> sigma;
  QuatT<T> v;

  QuatT<T> rotation() const { return u * v.conjugate(); }  // nearest to F
};

namespace svd_detail {

// Two columns in descending order, by a quarter turn about the third: V stays a rotation.
template <int kAxis, class T>
SINEW_INLINE void order(Vec3T<T>& a, Vec3T<T>& b, T& length2_a, T& length2_b, QuatT<T>& v) {
  constexpr NumberOf<T> kRootHalf = NumberOf<T>(0.70710678118654752);
  const auto swap = length2_a < length2_b;
  const Vec3T<T> old_a = a;
  a = select(swap, b, a);
  b = select(swap, -old_a, b);
  const T old_length2 = length2_a;
  length2_a = max(length2_a, length2_b);
  length2_b = min(old_length2, length2_b);
  const T s = select(swap, T(kRootHalf), T(0)), c = select(swap, T(kRootHalf), T(1));
  v = turned<kAxis>(v, c, kAxis == 1 ? -s : s);
}

// The half angle's cosine and sine of the turn that takes (p, q) to (√(p² + q²), 0).
template <class T>
struct Givens {
  T c, s;

  SINEW_INLINE Givens(const T& p, const T& q) {
    constexpr NumberOf<T> kLeast = NumberOf<T>(sizeof(NumberOf<T>) == 4 ? 1e-18 : 1e-150);
    const T length = sqrt(p * p + q * q);
    const T near = abs(p) + max(length, T(kLeast));
    const T far = select(length > T(kLeast), q, T(0));
    const T scale = rsqrt(near * near + far * far);
    const auto behind = p < T(0);
    c = select(behind, far, near) * scale;
    s = select(behind, near, far) * scale;
  }
  // Rows p and q of a column.
  SINEW_INLINE void apply(T& p, T& q) const {
    const T cos = c * c - s * s, sin = T(2) * c * s, old_p = p;
    p = cos * p + sin * q;
    q = cos * q - sin * old_p;
  }
};

}  // namespace svd_detail

template <class T>
SINEW_INLINE SignedSvd<T> signed_svd(const Mat3T<T>& f) {
  // Squares of very large and very small entries would overflow and vanish.
  const T size = max(largest_entry(f), T(std::numeric_limits<NumberOf<T>>::min() * 16));
  const Mat3T<T> scaled = f * (T(1) / size);

  Sym3T<T> s = gram(scaled);
  QuatT<T> v = diagonalise(s, kJacobiSweeps<T> - 1);
  // Squared, columns shorter than √ε of the longest drown in its rounding. Once the longest stands
  // apart they are seen, and orthogonalised.
  Mat3T<T> columns = scaled * v.matrix();
  s = gram(columns);
  const QuatT<T> more = diagonalise(s, kJacobiSweeps<T> / 2);
  v = v * more;
  columns = columns * more.matrix();
  auto& [x, y, z] = columns.c;
  T xx = dot(x, x), yy = dot(y, y), zz = dot(z, z);
  svd_detail::order<2>(x, y, xx, yy, v);
  svd_detail::order<1>(x, z, xx, zz, v);
  svd_detail::order<0>(y, z, yy, zz, v);

  // The columns are orthogonal but for rounding: only the diagonal of R is kept.
  const svd_detail::Givens<T> g1(x.x, x.y);
  g1.apply(x.x, x.y), g1.apply(y.x, y.y), g1.apply(z.x, z.y);
  const svd_detail::Givens<T> g2(x.x, x.z);
  g2.apply(x.x, x.z), g2.apply(y.x, y.z), g2.apply(z.x, z.z);
  const svd_detail::Givens<T> g3(y.y, y.z);
  g3.apply(y.y, y.z), g3.apply(z.y, z.z);
  QuatT<T> u = {T(0), T(0), g1.s, g1.c};
  u = turned<0>(turned<1>(u, g2.c, -g2.s), g3.c, g3.s);
  return {normalized(u), Vec3T<T>{x.x, y.y, z.z} * size, normalized(v)};
}

// The rotation of F from its decomposition. The start is kept where F is not finite, and else does
// not matter.
struct SvdRotation {
  template <class T>
  static QuatT<T> update(const Mat3T<T>& f, const QuatT<T>& start) {
    const QuatT<T> r = signed_svd(f).rotation();
    const auto sound = abs(r.x) + abs(r.y) + abs(r.z) + abs(r.w) > T(0);
    return {select(sound, r.x, start.x), select(sound, r.y, start.y), select(sound, r.z, start.z),
            select(sound, r.w, start.w)};
  }
};

}  // namespace sinew
