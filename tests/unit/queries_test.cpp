// Queries of random worlds against brute force over all of their bodies (query_truth.h).
#include <sinew/error.h>
#include <sinew/generators.h>

#include <algorithm>

#include "query_truth.h"

namespace sinew {
namespace {

using convex_testing::kFloat;
using convex_testing::Random;
using query_truth::Body;
using query_truth::Probe;
using query_truth::Traced;
using query_truth::Vec;

constexpr double kTolerance = kFloat ? 5e-5 : 1e-6;  // [m]
constexpr double kSpace = 3.5;                       // bodies are in a cube of twice that [m]

Shape random_shape(Random& random, int kind) {
  const auto size = [&] { return Real(random.number(0.2, 0.9)); };
  switch (kind % 5) {
    case 0:
      return Sphere{size()};
    case 1:
      return Capsule{size(), size()};
    case 2: {
      const Real x = size(), y = size(), z = size();
      return Box{{2 * x, 2 * y, 2 * z}};
    }
    case 3:
      return Cylinder{size(), size()};
    default: {
      ConvexHull hull;
      for (int i = 0; i < 14; ++i)
        hull.points.push_back(random.direction() * size() + Vec3{Real(0.3), 0, 0});
      hull.prepare();
      return hull;
    }
  }
}

Pose random_pose(Random& random) {
  const Vec3 position = random.vector(kSpace);
  return {position, random.turn()};
}

HeightField hills() {
  HeightField field{.columns = 7, .rows = 6, .cell = 2, .heights = {}};
  for (int i = 0; i < field.columns * field.rows; ++i)
    field.heights.push_back(Real(0.8 * std::sin(1.7 * i)));
  return field;
}

// Every kind of shape, moving and not, one and several to a body, a plane, a mesh and a height
// field.
World random_world(unsigned seed, std::shared_ptr<Executor> executor = nullptr) {
  World world({}, std::move(executor));
  Random random(seed);
  world.add(StaticBody{.shape = Plane{},
                       .pose = {{0, -6, 0}, Quat::from_axis_angle({0, 0, 1}, Real(0.1))}});
  world.add(StaticBody{.shape = hills(), .pose = {{0, -3, 0}, random.turn()}});
  world.add(StaticBody{.shape = TriangleMesh{.mesh = torus_surface(2, Real(0.5), 8, 5)},
                       .pose = random_pose(random)});
  for (int i = 0; i < 15; ++i) {
    const Shape shape = random_shape(random, i);
    const Pose pose = random_pose(random);
    if (i % 3 == 0)
      world.add(StaticBody{.shape = shape, .pose = pose});
    else
      world.add(RigidBody{.shape = shape, .pose = pose});
  }
  for (int i = 0; i < 3; ++i) {
    RigidBody compound{.pose = random_pose(random)};
    for (int k = 0; k < 3; ++k) {
      const Shape shape = random_shape(random, i + 2 * k);
      compound.parts.push_back({.shape = shape, .pose = {random.vector(0.8), random.turn()}});
    }
    world.add(std::move(compound));
  }
  return world;
}

const Body& body_of(const std::vector<Body>& bodies, RigidId id) {
  for (const Body& body : bodies)
    if (body.id == id) return body;
  throw Error("no such body");
}

// The hit is where tracing ends, on the surface of the body and the part that it names, and its
// normal is the way out.
void expect_hit(const std::vector<Body>& bodies, const Probe& probe, const Vec3& way,
                const std::optional<RayHit>& hit, const Traced& traced) {
  if (traced.end == Traced::End::kGrazes) return;
  ASSERT_EQ(hit.has_value(), traced.end == Traced::End::kHit) << "traced to " << traced.fraction;
  if (!hit) return;
  const Body& body = body_of(bodies, hit->body);
  const auto& part = body.parts.at(std::size_t(hit->part));
  const Probe there = probe.moved(to_double(way) * double(hit->fraction));
  EXPECT_NEAR(length(hit->normal), 1, 1e-5);
  if (traced.fraction == 0) {
    EXPECT_EQ(hit->fraction, 0);
    EXPECT_LT(part.distance(probe), kTolerance);
    return;
  }
  EXPECT_NEAR(part.distance(there), 0, kTolerance);
  // Where it comes in flat, a little in distance is much along the way.
  EXPECT_NEAR(hit->fraction * length(way), traced.fraction * length(to_double(way)), 5e-3);
  EXPECT_GT(query_truth::distance(bodies, there), -kTolerance);
  EXPECT_NEAR(part.distance(to_double(hit->point)), 0, kTolerance);
  EXPECT_LE(dot(hit->normal, way), 1e-3 * length(way));
  const Vec above = to_double(hit->point) + to_double(hit->normal) * 1e-2;
  EXPECT_GT(part.distance(above), 2e-3);
}

TEST(Queries, RaysMeetWhatTracingMeets) {
  int hits = 0, misses = 0, inside = 0;
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const World world = random_world(seed);
    const std::vector<Body> bodies = query_truth::bodies_of(world);
    Random random(100 + seed);
    for (int i = 0; i < 200; ++i) {
      SCOPED_TRACE(std::to_string(seed) + ", " + std::to_string(i));
      const Vec3 from = random.vector(kSpace), way = random.vector(kSpace) * Real(i % 4 ? 1 : 0.2);
      const Probe probe{to_double(from), to_double(from)};
      const Traced traced = query_truth::trace(bodies, probe, to_double(way));
      const std::optional<RayHit> hit = world.cast_ray({.origin = from, .way = way});
      expect_hit(bodies, probe, way, hit, traced);
      (hit ? hit->fraction == 0 ? inside : hits : misses)++;
    }
  }
  EXPECT_GT(hits, 100);
  EXPECT_GT(misses, 60);
  EXPECT_GT(inside, 20);
}

TEST(Queries, MovingShapesStopWhereTracingDoes) {
  int hits = 0, misses = 0, inside = 0;
  for (unsigned seed = 4; seed <= 5; ++seed) {
    const World world = random_world(seed);
    const std::vector<Body> bodies = query_truth::bodies_of(world);
    Random random(100 + seed);
    for (int i = 0; i < 60; ++i) {
      SCOPED_TRACE(std::to_string(seed) + ", " + std::to_string(i));
      const Pose pose = random_pose(random);
      const Vec3 way = random.vector(kSpace);
      const Real radius = Real(random.number(0.05, 0.3));
      const Real half = i % 3 == 0 ? Real(random.number(0.1, 0.5)) : Real(0);
      const Shape shape = half > 0 ? Shape(Capsule{radius, half}) : Shape(Sphere{radius});
      const Vec at = to_double(pose.position);
      const Vec up = query_truth::rotate(pose.orientation, {0, double(half), 0});
      const Probe probe{at - up, at + up, double(radius)};
      const Traced traced = query_truth::trace(bodies, probe, to_double(way));
      const auto hit = world.cast_shape({.shape = shape, .pose = pose, .way = way});
      expect_hit(bodies, probe, way, hit, traced);
      (hit ? hit->fraction == 0 ? inside : hits : misses)++;

      // The same overlaps at its start.
      const std::vector<RigidId> found = world.overlap(shape, pose);
      for (const Body& body : bodies) {
        const double d = body.distance(probe);
        if (std::abs(d) > kTolerance) {
          EXPECT_EQ(std::count(found.begin(), found.end(), body.id), d < 0 ? 1 : 0) << d;
        }
      }
      EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
    }
  }
  EXPECT_GT(hits, 30);
  EXPECT_GT(misses, 5);
  EXPECT_GT(inside, 10);
}

TEST(Queries, ClosestPointsAreTheClosest) {
  int inside = 0, none = 0;
  for (unsigned seed = 6; seed <= 8; ++seed) {
    const World world = random_world(seed);
    const std::vector<Body> bodies = query_truth::bodies_of(world);
    Random random(100 + seed);
    for (int i = 0; i < 200; ++i) {
      SCOPED_TRACE(std::to_string(seed) + ", " + std::to_string(i));
      const Vec3 p = random.vector(i % 10 ? kSpace : 20 * kSpace);
      const double truth = query_truth::distance(bodies, to_double(p));
      const Real most = i % 3 == 0 ? Real(0.3) : Real(1000);
      const double tolerance = kTolerance * (i % 10 ? 1 : 10);
      if (std::abs(truth - double(most)) < tolerance) continue;
      const std::optional<ClosestPoint> at = world.closest_point(p, most);
      ASSERT_EQ(at.has_value(), truth < double(most));
      none += at ? 0 : 1;
      if (!at) continue;
      EXPECT_NEAR(at->distance, truth, tolerance);
      const auto& part = body_of(bodies, at->body).parts.at(std::size_t(at->part));
      EXPECT_NEAR(part.distance(to_double(at->point)), 0, tolerance);
      EXPECT_NEAR(length(p - at->point), std::abs(truth), tolerance);
      EXPECT_NEAR(length(at->normal), 1, 1e-5);
      EXPECT_NEAR(dot(p - at->point, at->normal), at->distance, tolerance);
      inside += truth < 0 ? 1 : 0;
    }
  }
  EXPECT_GT(inside, 60);
  EXPECT_GT(none, 30);
}

TEST(Queries, ManyRaysAreAsEachAlone) {
  Random random(9);
  std::vector<Ray> rays;
  for (int i = 0; i < 1000; ++i) {
    const Vec3 from = random.vector(kSpace);
    rays.push_back(
        {.origin = from, .way = random.vector(kSpace), .filter = {.sensors = i % 2 > 0}});
  }
  const World alone = random_world(9), threads = random_world(9, make_thread_pool(3));
  std::vector<std::optional<RayHit>> one(rays.size()), many(rays.size());
  alone.cast_rays(rays, one);
  threads.cast_rays(rays, many);
  int hits = 0;
  for (std::size_t i = 0; i < rays.size(); ++i) {
    const auto single = alone.cast_ray(rays[i]);
    hits += single ? 1 : 0;
    for (const auto& other : {one[i], many[i]}) {
      ASSERT_EQ(single.has_value(), other.has_value());
      if (!single) continue;
      EXPECT_EQ(single->body, other->body);
      EXPECT_EQ(single->part, other->part);
      EXPECT_EQ(single->fraction, other->fraction);
      EXPECT_EQ(single->point, other->point);
      EXPECT_EQ(single->normal, other->normal);
    }
  }
  EXPECT_GT(hits, 300);
  alone.cast_rays({}, {});
}

// Far away and far along, answers stay finite.
TEST(Queries, LargeNumbersStayFinite) {
  const World world = random_world(10);
  for (const Real far : {Real(1e6), Real(1e12), Real(1e15)})
    for (const Vec3 axis : {Vec3{1, 1, 1}, Vec3{0, 1, 0}, Vec3{-1, 0, Real(0.3)}}) {
      const Vec3 place = axis * far;
      const auto check = [&](const std::optional<RayHit>& hit) {
        if (!hit) return;
        EXPECT_GE(hit->fraction, 0);
        EXPECT_LE(hit->fraction, 1);
        EXPECT_TRUE(std::isfinite(dot(hit->point, hit->normal)));
      };
      check(world.cast_ray({.origin = place, .way = -place}));
      check(world.cast_ray({.way = place}));
      check(world.cast_shape({.shape = Box{}, .pose = {place}, .way = -place}));
      check(world.cast_shape({.shape = Capsule{}, .way = place}));
      world.overlap(Sphere{far}, {place});
      const auto near = world.closest_point(place, Real(1e15));
      EXPECT_TRUE(!near || std::isfinite(near->distance));
    }
}

}  // namespace
}  // namespace sinew
