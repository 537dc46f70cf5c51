// Plain loops over all triangles of a surface, in double, for the tests to hold against its tree.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "collision/surface.h"

namespace sinew {

using V = Vec3T<double>;

class RandomPoints {
 public:
  explicit RandomPoints(unsigned seed) : generator_(seed) {}
  double number(double a, double b) { return a + (b - a) * (generator_() / 4294967296.0); }
  Vec3 point(const Vec3& size) {
    return {Real(number(-1, 1)) * size.x, Real(number(-1, 1)) * size.y,
            Real(number(-1, 1)) * size.z};
  }

 private:
  std::mt19937 generator_;
};

// Where a ray crosses a triangle, by its plane and the sides of its edges; `rim` is how far outside
// still counts, relative. 1e30: nowhere.
inline double cross_triangle(const V (&c)[3], const V& origin, const V& way, double rim) {
  const V n = cross(c[1] - c[0], c[2] - c[0]);
  const double speed = dot(n, way);
  if (std::abs(speed) < 1e-9 * length(n) * length(way)) return 1e30;
  const double t = dot(n, c[0] - origin) / speed;
  const V at = origin + way * t;
  for (int k = 0; k < 3; ++k)
    if (dot(n, cross(c[(k + 1) % 3] - c[k], at - c[k])) < -rim * dot(n, n)) return 1e30;
  return t < 0 ? 1e30 : t;
}

// Nearest point of a segment or a triangle by plain minimisation over its parts.
inline double distance_to_segment(const V& a, const V& b, const V& p) {
  const double along = std::clamp(dot(p - a, b - a) / dot(b - a, b - a), 0.0, 1.0);
  return length(p - (a + (b - a) * along));
}
inline double distance_to_triangle(const V (&c)[3], const V& p) {
  const V n = normalized(cross(c[1] - c[0], c[2] - c[0]));
  bool above = true;
  double least = 1e30;
  for (int k = 0; k < 3; ++k) {
    const V edge = c[(k + 1) % 3] - c[k];
    above = above && dot(cross(n, edge), p - c[k]) >= 0;
    least = std::min(least, distance_to_segment(c[k], c[(k + 1) % 3], p));
  }
  return above ? std::abs(dot(n, p - c[0])) : least;
}

template <Surface S>
void corners_of(const S& surface, Index t, V (&out)[3]) {
  Vec3 c[3];
  surface.triangle(t, c);
  for (int k = 0; k < 3; ++k) out[k] = to_double(c[k]);
}

template <Surface S>
void check_queries(const S& surface, const Vec3& world, const Vec3& size, unsigned seed) {
  RandomPoints random(seed);
  for (int i = 0; i < 200; ++i) {
    const Vec3 at = random.point(world), half = random.point(size);
    const Vec3 positive{std::fabs(half.x), std::fabs(half.y), std::fabs(half.z)};
    const Aabb box{at - positive, at + positive};
    std::vector<Index> found, expected;
    surface.query(box, [&](Index t) { found.push_back(t); });
    for (Index t = 0; t < surface.triangle_count(); ++t) {
      Vec3 c[3];
      surface.triangle(t, c);
      Aabb own = Aabb::empty();
      for (const Vec3& v : c) own = merged(own, v);
      if (overlap(own, box) && length(surface.normal(t)) > 0) expected.push_back(t);
    }
    std::sort(found.begin(), found.end());
    ASSERT_EQ(found, expected) << "query " << i;
  }
}

// Every hit of the brute force must be found, at its fraction, and no other.
template <Surface S>
void check_rays(const S& surface, const Vec3& world, unsigned seed) {
  RandomPoints random(seed);
  int hits = 0;
  for (int i = 0; i < 1500; ++i) {
    const Vec3 origin = random.point(world);
    Vec3 way = random.point(world) * Real(2);
    if (i % 4 == 0) way[i / 4 % 3] = 0;
    if (i % 8 == 0) way[(i / 4 + 1) % 3] = 0;
    double strict = 1e30, loose = 1e30;
    for (Index t = 0; t < surface.triangle_count(); ++t) {
      V c[3];
      corners_of(surface, t, c);
      strict = std::min(strict, cross_triangle(c, to_double(origin), to_double(way), -1e-5));
      loose = std::min(loose, cross_triangle(c, to_double(origin), to_double(way), 1e-4));
    }
    const Real most = static_cast<Real>(random.number(0.3, 1));
    const auto hit = surface.cast_ray(origin, way, most);
    const double tolerance = 2e-5;
    if (strict < double(most) - tolerance) {
      ASSERT_TRUE(hit.has_value()) << "ray " << i << " at " << strict;
    }
    if (!hit) continue;
    ++hits;
    EXPECT_LE(double(hit->fraction), strict + tolerance) << "ray " << i;
    EXPECT_GE(double(hit->fraction), loose - tolerance) << "ray " << i;
    EXPECT_LE(hit->fraction, most);
    V c[3];
    corners_of(surface, hit->triangle, c);
    EXPECT_NEAR(cross_triangle(c, to_double(origin), to_double(way), 1e-4), double(hit->fraction),
                tolerance);
    EXPECT_NEAR(double(length(hit->normal)), 1, 1e-5);
    EXPECT_LE(dot(hit->normal, way), 0);
    EXPECT_NEAR(std::abs(double(dot(hit->normal, surface.normal(hit->triangle)))), 1, 1e-5);
  }
  EXPECT_GT(hits, 100);
}

template <Surface S>
void check_nearest(const S& surface, const Vec3& world, unsigned seed) {
  RandomPoints random(seed);
  for (int i = 0; i < 300; ++i) {
    const Vec3 p = random.point(world);
    double least = 1e30;
    for (Index t = 0; t < surface.triangle_count(); ++t) {
      if (length(surface.normal(t)) == 0) continue;
      V c[3];
      corners_of(surface, t, c);
      least = std::min(least, distance_to_triangle(c, to_double(p)));
    }
    const Real most = static_cast<Real>(random.number(0.2, 3));
    const auto found = surface.closest_point(p, most);
    if (least > double(most) * 1.0001) {
      EXPECT_FALSE(found.has_value());
    } else if (least < double(most) * 0.9999) {
      ASSERT_TRUE(found.has_value()) << "point " << i;
      EXPECT_NEAR(double(found->distance), least, 1e-5);
      EXPECT_NEAR(double(length(found->point - p)), least, 1e-5);
      V c[3];
      corners_of(surface, found->triangle, c);
      EXPECT_NEAR(distance_to_triangle(c, to_double(found->point)), 0, 1e-5);
    }
  }
}

// What an edge is, from the corners alone; neighbours must agree on it.
template <Surface S>
void check_edges(const S& surface, int borders) {
  int found_borders = 0;
  for (Index t = 0; t < surface.triangle_count(); ++t) {
    V c[3];
    corners_of(surface, t, c);
    const V n = normalized(cross(c[1] - c[0], c[2] - c[0]));
    EXPECT_NEAR(length(n - to_double(surface.normal(t))), 0, 1e-5);
    for (int k = 0; k < 3; ++k) {
      const SurfaceEdge edge = surface.edge(t, k);
      if (edge.kind == EdgeKind::kBorder) {
        ++found_borders;
        continue;
      }
      V o[3];
      corners_of(surface, edge.neighbour, o);
      int shared = 0, back = -1;
      double height = 0;  // of the corner that is not shared, above the plane
      for (int j = 0; j < 3; ++j) {
        const bool start = length(o[j] - c[k]) < 1e-6, end = length(o[j] - c[(k + 1) % 3]) < 1e-6;
        shared += start || end ? 1 : 0;
        if (end) back = j;  // the neighbour runs the other way
        if (!start && !end)
          height = dot(n, o[j] - c[k]) / distance_to_segment(c[k], c[(k + 1) % 3], o[j]);
      }
      ASSERT_EQ(shared, 2) << "triangle " << t << ", edge " << k;
      EXPECT_EQ(surface.edge(edge.neighbour, back).neighbour, t);
      EXPECT_EQ(surface.edge(edge.neighbour, back).kind, edge.kind);
      // Near the limit between flat and bent, either is right.
      if (std::abs(height) > 0.01 && std::abs(height) < 0.03) continue;
      EXPECT_EQ(edge.kind, height < -0.02  ? EdgeKind::kConvex
                           : height > 0.02 ? EdgeKind::kConcave
                                           : EdgeKind::kFlat);
    }
  }
  EXPECT_EQ(found_borders, borders);
}

}  // namespace sinew
