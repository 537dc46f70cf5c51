// Two wheels whose teeth mesh. What holds their axes (hinges) does not move.
#pragma once

#include <sinew/joint_parts.h>

namespace sinew {

struct GearJoint {
  static constexpr const char* kName = "gear";
  static constexpr const char* kDoc =
      "Turns two bodies about axes that stand still, at a fixed ratio.";

  RigidId a = {}, b = {};                 // b: none is the world
  Vec3 axis_a{0, 0, 1}, axis_b{0, 0, 1};  // in the world; any length
  Real ratio = -1;                        // turns of a by turns of b; < 0: in opposite senses
  Real break_force = 0;                   // [N]; 0: never
  Real break_torque = 0;                  // [N m]; 0: never
  bool collide = false;                   // whether the two bodies do

  template <class Visitor>
  void describe(Visitor& v) {
    joint_parts::describe_bodies(*this, v);
    v.field("axis_a", axis_a, {.doc = "Axis that a turns about, fixed in the world"});
    v.field("axis_b", axis_b, {.doc = "Axis that b turns about, fixed in the world"});
    v.field("ratio", ratio, {.doc = "Turns of a by turns of b; negative: in opposite senses"});
    joint_parts::describe_strength(*this, v);
  }

  // What limits of single fields cannot say.
  std::string problem() const {
    const std::string wrong_a = joint_parts::axis_problem("axis_a", axis_a);
    if (!wrong_a.empty()) return wrong_a;
    const std::string wrong_b = joint_parts::axis_problem("axis_b", axis_b);
    if (!wrong_b.empty()) return wrong_b;
    return ratio == 0 ? ".ratio is 0; give the turns of a by turns of b" : "";
  }
};

}  // namespace sinew
