// A body that does not turn against another one, and moves freely.
#pragma once

#include <sinew/joint_parts.h>

namespace sinew {

struct RotationLockJoint {
  static constexpr const char* kName = "rotation_lock";
  static constexpr const char* kDoc =
      "Keeps a body from turning against another, about some axes or all.";

  RigidId a = {}, b = {};  // b: none is the world
  Quat axes = {};          // x, y, z of the lock, fixed in b
  Vec3 lock{1, 1, 1};      // 1: does not turn about that axis; 0: may
  Real break_force = 0;    // [N]; 0: never
  Real break_torque = 0;   // [N m]; 0: never
  bool collide = false;    // whether the two bodies do

  template <class Visitor>
  void describe(Visitor& v) {
    joint_parts::describe_bodies(*this, v);
    v.field("axes", axes, {.doc = "Axes of the lock, fixed in b, as a unit quaternion"});
    v.field("lock", lock, {.doc = "1: does not turn about that axis; 0: may", .min = 0, .max = 1});
    joint_parts::describe_strength(*this, v);
  }

  // What limits of single fields cannot say.
  std::string problem() const { return joint_parts::unit_problem("axes", axes); }
};

}  // namespace sinew
