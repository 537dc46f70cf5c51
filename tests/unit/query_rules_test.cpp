// Queries of a world in cases that can be told by hand: who is hit, who is left out, what is
// refused, and that bodies are found where they are.
#include <sinew/world.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "support.h"

namespace sinew {
namespace {

constexpr Real kNaN = std::numeric_limits<Real>::quiet_NaN();
constexpr Real kInfinity = std::numeric_limits<Real>::infinity();

TEST(QueryRules, ByHand) {
  World world;
  EXPECT_FALSE(world.cast_ray({.origin = {0, 1, 0}, .way = {0, -5, 0}}));
  EXPECT_FALSE(world.closest_point({}, 1000));
  EXPECT_TRUE(world.overlap(Box{}, {}).empty());

  const RigidId floor = world.add(StaticBody{.shape = Plane{}, .pose = {{0, 1, 0}}});
  const RigidId dumbbell = world.add(
      RigidBody{.parts = {{.shape = Sphere{1}, .pose = {{-2, 0, 0}}},
                          {.shape = Box{{2, 2, 2}}, .pose = {{4, 0, 0}}}},
                .pose = {{0, 5, 0}, Quat::from_axis_angle({0, 1, 0}, std::numbers::pi_v<Real>)}});
  const auto expect = [](const std::optional<RayHit>& hit, RigidId id, int part, Real fraction,
                         Vec3 normal) {
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->body, id);
    EXPECT_EQ(hit->part, part);
    EXPECT_NEAR(hit->fraction, fraction, 1e-6);
    EXPECT_LT(length(hit->normal - normal), 1e-5);
  };
  // Turned by half a turn about y: the ball is at x = 2, the box at -4.
  expect(world.cast_ray({.origin = {2, 10, 0}, .way = {0, -8, 0}}), dumbbell, 0, Real(0.5),
         {0, 1, 0});
  expect(world.cast_ray({.origin = {-10, 5, 0}, .way = {20, 0, 0}}), dumbbell, 1, Real(0.25),
         {-1, 0, 0});
  expect(world.cast_ray({.origin = {0, 5, 0}, .way = {0, -4, 0}}), floor, 0, 1, {0, 1, 0});
  EXPECT_FALSE(world.cast_ray({.origin = {0, 5, 0}, .way = {0, Real(-3.99), 0}}));
  // From inside: at once, against the way. A way of no length is a test of its point.
  expect(world.cast_ray({.origin = {-4, 5, 0}, .way = {3, 0, 0}}), dumbbell, 1, 0, {-1, 0, 0});
  expect(world.cast_ray({.origin = {0, -1, 0}, .way = {0, 3, 0}}), floor, 0, 0, {0, -1, 0});
  expect(world.cast_ray({.origin = {0, -1, 0}}), floor, 0, 0, {0, 1, 0});
  EXPECT_TRUE(world.cast_ray({.origin = {-4, 5, 0}}));
  EXPECT_FALSE(world.cast_ray({.origin = {0, 5, 0}}));

  EXPECT_EQ(world.overlap(Box{{4, 8, 1}}, {{0, 4, 0}}), (std::vector{floor, dumbbell}));
  EXPECT_EQ(world.closest_point({0, -2, 0}, 0)->distance, -3);
  EXPECT_FALSE(world.closest_point({0, 9, 0}, 1));
  world.remove(dumbbell);
  expect(world.cast_ray({.origin = {2, 11, 0}, .way = {0, -20, 0}}), floor, 0, Real(0.5),
         {0, 1, 0});
}

// Boxes, cylinders and hulls as probes: by hand against a floor, and for each a corner that tells.
TEST(QueryRules, EveryConvexShapeCanBeCast) {
  World world;
  world.add(StaticBody{.shape = Plane{}});
  const RigidId tower = world.add(StaticBody{.shape = Box{{1, 10, 1}}, .pose = {{20, 0, 0}}});
  ConvexHull diamond{
      .points = {{1, 0, 0}, {-1, 0, 0}, {0, 2, 0}, {0, -2, 0}, {0, 0, 1}, {0, 0, -1}}};
  diamond.points.push_back({0, 3, 0});  // not about its own middle
  const Quat lying = Quat::from_axis_angle({0, 0, 1}, std::numbers::pi_v<Real> / 2);
  const struct {
    Shape shape;
    Quat turn;
    Real low, side;  // how far it reaches down and to +x
  } cases[] = {{Sphere{Real(0.5)}, {}, Real(0.5), Real(0.5)},
               {Capsule{Real(0.5), 2}, {}, Real(2.5), Real(0.5)},
               {Capsule{Real(0.5), 2}, lying, Real(0.5), Real(2.5)},
               {Box{{2, 3, 4}}, {}, Real(1.5), 1},
               {Cylinder{1, 2}, lying, 1, 2},
               {diamond, {}, 2, 1},
               {diamond, lying, 1, 2}};
  for (const auto& c : cases) {
    const Pose start{{3, 6, 1}, c.turn};
    const auto floor = world.cast_shape({.shape = c.shape, .pose = start, .way = {0, -8, 0}});
    ASSERT_TRUE(floor);
    EXPECT_NEAR(floor->fraction, (6 - c.low) / 8, 1e-5);
    EXPECT_NEAR(floor->point.y, 0, 1e-5);
    EXPECT_LT(length(floor->normal - Vec3{0, 1, 0}), 1e-6);
    // Past 16 m of nothing: the wall of the tower is at x = 19.5.
    const Pose beside{{0, 4, 0}, c.turn};
    const auto wall = world.cast_shape({.shape = c.shape, .pose = beside, .way = {40, 0, 0}});
    ASSERT_TRUE(wall);
    EXPECT_EQ(wall->body, tower);
    EXPECT_NEAR(wall->fraction * 40, Real(19.5) - c.side, 1e-4);
    EXPECT_NEAR(wall->point.x, 19.5, 1e-4);
    EXPECT_LT(length(wall->normal - Vec3{-1, 0, 0}), 1e-3);
    EXPECT_TRUE(world.overlap(c.shape, {{3, c.low + Real(0.01), 1}, c.turn}).empty());
    EXPECT_EQ(world.overlap(c.shape, {{3, c.low - Real(0.01), 1}, c.turn}).size(), 1u);
  }
}

// Along a fine floor far longer than the shape: only the step at its end is in the way.
TEST(QueryRules, LongCastsOverSurfacesFindTheFirstTriangle) {
  HeightField field{.columns = 401, .rows = 41, .cell = Real(0.25), .heights = {}};
  for (int row = 0; row < field.rows; ++row)
    for (int column = 0; column < field.columns; ++column)
      field.heights.push_back(column >= 360 ? Real(3) : Real(0));
  World world;
  const RigidId ground = world.add(StaticBody{.shape = field, .pose = {{100, 0, 0}, {}}});
  const auto hit = world.cast_shape(
      {.shape = Sphere{Real(0.25)}, .pose = {{40, Real(0.5), 0}}, .way = {200, 0, 0}});
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->body, ground);
  // The ramp goes from x = 139.75, y = 0 to 140, 3. Its normal:
  const double nx = -3 / std::hypot(3, 0.25), ny = 0.25 / std::hypot(3, 0.25);
  const double x = 139.75 - (0.25 - ny * 0.5) / -nx;
  EXPECT_NEAR(40 + 200 * double(hit->fraction), x, 2e-3);
  EXPECT_NEAR(hit->normal.x, nx, 1e-2);
  EXPECT_FALSE(world.cast_shape(
      {.shape = Sphere{Real(0.25)}, .pose = {{40, Real(0.5), 0}}, .way = {99, 0, 0}}));
}

TEST(QueryRules, FiltersLeaveOut) {
  World world;
  std::vector<RigidId> ids;
  for (int i = 0; i < 4; ++i)
    ids.push_back(world.add(RigidBody{
        .shape = Sphere{Real(0.5)}, .pose = {{Real(2 * i), 0, 0}}, .sensor = i == 1, .group = i}));
  const auto first = [&](const QueryFilter& filter) {
    const auto hit = world.cast_ray({.origin = {-5, 0, 0}, .way = {20, 0, 0}, .filter = filter});
    const auto cast = world.cast_shape(
        {.shape = Sphere{Real(0.1)}, .pose = {{-5, 0, 0}}, .way = {20, 0, 0}, .filter = filter});
    const auto near = world.closest_point({-5, 0, 0}, 100, filter);
    const auto all = world.overlap(Box{{30, 1, 1}}, {}, filter);
    EXPECT_EQ(hit.has_value(), cast.has_value());
    EXPECT_EQ(hit.has_value(), near.has_value());
    EXPECT_EQ(hit.has_value(), !all.empty());
    if (!hit) return RigidId{};
    EXPECT_EQ(hit->body, cast->body);
    EXPECT_EQ(hit->body, near->body);
    EXPECT_EQ(hit->body, all.front());
    return hit->body;
  };
  EXPECT_EQ(first({}), ids[0]);
  EXPECT_EQ(first({.except = ids[0]}), ids[2]);
  EXPECT_EQ(first({.except = ids[0], .sensors = true}), ids[1]);
  EXPECT_EQ(first({.mask = 8}), ids[3]);
  EXPECT_EQ(first({.mask = ~1, .sensors = true}), ids[1]);
  EXPECT_EQ(first({.mask = 8, .except = ids[3]}), RigidId{});
  EXPECT_EQ(first({.mask = 0}), RigidId{});
  EXPECT_EQ(world.overlap(Box{{30, 1, 1}}, {}), (std::vector{ids[0], ids[2], ids[3]}));
}

bool is_at(const World& world, RigidId id, const Vec3& place) {
  const auto hit = world.cast_ray({.origin = place + Vec3{0, 3, 0}, .way = {0, -3, 0}});
  const auto near = world.closest_point(place, 0);
  const bool found = hit && hit->body == id;
  EXPECT_EQ(near && near->body == id, found);
  EXPECT_EQ(world.overlap(Sphere{Real(0.1)}, {place}) == std::vector{id}, found);
  return found;
}

TEST(QueryRules, FollowBodiesThatJump) {
  World world({.gravity = {}});
  const RigidId moving = world.add(RigidBody{.shape = Box{}});
  const RigidId fixed = world.add(StaticBody{.shape = Box{}, .pose = {{50, 0, 0}}});
  world.step(Real(0.01));
  for (const Real x : {Real(7), Real(-20), Real(0)}) {
    world.set_pose(moving, {{x, 1, 0}});
    world.set_pose(fixed, {{50, x, 9}});
    EXPECT_TRUE(is_at(world, moving, {x, 1, 0}));
    EXPECT_TRUE(is_at(world, fixed, {50, x, 9}));
    EXPECT_FALSE(is_at(world, moving, {x + 2, 1, 0}));
    EXPECT_FALSE(is_at(world, fixed, {50, x + 5, 9}));
    if (x < 0) world.step(Real(0.01));
  }
}

// What is hit or pushed in a step goes where no box was made for it.
TEST(QueryRules, FollowBodiesThatAreThrownInAStep) {
  World world({.gravity = {}});
  const RigidId resting = world.add(RigidBody{.shape = Sphere{Real(0.2)}});
  const RigidId pushed = world.add(RigidBody{.shape = Sphere{Real(0.2)}, .pose = {{0, 0, 20}}});
  world.add(RigidBody{.shape = Sphere{Real(0.3)}, .pose = {{-1, 0, 0}}, .velocity = {60, 0, 0}});
  for (int i = 0; i < 5; ++i) {
    world.step(Real(0.02));
    EXPECT_TRUE(is_at(world, resting, world.pose(resting).position)) << i;
  }
  world.apply_force(pushed, {0, Real(1e6), 0});
  world.step(Real(0.02));
  EXPECT_GT(world.pose(resting).position.x, 2);
  EXPECT_GT(world.pose(pushed).position.y, 1);
  EXPECT_TRUE(is_at(world, pushed, world.pose(pushed).position));
}

TEST(QueryRules, RefuseWhatCannotBeAnswered) {
  World world;
  world.add(StaticBody{.shape = Plane{}});
  expect_error(
      [&] {
        world.cast_ray({.way = {0, kNaN, 0}});
      },
      {"ray.way[1] is nan; it must be a finite number"});
  expect_error([&] { world.cast_ray({.origin = {0, 0, kInfinity}}); }, {"ray.origin[2] is inf"});
  expect_error(
      [&] {
        world.cast_ray({.origin = {Real(1e20), 0, 0}});
      },
      {"ray.origin[0] is 1", "at most"});
  std::vector<Ray> rays(3);
  std::vector<std::optional<RayHit>> hits(2);
  expect_error([&] { world.cast_rays(rays, hits); }, {"cast_rays", "3 rays", "2 hits"});
  hits.resize(3);
  rays[2].way.x = kNaN;
  expect_error([&] { world.cast_rays(rays, hits); }, {"rays[2].way[0] is nan"});

  expect_error([&] { world.cast_shape({.shape = Plane{}}); }, {"cast.shape is a plane", "convex"});
  expect_error([&] { world.cast_shape({.shape = TriangleMesh{}}); }, {"is a triangle_mesh"});
  expect_error([&] { world.overlap(HeightField{}, {}); }, {"overlap.shape is a height_field"});
  expect_error([&] { world.cast_shape({.shape = Sphere{-1}}); }, {"cast.shape.radius is -1"});
  expect_error([&] { world.cast_shape({.shape = ConvexHull{}}); }, {"cast.shape."});
  expect_error([&] { world.cast_shape({.way = {kNaN, 0, 0}}); }, {"cast.way[0] is nan"});
  expect_error(
      [&] {
        world.cast_shape({.pose = {{0, kInfinity, 0}}});
      },
      {"cast.pose.position[1] is inf"});
  expect_error([&] { world.overlap(Sphere{}, {{}, {0, 0, 0, 0}}); }, {"overlap.pose.orientation"});

  expect_error([&] { world.closest_point({0, kNaN, 0}, 1); }, {"point[1] is nan"});
  expect_error([&] { world.closest_point({}, -1); }, {"max_distance is -1", "at least 0"});
  expect_error([&] { world.closest_point({}, kNaN); }, {"max_distance is nan"});
  expect_error([&] { world.closest_point({}, kInfinity); }, {"max_distance is inf"});
}

}  // namespace
}  // namespace sinew
