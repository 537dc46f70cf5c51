// A point of a body held at a place of the world.
#pragma once

#include <sinew/joint_parts.h>

namespace sinew {

struct NailJoint {
  static constexpr const char* kName = "nail";
  static constexpr const char* kDoc =
      "Holds a point of a body at a place of the world, like a nail.";

  RigidId a = {};
  Vec3 anchor = {};                   // point of the body [m]
  Vec3 offset = {};                   // from there to where it is held [m]
  std::optional<Spring> spring = {};  // none: rigid
  Real break_force = 0;               // [N]; 0: never
  Real break_torque = 0;              // [N m]; 0: never
  bool collide = false;               // whether the two bodies do

  template <class Visitor>
  void describe(Visitor& v) {
    joint_parts::describe_bodies(*this, v);
    v.field("anchor", anchor, {.doc = "Point of the body", .unit = "m"});
    v.field("offset", offset, {.doc = "From there to where it is held", .unit = "m"});
    v.field("spring", spring, {.doc = "Pulls it there; none: rigid"});
    joint_parts::describe_strength(*this, v);
  }
};

}  // namespace sinew
