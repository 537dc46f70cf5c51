// Each kind finds the point q of the core that is nearest to p. Where p is in the core itself, the
// way out is the shortest one to its surface; where that leaves a choice, some fixed direction.
#include "collision/point_distance.h"

#include <cmath>

#include "collision/simplex.h"

namespace sinew {
namespace {

using Vec = Vec3T<double>;

double clamped(double x, double half) { return max(-half, min(x, half)); }

CoreDistance from(const Vec& q, const Vec& p, const Vec& if_same) {
  const Vec way = p - q;
  const double distance = length(way);
  return {distance, distance > 0 ? way * (1 / distance) : if_same, q};
}

CoreDistance box_distance(const Vec& half, const Vec& p) {
  const Vec q{clamped(p.x, half.x), clamped(p.y, half.y), clamped(p.z, half.z)};
  const CoreDistance outside = from(q, p, {});
  if (outside.distance > 0) return outside;
  int axis = 0;
  for (int i = 1; i < 3; ++i)
    if (half[i] - abs(p[i]) < half[axis] - abs(p[axis])) axis = i;
  CoreDistance out{abs(p[axis]) - half[axis], {}, q};
  out.normal[axis] = std::copysign(1.0, p[axis]);
  out.on_core[axis] = std::copysign(half[axis], p[axis]);
  return out;
}

CoreDistance cylinder_distance(double radius, double half_height, const Vec& p) {
  const double off_axis = std::sqrt(p.x * p.x + p.z * p.z);
  const Vec outwards = off_axis > 0 ? Vec{p.x / off_axis, 0, p.z / off_axis} : Vec{1, 0, 0};
  const Vec up{0, std::copysign(1.0, p.y), 0};
  const double side = off_axis - radius, cap = abs(p.y) - half_height;
  if (side > 0 || cap > 0) {
    const double distance = std::hypot(max(side, 0.0), max(cap, 0.0));
    const Vec way = outwards * max(side, 0.0) + up * max(cap, 0.0);
    return {distance, way * (1 / distance),
            outwards * min(off_axis, radius) + Vec{0, clamped(p.y, half_height), 0}};
  }
  if (side > cap) return {side, outwards, outwards * radius + Vec{0, p.y, 0}};
  return {cap, up, {p.x, std::copysign(half_height, p.y), p.z}};
}

// The front, or for one that has collapsed to a line some direction across that.
Vec triangle_normal(const Vec& a, const Vec& b, const Vec& c) {
  const Vec ab = b - a, ac = c - a, bc = c - b, n = cross(ab, ac);
  const double n2 = dot(n, n);
  if (n2 > std::numeric_limits<double>::min()) return n * (1 / std::sqrt(n2));
  const Vec longer = dot(ab, ab) > dot(ac, ac) ? ab : ac;
  const Vec longest = dot(longer, longer) > dot(bc, bc) ? longer : bc;
  return dot(longest, longest) > std::numeric_limits<double>::min() ? across(longest)
                                                                    : Vec{0, 1, 0};
}

CoreDistance triangle_distance(const Vec3 (&corner)[3], const Vec& p) {
  constexpr double kInside = 1e-10;  // nearer than this, relative to its size, p is in it
  const Vec w[3] = {to_double(corner[0]) - p, to_double(corner[1]) - p, to_double(corner[2]) - p};
  const NearestInSimplex nearest = nearest_in_simplex(w, 3);
  const double size2 = max(max(dot(w[0], w[0]), dot(w[1], w[1])), dot(w[2], w[2]));
  if (!(nearest.distance2 > kInside * kInside * size2))
    return {0, triangle_normal(w[0], w[1], w[2]), p + nearest.point};
  const double distance = std::sqrt(nearest.distance2);
  return {distance, nearest.point * (-1 / distance), p + nearest.point};
}

}  // namespace

CoreDistance core_distance(const Convex& convex, const Vec& p) {
  const Vec half = to_double(convex.half);
  switch (convex.kind) {
    case ConvexKind::kCapsule:
      return from({0, clamped(p.y, half.y), 0}, p, {1, 0, 0});
    case ConvexKind::kBox:
      return box_distance(half, p);
    case ConvexKind::kCylinder:
      return cylinder_distance(half.x, half.y, p);
    case ConvexKind::kTriangle:
      return triangle_distance(convex.corner, p);
    default:
      return from({}, p, {0, 1, 0});
  }
}

}  // namespace sinew
