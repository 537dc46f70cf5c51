// Questions about the rigid bodies of a world: what a ray or a moving shape meets, what is near.
#pragma once

#include <sinew/handles.h>
#include <sinew/shapes.h>

#include <cstdint>

namespace sinew {

// Which bodies count.
struct QueryFilter {
  int mask = -1;         // bit i: bodies of collision group i
  RigidId except = {};   // not this one
  bool sensors = false;  // sensors, too
};

struct Ray {
  Vec3 origin = {};  // [m]
  Vec3 way = {};     // as far as it goes [m]
  QueryFilter filter = {};
};

// A shape that moves straight.
struct ShapeCast {
  Shape shape = Sphere{};  // a convex one
  Pose pose = {};          // where it starts
  Vec3 way = {};           // [m]
  QueryFilter filter = {};
};

struct RayHit {
  RigidId body = {};
  int part = 0;       // which of its shapes
  Real fraction = 0;  // of the way, in [0, 1]
  Vec3 point = {};    // on the body that is hit [m]
  Vec3 normal = {};   // unit, outwards from it
};

struct ClosestPoint {
  RigidId body = {};
  int part = 0;
  Vec3 point = {};    // on its surface [m]
  Vec3 normal = {};   // unit, outwards
  Real distance = 0;  // negative: the point is inside [m]
};

}  // namespace sinew
