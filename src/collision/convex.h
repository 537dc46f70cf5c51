// Convex shapes as narrow phase and queries see them: a core that answers with its support points,
// rounded by a radius. One small struct for all kinds, copied freely; no virtual calls.
#pragma once

#include <sinew/math.h>

#include <cstdint>
#include <limits>

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

// The vertex of a hull that lies farthest in a direction; of several, always the same.
int support_vertex(const Hull& hull, const Vec3& direction);

// The point of the core that lies farthest in a direction of any length but zero. In double too,
// for algorithms that need more digits than Real has.
template <class T>
Vec3T<T> core_support(const Convex& convex, const Vec3T<T>& direction);

inline Vec3 support(const Convex& convex, const Vec3& direction) {
  return core_support(convex, direction);
}

// A point inside the core, near its middle.
Vec3 middle(const Convex& convex);

// Radius of the smallest ball about `center` that holds all of it, rounding included. [m]
Real radius_about(const Convex& convex, const Vec3& center);

// Radius of the largest ball about its middle that fits into it. [m]
Real inner_radius(const Convex& convex);

// The face, edge or corner of the core that faces a unit direction most, counter-clockwise seen
// from outside. Faces of hulls with more corners than a Feature holds are thinned out; the cap of a
// cylinder is a regular octagon.
void supporting_feature(const Convex& convex, const Vec3& direction, Feature& out);

// The smallest box about it, rounding included, in its own frame turned by `rotation`.
struct Extent {
  Vec3 lower, upper;
};
Extent extent(const Convex& convex, const Mat3& rotation);

template <class T>
inline Vec3T<T> core_support(const Convex& convex, const Vec3T<T>& direction) {
  const Vec3T<T>& d = direction;
  const T hx = convex.half.x, hy = convex.half.y, hz = convex.half.z;
  switch (convex.kind) {
    case ConvexKind::kSphere:
      break;
    case ConvexKind::kCapsule:
      return {T(0), std::copysign(hy, d.y), T(0)};
    case ConvexKind::kBox:
      return {std::copysign(hx, d.x), std::copysign(hy, d.y), std::copysign(hz, d.z)};
    case ConvexKind::kHull: {
      const Vec3 narrow{static_cast<Real>(d.x), static_cast<Real>(d.y), static_cast<Real>(d.z)};
      const Vec3& v = convex.hull->vertices[support_vertex(*convex.hull, narrow)];
      return {T(v.x), T(v.y), T(v.z)};
    }
    case ConvexKind::kCylinder: {
      // Straight up, the whole cap is farthest, and its middle will do.
      const T across2 = d.x * d.x + d.z * d.z;
      const T s = across2 > T(0) ? hx / std::sqrt(across2) : T(0);
      return {d.x * s, std::copysign(hy, d.y), d.z * s};
    }
    case ConvexKind::kTriangle: {
      Vec3T<T> best{};
      T farthest = -std::numeric_limits<T>::infinity();
      for (const Vec3& c : convex.corner) {
        const Vec3T<T> corner{T(c.x), T(c.y), T(c.z)};
        const T along = dot(corner, d);
        if (along > farthest) farthest = along, best = corner;
      }
      return best;
    }
  }
  return {};
}

}  // namespace sinew
