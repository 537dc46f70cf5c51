// Universal (cardan) joint: the three rows of a ball joint, and one that keeps an axis n fixed in a
// across an axis m fixed in b:
//
//   C = n·m                    J = n × m on ω_a, and the opposite on ω_b.
//
// Between them is a cross that turns about m against b, by β, and a about n against it, by α. With
// x, y, z the joint's frame, x = n in a, z = m in b, and all of it one when added,
//
//   α = atan2(m·y_a, m·z_a)    J = (m·z_a y_a − m·y_a z_a) × m / ((m·y_a)² + (m·z_a)²)
//   β = atan2(n·y_b, n·x_b)    J = n × (n·x_b y_b − n·y_b x_b) / ((n·x_b)² + (n·y_b)²)
//
// on ω_a, and the opposite on ω_b; where the joint holds, these are n and m. They are followed over
// any number of turns. Ranges of them and motors are loose rows.
#pragma once

#include <sinew/joints/universal_joint.h>

#include "rigid/rows.h"

namespace sinew {

template <bool kDriven>
struct UniversalRows {
  static constexpr int kBlock = 4, kLoose = kDriven ? 4 : 0;
  static constexpr bool kOpposite = true;
  static constexpr unsigned kLengths = 0b111;

  template <class T>
  struct Axis {
    Limit<T> limit;
    Drive<T> drive;
    T angle;  // as it was last
  };
  template <class T>
  struct Parameters {
    Vec3T<T> arm_a, arm_b;
    QuatT<T> frame_a, frame_b;
    Axis<T> axis[2];  // those of a and of b
  };

  static Parameters<Real> parameters(const UniversalJoint& joint, const BodyPose<Real>& a,
                                     const BodyPose<Real>& b) {
    const Quat frame = frame_along(joint.axis_a, cross(joint.axis_b, joint.axis_a));
    return {local_point(a, joint.anchor),
            local_point(b, joint.anchor),
            local_frame(a, frame),
            local_frame(b, frame),
            {{limit_of(joint.range_a, joint.spring), drive_of(joint.motor_a), 0},
             {limit_of(joint.range_b, joint.spring), drive_of(joint.motor_b), 0}}};
  }
  static Drive<Real>* drive(Parameters<Real>& p, int axis) {
    return kDriven && (axis == 0 || axis == 1) ? &p.axis[axis].drive : nullptr;
  }

  template <class T>
  static SINEW_INLINE void rows(Parameters<T>& p, const BodyPose<T>& a, const BodyPose<T>& b,
                                JointRows<T, kBlock, kLoose>& out) {
    const Points<T> points = points_of(a, p.arm_a, b, p.arm_b);
    point_rows(out.block.data(), points);
    const Mat3T<T> of_a = (a.turn * p.frame_a).matrix(), of_b = (b.turn * p.frame_b).matrix();
    const Vec3T<T>&n = of_a.c[0], &m = of_b.c[2];
    turn_row(out.block[3], cross(n, m), dot(n, m));
    // Where the axes lie along each other, there are no angles.
    const T least(Real(1e-3)), one(Real(1));
    const T y_a = dot(m, of_a.c[1]), z_a = dot(m, of_a.c[2]);
    const T x_b = dot(n, of_b.c[0]), y_b = dot(n, of_b.c[1]);
    p.axis[0].angle = nearest_turn(angle_of(y_a, z_a), p.axis[0].angle);
    p.axis[1].angle = nearest_turn(angle_of(y_b, x_b), p.axis[1].angle);
    if constexpr (kDriven) {
      const Vec3T<T> along[2] = {
          cross(of_a.c[1] * z_a - of_a.c[2] * y_a, m) * (one / max(y_a * y_a + z_a * z_a, least)),
          cross(n, of_b.c[1] * x_b - of_b.c[0] * y_b) * (one / max(x_b * x_b + y_b * y_b, least))};
      for (int i = 0; i < 2; ++i) {
        const Axis<T>& axis = p.axis[i];
        turn_row(out.loose[i], along[i], axis.angle);
        turn_row(out.loose[2 + i], along[i], axis.angle);
        limit_row(out.loose[i], axis.limit);
        drive_row(out.loose[2 + i], axis.drive, axis.limit);
      }
    }
    out.arm_b = points.arm_b;
    out.position = p.axis[0].angle;
  }
};

}  // namespace sinew
