// Materials asked at a deformation gradient F, whatever it is that they need to know about it: F
// alone, its rotation R as well, or its principal stretches. What is not used costs nothing.
#pragma once

#include <sinew/principal.h>
#include <sinew/tangent_bound.h>

#include "math/polar_rotation.h"
#include "math/signed_svd.h"

namespace sinew {

// Those that know nothing but principal stretches: Ψ(σ).
template <class M>
concept GivenByStretches = requires(const M& m, const Vec3T<Real>& s) {
  m.energy(s);
};

// The form of a material that kernels ask; most are it themselves.
template <class M>
auto prepared(const M& material) {
  if constexpr (requires { material.prepared(); })
    return material.prepared();
  else
    return material;
}

// F = U diag(σ) Vᵀ.
template <class T>
struct StretchFrame {
  Mat3T<T> u;
  Vec3T<T> sigma;
  Mat3T<T> v;

  SINEW_INLINE static StretchFrame of(const Mat3T<T>& f) {
    const SignedSvd<T> svd = signed_svd(f);
    return {svd.u.matrix(), svd.sigma, svd.v.matrix()};
  }
};

// What the material needs beside F, found from scratch: to be passed to energy_at and stress_at.
template <class M, class T>
SINEW_INLINE auto frame_for(const Mat3T<T>& f) {
  if constexpr (GivenByStretches<M>)
    return StretchFrame<T>::of(f);
  else if constexpr (M::kNeedsRotation)
    return PolarRotation<T>::of(f).rotation;
  else
    return Mat3T<T>{};
}

template <class M, class T>
SINEW_INLINE T energy_at(const M& material, const Mat3T<T>&, const StretchFrame<T>& frame) {
  return material.energy(frame.sigma);
}

// P = U diag(∂Ψ/∂σ) Vᵀ
template <class M, class T>
SINEW_INLINE Mat3T<T> stress_at(const M& material, const Mat3T<T>&, const StretchFrame<T>& frame) {
  const Vec3T<T> g = material.principal(frame.sigma).gradient;
  return Mat3T<T>{{frame.u.c[0] * g.x, frame.u.c[1] * g.y, frame.u.c[2] * g.z}} *
         transpose(frame.v);
}

// With the rotation at hand, which those that need it are given.
template <class M, class T>
inline T energy_at(const M& material, const Mat3T<T>& f, [[maybe_unused]] const Mat3T<T>& r) {
  if constexpr (GivenByStretches<M>)
    return energy_at(material, f, StretchFrame<T>::of(f));
  else if constexpr (M::kNeedsRotation)
    return material.energy(f, r);
  else
    return material.energy(f);
}

template <class M, class T>
inline Mat3T<T> stress_at(const M& material, const Mat3T<T>& f,
                          [[maybe_unused]] const Mat3T<T>& r) {
  if constexpr (GivenByStretches<M>)
    return stress_at(material, f, StretchFrame<T>::of(f));
  else if constexpr (M::kNeedsRotation)
    return material.stress(f, r);
  else
    return material.stress(f);
}

template <HasTangentBound M, class T>
inline TangentBound<T> tangent_bound_at(const M& material, const Mat3T<T>& f,
                                        [[maybe_unused]] const Mat3T<T>& r) {
  if constexpr (M::kNeedsRotation)
    return material.tangent_bound(f, r);
  else
    return material.tangent_bound(f);
}

}  // namespace sinew
