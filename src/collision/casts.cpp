// Rays against convex shapes, by formula: flat and round sides each cut the stretch of the ray that
// is inside (M. Cyrus, J. Beck, Generalized two- and three-dimensional clipping, 1978; C. Ericson,
// Real-time collision detection, 2005, chapter 5.3). In double whatever Real is: a pebble a
// kilometre away is a small difference of large numbers.
#include "collision/casts.h"

#include <cmath>

#include "collision/gjk.h"
#include "collision/point_distance.h"
#include "geometry/cells.h"

namespace sinew {
namespace {

using Vec = Vec3T<double>;

Vec unit(const Vec& v) { return v * (1 / std::sqrt(dot(v, v))); }

struct Ray {
  Vec origin, way;

  Vec at(double t) const { return origin + way * t; }
  Hit hit(double t, const Vec& normal) const {
    return {static_cast<Real>(t), to_real(at(t)), to_real(normal)};
  }
  Hit inside() const { return hit(0, -unit(way)); }
};

// The stretch of a ray that is inside of what has been cut so far.
struct Stretch {
  double enter = -std::numeric_limits<double>::infinity(), leave = 1;
  Vec normal = {};  // of the side where the ray enters

  void cut(double from, double to, const Vec& n) {
    if (from > enter) enter = from, normal = n;
    leave = min(leave, to);
  }
  void miss() { leave = -1; }

  // Keeps n·x ≤ offset.
  void cut_plane(const Ray& ray, const Vec& n, double offset) {
    const double above = dot(n, ray.origin) - offset, slope = dot(n, ray.way);
    if (slope < 0)
      cut(-above / slope, std::numeric_limits<double>::infinity(), n);
    else if (slope > 0)
      cut(-std::numeric_limits<double>::infinity(), -above / slope, {});
    else if (above > 0)
      miss();
  }

  std::optional<Hit> hit(const Ray& ray) const {
    if (!(leave > 0) || enter > leave) return std::nullopt;
    if (enter < 0) return ray.inside();
    return ray.hit(enter, normal);
  }
};

// When a ray that starts outside enters a ball about the origin, in three dimensions or, with y
// left out, in two. The discriminant r²d² − |m × d|² has no cancellation of squares of the
// distance.
std::optional<double> enter_ball(const Vec& m, const Vec& d, double radius) {
  const double d2 = dot(d, d), along = dot(m, d);
  const Vec off = cross(m, d);
  const double discriminant = radius * radius * d2 - dot(off, off);
  if (!(along < 0) || discriminant < 0) return std::nullopt;
  const double outside = length(m);
  return max(0.0, (outside - radius) * (outside + radius) / (std::sqrt(discriminant) - along));
}

std::optional<Hit> cast_sphere(const Ray& ray, const Vec& center, double radius) {
  const Vec m = ray.origin - center;
  const std::optional<double> t = enter_ball(m, ray.way, radius);
  if (!t || *t > 1) return std::nullopt;
  return ray.hit(*t, normalized(m + ray.way * *t));
}

// Where the ray enters the endless cylinder decides which of side and ends it meets.
std::optional<Hit> cast_capsule(const Ray& ray, double radius, double half_height) {
  const Vec m{ray.origin.x, 0, ray.origin.z}, d{ray.way.x, 0, ray.way.z};
  double t = 0;
  if (length(m) > radius) {
    const std::optional<double> side = enter_ball(m, d, radius);
    if (!side || *side > 1) return std::nullopt;
    t = *side;
    if (abs(ray.at(t).y) <= half_height) return ray.hit(t, normalized(m + d * t));
  }
  return cast_sphere(ray, {0, std::copysign(half_height, ray.at(t).y), 0}, radius);
}

std::optional<Hit> cast_cylinder(const Ray& ray, double radius, double half_height) {
  Stretch stretch;
  stretch.cut_plane(ray, {0, 1, 0}, half_height);
  stretch.cut_plane(ray, {0, -1, 0}, half_height);
  const Vec m{ray.origin.x, 0, ray.origin.z}, d{ray.way.x, 0, ray.way.z};
  const double d2 = dot(d, d), along = dot(m, d), outside = length(m) - radius;
  const Vec off = cross(m, d);
  const double discriminant = radius * radius * d2 - dot(off, off);
  if (!(d2 > 0) || discriminant < 0) {
    if (outside > 0 || d2 > 0) stretch.miss();
    return stretch.hit(ray);
  }
  // The nearer root of the two in the form without cancellation, the other from their product.
  const double root = std::sqrt(discriminant), product = outside * (length(m) + radius);
  const double larger = along > 0 ? -along - root : root - along;
  const double one = larger / d2, other = larger != 0 ? product / larger : 0;
  const double enter = min(one, other), leave = max(one, other);
  const Vec across = m + d * enter;
  stretch.cut(enter, leave, normalized(across));
  return stretch.hit(ray);
}

std::optional<Hit> cast_box(const Ray& ray, const Vec& half) {
  Stretch stretch;
  for (int i = 0; i < 3; ++i) {
    Vec n{};
    n[i] = 1;
    stretch.cut_plane(ray, n, half[i]);
    stretch.cut_plane(ray, -n, half[i]);
  }
  return stretch.hit(ray);
}

std::optional<Hit> cast_hull(const Ray& ray, const Hull& hull) {
  Stretch stretch;
  for (const Hull::Face& face : hull.faces)
    stretch.cut_plane(ray, to_double(face.normal), double(face.offset));
  return stretch.hit(ray);
}

// Anything with rounding: a point that moves.
std::optional<Hit> cast_point(const Convex& convex, const Vec3& origin, const Vec3& way) {
  std::optional<Hit> hit = cast_convex({}, {origin, {}}, way, convex, {});
  if (hit && hit->fraction == 0 && closest_to_point(convex, origin).distance < 0)
    hit->point = origin, hit->normal = -normalized(way);
  return hit;
}

std::optional<Hit> test_point(const Convex& convex, const Vec3& p) {
  const Closest c = closest_to_point(convex, p);
  if (c.distance > 0) return std::nullopt;
  return Hit{0, p, c.normal};
}

}  // namespace

std::optional<Hit> cast_ray(const Convex& convex, const Vec3& origin, const Vec3& way) {
  const Ray ray{to_double(origin), to_double(way)};
  if (!(dot(ray.way, ray.way) > 0)) return test_point(convex, origin);
  const double radius = convex.radius;
  const Vec half = to_double(convex.half);
  switch (convex.kind) {
    case ConvexKind::kSphere:
      if (length(ray.origin) < radius) return ray.inside();
      return cast_sphere(ray, {}, radius);
    case ConvexKind::kCapsule:
      if (core_distance(convex, ray.origin).distance < radius) return ray.inside();
      return cast_capsule(ray, radius, half.y);
    default:
      break;
  }
  if (radius > 0) return cast_point(convex, origin, way);
  switch (convex.kind) {
    case ConvexKind::kBox:
      return cast_box(ray, half);
    case ConvexKind::kCylinder:
      return cast_cylinder(ray, half.x, half.y);
    case ConvexKind::kHull:
      return cast_hull(ray, *convex.hull);
    default:
      return cast_ray_triangle(convex.corner, origin, way, Sides::kBoth);
  }
}

// The ray passes the edges on the same side: the volumes that it spans with each of them have one
// sign (Ericson 2005, chapter 5.3.4). Within rounding of an edge it hits both neighbours.
std::optional<Hit> cast_ray_triangle(const Vec3 (&corner)[3], const Vec3& origin, const Vec3& way,
                                     Sides sides) {
  const Ray ray{to_double(origin), to_double(way)};
  const Vec a = to_double(corner[0]) - ray.origin, b = to_double(corner[1]) - ray.origin,
            c = to_double(corner[2]) - ray.origin;
  const Vec n = cross(b - a, c - a);
  const double slope = dot(n, ray.way), above = dot(n, a);  // of the plane, from the origin
  if (slope == 0 || (sides == Sides::kFront && slope > 0)) return std::nullopt;
  const double t = above / slope;
  if (!(t >= 0 && t <= 1)) return std::nullopt;

  const double sign = slope > 0 ? 1 : -1;
  const auto outside = [&](const Vec& from, const Vec& to) {
    constexpr double kRounding = 1e-15;
    const Vec edge = to - from;
    const double slack = kRounding * (length(from) + length(to)) * length(edge);
    return sign * dot(ray.way, cross(from, edge)) < -slack * length(ray.way);
  };
  if (outside(a, b) || outside(b, c) || outside(c, a)) return std::nullopt;
  return ray.hit(t, unit(n) * -sign);
}

std::optional<Hit> cast_ray_plane(const Vec3& origin, const Vec3& way) {
  const Ray ray{to_double(origin), to_double(way)};
  if (origin.y < 0) return ray.inside();
  if (!(way.y < 0) || origin.y + way.y > 0) return std::nullopt;
  return ray.hit(ray.origin.y / -ray.way.y, {0, 1, 0});
}

}  // namespace sinew
