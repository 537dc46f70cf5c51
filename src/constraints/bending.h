// The angle across an inner edge of a sheet: C = θ − θ₀. With the edge e = x₁ − x₀ and the corners
// x₂ and x₃ on either side, n = e × (x₂ − x₀) and m = (x₃ − x₀) × e point to the same side, and θ
// is the angle from n to m about e, 0 when flat. Its gradients are (Bridson, Marino and Fedkiw,
// "Simulation of clothing with folds and wrinkles", 2003; Grinspun et al., "Discrete shells", 2003)
//   ∇₂θ = −|e| n/|n|²,   ∇₃θ = −|e| m/|m|²,   ∇₁θ = −a ∇₂θ − b ∇₃θ,   ∇₀θ = −(1−a) ∇₂θ − (1−b) ∇₃θ
// where x₂ and x₃ stand over the fractions a and b of the edge. Where a sheet bends freely down to
// a radius of curvature (Lewin §1.2.1), C is the excess of |θ − θ₀| over the angle of that radius.
#pragma once

#include "core/pack.h"
#include "math/angle.h"

namespace sinew {

struct DihedralConstraint {
  static constexpr int kNodes = 4;
  static constexpr bool kInequality = false;

  template <class T>
  struct Rest {
    T value;   // θ₀ [rad]
    T height;  // of the lower of the two triangles over the edge [m]
    T free;    // how far θ may be from θ₀ without resistance [rad]
  };
  template <class T>
  static void set_lane(Rest<T>& rest, int lane, const Rest<double>& from) {
    sinew::set_lane(rest.value, lane, NumberOf<T>(from.value));
    sinew::set_lane(rest.free, lane, NumberOf<T>(from.free));
    sinew::set_lane(rest.height, lane, NumberOf<T>(from.height));
  }

  // Corners move along straight lines, not round the edge, and the edge of a fold moves within the
  // planes of its triangles: they are stretched. As much as that is of their size at rest, however
  // large they are by then, elements can undo.
  template <class T>
  static T largest_move(const Rest<T>& rest) {
    return rest.height * T(NumberOf<T>(0.05));
  }

  template <class T>
  SINEW_INLINE static T value(const Rest<T>& rest, const Vec3T<T> (&x)[4],
                              Vec3T<T> (&gradient)[4]) {
    using Number = NumberOf<T>;
    const Vec3T<T> e = x[1] - x[0], u = x[2] - x[0], v = x[3] - x[0];
    const Vec3T<T> n = cross(e, u), m = cross(v, e);
    const T ee = dot(e, e), nn = dot(n, n), mm = dot(m, m);
    // Where a triangle has collapsed to a line there is no angle, and nothing happens.
    const T flat(Number(1e-8));
    const auto clear = (nn > flat * ee * (ee + dot(u, u))) & (mm > flat * ee * (ee + dot(v, v)));
    const T edge = sqrt(ee), inverse_ee = T(1) / select(clear, ee, T(1));
    const T inverse_n = T(1) / sqrt(select(clear, nn, T(1)));
    const T inverse_m = T(1) / sqrt(select(clear, mm, T(1)));
    const Vec3T<T> normal = n * inverse_n, other = m * inverse_m;
    const T sine = dot(cross(normal, other), e) * edge * inverse_ee;
    const T angle = angle_of(sine, dot(normal, other));

    const T acts = select(clear, T(1), T(0));
    const T a = dot(u, e) * inverse_ee, b = dot(v, e) * inverse_ee;
    gradient[2] = normal * (-edge * inverse_n * acts);
    gradient[3] = other * (-edge * inverse_m * acts);
    gradient[1] = -(gradient[2] * a + gradient[3] * b);
    gradient[0] = -(gradient[1] + gradient[2] + gradient[3]);
    // Past a half turn the shorter way is round the other side.
    constexpr Number kPi = Number(3.14159265358979324);
    T change = angle - rest.value;
    change = change - select(change > T(kPi), T(2 * kPi), T(0));
    change = change + select(change < T(-kPi), T(2 * kPi), T(0));
    return (change - max(min(change, rest.free), -rest.free)) * acts;
  }
};

}  // namespace sinew
