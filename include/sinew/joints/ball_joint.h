// A ball and its socket: two bodies share a point and turn about it freely.
#pragma once

#include <sinew/joint_parts.h>

namespace sinew {

struct BallJoint {
  static constexpr const char* kName = "ball";
  static constexpr const char* kDoc = "Two bodies share a point, and turn about it freely.";

  RigidId a = {}, b = {};             // b: none is the world
  Vec3 anchor = {};                   // [m]
  std::optional<Spring> spring = {};  // none: rigid
  Real break_force = 0;               // [N]; 0: never
  Real break_torque = 0;              // [N m]; 0: never
  bool collide = false;               // whether the two bodies do

  template <class Visitor>
  void describe(Visitor& v) {
    joint_parts::describe_bodies(*this, v);
    v.field("anchor", anchor, {.doc = "Point of both bodies that stays one", .unit = "m"});
    v.field("spring", spring, {.doc = "A socket that gives way; none: rigid"});
    joint_parts::describe_strength(*this, v);
  }
};

}  // namespace sinew
