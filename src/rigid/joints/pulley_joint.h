// Pulley: a rope from a over two wheels w that stand still to b, one loose row.
//
//   C = |d_a| + ratio |d_b| ≤ length,  d = p − w,  n = d/|d|
//   J = (n_a, r_a × n_a, ratio n_b, ratio r_b × n_b)
//
// A rope only pulls, a rod (C = length) pushes, too.
#pragma once

#include <sinew/joints/pulley_joint.h>

#include "rigid/rows.h"

namespace sinew {

struct PulleyRows {
  static constexpr int kBlock = 0, kLoose = 1;
  static constexpr bool kOpposite = false;
  static constexpr unsigned kLengths = 0b1;

  template <class T>
  struct Parameters {
    Vec3T<T> arm_a, arm_b, wheel_a, wheel_b;
    T ratio, lower, upper;
  };

  static Parameters<Real> parameters(const PulleyJoint& joint, const BodyPose<Real>& a,
                                     const BodyPose<Real>& b) {
    const Real whole = length(joint.anchor_a - joint.wheel_a) +
                       joint.ratio * length(joint.anchor_b - joint.wheel_b);
    return {local_point(a, joint.anchor_a),
            local_point(b, joint.anchor_b),
            joint.wheel_a,
            joint.wheel_b,
            joint.ratio,
            joint.rope ? -kUnbounded : whole,
            whole};
  }

  template <class T>
  static SINEW_INLINE void rows(Parameters<T>& p, const BodyPose<T>& a, const BodyPose<T>& b,
                                JointRows<T, kBlock, kLoose>& out) {
    const Vec3T<T> arm_a = a.turn.rotate(p.arm_a), arm_b = b.turn.rotate(p.arm_b);
    const Vec3T<T> from_a = a.center + arm_a - p.wheel_a, from_b = b.center + arm_b - p.wheel_b;
    LooseRow<T>& row = out.loose[0];
    row.linear_a = normalized(from_a);
    row.linear_b = normalized(from_b) * p.ratio;
    row.angular_a = cross(arm_a, row.linear_a);
    row.angular_b = cross(arm_b, row.linear_b);
    row.value = length(from_a) + p.ratio * length(from_b);
    row.lower = p.lower;
    row.upper = p.upper;
    out.arm_b = arm_b;
    out.position = length(from_a);
  }
};

}  // namespace sinew
