// A cardan joint: a shaft goes on at an angle. Two axes, one of each body, meet in a point and
// stay at right angles.
#pragma once

#include <sinew/joint_parts.h>

namespace sinew {

struct UniversalJoint {
  static constexpr const char* kName = "universal";
  static constexpr const char* kDoc =
      "Two axes, one of each body, meet in a point and stay at right angles.";

  RigidId a = {}, b = {};  // b: none is the world
  Vec3 anchor = {};        // [m]
  Vec3 axis_a{1, 0, 0};    // fixed in a; any length
  Vec3 axis_b{0, 0, 1};    // fixed in b; what is not across axis_a is left out
  // Of the angles about the axes, 0 when added, over any number of turns [rad].
  std::optional<Range> range_a = {}, range_b = {};
  std::optional<Spring> spring = {};  // at the ends of the ranges; none: hard
  std::optional<Motor> motor_a = {}, motor_b = {};
  Real break_force = 0;   // [N]; 0: never
  Real break_torque = 0;  // [N m]; 0: never
  bool collide = false;   // whether the two bodies do

  template <class Visitor>
  void describe(Visitor& v) {
    joint_parts::describe_bodies(*this, v);
    v.field("anchor", anchor, {.doc = "Point where the axes meet", .unit = "m"});
    v.field("axis_a", axis_a, {.doc = "Axis fixed in a"});
    v.field("axis_b", axis_b, {.doc = "Axis fixed in b, across the other"});
    v.field("range_a", range_a,
            {.doc = "Angle about axis_a, 0 when added, over any number of turns; none: any",
             .unit = "rad"});
    v.field("range_b", range_b, {.doc = "Angle about axis_b, likewise", .unit = "rad"});
    v.field("spring", spring, {.doc = "Pulls the angles back into their ranges; none: hard ends"});
    v.field("motor_a", motor_a, {.doc = "Turns it about axis_a"});
    v.field("motor_b", motor_b, {.doc = "Turns it about axis_b"});
    joint_parts::describe_strength(*this, v);
  }

  // What limits of single fields cannot say.
  std::string problem() const {
    const std::string wrong = joint_parts::first_problem(
        {joint_parts::axis_problem("axis_a", axis_a), joint_parts::axis_problem("axis_b", axis_b),
         joint_parts::range_problem("range_a", range_a),
         joint_parts::range_problem("range_b", range_b),
         joint_parts::spring_problem("spring", spring, range_a || range_b)});
    if (!wrong.empty()) return wrong;
    const Vec3 across = cross(normalized(axis_a), normalized(axis_b));
    return dot(across, across) > Real(1e-4) ? "" : ".axis_b is along axis_a; turn one of them";
  }
};

}  // namespace sinew
