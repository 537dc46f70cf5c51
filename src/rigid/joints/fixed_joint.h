// Two bodies as one: the three rows of a ball joint, and three that keep the turn q = (u, w) of a
// against b (rows.h):
//
//   C = p_a − p_b,  2u         J of 2uᵢ = B (w eᵢ + u × eᵢ) on ω_a, and the opposite on ω_b
//
// B is the orientation of the joint's frame in b (Kenwright and Morgan, eq. 26–28).
#pragma once

#include <sinew/joints/fixed_joint.h>

#include "rigid/rows.h"

namespace sinew {

struct FixedRows {
  static constexpr int kBlock = 6, kLoose = 0;
  static constexpr bool kOpposite = true;
  static constexpr unsigned kLengths = 0b111;

  template <class T>
  struct Parameters {
    Vec3T<T> arm_a, arm_b;
    QuatT<T> frame_a, frame_b;
    T frequency, damping;
  };

  static Parameters<Real> parameters(const FixedJoint& joint, const BodyPose<Real>& a,
                                     const BodyPose<Real>& b) {
    const Spring spring = joint.spring.value_or(Spring{0, 0});
    return {local_point(a, joint.anchor),
            local_point(b, joint.anchor),
            local_frame(a, {}),
            local_frame(b, {}),
            spring.frequency,
            spring.damping_ratio};
  }

  template <class T>
  static SINEW_INLINE void rows(Parameters<T>& p, const BodyPose<T>& a, const BodyPose<T>& b,
                                JointRows<T, kBlock, kLoose>& out) {
    const Points<T> points = points_of(a, p.arm_a, b, p.arm_b);
    point_rows(out.block.data(), points);
    const RelativeTurn<T> turn(a.turn * p.frame_a, b.turn * p.frame_b);
    for (int i = 0; i < 3; ++i) turn.lock_row(out.block[3 + i], i);
    out.frequency = p.frequency;
    out.damping = p.damping;
    out.arm_b = points.arm_b;
  }
};

}  // namespace sinew
