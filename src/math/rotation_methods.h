// The methods that a body can choose from (sinew/rotation_method.h), as types with one interface:
//   template <class T> static QuatT<T> update(const Mat3T<T>& f, const QuatT<T>& start)
// with kCold for those that start from no rotation every time, and kMirrors for the one that gives
// −R, a reflection, where F is inverted. Those with kInertia have a second form for the moments of
// a group, which takes J₀⁻¹ (math/spin.h).
#pragma once

#include <sinew/rotation_method.h>

#include "math/polar_jacobi.h"
#include "math/rotation.h"
#include "math/signed_svd.h"
#include "math/spin.h"

namespace sinew {

struct TrackedRotation : RotationTracker {
  static constexpr bool kCold = false, kMirrors = false, kInertia = false;
};
struct SingularRotation : SvdRotation {
  static constexpr bool kCold = false, kMirrors = false, kInertia = false;
};
// Algorithm 1 with J₀, which climbs, where the exact J would run to saddles as well. What is
// stretched as a whole has its moment of inertia stretched along, or the turn would be
// overestimated.
struct SpinRotation {
  static constexpr bool kCold = false, kMirrors = false, kInertia = true;

  template <class T>
  SINEW_INLINE static QuatT<T> update(const Mat3T<T>& a, const Sym3T<T>& inverse_inertia,
                                      const QuatT<T>& start) {
    return SpinBest::update(a, inverse_inertia, start);
  }
  template <class T>
  SINEW_INLINE static QuatT<T> update(const Mat3T<T>& f, const QuatT<T>& start) {
    const T size = sqrt(contract(f, f) * T(NumberOf<T>(1.0 / 3)));
    return SpinRest::update(f * (T(1) / max(size, T(1))), start);
  }
};
// The same from the identity, in a few steps.
struct ColdSpinRotation {
  static constexpr bool kCold = true, kMirrors = false, kInertia = true;

  template <class T>
  SINEW_INLINE static QuatT<T> update(const Mat3T<T>& a, const Sym3T<T>& inverse_inertia,
                                      const QuatT<T>& start) {
    QuatT<T> q = start;
    for (int i = 0; i < 8; ++i) q = SpinBest::update(a, inverse_inertia, q);
    return q;
  }

  template <class T>
  SINEW_INLINE static QuatT<T> update(const Mat3T<T>& f, const QuatT<T>& start) {
    QuatT<T> q = start;
    for (int i = 0; i < 8; ++i) q = SpinRotation::update(f, q);
    return q;
  }
};

struct DiagonalisedRotation {
  static constexpr bool kCold = false, kMirrors = true, kInertia = false;

  template <class T>
  static QuatT<T> update(const Mat3T<T>& f, const QuatT<T>& start) {
    const Mat3T<T> u = polar_jacobi(f, QuatT<T>{}, kJacobiSweeps<T>).u;
    return RotationTracker::update(u * select(determinant(u) < T(0), T(-1), T(1)), start);
  }
};

// Calls f(method) with the type that belongs to a value.
template <class F>
auto with_rotation(RotationMethod method, F&& f) {
  switch (method) {
    case RotationMethod::kSvd:
      return f(SingularRotation{});
    case RotationMethod::kSpin:
      return f(SpinRotation{});
    case RotationMethod::kSpinCold:
      return f(ColdSpinRotation{});
    case RotationMethod::kDiagonalisation:
      return f(DiagonalisedRotation{});
    case RotationMethod::kDefault:
      break;
  }
  return f(TrackedRotation{});
}

}  // namespace sinew
