// What a joint did in the last substep.
#pragma once

#include <sinew/math.h>

namespace sinew {

struct JointState {
  Vec3 force = {};         // on b, by all of its rows [N]
  Vec3 torque = {};        // on b, about the joint's point [N m]
  Real position = 0;       // angle, way or distance, whatever the joint has [rad], [m]
  Real linear_error = 0;   // how far it is from holding [m]
  Real angular_error = 0;  // [rad]
  Vec3 point_a = {};       // the joint's point of the world, as a part of a [m]
  Vec3 point_b = {};       // and of b: the same place where the joint holds [m]
};

}  // namespace sinew
