// A shoulder: a ball joint whose swing stays in a cone, circular or elliptic, and whose twist in a
// range.
#pragma once

#include <sinew/joint_parts.h>

namespace sinew {

struct ConeJoint {
  static constexpr const char* kName = "cone";
  static constexpr const char* kDoc =
      "A ball joint whose swing stays in a cone, and its twist in a range.";

  RigidId a = {}, b = {};             // b: none is the world
  Vec3 anchor = {};                   // [m]
  Vec3 axis{0, 1, 0};                 // of the cone, fixed in b, and of the limb, fixed in a
  Real swing = Real(0.5);             // greatest angle between the two [rad]
  Real swing_across = 0;              // the same towards `across`; 0: everywhere alike [rad]
  Vec3 across{1, 0, 0};               // fixed in b; what is along the axis is left out
  std::optional<Range> twist = {};    // about the axis, 0 when added [rad]
  std::optional<Spring> spring = {};  // at the ends of swing and twist; none: hard
  Real break_force = 0;               // [N]; 0: never
  Real break_torque = 0;              // [N m]; 0: never
  bool collide = false;               // whether the two bodies do

  template <class Visitor>
  void describe(Visitor& v) {
    joint_parts::describe_bodies(*this, v);
    v.field("anchor", anchor, {.doc = "Point of both bodies that stays one", .unit = "m"});
    v.field("axis", axis, {.doc = "Axis of the cone, fixed in b, and of what is held, in a"});
    v.field("swing", swing,
            {.doc = "Greatest angle between the two axes", .unit = "rad", .min = 0, .max = 3.1});
    v.field("swing_across", swing_across,
            {.doc = "The same towards `across`, of an elliptic cone; 0: everywhere alike",
             .unit = "rad",
             .min = 0,
             .max = 3.1});
    v.field("across", across, {.doc = "Direction across the axis, of an elliptic cone"});
    v.field("twist", twist,
            {.doc = "Turn of a about the axis, 0 when added, within a half turn; none: any",
             .unit = "rad"});
    v.field("spring", spring, {.doc = "Pulls swing and twist back to their ends; none: hard"});
    joint_parts::describe_strength(*this, v);
  }

  // What limits of single fields cannot say.
  std::string problem() const {
    return joint_parts::first_problem({joint_parts::axis_problem("axis", axis),
                                       joint_parts::range_problem("twist", twist),
                                       is_round() ? "" : across_problem()});
  }

  bool is_round() const { return !(swing_across > 0); }

 private:
  std::string across_problem() const {
    const std::string wrong = joint_parts::axis_problem("across", across);
    if (!wrong.empty()) return wrong;
    const Vec3 over = cross(normalized(axis), normalized(across));
    return dot(over, over) > Real(1e-4) ? "" : ".across is along the axis; turn one of them";
  }
};

}  // namespace sinew
