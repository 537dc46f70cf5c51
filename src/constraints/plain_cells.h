// Volumes of single cells, for plain position-based dynamics (the fitting thesis §4.2), each times
// a factor that does not matter there:
//   tetrahedron  C = 6 (V − V₀)
//   hexahedron   C = Σ a × b · c − 6 V₀ over the triangles of its faces, all cut along one diagonal
//                such that opposite faces are cut alike; with the other diagonals it is another
//                constraint, and together they favour no corner
//   triangle     C = A − A₀, its area
#pragma once

#include "constraints/rest_value.h"

namespace sinew {

struct TetrahedronVolumeConstraint : RestValueConstraint<4> {
  static constexpr bool kPlainOnly = true;
  template <class T>
  SINEW_INLINE static T value(const Rest<T>& rest, const Vec3T<T> (&x)[4],
                              Vec3T<T> (&gradient)[4]) {
    const Vec3T<T> a = x[1] - x[0], b = x[2] - x[0], c = x[3] - x[0];
    gradient[1] = cross(b, c);
    gradient[2] = cross(c, a);
    gradient[3] = cross(a, b);
    gradient[0] = -(gradient[1] + gradient[2] + gradient[3]);
    return dot(a, gradient[1]) - rest.value;
  }
};

// kOther: with the other diagonals.
template <bool kOther>
struct HexahedronVolumeConstraint : RestValueConstraint<8> {
  static constexpr bool kPlainOnly = true;
  // Outward; corners in the order of mesh.h. Diagonals 13, 57, 14, 27, 16, 07; or 02, 46, 05, 36,
  // 25, 34.
  static constexpr int kTriangles[2][12][3] = {{{3, 2, 1},
                                                {3, 1, 0},
                                                {5, 6, 7},
                                                {5, 7, 4},
                                                {1, 5, 4},
                                                {1, 4, 0},
                                                {2, 3, 7},
                                                {2, 7, 6},
                                                {1, 2, 6},
                                                {1, 6, 5},
                                                {0, 4, 7},
                                                {0, 7, 3}},
                                               {{0, 3, 2},
                                                {0, 2, 1},
                                                {4, 5, 6},
                                                {4, 6, 7},
                                                {0, 1, 5},
                                                {0, 5, 4},
                                                {3, 7, 6},
                                                {3, 6, 2},
                                                {2, 6, 5},
                                                {2, 5, 1},
                                                {4, 7, 3},
                                                {4, 3, 0}}};

  template <class T>
  SINEW_INLINE static T value(const Rest<T>& rest, const Vec3T<T> (&x)[8],
                              Vec3T<T> (&gradient)[8]) {
    // Seen from a corner: the closed surface has the same volume, and digits are kept.
    Vec3T<T> r[8];
    for (int n = 0; n < 8; ++n) {
      r[n] = x[n] - x[0];
      gradient[n] = {T(0), T(0), T(0)};
    }
    for (const auto& [a, b, c] : kTriangles[kOther]) {
      gradient[a] += cross(r[b], r[c]);
      gradient[b] += cross(r[c], r[a]);
      gradient[c] += cross(r[a], r[b]);
    }
    T sum(0);  // of homogeneous degree 3: Σ r·∇C = 3C
    for (int n = 1; n < 8; ++n) sum = sum + dot(r[n], gradient[n]);
    return sum * T(NumberOf<T>(1.0 / 3)) - rest.value;
  }
};

struct TriangleAreaConstraint : RestValueConstraint<3> {
  static constexpr bool kPlainOnly = true;
  // Collapsed to a line, a triangle has no plane to grow in: the gradient is zero.
  template <class T>
  SINEW_INLINE static T value(const Rest<T>& rest, const Vec3T<T> (&x)[3],
                              Vec3T<T> (&gradient)[3]) {
    const Vec3T<T> u = x[1] - x[0], v = x[2] - x[0], n = cross(u, v);
    const T half(NumberOf<T>(0.5));
    const Vec3T<T> normal = normalized(n) * half;
    gradient[1] = cross(v, normal);
    gradient[2] = cross(normal, u);
    gradient[0] = -(gradient[1] + gradient[2]);
    return length(n) * half - rest.value;
  }
};

}  // namespace sinew
