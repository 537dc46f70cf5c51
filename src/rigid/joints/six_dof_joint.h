// Three ways and three turns of a against b, along and about axes n that are fixed in b. With d =
// p_a − p_b and the turn q = (u, w) (rows.h):
//
//   ways   C = d·nᵢ            J = (nᵢ, r_a × nᵢ, −nᵢ, −(r_b + d) × nᵢ)
//   turns  C = 2uᵢ if locked, else θᵢ = 2 atan2(uᵢ, w)
//
// Those that are locked are rows of the block; in a lane where one is not, its row is zero. Each
// has a loose row for its range and, in driven joints, one for its motor.
#pragma once

#include <sinew/joints/six_dof_joint.h>

#include "rigid/rows.h"

namespace sinew {

template <bool kDriven>
struct SixDofRows {
  static constexpr int kBlock = 6, kLoose = kDriven ? 12 : 6;
  static constexpr bool kOpposite = true;
  static constexpr unsigned kLengths = 0b000111'000111'000111;

  template <class T>
  struct Axis {
    T locked;
    Limit<T> limit;
    Drive<T> drive;
  };
  template <class T>
  struct Parameters {
    Vec3T<T> arm_a, arm_b;
    QuatT<T> frame_a, frame_b;
    Axis<T> axis[6];
  };

  static Parameters<Real> parameters(const SixDofJoint& joint, const BodyPose<Real>& a,
                                     const BodyPose<Real>& b) {
    Parameters<Real> p{local_point(a, joint.anchor),
                       local_point(b, joint.anchor),
                       local_frame(a, joint.axes),
                       local_frame(b, joint.axes),
                       {}};
    for (int i = 0; i < 6; ++i) {
      const JointAxis axis = joint.axis(i).value_or(JointAxis{});
      p.axis[i] = {joint.axis(i) ? Real(0) : Real(1), limit_of(axis.range, axis.spring),
                   drive_of(axis.motor)};
    }
    return p;
  }
  static Drive<Real>* drive(Parameters<Real>& p, int axis) {
    return kDriven && axis >= 0 && axis < 6 ? &p.axis[axis].drive : nullptr;
  }

  template <class T>
  static SINEW_INLINE void rows(Parameters<T>& p, const BodyPose<T>& a, const BodyPose<T>& b,
                                JointRows<T, kBlock, kLoose>& out) {
    const Points<T> points = points_of(a, p.arm_a, b, p.arm_b);
    const RelativeTurn<T> turn(a.turn * p.frame_a, b.turn * p.frame_b);
    for (int i = 0; i < 3; ++i) {
      body_axis_row(out.loose[i], points, turn.axes.c[i]);
      turn.angle_row(out.loose[3 + i], i, nearest_turn(turn.angle(i), T(Real(0))));
      out.block[i] = out.loose[i];
      turn.lock_row(out.block[3 + i], i);
    }
    for (int i = 0; i < 6; ++i) {
      const T& locked = p.axis[i].locked;
      JointRow<T>& row = out.block[i];
      for (Vec3T<T>* part : {&row.linear_a, &row.angular_a, &row.linear_b, &row.angular_b})
        *part *= locked;
      row.value *= locked;
      if constexpr (kDriven) {
        static_cast<JointRow<T>&>(out.loose[6 + i]) = out.loose[i];
        drive_row(out.loose[6 + i], p.axis[i].drive, p.axis[i].limit);
      }
      limit_row(out.loose[i], p.axis[i].limit);
    }
    out.arm_b = points.arm_b + points.apart;
    out.position = length(points.apart);
  }
};

}  // namespace sinew
