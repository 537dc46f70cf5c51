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

  // Where no stretch is much smaller than another, the eigenvectors of FᵀF are accurate, and the
  // columns of FV are orthogonal but for rounding. Else, and where squares of FᵀF would not be
  // numbers, the whole pack takes the long way.
  SINEW_INLINE static StretchFrame of(const Mat3T<T>& f) {
    using Limits = std::numeric_limits<NumberOf<T>>;
    constexpr NumberOf<T> kLeastRatio = NumberOf<T>(0.01);  // of squared stretches
    constexpr NumberOf<T> kLeast = NumberOf<T>(sizeof(NumberOf<T>) == 4 ? 1e-12 : 1e-138);
    constexpr NumberOf<T> kMost = NumberOf<T>(sizeof(NumberOf<T>) == 4 ? 1e18 : 1e153);
    static_assert(kLeast * kLeast * Limits::epsilon() * Limits::epsilon() > 0 &&
                  16 * kMost * kMost < Limits::max());
    Sym3T<T> c = gram(f);
    const Mat3T<T> v = diagonalise_quickly(c).matrix(), columns = f * v;
    const auto& [x, y, z] = columns.c;
    const T xx = dot(x, x), yy = dot(y, y), zz = dot(z, z);
    const T least = min(xx, min(yy, zz)), most = max(xx, max(yy, zz));
    const auto sound = (least > max(most * T(kLeastRatio), T(kLeast))) & (most < T(kMost)) &
                       (dot(cross(x, y), z) > T(0));
    if (!all(sound)) return decomposed(f);
    const Vec3T<T> sigma{sqrt(xx), sqrt(yy), sqrt(zz)};
    return {{{x * (T(1) / sigma.x), y * (T(1) / sigma.y), z * (T(1) / sigma.z)}}, sigma, v};
  }

 private:
  [[gnu::noinline]] static StretchFrame decomposed(const Mat3T<T>& f) {
    const SignedSvd<T> svd = signed_svd(f);
    return {svd.u.matrix(), svd.sigma, svd.v.matrix()};
  }
};

// Energy density [J/m³] and first Piola–Kirchhoff stress [Pa].
template <class T>
struct Response {
  T density;
  Mat3T<T> stress;
};

// What a material answers to F, of which nothing else is known.
template <class M, class T>
SINEW_INLINE Response<T> response_at(const M& material, const Mat3T<T>& f) {
  if constexpr (requires { material.prepared(); }) {
    return response_at(material.prepared(), f);
  } else if constexpr (GivenByStretches<M>) {  // P = U diag(∂Ψ/∂σ) Vᵀ
    const StretchFrame<T> frame = StretchFrame<T>::of(f);
    const auto at = material.at(frame.sigma);
    const Vec3T<T>& g = at.principal.gradient;
    return {at.energy, Mat3T<T>{{frame.u.c[0] * g.x, frame.u.c[1] * g.y, frame.u.c[2] * g.z}} *
                           transpose(frame.v)};
  } else if constexpr (M::kNeedsRotation) {
    const Mat3T<T> r = PolarRotation<T>::of(f).rotation;
    return {material.energy(f, r), material.stress(f, r)};
  } else {
    return {material.energy(f), material.stress(f)};
  }
}

// With the rotation at hand, which those that need it are given.
template <class M, class T>
inline T energy_at(const M& material, const Mat3T<T>& f, [[maybe_unused]] const Mat3T<T>& r) {
  if constexpr (GivenByStretches<M>)
    return response_at(material, f).density;
  else if constexpr (M::kNeedsRotation)
    return material.energy(f, r);
  else
    return material.energy(f);
}

// The same of packs, lane by lane in double: energies are small differences of large numbers. Sum
// over the first `count` lanes, each times its volume.
template <class M, class W>
[[gnu::noinline]] double exact_energy(const M& material, const Mat3T<W>& f, const Mat3T<W>& r,
                                      const W& volume, int count) {
  double total = 0;
  for (int i = 0; i < count; ++i) {
    Mat3T<double> fi, ri;
    for (int k = 0; k < 3; ++k) {
      fi.c[k] = {double(lane(f.c[k].x, i)), double(lane(f.c[k].y, i)), double(lane(f.c[k].z, i))};
      ri.c[k] = {double(lane(r.c[k].x, i)), double(lane(r.c[k].y, i)), double(lane(r.c[k].z, i))};
    }
    total += energy_at(material, fi, ri) * double(lane(volume, i));
  }
  return total;
}

template <class M, class T>
inline Mat3T<T> stress_at(const M& material, const Mat3T<T>& f,
                          [[maybe_unused]] const Mat3T<T>& r) {
  if constexpr (GivenByStretches<M>)
    return response_at(material, f).stress;
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
