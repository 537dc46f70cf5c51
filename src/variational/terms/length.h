// Springs, ropes and hinges: the length of a weighted sum of positions,
//   E = k/2 (|c| − l)²,   c = Σ Kᵢ xᵢ,   Σ Kᵢ = 0,
// a squared distance to the sphere of radius l, with p = l c/|c| (Liu, eq. 5.1). A spring has
// K = (−1, 1) and its length at rest as l. A hinge has the cotangents of constraints/bending.cpp:
// |c| = 2|e| sin θ/2 where triangles keep their shape. A rope (kPull) is a distance to the ball: it
// resists only being longer. Exactly,
//   ∂²E/∂xᵢ∂xⱼ = k Kᵢ Kⱼ (d dᵀ + (1 − l/|c|)(I − d dᵀ)),   d = c/|c|,
// of which the second part is negative where |c| < l.
#pragma once

#include "variational/local_energy.h"

namespace sinew {

template <int N, bool kPull = false>
struct LengthKernel {
  static constexpr int kNodes = N;

  template <class T>
  struct Rest {
    T weight[N];         // K
    T stiffness;         // k
    T length;            // l, in units of c
    Vec3T<T> direction;  // d where c has none: every direction is as near, this one is taken
  };
  template <class T>
  static void set_lane(Rest<T>& rest, int lane, const Rest<double>& from) {
    using Number = NumberOf<T>;
    for (int n = 0; n < N; ++n) sinew::set_lane(rest.weight[n], lane, Number(from.weight[n]));
    sinew::set_lane(rest.stiffness, lane, Number(from.stiffness));
    sinew::set_lane(rest.length, lane, Number(from.length));
    sinew::set_lane(rest.direction, lane, from.direction);
  }

  template <class T>
  SINEW_INLINE static T evaluate(const Rest<T>& rest, const Vec3T<T> (&x)[N],
                                 Vec3T<T> (&gradient)[N]) {
    const Polar<T> c = polar(rest, x);
    const T excess = c.excess(rest);
    const Vec3T<T> force = c.direction * (rest.stiffness * excess);
    for (int n = 0; n < N; ++n) gradient[n] = force * rest.weight[n];
    return T(NumberOf<T>(0.5)) * rest.stiffness * excess * excess;
  }

  template <class T>
  static void hessian(const Rest<T>& rest, const Vec3T<T> (&x)[N], bool projected,
                      Mat3T<T> (&block)[N][N]) {
    using Number = NumberOf<T>;
    const Polar<T> c = polar(rest, x);
    // Very near to nothing the curvature across is as good as infinite.
    const T least = rest.length * T(Number(1e-6)) + T(Number(1e-30));
    T across = T(1) - rest.length / max(c.length, least), along(1);
    if (projected) across = max(across, T(0));
    if (kPull) {
      const auto taut = c.length > rest.length;
      along = select(taut, along, T(0));
      across = select(taut, across, T(0));
    }
    const Mat3T<T> one =
        outer_product(c.direction, c.direction, rest.stiffness * (along - across)) +
        Mat3T<T>::identity() * (rest.stiffness * across);
    for (int i = 0; i < N; ++i)
      for (int j = 0; j <= i; ++j) block[i][j] = one * (rest.weight[i] * rest.weight[j]);
  }

  template <class T>
  static void metric(const Rest<T>& rest, T (&weight)[N][N]) {
    for (int i = 0; i < N; ++i)
      for (int j = 0; j <= i; ++j) weight[i][j] = rest.stiffness * rest.weight[i] * rest.weight[j];
  }

 private:
  template <class T>
  struct Polar {  // c
    T length;
    Vec3T<T> direction;

    SINEW_INLINE T excess(const Rest<T>& rest) const {
      return kPull ? max(length - rest.length, T(0)) : length - rest.length;
    }
  };
  template <class T>
  SINEW_INLINE static Polar<T> polar(const Rest<T>& rest, const Vec3T<T> (&x)[N]) {
    // The weights add up to zero: seen from one of the particles, the sum keeps its digits.
    Vec3T<T> c = (x[1] - x[0]) * rest.weight[1];
    for (int n = 2; n < N; ++n) c += (x[n] - x[0]) * rest.weight[n];
    const T size2 = dot(c, c), tiny(NumberOf<T>(1e-30));
    const auto none = size2 <= tiny;  // false of what is not a number, which thus comes out as such
    const T length = sqrt(size2);
    return {select(none, T(0), length),
            select(none, rest.direction, c * (T(1) / select(none, T(1), length)))};
  }
};

}  // namespace sinew
