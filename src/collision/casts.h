// Where rays and moving shapes first meet a convex shape.
#pragma once

#include <optional>

#include "collision/convex.h"

namespace sinew {

struct Hit {
  Real fraction = 0;  // of the way, in [0, 1]
  Vec3 point = {};    // on the surface that is hit [m]
  Vec3 normal = {};   // unit, outwards from the surface that is hit
};

enum class Sides : std::uint8_t { kFront, kBoth };

// A ray from `origin` to `origin + way`, in the frame of the convex. One that starts inside hits at
// once, at its origin, with a normal against its way; one that starts on the surface and leaves
// does not hit. Triangles are hit from both sides, and the normal is on the ray's. A way of length
// zero is a test whether the point is inside.
std::optional<Hit> cast_ray(const Convex& convex, const Vec3& origin, const Vec3& way);

// Counter-clockwise corners are the front. Neighbours that share an edge leave no gap.
std::optional<Hit> cast_ray_triangle(const Vec3 (&corner)[3], const Vec3& origin, const Vec3& way,
                                     Sides sides);

// The half-space y ≤ 0 of the ray's frame.
std::optional<Hit> cast_ray_plane(const Vec3& origin, const Vec3& way);

// How a shape moves in the unit of time: a point of it goes straight, and the rest turns about
// that, both evenly.
struct Path {
  Pose start;
  Vec3 way = {};     // of the center [m]
  Vec3 turn = {};    // axis times angle [rad], in the world
  Vec3 center = {};  // in the frame of the shape

  Pose at(Real time) const;
};

// When A and B first come as near as `target_distance`, by conservative advancement: never late,
// early by rounding or a fraction of the target. The hit is on B, in the world. What is as near
// from the start hits at 0, unless it only just is and moves away.
std::optional<Hit> cast_moving(const Convex& a, const Path& motion_a, const Convex& b,
                               const Path& motion_b, Real target_distance);

// The same for A that goes straight, and B that stays.
std::optional<Hit> cast_convex(const Convex& a, const Pose& a_pose, const Vec3& way,
                               const Convex& b, const Pose& b_pose, Real target_distance = 0);

}  // namespace sinew
