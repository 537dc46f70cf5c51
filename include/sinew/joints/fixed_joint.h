// Two bodies that move as one.
#pragma once

#include <sinew/joint_parts.h>

namespace sinew {

struct FixedJoint {
  static constexpr const char* kName = "fixed";
  static constexpr const char* kDoc = "Glues two bodies together, or a body to the world.";

  RigidId a = {}, b = {};             // b: none is the world
  Vec3 anchor = {};                   // [m]
  std::optional<Spring> spring = {};  // none: rigid
  Real break_force = 0;               // [N]; 0: never
  Real break_torque = 0;              // [N m]; 0: never
  bool collide = false;               // whether the two bodies do

  template <class Visitor>
  void describe(Visitor& v) {
    joint_parts::describe_bodies(*this, v);
    v.field("anchor", anchor,
            {.doc = "Point at which they are glued: that of the reaction's torque", .unit = "m"});
    v.field("spring", spring, {.doc = "Glue that gives way; none: rigid"});
    joint_parts::describe_strength(*this, v);
  }
};

}  // namespace sinew
