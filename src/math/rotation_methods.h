// The methods that a body can choose from (sinew/rotation_method.h), as types with one interface:
//   template <class T> QuatT<T> update(const Mat3T<T>& f, const QuatT<T>& start)
// with cold() for those that start from no rotation every time, and mirrors() for the one that
// gives −R, a reflection, where F is inverted. Those with kInertia have a second form for the
// moments of a group, which takes J₀⁻¹ (math/spin.h). Kernels are compiled for the default, inline,
// and for ChosenRotation, which is all others: one call a pack.
#pragma once

#include <sinew/rotation_method.h>

#include <type_traits>

#include "math/polar_jacobi.h"
#include "math/rotation.h"
#include "math/signed_svd.h"
#include "math/spin.h"

namespace sinew {

struct TrackedRotation : RotationTracker {
  static constexpr bool kInertia = false;
  static constexpr bool cold() { return false; }
  static constexpr bool mirrors() { return false; }
};
struct SingularRotation : SvdRotation {
  static constexpr bool kInertia = false;
  static constexpr bool cold() { return false; }
  static constexpr bool mirrors() { return false; }
};
// Takes steps until one turns by little: one, but for bodies that were turned before their first,
// or while nobody followed.
template <class T, class Step>
SINEW_INLINE QuatT<T> catch_up(QuatT<T> q, Step&& step) {
  constexpr int kMost = 8;
  constexpr double kLittle = 0.98;  // squared cosine of half the angle: 16°
  for (int i = 0; i < kMost; ++i) {
    const QuatT<T> before = q;
    q = step(before);
    const T same = q.x * before.x + q.y * before.y + q.z * before.z + q.w * before.w;
    const auto turned = same * same < T(NumberOf<T>(kLittle));
    if constexpr (std::is_same_v<decltype(turned), const bool>) {
      if (!turned) break;
    } else {
      if (!any(turned)) break;
    }
  }
  return q;
}

// Algorithm 1 with J₀, which climbs, where the exact J would run to saddles as well. What is
// stretched as a whole has its moment of inertia stretched along, or the turn would be
// overestimated.
struct SpinRotation {
  static constexpr bool kInertia = true;
  static constexpr bool cold() { return false; }
  static constexpr bool mirrors() { return false; }

  template <class T>
  SINEW_INLINE static QuatT<T> update(const Mat3T<T>& a, const Sym3T<T>& inverse_inertia,
                                      const QuatT<T>& start) {
    return catch_up(start,
                    [&](const QuatT<T>& q) { return SpinBest::update(a, inverse_inertia, q); });
  }
  template <class T>
  SINEW_INLINE static QuatT<T> update(const Mat3T<T>& f, const QuatT<T>& start) {
    return catch_up(start, [&](const QuatT<T>& q) { return step(f, q); });
  }
  template <class T>
  SINEW_INLINE static QuatT<T> step(const Mat3T<T>& f, const QuatT<T>& start) {
    const T size = sqrt(contract(f, f) * T(NumberOf<T>(1.0 / 3)));
    return SpinRest::update(f * (T(1) / max(size, T(1))), start);
  }
};
// The same from the identity, in a few steps.
struct ColdSpinRotation {
  static constexpr bool kInertia = true;
  static constexpr bool cold() { return true; }
  static constexpr bool mirrors() { return false; }

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
    for (int i = 0; i < 8; ++i) q = SpinRotation::step(f, q);
    return q;
  }
};

struct DiagonalisedRotation {
  static constexpr bool kInertia = false;
  static constexpr bool cold() { return false; }
  static constexpr bool mirrors() { return true; }

  template <class T>
  static QuatT<T> update(const Mat3T<T>& f, const QuatT<T>& start) {
    const Mat3T<T> u = polar_jacobi(f, QuatT<T>{}, kJacobiSweeps<T>).u;
    return RotationTracker::update(u * select(determinant(u) < T(0), T(-1), T(1)), start);
  }
};

// Any of them.
struct ChosenRotation {
  static constexpr bool kInertia = true;
  RotationMethod method{};
  bool cold() const { return method == RotationMethod::kSpinCold; }
  bool mirrors() const { return method == RotationMethod::kDiagonalisation; }

  template <class T>
  [[gnu::noinline]] QuatT<T> update(const Mat3T<T>& f, const QuatT<T>& start) const {
    switch (method) {
      case RotationMethod::kSvd:
        return SingularRotation::update(f, start);
      case RotationMethod::kSpin:
        return SpinRotation::update(f, start);
      case RotationMethod::kSpinCold:
        return ColdSpinRotation::update(f, start);
      case RotationMethod::kDiagonalisation:
        return DiagonalisedRotation::update(f, start);
      case RotationMethod::kDefault:
        break;
    }
    return TrackedRotation::update(f, start);
  }
  template <class T>
  [[gnu::noinline]] QuatT<T> update(const Mat3T<T>& a, const Sym3T<T>& inverse_inertia,
                                    const QuatT<T>& start) const {
    if (method == RotationMethod::kSpin) return SpinRotation::update(a, inverse_inertia, start);
    if (method == RotationMethod::kSpinCold)
      return ColdSpinRotation::update(a, inverse_inertia, start);
    return update(a, start);
  }
};

// Calls f(method) with what belongs to a value.
template <class F>
auto with_rotation(RotationMethod method, F&& f) {
  return method == RotationMethod::kDefault ? f(TrackedRotation{}) : f(ChosenRotation{method});
}

}  // namespace sinew
