// No elasticity: a body without forces of its own, which constraints alone hold together.
#pragma once

#include <sinew/math.h>
#include <sinew/principal.h>
#include <sinew/tangent_bound.h>

namespace sinew {

struct None {
  static constexpr const char* kName = "none";
  static constexpr const char* kDoc =
      "No elasticity of its own: constraints alone hold the body together.";
  static constexpr bool kElastic = false;
  static constexpr bool kRotationInvariant = true;
  static constexpr bool kNeedsRotation = false;

  template <class Visitor>
  void describe(Visitor&) {}

  template <class T>
  T energy(const Mat3T<T>&) const {
    return T(0);
  }
  template <class T>
  Mat3T<T> stress(const Mat3T<T>&) const {
    return Mat3T<T>::diagonal({T(0), T(0), T(0)});
  }
  template <class T>
  TangentBound<T> tangent_bound(const Mat3T<T>& f) const {
    return {stress(f), T(0), T(0), Mat3T<T>::identity()};
  }

  template <class T>
  PrincipalDerivatives<T> principal(const Vec3T<T>&) const {
    const Vec3T<T> zero{T(0), T(0), T(0)};
    return {zero, zero, zero};
  }

  Real lame_mu() const { return 0; }
  Real lame_lambda() const { return 0; }
};

}  // namespace sinew
