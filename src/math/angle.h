// The angle of a point in the plane, for packs and plain numbers alike: atan2(y, x). Within the
// first octant the tangent t = min/max is halved twice, tan(φ/2) = t/(1 + √(1 + t²)), which leaves
// t < 0.2 for the odd series of the arc tangent.
#pragma once

#include <limits>

#include "core/pack.h"

namespace sinew {

// In (−π, π]; 0 for the origin.
template <class T>
SINEW_INLINE T angle_of(const T& y, const T& x) {
  using Number = NumberOf<T>;
  constexpr Number kPi = Number(3.14159265358979324);
  constexpr Number kTiny = std::numeric_limits<Number>::min();
  constexpr int kLast = sizeof(Number) == 4 ? 11 : 23;  // highest power that matters
  const T high = max(abs(x), abs(y)), low = min(abs(x), abs(y));
  T t = low / max(high, T(kTiny));
  for (int i = 0; i < 2; ++i) t = t / (T(1) + sqrt(T(1) + t * t));
  const T t2 = t * t;
  T series(Number(0));
  for (int k = kLast; k >= 1; k -= 2)
    series = T(Number(k % 4 == 1 ? 1 : -1) / Number(k)) + t2 * series;
  T angle = T(Number(4)) * t * series;
  angle = select(abs(y) > abs(x), T(kPi / 2) - angle, angle);
  angle = select(x < T(0), T(kPi) - angle, angle);
  return select(y < T(0), -angle, angle);
}

}  // namespace sinew
