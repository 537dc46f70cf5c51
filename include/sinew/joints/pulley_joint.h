// A rope that runs from one body over two wheels to another.
#pragma once

#include <sinew/joint_parts.h>

namespace sinew {

struct PulleyJoint {
  static constexpr const char* kName = "pulley";
  static constexpr const char* kDoc = "A rope that runs from one body over two wheels to another.";

  RigidId a = {}, b = {};             // b: none is the world
  Vec3 anchor_a = {}, anchor_b = {};  // where it is tied to the bodies [m]
  Vec3 wheel_a = {}, wheel_b = {};    // where it leaves the wheels, fixed in the world [m]
  Real ratio = 1;                     // of a block and tackle: a goes `ratio` times as far as b
  bool rope = true;                   // false: pushes, too
  Real break_force = 0;               // [N]; 0: never
  Real break_torque = 0;              // [N m]; 0: never
  bool collide = false;               // whether the two bodies do

  template <class Visitor>
  void describe(Visitor& v) {
    joint_parts::describe_bodies(*this, v);
    v.field("anchor_a", anchor_a, {.doc = "Where it is tied to a", .unit = "m"});
    v.field("anchor_b", anchor_b, {.doc = "Where it is tied to b", .unit = "m"});
    v.field("wheel_a", wheel_a, {.doc = "Where it leaves the wheel towards a", .unit = "m"});
    v.field("wheel_b", wheel_b, {.doc = "Where it leaves the wheel towards b", .unit = "m"});
    v.field("ratio", ratio,
            {.doc = "a goes that many times as far as b, as with a block and tackle",
             .min = 0,
             .exclusive_min = true});
    v.field("rope", rope, {.doc = "Only pulls; false: pushes, too"});
    joint_parts::describe_strength(*this, v);
  }
};

}  // namespace sinew
