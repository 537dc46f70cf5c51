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
};

}  // namespace sinew
