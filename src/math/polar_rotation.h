// The rotation R of F = RS without a history and without singular values, from the invariants
//   a = ‖F‖² = Σσ²,   b = det F = σ₀σ₁σ₂,   λ = tr S = σ₀+σ₁+σ₂  (rotation.h: the largest root of a
//   quartic).
// R is the derivative of λ by F. Deriving the quartic, (λ² − a)² = 8bλ + 4‖cof F‖² + … , gives
//   R = ((λ² + a) F + 2λ cof F − 2 F FᵀF) / (λ³ − aλ − 2b),
// and the divisor is (σ₀+σ₁)(σ₁+σ₂)(σ₂+σ₀): zero only where R is not unique, collapsed to a line or
// turned inside out as far as it is stretched. There, one of the nearest is found by singular
// values: anything else would give energies that are too low just there, and trap what is a mirror
// image of itself.
#pragma once

#include "math/rotation.h"
#include "math/signed_svd.h"

namespace sinew {

template <class T>
struct PolarRotation {
  Mat3T<T> rotation;
  T trace;  // λ

  SINEW_INLINE static PolarRotation of(const Mat3T<T>& f_any) {
    using Number = NumberOf<T>;
    constexpr Number kTiny = std::numeric_limits<Number>::min() * 16;
    const T norm = sqrt(max(contract(f_any, f_any), T(kTiny)));
    const Mat3T<T> f = f_any * (T(1) / norm);  // a = 1

    // One step is enough for all but what is strongly deformed: δλ ≈ value/slope.
    const rotation_detail::LargestEigenvalue<T> eigenvalue(f);
    T x = eigenvalue.upper_bound(T(rotation_detail::LargestEigenvalue<T>::kLeast));
    for (int i = 0; i < kFirstSteps<Number>; ++i) x = eigenvalue.descend(x);
    constexpr Number kEnough = 4 * std::numeric_limits<Number>::epsilon();
    if (any(eigenvalue.value(x) > eigenvalue.slope(x) * T(kEnough)))
      for (int i = 0; i < kMoreSteps<Number>; ++i) x = eigenvalue.descend(x);
    const Mat3T<T> cof = cofactor(f);
    const T divisor = x * x * x - x - T(2) * dot(f.c[0], cof.c[0]);
    const T scale = T(1) / max(divisor, T(kUnique<Number>));
    const Mat3T<T> r = (f * (x * x + T(1)) + cof * (T(2) * x) - f * (gram(f) * T(2))) * scale;
    const auto vague = divisor < T(kUnique<Number>);
    if (any(vague)) return {by_singular_values(f, vague, r), x * norm};
    return {r, x * norm};
  }

 private:
  // Below this divisor, of ‖F‖ = 1, rounding would be seen. It is 1.5 at rest.
  template <class Number>
  static constexpr Number kUnique = sizeof(Number) == 4 ? Number(0.1) : Number(1e-3);

  template <class Mask>
  [[gnu::noinline]] static Mat3T<T> by_singular_values(const Mat3T<T>& f, const Mask& which,
                                                       const Mat3T<T>& others) {
    const Mat3T<T> r = signed_svd(f).rotation().matrix();
    return {{select(which, r.c[0], others.c[0]), select(which, r.c[1], others.c[1]),
             select(which, r.c[2], others.c[2])}};
  }

  template <class Number>
  static constexpr int kFirstSteps = sizeof(Number) == 4 ? 1 : 2;
  template <class Number>
  static constexpr int kMoreSteps = sizeof(Number) == 4 ? 2 : 3;
};

}  // namespace sinew
