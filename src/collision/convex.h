// Convex shapes as narrow phase and queries see them: a core that answers with its support points,
// rounded by a radius. One small struct for all kinds, copied freely; no virtual calls.
#pragma once

#include <sinew/math.h>

#include "collision/hull.h"

namespace sinew {

enum class ConvexKind : std::uint8_t { kSphere, kCapsule, kBox, kHull, kCylinder, kTriangle };

struct Convex {
  ConvexKind kind = ConvexKind::kSphere;
  Real radius = 0;  // of rounding: spheres and capsules are a point and a segment with this [m]
  // Box: half of its edges. Capsule: half_height in y. Cylinder: its radius in x, half_height in y.
  Vec3 half = {};
  const Hull* hull = nullptr;
  Vec3 corner[3] = {};  // of a triangle
};

// A flat polygon, or an edge (2) or a point (1), of a convex's core.
struct Feature {
  static constexpr int kMost = 32;
  Vec3 corner[kMost];
  std::uint16_t id[kMost];  // of each corner in its shape, for matching contacts between steps
  int count = 0;
};

// The point of the core that lies farthest in a direction of any length but zero.
Vec3 support(const Convex& convex, const Vec3& direction);

// The face, edge or corner of the core that faces a unit direction most, counter-clockwise seen
// from outside. Faces of hulls with more corners than a Feature holds are thinned out; the cap of a
// cylinder is a regular octagon.
void supporting_feature(const Convex& convex, const Vec3& direction, Feature& out);

// The smallest box about it, rounding included, in its own frame turned by `rotation`.
struct Extent {
  Vec3 lower, upper;
};
Extent extent(const Convex& convex, const Mat3& rotation);

}  // namespace sinew
