// A hand that holds a soft body: a damped spring from a place of the world to the mean of the
// vertices about a point of the body. It pulls any body by any solver, never harder than told, and
// tells how hard.
//   GrabId hand = world.add(Grab{.body = jelly, .point = where_it_was_touched, .radius = 0.1f});
//   world.move_grab(hand, where_the_hand_is);  // before every step
//   Vec3 pull = world.state(hand).force;       // after it [N]
#pragma once

#include <sinew/handles.h>
#include <sinew/joint_parts.h>
#include <sinew/math.h>

namespace sinew {

struct Grab {
  static constexpr const char* kName = "grab";
  static constexpr const char* kDoc = "A hand that holds a soft body.";

  SoftId body = {};
  // Of the body, as it is now [m]. What is held is pulled to where it is, until move_grab().
  Vec3 point = {};
  Real radius = 0;  // vertices within are held, the nearer the more; at least the nearest [m]
  // Told by how the whole body would swing on it.
  Spring spring = {.frequency = 3, .damping_ratio = 1};
  Real max_force = 0;  // [N]; 0: ten times its weight (100 m/s² for the whole body)

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("point", point, {.doc = "Point of the body, as it is now", .unit = "m"});
    v.field("radius", radius,
            {.doc = "Vertices within are held, the nearer the more; at least the nearest",
             .unit = "m",
             .min = 0});
    v.field("spring", spring, {.doc = "How the whole body would swing on it"});
    v.field("max_force", max_force,
            {.doc = "Greatest force; 0: ten times its weight", .unit = "N", .min = 0});
  }
};

struct GrabState {
  SoftId body = {};
  Vec3 point = {};  // of the body that is held: the weighted mean of its vertices [m]
  Vec3 place = {};  // where it is pulled to [m]
  Vec3 force = {};  // on the body, mean of the last step [N]
};

}  // namespace sinew
