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
  const double across = std::sqrt(p.x * p.x + p.z * p.z);
  const Vec outwards = across > 0 ? Vec{p.x / across, 0, p.z / across} : Vec{1, 0, 0};
  const double side = across - radius, cap = abs(p.y) - half_height;
  if (side > 0 || cap > 0) {
    const Vec q = outwards * min(across, radius) + Vec{0, clamped(p.y, half_height), 0};
    return from(q, p, side > cap ? outwards : Vec{0, std::copysign(1.0, p.y), 0});
  }
  if (side > cap) return {side, outwards, outwards * radius + Vec{0, p.y, 0}};
  return {cap, {0, std::copysign(1.0, p.y), 0}, {p.x, std::copysign(half_height, p.y), p.z}};
}

CoreDistance triangle_distance(const Vec3 (&corner)[3], const Vec& p) {
  const Vec w[3] = {to_double(corner[0]) - p, to_double(corner[1]) - p, to_double(corner[2]) - p};
  const Vec front = normalized(cross(w[1] - w[0], w[2] - w[0]));
  return from(nearest_in_simplex(w, 3).point + p, p, dot(front, front) > 0 ? front : Vec{0, 1, 0});
}

}  // namespace

CoreDistance core_distance(const Convex& convex, const Vec& p) {
  const Vec half = to_double(convex.half);
  switch (convex.kind) {
    case ConvexKind::kCapsule: return from({0, clamped(p.y, half.y), 0}, p, {1, 0, 0});
    case ConvexKind::kBox: return box_distance(half, p);
    case ConvexKind::kCylinder: return cylinder_distance(half.x, half.y, p);
    case ConvexKind::kTriangle: return triangle_distance(convex.corner, p);
    default: return from({}, p, {0, 1, 0});
  }
}

}  // namespace sinew
