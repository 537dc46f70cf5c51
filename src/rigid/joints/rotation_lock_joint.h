// No turn of a against b about some axes, fixed in b: rows of the fixed joint (rows.h),
//
//   C = 2uᵢ                    J = B (w eᵢ + u × eᵢ) on ω_a, and the opposite on ω_b
//
// for each axis that is locked; the rows of others are zero (Kenwright and Morgan, eq. 30).
#pragma once

#include <sinew/joints/rotation_lock_joint.h>

#include "rigid/rows.h"

namespace sinew {

struct RotationLockRows {
  static constexpr int kBlock = 3, kLoose = 0;
  static constexpr bool kOpposite = true;
  static constexpr unsigned kLengths = 0;

  template <class T>
  struct Parameters {
    QuatT<T> frame_a, frame_b;
    Vec3T<T> lock;
  };

  static Parameters<Real> parameters(const RotationLockJoint& joint, const BodyPose<Real>& a,
                                     const BodyPose<Real>& b) {
    const auto whole = [](Real x) { return x > 0 ? Real(1) : Real(0); };
    return {local_frame(a, joint.axes),
            local_frame(b, joint.axes),
            {whole(joint.lock.x), whole(joint.lock.y), whole(joint.lock.z)}};
  }

  template <class T>
  static SINEW_INLINE void rows(Parameters<T>& p, const BodyPose<T>& a, const BodyPose<T>& b,
                                JointRows<T, kBlock, kLoose>& out) {
    const RelativeTurn<T> turn(a.turn * p.frame_a, b.turn * p.frame_b);
    for (int i = 0; i < 3; ++i) {
      JointRow<T>& row = out.block[i];
      turn.lock_row(row, i);
      row.angular_a *= p.lock[i];
      row.angular_b *= p.lock[i];
      row.value *= p.lock[i];
    }
  }
};

}  // namespace sinew
