// A rod, a rope or a spring between points of two bodies.
#pragma once

#include <sinew/joint_parts.h>

namespace sinew {

struct DistanceJoint {
  static constexpr const char* kName = "distance";
  static constexpr const char* kDoc = "A rod, a rope or a spring between points of two bodies.";

  RigidId a = {}, b = {};             // b: none is the world
  Vec3 anchor_a = {}, anchor_b = {};  // [m]
  std::optional<Range> range = {};    // of the distance; none: as it is, a rod. From 0: a rope
  std::optional<Spring> spring = {};  // pulls it into the range; none: rigid
  Real break_force = 0;               // [N]; 0: never
  Real break_torque = 0;              // [N m]; 0: never
  bool collide = false;               // whether the two bodies do

  template <class Visitor>
  void describe(Visitor& v) {
    joint_parts::describe_bodies(*this, v);
    v.field("anchor_a", anchor_a, {.doc = "Point of a", .unit = "m"});
    v.field("anchor_b", anchor_b, {.doc = "Point of b", .unit = "m"});
    v.field("range", range,
            {.doc = "Distance of the points; none: as it is, a rod; from 0: a rope"});
    v.field("spring", spring, {.doc = "Pulls the distance into its range; none: rigid"});
    joint_parts::describe_strength(*this, v);
  }

  // What limits of single fields cannot say.
  std::string problem() const {
    if (range && range->lower < 0) return ".range.lower is negative; a distance is at least 0";
    return joint_parts::range_problem("range", range);
  }
};

}  // namespace sinew
