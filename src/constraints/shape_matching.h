// Shape matching (Müller et al., "Meshless deformations based on shape matching", 2005): the rest
// shape, moved and turned to fit a cluster of particles best, says where each of them should be,
//   gᵢ = R rᵢ + c,   c = Σ mᵢ xᵢ/M,   R: the rotation of A = Σ mᵢ xᵢ rᵢᵀ, so that tr(RᵀA) is
//   largest,
// with rᵢ the rest positions about their own centre of mass. As Σ mᵢ(xᵢ − gᵢ) and its torque
// vanish, momentum is kept. Plainly, xᵢ ← xᵢ + k'(gᵢ − xᵢ). Physically the energy is ½ s Σ
// (mᵢ/M)|xᵢ − gᵢ|², and with the multipliers λᵢ [m] of the substep and α = M/(h²s)
//   Δλᵢ = −(xᵢ − gᵢ + α λᵢ)/(1 + α),      xᵢ ← xᵢ + Δλᵢ.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/pack.h"
#include "math/sym3.h"
#include "solvers/stress_multiplier.h"

namespace sinew {

// How a cluster answers to being out of shape; T is a plain number or a pack.
template <class T>
struct MatchingResponse {
  T plain;  // k' in (0, 1]; 0: physical
  T alpha;  // of the physical one; 0: rigid
  T limit;  // of 1/α in predictions (stress_multiplier.h)

  // The move of a particle, which also goes into λ.
  SINEW_INLINE Vec3T<T> step(const Vec3T<T>& error, const T& relaxation, Vec3T<T>& lambda) const {
    const T physical = T(1) / (T(1) + alpha);
    const auto plainly = plain > T(0);
    const Vec3T<T> move =
        select(plainly, error * -plain, (error + lambda * alpha) * -physical) * relaxation;
    lambda = select(plainly, lambda, lambda + move);
    return move;
  }
  // λ at the start of a substep, from the error there.
  SINEW_INLINE Vec3T<T> predicted(const Vec3T<T>& error) const {
    const T soft = select(alpha > T(0), T(1), T(0));
    const T divisor = max(alpha, T(1) / limit);
    return error * (-soft / divisor);
  }
};

// A flat cluster's normal, as it is filled into A: n nᵀ times this.
inline constexpr double kFilledNormal = 0.5;

// A cluster at rest, in double.
struct RestCluster {
  std::vector<Vec3T<double>> place;   // r, about the centre of mass [m]
  std::vector<Vec3T<double>> moment;  // m r, scaled such that A is about 1 in size
  std::vector<double> share;          // m/M
  double mass = 0;                    // [kg]
  Vec3T<double> normal{};             // of a flat cluster, unit; zero for others
  Sym3T<double> inverse_inertia{};    // J₀⁻¹ of A at rest, with the normal filled in

  RestCluster(std::span<const Vec3T<double>> x, std::span<const double> m) {
    Vec3T<double> center{};
    for (std::size_t i = 0; i < x.size(); ++i) {
      mass += m[i];
      center += x[i] * m[i];
    }
    center *= 1 / std::max(mass, 1e-300);
    double size2 = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      place.push_back(x[i] - center);
      share.push_back(m[i] / std::max(mass, 1e-300));
      size2 += share[i] * dot(place[i], place[i]);
    }
    Sym3T<double> at_rest{};  // A
    for (std::size_t i = 0; i < x.size(); ++i) {
      moment.push_back(place[i] * (share[i] / std::max(size2, 1e-300)));
      at_rest = at_rest + outer(place[i], share[i] / std::max(size2, 1e-300));
    }
    normal = flat_normal();
    at_rest = at_rest + outer(normal, kFilledNormal);
    // About a line on which all vertices lie there is no inertia, and nothing to turn.
    inverse_inertia = inverse(Sym3T<double>::identity() * (trace(at_rest) + 1e-5) - at_rest);
  }

 private:
  // The cofactors of a symmetric matrix of rank two are n nᵀ times a number.
  Vec3T<double> flat_normal() const {
    Sym3T<double> sum{};
    for (std::size_t i = 0; i < place.size(); ++i)
      if (share[i] > 0) sum = sum + outer(moment[i], 1 / share[i]);
    const double size = trace(sum);
    if (!(size > 0)) return {};
    const Mat3T<double> a = Mat3T<double>::identity() * (sum * (1 / size));
    if (determinant(a) > 1e-6) return {};
    const Mat3T<double> cof = cofactor(a);
    int longest = 0;
    for (int k = 1; k < 3; ++k)
      if (dot(cof.c[k], cof.c[k]) > dot(cof.c[longest], cof.c[longest])) longest = k;
    return normalized(cof.c[longest]);
  }
};

// J₀⁻¹ of a cluster, for the rotations that ask for it.
template <class Rotation, class T>
using ClusterInertia = std::conditional_t<Rotation::kInertia, Sym3T<T>, std::monostate>;

template <class Rotation, class T>
void set_inertia([[maybe_unused]] ClusterInertia<Rotation, T>& inertia, [[maybe_unused]] int lane,
                 [[maybe_unused]] const Sym3T<double>& from) {
  using S = Sym3T<T>;
  using D = Sym3T<double>;
  if constexpr (Rotation::kInertia)
    for (const auto& [to, of] :
         {std::pair(&S::xx, &D::xx), std::pair(&S::xy, &D::xy), std::pair(&S::xz, &D::xz),
          std::pair(&S::yy, &D::yy), std::pair(&S::yz, &D::yz), std::pair(&S::zz, &D::zz)})
      set_lane(inertia.*to, lane, NumberOf<T>(from.*of));
}

// R from A. A flat cluster says nothing about its normal direction, and rounding would decide
// whether it is mirrored: its own normal, cof(A) n, is filled in.
template <class Rotation, class T>
SINEW_INLINE Mat3T<T> matched_rotation(const Rotation& rotation, const Mat3T<T>& moments,
                                       const Vec3T<T>& normal,
                                       [[maybe_unused]] const ClusterInertia<Rotation, T>& inertia,
                                       QuatT<T>& tracked) {
  Mat3T<T> a = moments;
  const Vec3T<T> now = normalized(cofactor(a) * normal);
  for (int k = 0; k < 3; ++k) a.c[k] += now * (normal[k] * T(NumberOf<T>(kFilledNormal)));
  if (rotation.cold()) tracked = {T(0), T(0), T(0), T(1)};
  if constexpr (Rotation::kInertia)
    tracked = rotation.update(a, inertia, tracked);
  else
    tracked = rotation.update(a, tracked);
  Mat3T<T> r = tracked.matrix();
  if (rotation.mirrors()) r = r * select(determinant(a) < T(0), T(-1), T(1));
  return r;
}

}  // namespace sinew
