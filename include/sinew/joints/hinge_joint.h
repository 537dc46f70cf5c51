// A door's hinge: two bodies share a point and an axis.
#pragma once

#include <sinew/joint_parts.h>

namespace sinew {

struct HingeJoint {
  static constexpr const char* kName = "hinge";
  static constexpr const char* kDoc = "Two bodies share a point and an axis, and turn about it.";

  RigidId a = {}, b = {};             // b: none is the world
  Vec3 anchor = {};                   // [m]
  Vec3 axis{0, 1, 0};                 // of turning; any length
  std::optional<Range> range = {};    // of the angle, 0 when added, over any number of turns [rad]
  std::optional<Spring> spring = {};  // at the ends of the range; none: hard
  std::optional<Motor> motor = {};
  Real break_force = 0;   // [N]; 0: never
  Real break_torque = 0;  // [N m]; 0: never
  bool collide = false;   // whether the two bodies do

  template <class Visitor>
  void describe(Visitor& v) {
    joint_parts::describe_bodies(*this, v);
    v.field("anchor", anchor, {.doc = "Point of both bodies that stays one", .unit = "m"});
    v.field("axis", axis, {.doc = "Axis of turning"});
    v.field("range", range,
            {.doc = "Angle of a about the axis, 0 when added, over any number of turns; none: any",
             .unit = "rad"});
    v.field("spring", spring, {.doc = "Pulls the angle back into its range; none: hard ends"});
    v.field("motor", motor, {.doc = "Turns it; to a place it is a spring, to speed 0 friction"});
    joint_parts::describe_strength(*this, v);
  }

  // What limits of single fields cannot say.
  std::string problem() const {
    return joint_parts::first_problem(
        {joint_parts::axis_problem("axis", axis), joint_parts::range_problem("range", range),
         joint_parts::spring_problem("spring", spring, range.has_value())});
  }
};

}  // namespace sinew
