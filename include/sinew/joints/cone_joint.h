// A shoulder: a ball joint whose swing stays in a cone and whose twist in a range.
#pragma once

#include <sinew/joint_parts.h>

namespace sinew {

struct ConeJoint {
  static constexpr const char* kName = "cone";
  static constexpr const char* kDoc =
      "A ball joint whose swing stays in a cone, and its twist in a range.";

  RigidId a = {}, b = {};           // b: none is the world
  Vec3 anchor = {};                 // [m]
  Vec3 axis{0, 1, 0};               // of the cone, fixed in b, and of the limb, fixed in a
  Real swing = Real(0.5);           // greatest angle between the two [rad]
  std::optional<Range> twist = {};  // about the axis, 0 when added [rad]
  Real break_force = 0;             // [N]; 0: never
  Real break_torque = 0;            // [N m]; 0: never
  bool collide = false;             // whether the two bodies do

  template <class Visitor>
  void describe(Visitor& v) {
    joint_parts::describe_bodies(*this, v);
    v.field("anchor", anchor, {.doc = "Point of both bodies that stays one", .unit = "m"});
    v.field("axis", axis, {.doc = "Axis of the cone, fixed in b, and of what is held, in a"});
    v.field("swing", swing,
            {.doc = "Greatest angle between the two axes", .unit = "rad", .min = 0, .max = 3.1});
    v.field("twist", twist,
            {.doc = "Turn of a about the axis, 0 when added, within a half turn; none: any",
             .unit = "rad"});
    joint_parts::describe_strength(*this, v);
  }

  // What limits of single fields cannot say.
  std::string problem() const {
    const std::string axis_wrong = joint_parts::axis_problem("axis", axis);
    return axis_wrong.empty() ? joint_parts::range_problem("twist", twist) : axis_wrong;
  }
};

}  // namespace sinew
