// A guarantee on where vertices are: each within a sphere about a point known to be good.
#pragma once

#include <sinew/describe.h>
#include <sinew/real.h>

namespace sinew {

struct KeepInSphere {
  static constexpr const char* kName = "keep_in_sphere";
  static constexpr const char* kDoc =
      "Keeps every vertex within a sphere about where it starts in the body's pose. Nothing, not "
      "even contact, moves it further; within the sphere it is free. The spheres can be moved.";

  Real radius = Real(0.1);  // [m]
  bool anchored = false;    // the spheres move with the body's anchor_motion

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("radius", radius,
            {.doc = "Radius of the spheres", .unit = "m", .min = 0, .exclusive_min = true});
    v.field("anchored", anchored,
            {.doc = "The spheres move with the body's anchor_motion, if it has one"});
  }
};

}  // namespace sinew
