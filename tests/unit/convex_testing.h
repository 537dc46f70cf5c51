// Convex shapes of every kind for tests, and what is known of them independently of src/collision:
// the extent in any direction, in double, from their definition.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "collision/convex.h"

namespace sinew::convex_testing {

using Vec = Vec3T<double>;

inline constexpr bool kFloat = sizeof(Real) == 4;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double number(double from, double to) {
    return from + (to - from) * (double(engine_()) / double(std::mt19937::max()));
  }
  Vec3 vector(double size) {
    const double x = number(-size, size), y = number(-size, size), z = number(-size, size);
    return {Real(x), Real(y), Real(z)};
  }
  Vec3 direction() {
    for (;;) {
      const Vec3 v = vector(1);
      if (length(v) > Real(0.1) && length(v) < 1) return v / length(v);
    }
  }
  Quat turn() {
    const Vec3 axis = direction();
    return Quat::from_axis_angle(axis, Real(number(0, 2 * std::numbers::pi)));
  }

 private:
  std::mt19937 engine_;
};

// By trying every triple of points, none of which may be inside, for having all others on one side.
// No four may lie in a plane.
inline std::shared_ptr<Hull> brute_hull(const std::vector<Vec3>& points) {
  auto hull = std::make_shared<Hull>();
  hull->vertices = points;
  const int n = static_cast<int>(points.size());
  for (int i = 0; i < n; ++i) hull->center += points[i] / Real(n);
  for (int i = 0; i < n; ++i) hull->radius = max(hull->radius, length(points[i] - hull->center));
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j)
      for (int k = j + 1; k < n; ++k) {
        const Vec a = to_double(points[i]), b = to_double(points[j]), c = to_double(points[k]);
        Vec normal = normalized(cross(b - a, c - a));
        int above = 0, below = 0;
        for (int l = 0; l < n; ++l) {
          if (l == i || l == j || l == k) continue;
          (dot(normal, to_double(points[l]) - a) > 0 ? above : below)++;
        }
        if (above > 0 && below > 0) continue;
        if (above > 0) normal = -normal;
        const auto first = static_cast<std::uint16_t>(hull->face_vertices.size());
        hull->faces.push_back(
            {{Real(normal.x), Real(normal.y), Real(normal.z)}, Real(dot(normal, a)), first, 3});
        for (const int v : {i, above > 0 ? k : j, above > 0 ? j : k})
          hull->face_vertices.push_back(static_cast<std::uint16_t>(v));
      }
  return hull;
}

inline std::shared_ptr<Hull> cube_hull(Real half) {
  auto hull = std::make_shared<Hull>();
  for (int i = 0; i < 8; ++i)
    hull->vertices.push_back({i & 1 ? half : -half, i & 2 ? half : -half, i & 4 ? half : -half});
  const int corners[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                             {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  for (int f = 0; f < 6; ++f) {
    Vec3 normal{};
    normal[f / 2] = f % 2 ? Real(1) : Real(-1);
    hull->faces.push_back({normal, half, static_cast<std::uint16_t>(4 * f), 4});
    for (const int v : corners[f]) hull->face_vertices.push_back(static_cast<std::uint16_t>(v));
  }
  hull->radius = half * std::sqrt(Real(3));
  hull->inner_radius = half;
  return hull;
}

struct Sample {
  std::string name;
  Convex convex;
  std::shared_ptr<Hull> hull;  // kept alive
  double size = 0;             // radius about the origin
};

inline Sample sample(std::string name, const Convex& convex, std::shared_ptr<Hull> hull = nullptr) {
  Sample s{std::move(name), convex, std::move(hull)};
  s.convex.hull = s.hull.get();
  s.size = radius_about(convex.kind == ConvexKind::kHull ? s.convex : convex, {});
  return s;
}

// All kinds, about `size` large.
inline std::vector<Sample> samples(double size, unsigned seed) {
  Random random(seed);
  const auto r = [&](double x) { return Real(x * size); };
  const auto v = [&](double x, double y, double z) { return Vec3{r(x), r(y), r(z)}; };
  std::vector<Vec3> points;
  for (int i = 0; i < 24; ++i) points.push_back(random.direction() * r(0.7));
  std::vector<Sample> all;
  using enum ConvexKind;
  all.push_back(sample("sphere", {.kind = kSphere, .radius = r(0.5)}));
  all.push_back(sample("point", {.kind = kSphere}));
  all.push_back(sample("capsule", {.kind = kCapsule, .radius = r(0.3), .half = v(0, 0.5, 0)}));
  all.push_back(sample("segment", {.kind = kCapsule, .half = v(0, 0.7, 0)}));
  all.push_back(sample("box", {.kind = kBox, .half = v(0.5, 0.4, 0.7)}));
  all.push_back(sample("plank", {.kind = kBox, .half = v(0.01, 0.5, 1)}));
  all.push_back(sample("rounded box", {.kind = kBox, .radius = r(0.1), .half = v(0.4, 0.2, 0.6)}));
  all.push_back(sample("hull", {.kind = kHull}, brute_hull(points)));
  all.push_back(sample("tetrahedron", {.kind = kHull},
                       brute_hull({v(0, 0, 0), v(1, 0.1, 0), v(0, 1, 0.2), v(0.1, 0, 1)})));
  all.push_back(sample("cube hull", {.kind = kHull}, cube_hull(r(0.5))));
  all.push_back(sample("cylinder", {.kind = kCylinder, .half = v(0.5, 0.6, 0)}));
  all.push_back(sample("coin", {.kind = kCylinder, .half = v(0.6, 0.05, 0)}));
  all.push_back(sample("triangle", {.kind = kTriangle,
                                    .corner = {v(-0.5, 0.1, -0.4), v(0.7, 0, 0), v(0, 0.2, 0.8)}}));
  all.push_back(
      sample("thick triangle", {.kind = kTriangle,
                                .radius = r(0.05),
                                .corner = {v(-0.5, 0.1, -0.4), v(0.7, 0, 0), v(0, 0.2, 0.8)}}));
  all.push_back(
      sample("needle", {.kind = kTriangle, .corner = {v(-1, 0, 0), v(1, 0, 0), v(0.3, 1e-6, 0)}}));
  return all;
}

inline Vec rotate(const Quat& q, const Vec& v) {
  return normalized(QuatT<double>{q.x, q.y, q.z, q.w}).rotate(v);
}
inline Vec rotate_back(const Quat& q, const Vec& v) {
  return normalized(QuatT<double>{-q.x, -q.y, -q.z, q.w}).rotate(v);
}

// max n·x over the shape, rounding included, in its own frame.
inline double reach(const Convex& c, const Vec& n) {
  const Vec half = to_double(c.half);
  double core = 0;
  const auto most = [&](const auto& points) {
    core = -1e300;
    for (const Vec3& p : points) core = std::max(core, dot(to_double(p), n));
  };
  switch (c.kind) {
    case ConvexKind::kSphere:
      break;
    case ConvexKind::kCapsule:
      core = std::abs(n.y) * half.y;
      break;
    case ConvexKind::kBox:
      core = std::abs(n.x) * half.x + std::abs(n.y) * half.y + std::abs(n.z) * half.z;
      break;
    case ConvexKind::kCylinder:
      core = std::abs(n.y) * half.y + std::sqrt(n.x * n.x + n.z * n.z) * half.x;
      break;
    case ConvexKind::kHull:
      most(c.hull->vertices);
      break;
    case ConvexKind::kTriangle:
      most(c.corner);
      break;
  }
  return core + length(n) * double(c.radius);
}

inline double reach(const Convex& c, const Pose& pose, const Vec& n) {
  return dot(n, to_double(pose.position)) + reach(c, rotate_back(pose.orientation, n));
}

// The gap from A to B along a unit n. Its maximum over all n is their signed distance.
inline double gap(const Convex& a, const Convex& b, const Pose& b_in_a, const Vec& n) {
  return -reach(b, b_in_a, -n) - reach(a, n);
}

// Directions that cover the ball evenly, and those of the axes.
inline std::vector<Vec> directions(int count) {
  std::vector<Vec> all = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  for (int i = 0; i < count; ++i) {
    const double y = 1 - (2 * i + 1.0) / count, r = std::sqrt(1 - y * y);
    const double angle = i * std::numbers::pi * (3 - std::sqrt(5.0));
    all.push_back({r * std::cos(angle), y, r * std::sin(angle)});
  }
  return all;
}

// Face normals of the shape, where it has any.
inline std::vector<Vec> normals(const Convex& c) {
  std::vector<Vec> all;
  if (c.kind == ConvexKind::kHull)
    for (const Hull::Face& f : c.hull->faces) all.push_back(to_double(f.normal));
  if (c.kind == ConvexKind::kTriangle) {
    const Vec n = normalized(
        cross(to_double(c.corner[1] - c.corner[0]), to_double(c.corner[2] - c.corner[0])));
    all.push_back(n);
    all.push_back(-n);
  }
  return all;
}

// How far p is outside of the shape at least; negative: it may be inside by that.
inline double outside(const Convex& c, const Vec& p, const std::vector<Vec>& tries) {
  double most = -1e300;
  for (const Vec& n : tries) most = std::max(most, dot(n, p) - reach(c, n));
  for (const Vec& n : normals(c)) most = std::max(most, dot(n, p) - reach(c, n));
  return most;
}

}  // namespace sinew::convex_testing
