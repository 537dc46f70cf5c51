// No way of a point of a along some axes n, fixed in b. With d = p_a − p_b,
//
//   C = d·n                    J = (n, r_a × n, −n, −(r_b + d) × n)
//
// for each axis that is locked; the rows of others are zero (Kenwright and Morgan, eq. 29).
#pragma once

#include <sinew/joints/translation_lock_joint.h>

#include "rigid/rows.h"

namespace sinew {

struct TranslationLockRows {
  static constexpr int kBlock = 3, kLoose = 0;
  static constexpr bool kOpposite = true;
  static constexpr unsigned kLengths = 0b111;

  template <class T>
  struct Parameters {
    Vec3T<T> arm_a, arm_b;
    QuatT<T> frame_b;
    Vec3T<T> lock;
  };

  static Parameters<Real> parameters(const TranslationLockJoint& joint, const BodyPose<Real>& a,
                                     const BodyPose<Real>& b) {
    const auto whole = [](Real x) { return x > 0 ? Real(1) : Real(0); };
    return {local_point(a, joint.anchor),
            local_point(b, joint.anchor),
            local_frame(b, joint.axes),
            {whole(joint.lock.x), whole(joint.lock.y), whole(joint.lock.z)}};
  }

  template <class T>
  static SINEW_INLINE void rows(Parameters<T>& p, const BodyPose<T>& a, const BodyPose<T>& b,
                                JointRows<T, kBlock, kLoose>& out) {
    const Points<T> points = points_of(a, p.arm_a, b, p.arm_b);
    const Mat3T<T> axes = (b.turn * p.frame_b).matrix();
    for (int i = 0; i < 3; ++i) {
      JointRow<T>& row = out.block[i];
      body_axis_row(row, points, axes.c[i] * p.lock[i]);
    }
    out.arm_b = points.arm_b + points.apart;
    out.position = length(points.apart);
  }
};

}  // namespace sinew
