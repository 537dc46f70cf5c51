// Slider: no turn of a against b, and its point stays on an axis n that is fixed in b. With d = p_a
// − p_b and s, t two directions across n, fixed in b as well,
//
//   C = d·s,  d·t,  2u         J of d·s = (s, r_a × s, −s, −(r_b + d) × s)
//
// and u from the turn q = (u, w) (rows.h). The arm of b reaches to a's point, because s turns with
// b. A range of the way d·n and a motor are loose rows.
#pragma once

#include <sinew/joints/slider_joint.h>

#include "rigid/rows.h"

namespace sinew {

template <bool kDriven>
struct SliderRows {
  static constexpr int kBlock = 5, kLoose = kDriven ? 2 : 0;
  static constexpr bool kOpposite = true;
  static constexpr unsigned kLengths = 0b1100011;

  template <class T>
  struct Parameters {
    Vec3T<T> arm_a, arm_b;
    QuatT<T> frame_a, frame_b;  // x is the axis
    Limit<T> limit;
    Drive<T> drive;
  };

  static Parameters<Real> parameters(const SliderJoint& joint, const BodyPose<Real>& a,
                                     const BodyPose<Real>& b) {
    const Quat frame = frame_along(joint.axis);
    return {
        local_point(a, joint.anchor), local_point(b, joint.anchor),        local_frame(a, frame),
        local_frame(b, frame),        limit_of(joint.range, joint.spring), drive_of(joint.motor)};
  }
  static Drive<Real>* drive(Parameters<Real>& p, int axis) {
    return kDriven && axis == 0 ? &p.drive : nullptr;
  }

  template <class T>
  static SINEW_INLINE void rows(Parameters<T>& p, const BodyPose<T>& a, const BodyPose<T>& b,
                                JointRows<T, kBlock, kLoose>& out) {
    const Points<T> points = points_of(a, p.arm_a, b, p.arm_b);
    const RelativeTurn<T> turn(a.turn * p.frame_a, b.turn * p.frame_b);
    for (int i = 0; i < 2; ++i) body_axis_row(out.block[i], points, turn.axes.c[1 + i]);
    for (int i = 0; i < 3; ++i) turn.lock_row(out.block[2 + i], i);
    if constexpr (kDriven) {
      for (int i = 0; i < 2; ++i) body_axis_row(out.loose[i], points, turn.axes.c[0]);
      limit_row(out.loose[0], p.limit);
      drive_row(out.loose[1], p.drive, p.limit);
    }
    out.arm_b = points.arm_b + points.apart;
    out.position = dot(points.apart, turn.axes.c[0]);
  }
};

}  // namespace sinew
