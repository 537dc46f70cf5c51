// Every answer of closest() is checked by what proves it: the gap along its normal bounds the
// distance from below, its two points bound it from above.
#include "collision/gjk.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "convex_testing.h"

namespace sinew {
namespace {

using namespace convex_testing;

constexpr double kTolerance = kFloat ? 2e-6 : 1e-10;
// Overlaps of round cores: relative to the depth; and across the normal, where errors are of the
// root of those along it.
constexpr double kOfDepth = 2e-4;
constexpr double kAcross = 1e-2;

bool has_round_core(const Sample& a, const Sample& b) {
  return a.convex.kind == ConvexKind::kCylinder || b.convex.kind == ConvexKind::kCylinder;
}

bool finite(const Closest& c) {
  const double sum = double(c.distance) + double(dot(c.normal, c.normal)) +
                     double(dot(c.on_a, c.on_a)) + double(dot(c.on_b, c.on_b));
  return std::isfinite(sum);
}

// What must hold of any answer, to within `tolerance` [m].
void expect_consistent(const Sample& a, const Sample& b, const Pose& pose, const Closest& c,
                       double tolerance, const std::vector<Vec>& tries) {
  ASSERT_TRUE(finite(c));
  const Vec n = to_double(c.normal);
  EXPECT_NEAR(length(n), 1, 1e-6);
  const double distance = c.distance;
  const bool round = has_round_core(a, b) && distance < 0;
  // A motion of B by -distance along the normal makes them just touch.
  EXPECT_NEAR(gap(a.convex, b.convex, pose, n), distance, tolerance);
  // The points are on (in) their shapes, and apart by the distance along the normal.
  // Those of round cores are midway between the polytope inside and the surface.
  const double off = tolerance + (round ? kOfDepth * -distance : 0);
  const Vec apart = to_double(c.on_b) - to_double(c.on_a);
  EXPECT_NEAR(dot(apart, n), distance, 3 * tolerance);
  EXPECT_LE(length(apart - n * distance), 3 * tolerance + (round ? kAcross * -distance : 0));
  EXPECT_LE(outside(a.convex, to_double(c.on_a), tries), off);
  const Vec on_b = rotate_back(pose.orientation, to_double(c.on_b) - to_double(pose.position));
  EXPECT_LE(outside(b.convex, on_b, tries), off);
}

// No other direction leads out of an overlap sooner: a climb from each of many starts.
double best_gap(const Sample& a, const Sample& b, const Pose& pose, const std::vector<Vec>& tries) {
  std::vector<std::pair<double, Vec>> starts;
  for (const Vec& n : tries) starts.push_back({gap(a.convex, b.convex, pose, n), n});
  for (const Vec& n : normals(a.convex)) starts.push_back({gap(a.convex, b.convex, pose, n), n});
  for (const Vec& m : normals(b.convex)) {
    const Vec n = rotate(pose.orientation, -m);
    starts.push_back({gap(a.convex, b.convex, pose, n), n});
  }
  std::sort(starts.begin(), starts.end(),
            [](const auto& x, const auto& y) { return x.first > y.first; });
  Random random(5);
  for (std::size_t i = 0; i < 4; ++i) {
    auto& [value, n] = starts[i];
    for (double step = 0.2; step > 1e-6; step *= 0.7)
      for (int k = 0; k < 6; ++k) {
        const Vec trial = normalized(n + to_double(random.direction()) * step);
        const double there = gap(a.convex, b.convex, pose, trial);
        if (there > value) value = there, n = trial;
      }
  }
  double best = -1e300;
  for (const auto& [value, n] : starts) best = std::max(best, value);
  return best;
}

TEST(Gjk, EveryPairProvesItsDistance) {
  const std::vector<Vec> tries = directions(60);
  Random random(11);
  int apart = 0, together = 0;
  for (const double size : {1.0, 1e-3, 1e3}) {
    const std::vector<Sample> all = samples(size, 3);
    for (const Sample& a : all)
      for (const Sample& b : all)
        for (int i = 0; i < 40; ++i) {
          const double far = (a.size + b.size) * random.number(0, 1.5);
          const Pose pose{random.direction() * Real(far), random.turn()};
          const Closest c = closest(a.convex, b.convex, pose);
          SCOPED_TRACE(a.name + " and " + b.name + " of size " + std::to_string(size) + ", " +
                       std::to_string(i));
          const double tolerance = kTolerance * (a.size + b.size + far);
          expect_consistent(a, b, pose, c, tolerance, tries);
          (c.distance > 0 ? apart : together)++;
          if (HasFailure()) return;
        }
  }
  EXPECT_GT(apart, 1000);
  EXPECT_GT(together, 1000);
}

TEST(Gjk, OverlapIsLeftByTheShortestWay) {
  const std::vector<Vec> tries = directions(300);
  const std::vector<Sample> all = samples(1, 4);
  Random random(12);
  int count = 0;
  for (const Sample& a : all)
    for (const Sample& b : all)
      for (int i = 0; i < 3; ++i) {
        const Pose pose{random.direction() * Real((a.size + b.size) * random.number(0, 0.5)),
                        random.turn()};
        const Closest c = closest(a.convex, b.convex, pose);
        if (c.distance > 0) continue;
        ++count;
        const double round = has_round_core(a, b) ? kOfDepth * double(-c.distance) : 0;
        EXPECT_GT(double(c.distance), best_gap(a, b, pose, tries) - kTolerance - round)
            << a.name << " and " << b.name << ", " << i;
      }
  EXPECT_GT(count, 200);
}

TEST(Gjk, SidesAreSwappedWithTheShapes) {
  const std::vector<Sample> all = samples(1, 5);
  Random random(13);
  for (const Sample& a : all)
    for (const Sample& b : all) {
      const Pose pose{random.vector(1.2), random.turn()};
      const Closest there = closest(a.convex, b.convex, pose);
      const Closest back = closest(b.convex, a.convex, pose.inverse());
      EXPECT_NEAR(there.distance, back.distance, 2 * kTolerance) << a.name << " and " << b.name;
      if (there.distance < Real(0.05)) continue;  // there may be several ways out of an overlap
      EXPECT_LT(length(there.normal + pose.orientation.rotate(back.normal)), 1e-3)
          << a.name << " and " << b.name;
    }
}

// The separating axis theorem, in double: all axes of two boxes.
double boxes_by_sat(const Vec& half_a, const Vec& half_b, const Pose& pose) {
  Vec axis[6];
  for (int i = 0; i < 3; ++i) {
    axis[i] = {};
    axis[i][i] = 1;
    axis[3 + i] = rotate(pose.orientation, axis[i]);
  }
  std::vector<Vec> all(axis, axis + 6);
  for (int i = 0; i < 3; ++i)
    for (int j = 3; j < 6; ++j) {
      const Vec n = cross(axis[i], axis[j]);
      if (length(n) > 1e-6) all.push_back(n * (1 / length(n)));
    }
  double most = -1e300;
  for (const Vec& n : all) {
    double extent = 0;
    for (int i = 0; i < 3; ++i)
      extent += std::abs(dot(n, axis[i])) * half_a[i] + std::abs(dot(n, axis[3 + i])) * half_b[i];
    most = std::max(most, std::abs(dot(n, to_double(pose.position))) - extent);
  }
  return most;
}

TEST(Gjk, DepthOfBoxesIsThatOfTheSeparatingAxes) {
  Random random(14);
  int deep = 0;
  for (int i = 0; i < 3000; ++i) {
    const Vec3 half_a = random.vector(0.4) + Vec3{Real(0.5), Real(0.5), Real(0.5)};
    const Vec3 half_b = random.vector(0.4) + Vec3{Real(0.5), Real(0.5), Real(0.5)};
    Pose pose{random.vector(1), random.turn()};
    if (i % 3 == 0) pose.orientation = {};  // parallel faces and edges
    const double truth = boxes_by_sat(to_double(half_a), to_double(half_b), pose);
    const Closest c = closest({.kind = ConvexKind::kBox, .half = half_a},
                              {.kind = ConvexKind::kBox, .half = half_b}, pose);
    EXPECT_EQ(c.distance > Real(1e-6), truth > 1e-6) << i;
    if (truth > 0) continue;
    ++deep;
    EXPECT_NEAR(c.distance, truth, 2 * kTolerance) << i;
  }
  EXPECT_GT(deep, 1000);
}

TEST(Gjk, TouchingFacesHaveTheirNormal) {
  const Convex box{.kind = ConvexKind::kBox, .half = {1, Real(0.5), 2}};
  const auto cube = cube_hull(Real(0.5));
  const Convex hull{.kind = ConvexKind::kHull, .hull = cube.get()};
  const Convex cylinder{.kind = ConvexKind::kCylinder, .half = {Real(0.7), Real(0.5), 0}};
  for (const Convex& b : {box, hull, cylinder})
    for (const Real off : {Real(0), Real(0.3), Real(-0.2)})
      for (const Real gap : {Real(0), Real(1e-4), Real(-1e-4), Real(-1e-7)}) {
        const Closest c = closest(box, b, {{off, 1 + gap, off / 2}, {}});
        EXPECT_NEAR(c.distance, gap, 3e-7);
        EXPECT_NEAR(c.normal.y, 1, 1e-5);
        EXPECT_NEAR(c.on_a.y, 0.5, 1e-6);
        EXPECT_NEAR(c.on_b.y, 0.5 + gap, 1e-6);
      }
}

// Where the shortest way has (nearly) no length, its direction must still be right.
TEST(Gjk, NearlyTouchingShapesHaveTheirNormal) {
  Random random(18);
  for (const double size : {1e-3, 1.0, 1e3}) {
    const std::vector<Sample> all = samples(size, 10);
    for (const Sample& a : all)
      for (const Sample& b : all)
        for (int i = 0; i < 8 && a.size + b.size > 0; ++i) {
          Pose pose{random.vector(size), random.turn()};
          if (i % 2 == 0)  // nearly parallel
            pose.orientation = Quat::from_axis_angle(random.direction(),
                                                     Real(std::pow(10, random.number(-8, -2))));
          const Closest start = closest(a.convex, b.convex, pose);
          const double off = size * std::pow(10, random.number(-9, -2));
          const double target = i < 2 ? 0 : i < 5 ? off : -off;
          pose.position -= start.normal * (start.distance - Real(target));
          const Closest c = closest(a.convex, b.convex, pose);
          const double far = a.size + b.size + double(length(pose.position));
          ASSERT_TRUE(finite(c));
          EXPECT_NEAR(gap(a.convex, b.convex, pose, to_double(c.normal)), double(c.distance),
                      2e-6 * far)
              << a.name << " and " << b.name << " of size " << size << ", " << i;
        }
  }
}

TEST(Gjk, ShapesInTheSamePlaceHaveTheDepthOfTheirWidth) {
  for (const double size : {1e-3, 1.0, 1e3}) {
    const std::vector<Sample> all = samples(size, 6);
    for (const Sample& s : all) {
      // Out of itself a shape goes by its least width, in whatever direction.
      const Closest c = closest(s.convex, s.convex, {});
      ASSERT_TRUE(finite(c)) << s.name;
      EXPECT_NEAR(length(c.normal), 1, 1e-6) << s.name;
      const Vec n = to_double(c.normal);
      const double width = reach(s.convex, n) + reach(s.convex, -n);
      EXPECT_NEAR(c.distance, -width, kTolerance * s.size) << s.name;
      // All sides of a cylinder are equally near; it settles for one of them before the last digit.
      const double settled = has_round_core(s, s) ? 5e-3 * width : 0;
      for (const Vec& m : directions(200))
        EXPECT_LE(width - settled, reach(s.convex, m) + reach(s.convex, -m) + kTolerance * s.size)
            << s.name;
    }
  }
}

TEST(Gjk, FlatCoresComeApartByTheirRounding) {
  const Convex sphere{.kind = ConvexKind::kSphere, .radius = Real(0.25)};
  const Convex capsule{.kind = ConvexKind::kCapsule, .radius = Real(0.5), .half = {0, 1, 0}};
  const Convex triangle{.kind = ConvexKind::kTriangle,
                        .corner = {{-1, 0, -1}, {0, 0, 1}, {1, 0, -1}}};
  const Quat across = Quat::from_axis_angle({1, 0, 0}, std::numbers::pi_v<Real> / 2);
  const auto check = [](const Closest& c, double distance) {
    ASSERT_TRUE(finite(c));
    EXPECT_NEAR(c.distance, distance, 1e-6);
    EXPECT_NEAR(length(c.normal), 1, 1e-6);
    EXPECT_LT(length(c.on_b - c.on_a - c.normal * c.distance), 1e-6);
  };
  check(closest(sphere, sphere, {}), -0.5);
  check(closest(sphere, capsule, {{0, Real(0.5), 0}, {}}), -0.75);
  check(closest(capsule, capsule, {{0, Real(0.25), 0}, {}}), -1);      // along each other
  check(closest(capsule, capsule, {{0, Real(0.25), 0}, across}), -1);  // crossing
  EXPECT_NEAR(abs(closest(capsule, capsule, {{}, across}).normal.x), 1, 1e-6);
  check(closest(triangle, sphere, {{Real(0.1), 0, 0}, {}}), -0.25);
  EXPECT_EQ(closest(triangle, sphere, {{Real(0.1), 0, 0}, {}}).normal, (Vec3{0, 1, 0}));  // front
  check(closest(triangle, capsule, {{Real(0.1), 0, 0}, across}), -0.5);
  EXPECT_NEAR(closest(triangle, capsule, {{Real(0.1), 0, 0}, across}).normal.y, 1, 1e-6);
  check(closest(triangle, triangle, {{Real(0.1), 0, 0}, {}}), 0);
}

TEST(Gjk, LargeAndSmallGoTogether) {
  const std::vector<Vec> tries = directions(100);
  Random random(15);
  const std::vector<Sample> large = samples(1e3, 7), small = samples(1e-3, 8);
  for (const Sample& a : large)
    for (const Sample& b : small)
      for (int i = 0; i < 4; ++i) {
        // Just at the surface, where it matters.
        const Vec3 n = random.direction();
        const Real far = Real(reach(a.convex, to_double(n)));
        const Pose pose{n * (far * Real(random.number(0.99, 1.01))), random.turn()};
        SCOPED_TRACE(a.name + " and " + b.name);
        expect_consistent(a, b, pose, closest(a.convex, b.convex, pose), kTolerance * 1e3, tries);
      }
}

TEST(Gjk, DegenerateTrianglesAreSegmentsAndPoints) {
  const Vec3 p{Real(0.3), Real(0.4), 0}, q{-1, 0, Real(0.2)};
  const Convex segment{.kind = ConvexKind::kTriangle, .corner = {p, q, p}};
  const Convex point{.kind = ConvexKind::kTriangle, .corner = {p, p, p}};
  const Convex middle{.kind = ConvexKind::kTriangle, .corner = {p, q, (p + q) / Real(2)}};
  const Convex sphere{.kind = ConvexKind::kSphere, .radius = Real(0.1)};
  const Convex box{.kind = ConvexKind::kBox, .half = {1, 1, 1}};
  const Vec3 at{Real(0.3), Real(0.4), 2};
  EXPECT_NEAR(closest(point, sphere, {at, {}}).distance, 1.9, 1e-6);
  const Vec3 foot = p + (q - p) * (dot(at - p, q - p) / dot(q - p, q - p));
  for (const Convex& t : {segment, middle})
    EXPECT_NEAR(closest(t, sphere, {at, {}}).distance, length(at - foot) - Real(0.1), 1e-6);
  for (const Convex& t : {segment, point, middle}) {
    EXPECT_TRUE(finite(closest(t, box, {{0, 0, 3}, {}})));
    EXPECT_NEAR(closest(point, box, {{0, 0, 3}, {}}).distance, 2, 1e-6);
    const Closest inside = closest(t, box, {});
    EXPECT_TRUE(finite(inside));
    EXPECT_LT(inside.distance, -0.59);
    EXPECT_TRUE(finite(closest(t, t, {})));
    EXPECT_NEAR(closest(t, t, {}).distance, 0, 1e-6);
  }
}

TEST(Gjk, EndsEarlyWhenFarEnough) {
  const std::vector<Sample> all = samples(1, 9);
  Random random(16);
  for (const Sample& a : all)
    for (const Sample& b : all)
      for (int i = 0; i < 4; ++i) {
        const Pose pose{random.vector(1.5), random.turn()};
        const Real distance = closest(a.convex, b.convex, pose).distance;
        const Real enough = Real(random.number(0, 0.5));
        const Real early = closest(a.convex, b.convex, pose, enough).distance;
        if (distance > enough + Real(1e-5)) {
          EXPECT_GT(early, enough);
          EXPECT_LE(early, distance * (1 + Real(1e-6)) + Real(1e-6));
        } else if (distance < enough - Real(1e-5)) {
          EXPECT_NEAR(early, distance, 1e-6);
        }
        if (abs(distance) < Real(1e-5)) continue;
        EXPECT_EQ(overlap(a.convex, b.convex, pose), distance < 0) << a.name << " and " << b.name;
      }
}

TEST(Gjk, PointsKnowTheirDistance) {
  // Signed distances by formulas of another form.
  const Convex box{.kind = ConvexKind::kBox, .half = {1, 2, Real(0.5)}};
  const Convex cylinder{.kind = ConvexKind::kCylinder, .half = {1, 2, 0}};
  const Convex capsule{.kind = ConvexKind::kCapsule, .radius = Real(0.5), .half = {0, 1, 0}};
  const auto plain = [](double x, double y) {
    return std::hypot(std::max(x, 0.0), std::max(y, 0.0)) + std::min(std::max(x, y), 0.0);
  };
  Random random(17);
  for (int i = 0; i < 2000; ++i) {
    const Vec3 p = random.vector(2.5);
    const Vec q{std::abs(p.x) - 1, std::abs(p.y) - 2, std::abs(p.z) - 0.5};
    const double truth_outside =
        std::hypot(std::max(q.x, 0.0), std::max(q.y, 0.0), std::max(q.z, 0.0));
    const double truth = truth_outside > 0 ? truth_outside : std::max({q.x, q.y, q.z});
    const Closest c = closest_to_point(box, p);
    EXPECT_NEAR(c.distance, truth, 1e-6);
    EXPECT_LT(length(c.on_a + c.normal * c.distance - p), 1e-6);
    EXPECT_NEAR(closest_to_point(cylinder, p).distance,
                plain(std::hypot(double(p.x), double(p.z)) - 1, std::abs(double(p.y)) - 2), 1e-6);
    EXPECT_NEAR(
        closest_to_point(capsule, p).distance,
        std::hypot(double(p.x), std::max(std::abs(double(p.y)) - 1, 0.0), double(p.z)) - 0.5, 1e-6);
  }
  EXPECT_EQ(closest_to_point(box, {}).distance, Real(-0.5));
  EXPECT_EQ(closest_to_point(cylinder, {}).distance, -1);
  EXPECT_EQ(closest_to_point(capsule, {}).distance, Real(-0.5));
}

}  // namespace
}  // namespace sinew
