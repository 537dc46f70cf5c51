// Shoulder: the three rows of a ball joint, and two loose ones. With n_a and n_b the axis in a and
// b, φ = ∠(n_a, n_b) the swing and ψ its direction, seen along n_b and counted from `across`,
//
//   swing  C = φ g(ψ) ≤ swing,  g² = 1 + (r² − 1) cos²ψ,  r = swing / swing_across
//   twist  C = θ, the angle of the part of the turn about the axis (rows.h), in a range.
//
// With the parts φ cos ψ and φ sin ψ of the swing, the first says
// (φ cos ψ / swing_across)² + (φ sin ψ / swing)² ≤ 1, an ellipse; r = 1 is a circle, g = 1. Its row
// on ω_a, and the opposite on ω_b, is
//
//   J = g e_φ + φ g'(ψ) n_a×t / sin φ,  e_φ = n_b×n_a / sin φ,  g' = −(r² − 1) cos ψ sin ψ / g
//
// with t the direction across n_b in which ψ grows.
#pragma once

#include <sinew/joints/cone_joint.h>

#include "rigid/rows.h"

namespace sinew {

struct ConeRows {
  static constexpr int kBlock = 3, kLoose = 2;
  static constexpr bool kOpposite = true;
  static constexpr unsigned kLengths = 0b111;

  template <class T>
  struct Parameters {
    Vec3T<T> arm_a, arm_b;
    QuatT<T> frame_a, frame_b;  // x is the axis, y is `across`
    T flatness;                 // r² − 1
    Limit<T> swing, twist;
  };

  static Parameters<Real> parameters(const ConeJoint& joint, const BodyPose<Real>& a,
                                     const BodyPose<Real>& b) {
    const bool round = joint.is_round();
    const Quat frame = round ? frame_along(joint.axis) : frame_along(joint.axis, joint.across);
    const Real ratio = round ? Real(1) : joint.swing / joint.swing_across;
    return {local_point(a, joint.anchor),
            local_point(b, joint.anchor),
            local_frame(a, frame),
            local_frame(b, frame),
            ratio * ratio - 1,
            limit_of(Range{-kUnbounded, joint.swing}, joint.spring),
            limit_of(joint.twist, joint.spring)};
  }

  template <class T>
  static SINEW_INLINE void rows(Parameters<T>& p, const BodyPose<T>& a, const BodyPose<T>& b,
                                JointRows<T, kBlock, kLoose>& out) {
    const Points<T> points = points_of(a, p.arm_a, b, p.arm_b);
    point_rows(out.block.data(), points);
    const QuatT<T> frame_a = a.turn * p.frame_a;
    const RelativeTurn<T> turn(frame_a, b.turn * p.frame_b);
    const Vec3T<T> n_a = frame_a.matrix().c[0];
    out.position = swing_row(out.loose[0], n_a, turn.axes, p.flatness);
    limit_row(out.loose[0], p.swing);
    turn.angle_row(out.loose[1], 0, nearest_turn(turn.angle(0), T(Real(0))));
    limit_row(out.loose[1], p.twist);
    out.arm_b = points.arm_b;
  }

 private:
  // Returns φ.
  template <class T>
  static SINEW_INLINE T swing_row(JointRow<T>& row, const Vec3T<T>& n_a, const Mat3T<T>& axes,
                                  const T& flatness) {
    const Vec3T<T>&n_b = axes.c[0], &y = axes.c[1], &z = axes.c[2];
    const Vec3T<T> over = cross(n_b, n_a);
    const T sine = length(over), zero(Real(0)), one(Real(1)), tiny(Real(1e-6));
    // Along each other, they have no plane: any will do, far from the cone.
    const auto apart = sine > tiny;
    const T inverse = one / max(sine, tiny);
    const Vec3T<T> e = select(apart, over * inverse, y);
    const T cosine = select(apart, dot(n_a, y) * inverse, zero);
    const T sideways = select(apart, dot(n_a, z) * inverse, one);
    const T angle = angle_of(sine, dot(n_a, n_b));
    const T g = sqrt(max(one + flatness * cosine * cosine, tiny));
    const T slope = -flatness * cosine * sideways / g;
    const T stretch = select(apart, angle * inverse, one);
    turn_row(row, e * g + cross(n_a, z * cosine - y * sideways) * (slope * stretch), angle * g);
    return angle;
  }
};

}  // namespace sinew
