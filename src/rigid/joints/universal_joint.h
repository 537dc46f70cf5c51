// Universal (cardan) joint: the three rows of a ball joint, and one that keeps an axis n fixed in a
// across an axis m fixed in b:
//
//   C = n·m                    J = n × m on ω_a, and the opposite on ω_b.
#pragma once

#include <sinew/joints/universal_joint.h>

#include "rigid/rows.h"

namespace sinew {

struct UniversalRows {
  static constexpr int kBlock = 4, kLoose = 0;
  static constexpr bool kOpposite = true;
  static constexpr unsigned kLengths = 0b111;

  template <class T>
  struct Parameters {
    Vec3T<T> arm_a, arm_b, axis_a, axis_b;
  };

  static Parameters<Real> parameters(const UniversalJoint& joint, const BodyPose<Real>& a,
                                     const BodyPose<Real>& b) {
    const Vec3 n = normalized(joint.axis_a);
    return {local_point(a, joint.anchor), local_point(b, joint.anchor), local_axis(a, n),
            local_axis(b, joint.axis_b - n * dot(n, joint.axis_b))};
  }

  template <class T>
  static SINEW_INLINE void rows(Parameters<T>& p, const BodyPose<T>& a, const BodyPose<T>& b,
                                JointRows<T, kBlock, kLoose>& out) {
    const Points<T> points = points_of(a, p.arm_a, b, p.arm_b);
    point_rows(out.block.data(), points);
    const Vec3T<T> n = a.turn.rotate(p.axis_a), m = b.turn.rotate(p.axis_b);
    turn_row(out.block[3], cross(n, m), dot(n, m));
    out.arm_b = points.arm_b;
  }
};

}  // namespace sinew
