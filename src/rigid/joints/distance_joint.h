// Rod, rope or spring: the distance of two points in a range, one loose row.
//
//   C = |d|,  d = p_a − p_b,  n = d/|d|       J = (n, r_a × n, −n, −r_b × n)
//
// (Kenwright and Morgan, eq. 36–41, between points of bodies that turn). Points that coincide are
// pushed apart upwards.
#pragma once

#include <sinew/joints/distance_joint.h>

#include "rigid/rows.h"

namespace sinew {

struct DistanceRows {
  static constexpr int kBlock = 0, kLoose = 1;
  static constexpr bool kOpposite = true;
  static constexpr unsigned kLengths = 0b1;

  template <class T>
  struct Parameters {
    Vec3T<T> arm_a, arm_b;
    Limit<T> limit;
  };

  static Parameters<Real> parameters(const DistanceJoint& joint, const BodyPose<Real>& a,
                                     const BodyPose<Real>& b) {
    const Real now = length(joint.anchor_a - joint.anchor_b);
    Range range = joint.range.value_or(Range{now, now});
    if (!(range.lower > 0)) range.lower = -kUnbounded;
    return {local_point(a, joint.anchor_a), local_point(b, joint.anchor_b),
            limit_of(range, joint.spring)};
  }

  template <class T>
  static SINEW_INLINE void rows(Parameters<T>& p, const BodyPose<T>& a, const BodyPose<T>& b,
                                JointRows<T, kBlock, kLoose>& out) {
    const T zero(Real(0)), one(Real(1)), tiny(Real(1e-9));
    const Points<T> points = points_of(a, p.arm_a, b, p.arm_b);
    const T distance = length(points.apart);
    const Vec3T<T> n = select(distance > tiny, points.apart * (one / max(distance, tiny)),
                              Vec3T<T>{zero, one, zero});
    LooseRow<T>& row = out.loose[0];
    world_axis_row(row, points, n);
    row.value = distance;
    limit_row(row, p.limit);
    out.arm_b = points.arm_b;
    out.position = distance;
  }
};

}  // namespace sinew
