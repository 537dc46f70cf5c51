// Boxes along the axes, and rays against them.
#pragma once

#include <sinew/math.h>

#include <cmath>
#include <limits>

namespace sinew {

struct Aabb {
  Vec3 lower, upper;  // [m]; lower > upper in every axis when empty

  static Aabb empty() {
    constexpr Real kMost = std::numeric_limits<Real>::max();
    return {{kMost, kMost, kMost}, {-kMost, -kMost, -kMost}};
  }
  Vec3 center() const { return (lower + upper) * Real(0.5); }
  Vec3 half() const { return (upper - lower) * Real(0.5); }
  friend bool operator==(const Aabb&, const Aabb&) = default;
};

inline Vec3 least(const Vec3& a, const Vec3& b) {
  return {min(a.x, b.x), min(a.y, b.y), min(a.z, b.z)};
}
inline Vec3 most(const Vec3& a, const Vec3& b) {
  return {max(a.x, b.x), max(a.y, b.y), max(a.z, b.z)};
}

// Boxes that only touch overlap. Without branches: which axis parts two boxes cannot be foreseen.
inline bool overlap(const Aabb& a, const Aabb& b) {
  return bool(int(a.lower.x <= b.upper.x) & int(b.lower.x <= a.upper.x) &
              int(a.lower.y <= b.upper.y) & int(b.lower.y <= a.upper.y) &
              int(a.lower.z <= b.upper.z) & int(b.lower.z <= a.upper.z));
}
inline bool contains(const Aabb& outer, const Aabb& inner) {
  return bool(int(outer.lower.x <= inner.lower.x) & int(inner.upper.x <= outer.upper.x) &
              int(outer.lower.y <= inner.lower.y) & int(inner.upper.y <= outer.upper.y) &
              int(outer.lower.z <= inner.lower.z) & int(inner.upper.z <= outer.upper.z));
}
inline Aabb merged(const Aabb& a, const Aabb& b) {
  return {least(a.lower, b.lower), most(a.upper, b.upper)};
}
inline Aabb merged(const Aabb& a, const Vec3& point) {
  return {least(a.lower, point), most(a.upper, point)};
}
inline Aabb grown(const Aabb& a, const Vec3& by) { return {a.lower - by, a.upper + by}; }
inline Aabb grown(const Aabb& a, Real by) { return grown(a, Vec3{by, by, by}); }
// Half of its surface: in proportion to how many rays of all directions meet it [m²].
inline Real area(const Aabb& a) {
  const Vec3 side = a.upper - a.lower;
  return side.x * side.y + side.y * side.z + side.z * side.x;
}
// Of a point from the box, 0 inside [m²].
inline Real distance2(const Aabb& box, const Vec3& p) {
  const Vec3 gap = most(most(box.lower - p, p - box.upper), {});
  return dot(gap, gap);
}

// The points origin + t way, ready for slab tests. They find every box that the ray meets, and at
// most a few beside it by rounding: boxes count as larger by some units in the last place, and
// directions along an axis are never divided by (T. Ize, Robust BVH Ray Traversal, 2013).
template <class T>
struct SlabRay {
  static constexpr Real kUlp = std::numeric_limits<Real>::epsilon();

  SlabRay(const Vec3& origin, const Vec3& way) {
    for (int axis = 0; axis < 3; ++axis) {
      const Real slack = Real(4) * kUlp * std::fabs(origin[axis]) + Real(1e-20);
      above[axis] = T(origin[axis] + slack);
      below[axis] = T(origin[axis] - slack);
      const Real speed = max(std::fabs(way[axis]), Real(1e-30));
      inverse[axis] = T(std::copysign(1 / speed, way[axis]));
    }
  }

  // From where to where the ray is in the box; enter > leave where it misses it.
  void cut(const Vec3T<T>& lower, const Vec3T<T>& upper, T& enter, T& leave) const {
    const T ax = (lower.x - above.x) * inverse.x, bx = (upper.x - below.x) * inverse.x;
    const T ay = (lower.y - above.y) * inverse.y, by = (upper.y - below.y) * inverse.y;
    const T az = (lower.z - above.z) * inverse.z, bz = (upper.z - below.z) * inverse.z;
    enter = max(max(min(ax, bx), min(ay, by)), min(az, bz));
    leave = min(min(max(ax, bx), max(ay, by)), max(az, bz));
    leave = leave * T(1 + 4 * kUlp);
  }

  Vec3T<T> above, below;  // the origin, moved a little
  Vec3T<T> inverse;       // of the way, finite
};

// Where the ray enters the box, or a number above `most` if it does not between 0 and `most`.
inline Real enter_box(const SlabRay<Real>& ray, const Aabb& box, Real most) {
  Real enter, leave;
  ray.cut(box.lower, box.upper, enter, leave);
  enter = max(enter, Real(0));
  return enter <= min(leave, most) ? enter : std::numeric_limits<Real>::infinity();
}

}  // namespace sinew
