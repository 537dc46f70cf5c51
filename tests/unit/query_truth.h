// How far a point or a segment is from the bodies of a world, in double, from the definitions of
// their shapes (include/sinew/shapes) and their triangles one by one: what queries are checked
// against. No tree, and nothing of src/collision.
#pragma once

#include <sinew/world.h>

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "convex_testing.h"
#include "geometry/nearest_on_triangle.h"

namespace sinew::query_truth {

using Vec = Vec3T<double>;
using convex_testing::rotate;
using convex_testing::rotate_back;

// A ball, or a capsule: all within `radius` of the segment from a to b.
struct Probe {
  Vec a, b;
  double radius = 0;

  Probe moved(const Vec& by) const { return {a + by, b + by, radius}; }
};

class Part {
 public:
  Part(const Pose& body, const sinew::Part& part) : shape_(part.shape), poses_{body, part.pose} {
    if (const auto* hull = std::get_if<ConvexHull>(&shape_)) take(hull->surface());
    if (const auto* mesh = std::get_if<TriangleMesh>(&shape_)) take(mesh->mesh);
    if (const auto* field = std::get_if<HeightField>(&shape_)) take(field->surface());
  }

  // Negative inside of what has an inside.
  double distance(const Vec& world_point) const {
    const Vec p = to_local(world_point);
    return std::visit([&](const auto& shape) { return distance(shape, p); }, shape_);
  }

  // The distance from a convex set is a convex function along a segment.
  double distance(const Probe& probe) const {
    if (probe.a == probe.b) return distance(probe.a) - probe.radius;
    const Vec way = probe.b - probe.a;
    if (std::holds_alternative<TriangleMesh>(shape_) ||
        std::holds_alternative<HeightField>(shape_)) {
      const Vec from = to_local(probe.a), along = to_local(probe.b) - from;
      double best = std::numeric_limits<double>::infinity();
      for (const auto& t : triangles_) {
        // No part of the segment is nearer than the corner is, less its length and the triangle's.
        const double reach = length(along) + length(t[1] - t[0]) + length(t[2] - t[0]);
        if (length(from - t[0]) - reach > best) continue;
        best = std::min(best, smallest([&](double s) { return to(t, from + along * s); }));
      }
      return best - probe.radius;
    }
    return smallest([&](double s) { return distance(probe.a + way * s); }) - probe.radius;
  }

 private:
  using Corners = std::array<Vec, 3>;

  Vec to_local(Vec p) const {
    for (const Pose& pose : poses_) p = rotate_back(pose.orientation, p - to_double(pose.position));
    return p;
  }
  void take(const TriMesh& mesh) {
    for (const Triangle& t : mesh.cells)
      triangles_.push_back({to_double(mesh.vertices[t[0]]), to_double(mesh.vertices[t[1]]),
                            to_double(mesh.vertices[t[2]])});
  }
  static double to(const Corners& t, const Vec& p) {
    const Vec x[3] = {t[0], t[1], t[2]};
    return std::sqrt(nearest_on_triangle(p, x).distance2);
  }
  double to_triangles(const Vec& p) const {
    double best = std::numeric_limits<double>::infinity();
    for (const Corners& t : triangles_) best = std::min(best, to(t, p));
    return best;
  }
  template <class S>
  double distance(const S& shape, const Vec& p) const {
    if constexpr (std::is_same_v<S, TriangleMesh> || std::is_same_v<S, HeightField>) {
      return to_triangles(p);
    } else {
      const double d = shape.signed_distance(p).distance;
      return std::is_same_v<S, ConvexHull> && d > 0 ? to_triangles(p) : d;
    }
  }
  template <class F>
  static double smallest(F&& f) {
    double from = 0, to = 1;
    for (int i = 0; i < 32; ++i) {
      const double a = from + (to - from) * 0.382, b = from + (to - from) * 0.618;
      if (f(a) < f(b))
        to = b;
      else
        from = a;
    }
    return std::min({f(0), f((from + to) / 2), f(1)});
  }

  Shape shape_;
  std::array<Pose, 2> poses_;
  std::vector<Corners> triangles_;
};

struct Body {
  RigidId id;
  std::vector<Part> parts;

  template <class P>
  double distance(const P& probe) const {
    double best = std::numeric_limits<double>::infinity();
    for (const Part& part : parts) best = std::min(best, part.distance(probe));
    return best;
  }
};

inline std::vector<Body> bodies_of(const World& world) {
  std::vector<Body> all;
  for (const RigidId id : world.rigid_bodies()) {
    Body body{id, {}};
    for (const sinew::Part& part : world.parts(id)) body.parts.emplace_back(world.pose(id), part);
    all.push_back(std::move(body));
  }
  return all;
}

template <class P>
double distance(const std::vector<Body>& bodies, const P& probe) {
  double best = std::numeric_limits<double>::infinity();
  for (const Body& body : bodies) best = std::min(best, body.distance(probe));
  return best;
}

// Where a probe that goes straight first touches something: never farther than the distance at a
// time (J. Hart, Sphere tracing, 1996).
struct Traced {
  enum class End { kHit, kMiss, kGrazes } end;
  double fraction = 1;
};
inline Traced trace(const std::vector<Body>& bodies, const Probe& probe, const Vec& way) {
  constexpr double kTouch = 1e-7, kGraze = 1e-4;
  double at = 0, nearest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 1000 && at <= 1; ++i) {
    const double d = distance(bodies, probe.moved(way * at));
    if (d < kTouch) return {Traced::End::kHit, at};
    nearest = std::min(nearest, d);
    at += d / length(way);
  }
  return {nearest > kGraze ? Traced::End::kMiss : Traced::End::kGrazes};
}

}  // namespace sinew::query_truth
