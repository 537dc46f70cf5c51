// Hits are checked against the signed distance along the way: outside before, at the surface there.
#include "collision/casts.h"

#include <cmath>
#include <limits>

#include "collision/gjk.h"
#include "convex_testing.h"

namespace sinew {
namespace {

using namespace convex_testing;

constexpr Real kPi = std::numbers::pi_v<Real>;

TEST(Casts, RaysMeetEveryShapeWhereTheyEnterIt) {
  Random random(21);
  int hits = 0, misses = 0;
  for (const double size : {1e-2, 1.0, 100.0})
    for (const Sample& s : samples(size, 22)) {
      const double tolerance = (kFloat ? 1e-5 : 1e-9) * size;
      for (int i = 0; i < 60; ++i) {
        const Vec3 origin = random.direction() * Real(3 * size);
        const Vec3 way = random.vector(0.7 * size) - origin * Real(random.number(0.2, 2));
        const std::optional<Hit> hit = cast_ray(s.convex, origin, way);
        SCOPED_TRACE(s.name + " of size " + std::to_string(size) + ", " + std::to_string(i));
        const Real end = hit ? hit->fraction : Real(1);
        for (int k = 0; k < 50; ++k) {
          const Real t = end * Real(k) / 50;
          EXPECT_GT(closest_to_point(s.convex, origin + way * t).distance, -tolerance);
        }
        (hit ? hits : misses)++;
        if (!hit) continue;
        EXPECT_GE(hit->fraction, 0);
        EXPECT_LE(hit->fraction, 1);
        EXPECT_LT(length(hit->point - (origin + way * hit->fraction)), 3 * tolerance);
        EXPECT_NEAR(closest_to_point(s.convex, hit->point).distance, 0, tolerance);
        EXPECT_NEAR(length(hit->normal), 1, 1e-5);
        EXPECT_LT(dot(hit->normal, way), 1e-4 * length(way));
        // The shape lies behind the plane through the point across the normal.
        const Vec n = to_double(hit->normal);
        const double slope = s.convex.radius > 0 ? 3e-3 : 1e-5;
        EXPECT_LT(reach(s.convex, n) - dot(n, to_double(hit->point)), tolerance + slope * size);
      }
    }
  EXPECT_GT(hits, 500);
  EXPECT_GT(misses, 500);
}

// Every ray at a point inside of the shape must hit.
TEST(Casts, RaysAtThePointsOfAShapeDoNotMiss) {
  Random random(23);
  for (const Sample& s : samples(1, 24)) {
    if (s.name == "point" || s.name == "segment" || s.name == "needle") continue;
    for (int i = 0; i < 200; ++i) {
      Vec3 target = middle(s.convex) * Real(0.1);
      for (int k = 0; k < 4; ++k) target += support(s.convex, random.direction()) * Real(0.225);
      const Vec3 origin = random.direction() * Real(i % 2 ? 3 : 1000);
      if (s.convex.kind == ConvexKind::kTriangle) {  // not along it: that is a matter of rounding
        const Vec n = normals(s.convex)[0];
        if (std::abs(dot(n, normalized(to_double(target - origin)))) < 0.1) continue;
      }
      const std::optional<Hit> hit = cast_ray(s.convex, origin, (target - origin) * Real(1.5));
      EXPECT_TRUE(hit) << s.name << ", " << i;
    }
  }
}

TEST(Casts, RaysHaveTheirKnownHits) {
  const Convex box{.kind = ConvexKind::kBox, .half = {1, 2, 3}};
  const Convex sphere{.kind = ConvexKind::kSphere, .radius = 2};
  const Convex capsule{.kind = ConvexKind::kCapsule, .radius = 1, .half = {0, 1, 0}};
  const Convex cylinder{.kind = ConvexKind::kCylinder, .half = {1, 2, 0}};
  const auto expect = [](const std::optional<Hit>& hit, Real fraction, const Vec3& normal) {
    ASSERT_TRUE(hit);
    EXPECT_NEAR(hit->fraction, fraction, 1e-6);
    EXPECT_LT(length(hit->normal - normal), 1e-6);
  };
  expect(cast_ray(box, {5, 0, 0}, {-8, 0, 0}), Real(0.5), {1, 0, 0});
  expect(cast_ray(box, {0, -6, 0}, {0, 8, 0}), Real(0.5), {0, -1, 0});
  expect(cast_ray(sphere, {0, 0, 6}, {0, 0, -8}), Real(0.5), {0, 0, 1});
  expect(cast_ray(capsule, {4, Real(0.5), 0}, {-6, 0, 0}), Real(0.5), {1, 0, 0});
  expect(cast_ray(capsule, {0, 5, 0}, {0, -6, 0}), Real(0.5), {0, 1, 0});
  expect(cast_ray(capsule, {Real(0.6), 5, 0}, {0, -6, 0}), Real(3.2 / 6),
         {Real(0.6), Real(0.8), 0});
  expect(cast_ray(cylinder, {Real(0.5), 4, 0}, {0, -4, 0}), Real(0.5), {0, 1, 0});
  expect(cast_ray(cylinder, {0, 1, -3}, {0, 0, 4}), Real(0.5), {0, 0, -1});
  for (const Convex& c : {box, sphere, capsule, cylinder}) {
    expect(cast_ray(c, {Real(0.1), Real(0.2), 0}, {0, 0, 9}), 0, {0, 0, -1});  // from inside
    EXPECT_FALSE(cast_ray(c, {5, 0, 0}, {-1, 0, 0}));                          // too short
    EXPECT_FALSE(cast_ray(c, {5, 0, 0}, {9, 0, 0}));                           // away
    EXPECT_FALSE(cast_ray(c, {5, 9, 0}, {-9, 0, 0}));                          // past
    EXPECT_TRUE(cast_ray(c, {}, {}));
    EXPECT_FALSE(cast_ray(c, {5, 0, 0}, {}));
  }
  EXPECT_FALSE(cast_ray(box, {1, 0, 0}, {1, 0, 0}));  // leaves the surface
  EXPECT_FALSE(cast_ray(sphere, {2, 0, 0}, {1, 0, 0}));
  EXPECT_FALSE(cast_ray(cylinder, {1, 0, 0}, {1, 0, 0}));
  expect(cast_ray(box, {1, 0, 0}, {-1, 0, 0}), 0, {1, 0, 0});  // enters there

  expect(cast_ray_plane({3, 2, 1}, {1, -4, 0}), Real(0.5), {0, 1, 0});
  expect(cast_ray_plane({3, -2, 1}, {0, 1, 0}), 0, {0, -1, 0});
  EXPECT_FALSE(cast_ray_plane({0, 2, 0}, {0, -1, 0}));
  EXPECT_FALSE(cast_ray_plane({0, 0, 0}, {1, 1, 0}));
}

TEST(Casts, FarPebbleIsHitExactly) {
  const Convex sphere{.kind = ConvexKind::kSphere, .radius = Real(1e-3)};
  const std::optional<Hit> hit = cast_ray(sphere, {1000, 0, 0}, {-2000, 0, 0});
  ASSERT_TRUE(hit);
  EXPECT_NEAR(hit->point.x, 1e-3, 1e-9);
  EXPECT_NEAR(hit->normal.x, 1, 1e-9);
}

TEST(Casts, TrianglesHaveSidesAndLeaveNoGaps) {
  const Vec3 front[3] = {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}};  // faces up
  const Vec3 above{Real(0.2), 1, Real(0.3)}, down{0, -2, 0}, up{0, 2, 0};
  const Vec3 below{Real(0.2), -1, Real(0.3)};
  EXPECT_EQ(cast_ray_triangle(front, above, down, Sides::kFront)->normal, (Vec3{0, 1, 0}));
  EXPECT_FALSE(cast_ray_triangle(front, below, up, Sides::kFront));
  EXPECT_EQ(cast_ray_triangle(front, below, up, Sides::kBoth)->normal, (Vec3{0, -1, 0}));
  EXPECT_FALSE(cast_ray_triangle(front, {1, 1, 1}, down, Sides::kBoth));
  EXPECT_FALSE(cast_ray_triangle(front, {0, 0, -1}, {0, 0, 2}, Sides::kBoth));  // in its plane

  // A fan about a corner: rays at its edges hit one or the other.
  Random random(25);
  for (int i = 0; i < 2000; ++i) {
    const Vec3 middle = random.vector(0.1);
    Vec3 rim[5];
    for (int k = 0; k < 5; ++k)
      rim[k] = {std::cos(2 * kPi * Real(k) / 5), Real(random.number(-0.3, 0.3)),
                std::sin(2 * kPi * Real(k) / 5)};
    const Vec3 at = middle + (rim[i % 5] - middle) * Real(random.number(0, 0.9));
    const Vec3 from{Real(random.number(-1, 1)), 5, Real(random.number(-1, 1))};
    int count = 0;
    for (int k = 0; k < 5; ++k) {
      const Vec3 triangle[3] = {middle, rim[(k + 1) % 5], rim[k]};
      count += cast_ray_triangle(triangle, from, (at - from) * 2, Sides::kFront).has_value();
    }
    EXPECT_GE(count, 1) << i;
  }
}

// Distance at a time, by poses of its own.
Real distance_at(const Convex& a, const Path& ma, const Convex& b, const Path& mb, Real t) {
  return closest(a, b, ma.at(t).inverse() * mb.at(t)).distance;
}

TEST(Casts, MotionTurnsAboutItsCenter) {
  const Path m{.start = {{1, 2, 3}, Quat::from_axis_angle({0, 0, 1}, kPi / 2)},
               .way = {0, 0, 4},
               .turn = {0, 0, kPi},
               .center = {2, 0, 0}};
  const Vec3 center = m.start.to_world({2, 0, 0});
  EXPECT_LT(length(m.at(Real(0.5)).to_world({2, 0, 0}) - center - Vec3{0, 0, 2}), 1e-5);
  // A point one ahead of the centre in x started in +y, and is in -x after a quarter turn.
  EXPECT_LT(length(m.at(Real(0.5)).to_world({3, 0, 0}) - center - Vec3{-1, 0, 2}), 1e-5);
}

TEST(Casts, StraightCastsStopAtTheTarget) {
  const std::vector<Sample> all = samples(1, 26);
  Random random(27);
  int hits = 0, misses = 0;
  const double tolerance = kFloat ? 3e-5 : 1e-9;
  for (const Sample& a : all)
    for (const Sample& b : all)
      for (int i = 0; i < 6; ++i) {
        const Pose pose_a{random.direction() * 4, random.turn()};
        const Pose pose_b{random.vector(0.5), random.turn()};
        const Vec3 way = pose_a.position * Real(-1.5) + random.vector(1.5);
        const Real target = i % 2 ? Real(0.1) : 0;
        const std::optional<Hit> hit = cast_convex(a.convex, pose_a, way, b.convex, pose_b, target);
        SCOPED_TRACE(a.name + " at " + b.name + ", " + std::to_string(i));
        (hit ? hits : misses)++;
        const Path ma{.start = pose_a, .way = way}, mb{.start = pose_b};
        const Real end = hit ? hit->fraction : Real(1);
        for (int k = 0; k < 20; ++k)
          EXPECT_GT(distance_at(a.convex, ma, b.convex, mb, end * Real(k) / 20),
                    target - tolerance);
        if (!hit) continue;
        const Real there = distance_at(a.convex, ma, b.convex, mb, hit->fraction);
        EXPECT_GT(there, target - tolerance);
        EXPECT_LT(there, target * Real(1.126) + tolerance);
        EXPECT_NEAR(closest_to_point(b.convex, pose_b.to_local(hit->point)).distance, 0, tolerance);
        EXPECT_NEAR(length(hit->normal), 1, 1e-5);
        EXPECT_LE(dot(hit->normal, way), 1e-4);  // B's surface, against the motion
      }
  EXPECT_GT(hits, 300);
  EXPECT_GT(misses, 300);
}

TEST(Casts, TurningCastsAreNeverLate) {
  const std::vector<Sample> all = samples(1, 28);
  Random random(29);
  int hits = 0, misses = 0;
  for (const Sample& a : all)
    for (const Sample& b : all)
      for (int i = 0; i < 3; ++i) {
        const Vec3 from = random.direction() * 4;
        const Path ma{.start = {from, random.turn()},
                      .way = random.vector(2) - from,
                      .turn = random.vector(5),
                      .center = random.vector(0.3)};
        const Path mb{.start = {random.vector(1), random.turn()},
                      .way = random.vector(1),
                      .turn = random.vector(5)};
        const Real target = Real(0.02);
        const std::optional<Hit> hit = cast_moving(a.convex, ma, b.convex, mb, target);
        SCOPED_TRACE(a.name + " and " + b.name + ", " + std::to_string(i));
        (hit ? hits : misses)++;
        const Real end = hit ? hit->fraction : Real(1);
        for (int k = 0; k < 60; ++k)
          EXPECT_GT(distance_at(a.convex, ma, b.convex, mb, end * Real(k) / 60),
                    target - Real(1e-5));
        if (hit) {
          const Real there = distance_at(a.convex, ma, b.convex, mb, end);
          EXPECT_LT(there, target * Real(1.126) + Real(1e-5));
        }
      }
  EXPECT_GT(hits, 50);
  EXPECT_GT(misses, 50);
}

TEST(Casts, SpinningRodReachesWhatItSweeps) {
  // A rod of length 4 turns a quarter about its middle, and meets a ball in its circle: the angle
  // of first contact is 90° less that at which the ball and the rod's rounding fit between.
  const Convex rod{.kind = ConvexKind::kCapsule, .radius = Real(0.1), .half = {0, 2, 0}};
  const Convex ball{.kind = ConvexKind::kSphere, .radius = Real(0.2)};
  const Path turning{.start = {}, .turn = {0, 0, kPi / 2}};
  const Path still{.start = {{Real(-1.5), 0, 0}, {}}};
  const Real target = Real(1e-3);
  const std::optional<Hit> hit = cast_moving(rod, turning, ball, still, target);
  ASSERT_TRUE(hit);
  const double angle = std::numbers::pi / 2 - std::asin(0.301 / 1.5);
  EXPECT_NEAR(hit->fraction, angle / (std::numbers::pi / 2), 2e-4);
  const Path away{.start = {{Real(-2.5), 0, 0}, {}}};
  EXPECT_FALSE(cast_moving(rod, turning, ball, away, target));
}

TEST(Casts, WhatOverlapsHitsAtOnceAndWhatTouchesMayLeave) {
  const Convex box{.kind = ConvexKind::kBox, .half = {1, 1, 1}};
  const std::optional<Hit> hit = cast_convex(box, {{0, Real(1.5), 0}, {}}, {0, 5, 0}, box, {});
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->fraction, 0);
  EXPECT_NEAR(hit->normal.y, 1, 1e-6);
  EXPECT_FALSE(cast_convex(box, {{0, 2, 0}, {}}, {0, 5, 0}, box, {}));
  EXPECT_FALSE(cast_convex(box, {{0, 2, 0}, {}}, {5, 0, 0}, box, {}));
  EXPECT_TRUE(cast_convex(box, {{0, 2, 0}, {}}, {0, -1, 0}, box, {}));
  EXPECT_FALSE(cast_convex(box, {{0, 3, 0}, {}}, {}, box, {}));
}

TEST(Casts, BulletDoesNotPassAThinWall) {
  const Convex bullet{.kind = ConvexKind::kSphere, .radius = Real(0.01)};
  const Convex wall{.kind = ConvexKind::kBox, .half = {5, 5, Real(0.005)}};
  const std::optional<Hit> hit =
      cast_convex(bullet, {{0, 0, 500}, {}}, {0, 0, -1000}, wall, {}, Real(0.001));
  ASSERT_TRUE(hit);
  EXPECT_NEAR(hit->fraction, 0.5, 1e-4);
  EXPECT_NEAR(hit->normal.z, 1, 1e-5);
}

}  // namespace
}  // namespace sinew
