// The distance of two particles: C = |x₁ − x₀| − L. The ends of a spring, a rod, a rope.
#pragma once

#include "constraints/rest_value.h"

namespace sinew {

// kPull: it resists being longer, but not being shorter, as a rope does (Müller and Chentanez
// 2010).
template <bool kPull>
struct DistanceConstraintT : RestValueConstraint<2, kPull> {
  static constexpr bool kUnitGradients = true;

  template <class T>
  using Rest = typename RestValueConstraint<2, kPull>::template Rest<T>;  // L [m]

  template <class T>
  SINEW_INLINE static T value(const Rest<T>& rest, const Vec3T<T> (&x)[2],
                              Vec3T<T> (&gradient)[2]) {
    const Vec3T<T> d = x[1] - x[0];
    // Two particles in one place: d = 0, no direction is better than another, nothing is moved.
    const T length = sqrt(max(dot(d, d), T(NumberOf<T>(1e-24))));
    const T inverse = T(1) / length;
    gradient[1] = d * inverse;
    gradient[0] = -gradient[1];
    return length - rest.value;
  }
};

using DistanceConstraint = DistanceConstraintT<false>;
using RopeConstraint = DistanceConstraintT<true>;

}  // namespace sinew
