// Shoulder: the three rows of a ball joint, and two loose ones. With n_a and n_b the axis in a and
// b,
//
//   swing  C = φ = ∠(n_a, n_b) ≤ swing       J = n_b × n_a / |n_b × n_a| on ω_a, opposite on ω_b
//   twist  C = θ, the angle of the part of the turn about the axis (rows.h), in a range.
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
    QuatT<T> frame_a, frame_b;  // x is the axis
    T swing, lower, upper;
  };

  static Parameters<Real> parameters(const ConeJoint& joint, const BodyPose<Real>& a,
                                     const BodyPose<Real>& b) {
    const Range twist = joint.twist.value_or(Range{-kUnbounded, kUnbounded});
    const Quat frame = frame_along(joint.axis);
    return {local_point(a, joint.anchor),
            local_point(b, joint.anchor),
            local_frame(a, frame),
            local_frame(b, frame),
            joint.swing,
            twist.lower,
            twist.upper};
  }

  template <class T>
  static SINEW_INLINE void rows(Parameters<T>& p, const BodyPose<T>& a, const BodyPose<T>& b,
                                JointRows<T, kBlock, kLoose>& out) {
    const Points<T> points = points_of(a, p.arm_a, b, p.arm_b);
    point_rows(out.block.data(), points);
    const QuatT<T> frame_a = a.turn * p.frame_a;
    const RelativeTurn<T> turn(frame_a, b.turn * p.frame_b);
    const Vec3T<T> n_a = frame_a.matrix().c[0], &n_b = turn.axes.c[0];
    const Vec3T<T> across = cross(n_b, n_a);
    const T sine = length(across), tiny(Real(1e-6));
    // Along each other, they have no plane: any will do, far from the cone.
    const Vec3T<T> swing_axis =
        select(sine > tiny, across * (T(Real(1)) / max(sine, tiny)), turn.axes.c[1]);
    turn_row(out.loose[0], swing_axis, angle_of(sine, dot(n_a, n_b)));
    out.loose[0].upper = p.swing;
    const T angle = nearest_turn(turn.angle(0), T(Real(0)));
    turn.angle_row(out.loose[1], 0, angle);
    out.loose[1].lower = p.lower;
    out.loose[1].upper = p.upper;
    out.arm_b = points.arm_b;
    out.position = out.loose[0].value;
  }
};

}  // namespace sinew
