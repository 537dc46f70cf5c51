// What constraints have in common of which the rest is one number: a length, an angle, a volume.
#pragma once

#include "core/pack.h"

namespace sinew {

template <int N, bool kOneSided = false>
struct RestValueConstraint {
  static constexpr int kNodes = N;
  static constexpr bool kInequality = kOneSided;

  template <class T>
  struct Rest {
    T value;  // in SI units
  };
  template <class T>
  static void set_lane(Rest<T>& rest, int lane, const Rest<double>& from) {
    sinew::set_lane(rest.value, lane, NumberOf<T>(from.value));
  }
};

}  // namespace sinew
