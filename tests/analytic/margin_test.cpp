// Margins: skins around shapes, at which rigid bodies meet.
#include <gtest/gtest.h>
#include <sinew/generators.h>
#include <sinew/world.h>

#include <cmath>
#include <limits>
#include <vector>

#include "support.h"

namespace sinew {
namespace {

constexpr Real kDt = Real(1.0 / 60);
constexpr double kOne = 0.01, kOther = 0.02;  // margins [m]
constexpr double kBoth = kOne + kOther;
constexpr double kClose = 1e-3;  // [m]

// Where a body that is let go over a ground with a margin comes to rest, above where it would
// without any.
double rests_above(StaticBody ground, const Shape& shape, const Quat& turn, double bare) {
  World world;
  ground.margin = Real(kOne);
  world.add(ground);
  const RigidId body = world.add(RigidBody{
      .shape = shape, .pose = {{0, Real(bare + kBoth + 0.1), 0}, turn}, .margin = Real(kOther)});
  for (int i = 0; i < 180; ++i) world.step(kDt);
  return double(world.pose(body).position.y) - bare;
}

Shape octahedron() {
  std::vector<Vec3> points;
  for (const Real x : {Real(-0.3), Real(0.3)})
    for (int axis = 0; axis < 3; ++axis) {
      Vec3 p = {};
      p[axis] = x;
      points.push_back(p);
    }
  return ConvexHull{.points = points};
}

// Flat grounds of every kind with their surface at y = 0.
std::vector<StaticBody> grounds() {
  std::vector<Vec3> slab;
  for (const Real x : {Real(-2), Real(2)})
    for (const Real y : {Real(-1), Real(0)})
      for (const Real z : {Real(-2), Real(2)}) slab.push_back({x, y, z});
  return {
      {.name = "plane"},
      {.name = "box", .shape = Box{.size = {4, 1, 4}}, .pose = {{0, Real(-0.5), 0}}},
      {.name = "hull", .shape = ConvexHull{.points = slab}},
      {.name = "cylinder",
       .shape = Cylinder{.radius = 2, .half_height = Real(0.5)},
       .pose = {{0, Real(-0.5), 0}}},
      {.name = "mesh", .shape = TriangleMesh{.mesh = cloth(4, 4, 5, 5)}},
      {.name = "height field",
       .shape =
           HeightField{
               .columns = 5, .rows = 5, .cell = Real(0.9), .heights = std::vector<Real>(25, 0)}},
  };
}

TEST(Margin, BodiesRestAsFarApartAsTheMarginsSay) {
  const Quat upright = {}, lying = Quat::from_axis_angle({0, 0, 1}, Real(1.57079633));
  // A face of the octahedron below.
  const Vec3 axis = normalized(cross(Vec3{1, 1, 1}, Vec3{0, 1, 0}));
  const Quat on_face = Quat::from_axis_angle(axis, Real(std::acos(1 / std::sqrt(3.0))));
  const double h = 0.3 / std::sqrt(3.0);
  for (const StaticBody& ground : grounds()) {
    SCOPED_TRACE(ground.name);
    const auto check = [&](const char* name, const Shape& shape, const Quat& turn, double bare) {
      EXPECT_NEAR(rests_above(ground, shape, turn, bare), kBoth, kClose) << name;
    };
    check("box", Box{.size = {Real(0.5), Real(0.4), Real(0.6)}}, upright, 0.2);
    check("sphere", Sphere{.radius = Real(0.2)}, upright, 0.2);
    check("capsule", Capsule{.radius = Real(0.1), .half_height = Real(0.3)}, lying, 0.1);
    check("cylinder", Cylinder{.radius = Real(0.2), .half_height = Real(0.1)}, upright, 0.1);
    check("rolling cylinder", Cylinder{.radius = Real(0.2), .half_height = Real(0.1)}, lying, 0.2);
    check("hull", octahedron(), on_face, h);
  }
}

// The same for every pair of shapes that move; each margin counts once for every gap.
TEST(Margin, StacksKeepTheirGaps) {
  const double half = 0.25;
  const std::vector<Shape> shapes = {
      Box{.size = {Real(0.5), Real(0.5), Real(0.5)}},
      Cylinder{.radius = Real(0.25), .half_height = Real(half)},
      Box{.size = {Real(0.6), Real(0.5), Real(0.6)}},
  };
  World world;
  world.add(StaticBody{.margin = Real(kOne)});
  std::vector<RigidId> stack;
  for (int i = 0; i < 3; ++i)
    stack.push_back(world.add(RigidBody{.shape = shapes[i],
                                        .pose = {{0, Real(half + i * (2 * half + 0.08)), 0}},
                                        .margin = Real(kOther)}));
  for (int i = 0; i < 300; ++i) world.step(kDt);
  for (int i = 0; i < 3; ++i) {
    const double y = half + kBoth + i * (2 * half + 2 * kOther);
    EXPECT_NEAR(world.pose(stack[i]).position.y, y, kClose) << i;
    EXPECT_NEAR(world.pose(stack[i]).position.x, 0, kClose) << i;
    EXPECT_TRUE(world.state(stack[i]).asleep) << i;
  }
  EXPECT_LT(world.contacts().penetration_max, kClose);
}

// Whether a sensor and a body that stand like this touch.
bool seen(const Shape& shape, const Vec3& at, double margin) {
  World world({.gravity = {}});
  const RigidId eye = world.add(StaticBody{.shape = shape, .margin = Real(margin), .sensor = true});
  const RigidId body = world.add(RigidBody{.shape = shape, .pose = {at}, .margin = Real(margin)});
  world.step(kDt);
  for (const ContactEvent& event : world.contact_events())
    if (event.kind == ContactEvent::Kind::kBegin && event.a == eye && event.b == body) return true;
  return false;
}

TEST(Margin, SensorsSeeTheSkin) {
  const Vec3 at{Real(2.05), 0, 0};
  EXPECT_FALSE(seen(Sphere{.radius = 1}, at, 0));
  EXPECT_FALSE(seen(Sphere{.radius = 1}, at, 0.0249));
  EXPECT_TRUE(seen(Sphere{.radius = 1}, at, 0.0251));
}

// Corners that are nearer than the margins along both axes, but not as the crow flies.
TEST(Margin, SkinsAreRoundAtCorners) {
  const Real gap = Real(0.03);
  const double margin = double(gap) * std::sqrt(2.0) / 2;
  for (const Shape& shape : {Shape(Box{}), Shape(Cylinder{.radius = Real(0.5)})}) {
    const Vec3 at = Vec3{1, 1, 0} + Vec3{gap, gap, 0};
    EXPECT_FALSE(seen(shape, at, 0.99 * margin));
    EXPECT_TRUE(seen(shape, at, 1.01 * margin));
  }
}

// Each part of a compound has its own.
TEST(Margin, PartsHaveTheirOwn) {
  World world;
  world.add(StaticBody{});
  const Shape foot = Sphere{.radius = Real(0.1)};
  std::vector<Part> parts;
  for (const Real x : {Real(-0.5), Real(0.5)})
    for (const Real z : {Real(-0.5), Real(0.5)})
      parts.push_back({.shape = foot, .pose = {{x, 0, z}}, .margin = Real(x < 0 ? 0 : kBoth)});
  const RigidId body = world.add(RigidBody{.parts = parts, .pose = {{0, Real(0.2), 0}}});
  for (int i = 0; i < 300; ++i) world.step(kDt);
  const Pose pose = world.pose(body);
  EXPECT_NEAR(pose.to_world({Real(-0.5), 0, 0}).y, 0.1, kClose);
  EXPECT_NEAR(pose.to_world({Real(0.5), 0, 0}).y, 0.1 + kBoth, kClose);
}

// It loses nothing of what it comes with.
TEST(Margin, BouncesAtTheSkin) {
  World world({.gravity = {}});
  world.add(StaticBody{.restitution = 1, .margin = Real(kOne)});
  const RigidId ball = world.add(RigidBody{.shape = Sphere{.radius = Real(0.1)},
                                           .pose = {{0, Real(0.5), 0}},
                                           .velocity = {0, -1, 0},
                                           .restitution = 1,
                                           .margin = Real(kOther)});
  double lowest = 1;
  for (int i = 0; i < 60; ++i) {
    world.step(kDt);
    lowest = std::min(lowest, double(world.pose(ball).position.y));
  }
  EXPECT_NEAR(world.state(ball).velocity.y, 1, 1e-3);
  EXPECT_GT(lowest, 0.1 + kBoth - kClose);
  // Up to the skin and back is what is left of a second's way.
  EXPECT_NEAR(world.pose(ball).position.y, 0.1 + kBoth + (1 - (0.4 - kBoth)), 0.02);
}

TEST(Margin, FastBodiesStopAtTheSkin) {
  const StaticBody walls[] = {
      {.name = "box", .shape = Box{.size = {Real(0.01), 2, 2}}},
      {.name = "mesh",
       .shape = TriangleMesh{.mesh = cloth(2, 2, 20, 20)},
       .pose = {{}, Quat::from_axis_angle({0, 0, 1}, Real(1.5707963))}},
  };
  for (StaticBody wall : walls)
    for (const double margin : {0.005, 0.1})
      for (const double speed : {3.0, 30.0, 300.0})
        for (const double away : {0.25, 0.5, 1.7, 4.9, 5.1, 12.3})
          for (const bool bullet : {false, true}) {
            World world({.gravity = {}});
            wall.margin = Real(margin);
            world.add(wall);
            const RigidId ball =
                world.add(RigidBody{.shape = Sphere{.radius = Real(0.005)},
                                    .pose = {{Real(-away), Real(0.013), Real(0.007)}},
                                    .velocity = {Real(speed), 0, 0},
                                    .margin = Real(margin),
                                    .bullet = bullet});
            double farthest = -away;
            for (int i = 0; i < 30; ++i) {
              world.step(kDt);
              farthest = std::max(farthest, double(world.pose(ball).position.x));
            }
            EXPECT_LT(farthest, -2 * margin)
                << wall.name << ", " << margin << ", " << speed << ", " << away << ", " << bullet;
          }
}

// To and fro between skins several times in a step.
TEST(Margin, BulletsStayBetweenSkins) {
  World world({.gravity = {}});
  for (const Real x : {Real(-0.5), Real(0.5)})
    world.add(StaticBody{.shape = Box{.size = {Real(0.01), 2, 2}},
                         .pose = {{x, 0, 0}},
                         .restitution = 1,
                         .margin = Real(0.1)});
  const RigidId ball = world.add(RigidBody{.shape = Sphere{.radius = Real(0.005)},
                                           .velocity = {300, 0, 0},
                                           .restitution = 1,
                                           .margin = Real(0.1),
                                           .bullet = true});
  for (int i = 0; i < 30; ++i) {
    world.step(kDt);
    ASSERT_LT(std::abs(world.pose(ball).position.x), Real(0.3)) << i;
  }
}

// Mass, too: a skin weighs nothing.
TEST(Margin, QueriesSeeTheBareShape) {
  World world({.gravity = {}});
  const RigidId ball = world.add(RigidBody{.shape = Sphere{.radius = 1}, .margin = Real(0.5)});
  const RigidId bare = world.add(RigidBody{.shape = Sphere{.radius = 1}, .pose = {{9, 0, 0}}});
  world.step(kDt);
  EXPECT_EQ(world.state(ball).mass, world.state(bare).mass);
  const auto ray = world.cast_ray({.origin = {-3, 0, 0}, .way = {4, 0, 0}});
  ASSERT_TRUE(ray);
  EXPECT_NEAR(ray->fraction, 0.5, 1e-6);
  EXPECT_FALSE(world.cast_ray({.origin = {-3, Real(1.2), 0}, .way = {6, 0, 0}}));
  const auto cast =
      world.cast_shape({.shape = Sphere{.radius = 1}, .pose = {{-4, 0, 0}}, .way = {4, 0, 0}});
  ASSERT_TRUE(cast);
  EXPECT_NEAR(cast->fraction, 0.5, 1e-3);
  EXPECT_TRUE(world.overlap(Sphere{.radius = 1}, {{Real(2.2), 0, 0}}).empty());
  EXPECT_EQ(world.overlap(Sphere{.radius = 1}, {{Real(1.9), 0, 0}}).size(), 1u);
  const auto nearest = world.closest_point({3, 0, 0}, 5);
  ASSERT_TRUE(nearest);
  EXPECT_NEAR(nearest->distance, 2, 1e-5);
}

TEST(Margin, WrongOnesAreRefusedByName) {
  constexpr Real kNan = std::numeric_limits<Real>::quiet_NaN();
  constexpr Real kInfinity = std::numeric_limits<Real>::infinity();
  World world;
  for (const Real wrong : {Real(-0.01), kNan, kInfinity}) {
    expect_error([&] { world.add(StaticBody{.name = "floor", .margin = wrong}); },
                 {"floor", "margin"});
    expect_error([&] { world.add(RigidBody{.name = "crate", .margin = wrong}); },
                 {"crate", "margin"});
    expect_error([&] { world.add(RigidBody{.name = "table", .parts = {{.margin = wrong}}}); },
                 {"table", "parts[0].margin"});
  }
  EXPECT_TRUE(world.rigid_bodies().empty());
}

}  // namespace
}  // namespace sinew
