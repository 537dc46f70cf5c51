// All joints in one: each of three ways and three turns is locked, limited or free, and may be
// driven.
#pragma once

#include <sinew/joint_parts.h>

namespace sinew {

// A way or turn that is not locked.
struct JointAxis {
  static constexpr const char* kName = "joint_axis";
  static constexpr const char* kDoc = "A way or turn of a joint that is not locked.";

  std::optional<Range> range = {};    // none: free
  std::optional<Spring> spring = {};  // at the ends of the range; none: hard
  std::optional<Motor> motor = {};

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("range", range, {.doc = "Where it may be, 0 when added; none: anywhere"});
    v.field("spring", spring, {.doc = "Pulls it back into its range; none: hard ends"});
    v.field("motor", motor, {.doc = "Drives it"});
  }
};

struct SixDofJoint {
  static constexpr const char* kName = "six_dof";
  static constexpr const char* kDoc =
      "Each of three ways and three turns of a against b is locked, limited or free.";

  RigidId a = {}, b = {};  // b: none is the world
  Vec3 anchor = {};        // [m]
  Quat axes = {};          // x, y, z of the joint, fixed in b
  // Ways of a's anchor along the axes, and turns of a about them; none: locked.
  std::optional<JointAxis> x = {}, y = {}, z = {};
  std::optional<JointAxis> turn_x = {}, turn_y = {}, turn_z = {};
  Real break_force = 0;   // [N]; 0: never
  Real break_torque = 0;  // [N m]; 0: never
  bool collide = false;   // whether the two bodies do

  template <class Visitor>
  void describe(Visitor& v) {
    joint_parts::describe_bodies(*this, v);
    v.field("anchor", anchor, {.doc = "Origin of the ways", .unit = "m"});
    v.field("axes", axes, {.doc = "Axes of the joint, fixed in b, as a unit quaternion"});
    v.field("x", x, {.doc = "Way of a along x; none: locked"});
    v.field("y", y, {.doc = "Way of a along y; none: locked"});
    v.field("z", z, {.doc = "Way of a along z; none: locked"});
    v.field("turn_x", turn_x, {.doc = "Turn of a about x, within a half turn; none: locked"});
    v.field("turn_y", turn_y, {.doc = "Turn of a about y, within a half turn; none: locked"});
    v.field("turn_z", turn_z, {.doc = "Turn of a about z, within a half turn; none: locked"});
    joint_parts::describe_strength(*this, v);
  }

  // What limits of single fields cannot say.
  std::string problem() const {
    const char* const names[6] = {"x", "y", "z", "turn_x", "turn_y", "turn_z"};
    for (int i = 0; i < 6; ++i)
      if (axis(i)) {
        const std::string name = names[i];
        const std::string wrong = joint_parts::first_problem(
            {joint_parts::range_problem(name + ".range", axis(i)->range),
             joint_parts::spring_problem(name + ".spring", axis(i)->spring,
                                         axis(i)->range.has_value())});
        if (!wrong.empty()) return wrong;
      }
    return joint_parts::unit_problem("axes", axes);
  }

  // 0 to 2: the ways; 3 to 5: the turns.
  const std::optional<JointAxis>& axis(int i) const {
    const std::optional<JointAxis>* const all[6] = {&x, &y, &z, &turn_x, &turn_y, &turn_z};
    return *all[i];
  }
};

}  // namespace sinew
