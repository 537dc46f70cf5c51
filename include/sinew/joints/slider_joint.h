// A drawer: a body slides along an axis of another and does not turn against it.
#pragma once

#include <sinew/joint_parts.h>

namespace sinew {

struct SliderJoint {
  static constexpr const char* kName = "slider";
  static constexpr const char* kDoc = "A body slides along an axis of another, and does not turn.";

  RigidId a = {}, b = {};             // b: none is the world
  Vec3 anchor = {};                   // [m]
  Vec3 axis{1, 0, 0};                 // of sliding, fixed in b; any length
  std::optional<Range> range = {};    // of the way, 0 when added [m]
  std::optional<Spring> spring = {};  // at the ends of the range; none: hard
  std::optional<Motor> motor = {};
  Real break_force = 0;   // [N]; 0: never
  Real break_torque = 0;  // [N m]; 0: never
  bool collide = false;   // whether the two bodies do

  template <class Visitor>
  void describe(Visitor& v) {
    joint_parts::describe_bodies(*this, v);
    v.field("anchor", anchor,
            {.doc = "Point on the axis: that of the reaction's torque", .unit = "m"});
    v.field("axis", axis, {.doc = "Axis of sliding, fixed in b"});
    v.field("range", range,
            {.doc = "Way of a along the axis, 0 when added; none: any", .unit = "m"});
    v.field("spring", spring, {.doc = "Pulls the way back into its range; none: hard ends"});
    v.field("motor", motor, {.doc = "Moves it; to a place it is a spring, to speed 0 friction"});
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
