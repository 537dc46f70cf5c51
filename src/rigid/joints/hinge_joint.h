// Hinge: the three rows of a ball joint, and two that keep a's axis on b's. With n the axis fixed
// in a and s, t two directions across it that are fixed in b,
//
//   C = n·s,  n·t              J of n·s = n × s on ω_a, and the opposite on ω_b.
//
// The angle θ of a about the axis is that of the turn's part about it (rows.h); it is followed over
// any number of turns. A range of θ and a motor are loose rows.
#pragma once

#include <sinew/joints/hinge_joint.h>

#include "rigid/rows.h"

namespace sinew {

template <bool kDriven>
struct HingeRows {
  static constexpr int kBlock = 5, kLoose = kDriven ? 2 : 0;
  static constexpr bool kOpposite = true;
  static constexpr unsigned kLengths = 0b111;

  template <class T>
  struct Parameters {
    Vec3T<T> arm_a, arm_b;
    QuatT<T> frame_a, frame_b;  // x is the axis
    Limit<T> limit;
    Drive<T> drive;
    T angle;  // as it was last
  };

  static Parameters<Real> parameters(const HingeJoint& joint, const BodyPose<Real>& a,
                                     const BodyPose<Real>& b) {
    const Quat frame = frame_along(joint.axis);
    return {local_point(a, joint.anchor),
            local_point(b, joint.anchor),
            local_frame(a, frame),
            local_frame(b, frame),
            limit_of(joint.range, joint.spring),
            drive_of(joint.motor),
            0};
  }
  static Drive<Real>* drive(Parameters<Real>& p, int axis) {
    return kDriven && axis == 0 ? &p.drive : nullptr;
  }

  template <class T>
  static SINEW_INLINE void rows(Parameters<T>& p, const BodyPose<T>& a, const BodyPose<T>& b,
                                JointRows<T, kBlock, kLoose>& out) {
    const Points<T> points = points_of(a, p.arm_a, b, p.arm_b);
    point_rows(out.block.data(), points);
    const QuatT<T> frame_a = a.turn * p.frame_a;
    const RelativeTurn<T> turn(frame_a, b.turn * p.frame_b);
    const Vec3T<T> n = frame_a.matrix().c[0];
    for (int i = 0; i < 2; ++i) {
      const Vec3T<T>& across = turn.axes.c[1 + i];
      turn_row(out.block[3 + i], cross(n, across), dot(n, across));
    }
    p.angle = nearest_turn(turn.angle(0), p.angle);
    if constexpr (kDriven) {
      for (int i = 0; i < 2; ++i) turn.angle_row(out.loose[i], 0, p.angle);
      limit_row(out.loose[0], p.limit);
      drive_row(out.loose[1], p.drive, p.limit);
    }
    out.arm_b = points.arm_b;
    out.position = p.angle;
  }
};

}  // namespace sinew
