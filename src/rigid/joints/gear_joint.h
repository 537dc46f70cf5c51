// Gear: the angles of two bodies about axes that stand still in the world, at a fixed ratio. Each
// is that of the part of the body's turn about its axis (rows.h), followed over any number of
// turns:
//
//   C = θ_a − ratio θ_b        J = (0, ∂θ_a, 0, −ratio ∂θ_b)
#pragma once

#include <sinew/joints/gear_joint.h>

#include "rigid/rows.h"

namespace sinew {

struct GearRows {
  static constexpr int kBlock = 1, kLoose = 0;
  static constexpr bool kOpposite = true;
  static constexpr unsigned kLengths = 0;

  template <class T>
  struct Parameters {
    QuatT<T> frame_a, frame_b;  // in the bodies
    QuatT<T> still_a, still_b;  // in the world; x is the axis
    T ratio;
    T angle_a, angle_b;  // as they were last
  };

  static Parameters<Real> parameters(const GearJoint& joint, const BodyPose<Real>& a,
                                     const BodyPose<Real>& b) {
    const Quat along_a = frame_along(joint.axis_a), along_b = frame_along(joint.axis_b);
    return {local_frame(a, along_a), local_frame(b, along_b), along_a, along_b, joint.ratio, 0, 0};
  }

  template <class T>
  static SINEW_INLINE void rows(Parameters<T>& p, const BodyPose<T>& a, const BodyPose<T>& b,
                                JointRows<T, kBlock, kLoose>& out) {
    const T zero(Real(0));
    const RelativeTurn<T> turn_a(a.turn * p.frame_a, p.still_a);
    const RelativeTurn<T> turn_b(b.turn * p.frame_b, p.still_b);
    p.angle_a = nearest_turn(turn_a.angle(0), p.angle_a);
    p.angle_b = nearest_turn(turn_b.angle(0), p.angle_b);
    JointRow<T> of_a, of_b;
    turn_a.angle_row(of_a, 0, zero);
    turn_b.angle_row(of_b, 0, zero);
    out.block[0] = of_a;
    out.block[0].angular_b = of_b.angular_a * -p.ratio;
    out.block[0].value = p.angle_a - p.ratio * p.angle_b;
    out.position = p.angle_a;
  }
};

}  // namespace sinew
