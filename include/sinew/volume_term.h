// How materials resist a change of volume: a function of J = det F with its derivatives.
#pragma once

#include <sinew/math.h>

namespace sinew {

template <class T>
struct VolumeTerm {
  T value, slope, curvature;  // by J
};

// k/2 (J − 1)². From |J − 1| = 1000 on it goes along its tangent: an element that is thrown a
// million times its size, J = 1e18, has a finite energy and a finite stress in float, too.
template <class T>
VolumeTerm<T> quadratic_volume_term(const T& k, const T& j) {
  constexpr Real kReach = 1000;
  const T d = j - T(1), near = max(min(d, T(kReach)), T(-kReach));
  return {k * near * (d - near * T(Real(0.5))), k * near,
          select(abs(d) < T(kReach), k, T(Real(0)))};
}

}  // namespace sinew
