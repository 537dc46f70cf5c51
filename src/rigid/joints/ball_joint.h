// Ball and socket, and the nail, whose socket is in the world. With p = x + R r the point of each
// body, three rows:
//
//   C = p_a − p_b        dC/dt = v_a + ω_a × r_a − v_b − ω_b × r_b
//
// so that along the axis eᵢ J = (eᵢ, r_a × eᵢ, −eᵢ, −r_b × eᵢ) (Kenwright and Morgan, eq. 31–35;
// eq. 33 swaps r₀ and r₁).
#pragma once

#include <sinew/joints/ball_joint.h>
#include <sinew/joints/nail_joint.h>

#include "rigid/rows.h"

namespace sinew {

struct BallRows {
  static constexpr int kBlock = 3, kLoose = 0;
  static constexpr bool kOpposite = true;      // linear_b is −linear_a in all rows
  static constexpr unsigned kLengths = 0b111;  // rows that are lengths, not angles

  template <class T>
  struct Parameters {
    Vec3T<T> arm_a, arm_b;  // in the frames of the bodies
    T frequency, damping;
  };

  static Parameters<Real> parameters(const BallJoint& joint, const BodyPose<Real>& a,
                                     const BodyPose<Real>& b) {
    const Spring spring = joint.spring.value_or(Spring{0, 0});
    return {local_point(a, joint.anchor), local_point(b, joint.anchor), spring.frequency,
            spring.damping_ratio};
  }
  static Parameters<Real> parameters(const NailJoint& joint, const BodyPose<Real>& a,
                                     const BodyPose<Real>& world) {
    const Spring spring = joint.spring.value_or(Spring{0, 0});
    return {local_point(a, joint.anchor), local_point(world, joint.anchor + joint.offset),
            spring.frequency, spring.damping_ratio};
  }
  // Nails: another place of the world.
  static void move(Parameters<Real>& p, const Vec3& place) { p.arm_b = place; }

  template <class T>
  static SINEW_INLINE void rows(Parameters<T>& p, const BodyPose<T>& a, const BodyPose<T>& b,
                                JointRows<T, kBlock, kLoose>& out) {
    const Points<T> points = points_of(a, p.arm_a, b, p.arm_b);
    point_rows(out.block.data(), points);
    out.frequency = p.frequency;
    out.damping = p.damping;
    out.arm_b = points.arm_b;
  }
};

}  // namespace sinew
