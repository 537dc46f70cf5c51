// What is fast does not pass through what is thin.
#include <gtest/gtest.h>
#include <sinew/generators.h>
#include <sinew/world.h>

#include <cmath>

namespace sinew {
namespace {

constexpr Real kDt = Real(1.0 / 60);

// A ball of 1 cm shot at a wall of 1 cm that it starts `away` from, some of the way along z.
Real where_after(World& world, double speed, double away, bool bullet) {
  const RigidId ball = world.add(RigidBody{.shape = Sphere{.radius = Real(0.005)},
                                           .pose = {{Real(-away), Real(0.013), Real(0.007)}},
                                           .velocity = {Real(speed), 0, 0},
                                           .bullet = bullet});
  for (int i = 0; i < 30; ++i) world.step(kDt);
  return world.pose(ball).position.x;
}

constexpr double kSpeeds[] = {3, 30, 300};
constexpr double kAway[] = {0.02, 0.5, 1.7, 4.9, 5.1, 12.3};

TEST(FastBodies, DoNotPassAWall) {
  for (const double speed : kSpeeds)
    for (const double away : kAway)
      for (const bool bullet : {false, true}) {
        World world({.gravity = {}});
        world.add(StaticBody{.shape = Box{.size = {Real(0.01), 2, 2}}});
        EXPECT_LT(where_after(world, speed, away, bullet), 0) << speed << ", " << away;
      }
}

TEST(FastBodies, DoNotPassAMovingWall) {
  for (const double speed : kSpeeds)
    for (const double away : kAway) {
      World world({.gravity = {}});
      const RigidId wall = world.add(
          RigidBody{.shape = Box{.size = {Real(0.01), 2, 2}}, .motion = Motion::kKinematic});
      world.set_velocity(wall, {-5, 0, 0}, {});
      const Real x = where_after(world, speed, away, false);
      EXPECT_LT(x, world.pose(wall).position.x) << speed << ", " << away;

      World free({.gravity = {}});
      const RigidId light =
          free.add(RigidBody{.shape = Box{.size = {Real(0.01), 2, 2}}, .velocity = {-5, 0, 0}});
      const Real y = where_after(free, speed, away, false);
      EXPECT_LT(y, free.pose(light).position.x) << speed << ", " << away;
    }
}

TEST(FastBodies, DoNotPassAMesh) {
  for (const double speed : kSpeeds)
    for (const double away : kAway) {
      World world({.gravity = {}});
      // A sheet of triangles that faces −x.
      TriMesh sheet = cloth(2, 2, 20, 20);
      world.add(StaticBody{.shape = TriangleMesh{.mesh = sheet},
                           .pose = {{}, Quat::from_axis_angle({0, 0, 1}, Real(1.5707963))}});
      EXPECT_LT(where_after(world, speed, away, false), Real(0.006)) << speed << ", " << away;
    }
}

// To and fro between two walls several times in a step: only what is followed stays inside.
TEST(FastBodies, BulletsStayBetweenTwoWalls) {
  const auto leaves = [](bool bullet) {
    World world({.gravity = {}});
    for (const Real x : {Real(-0.5), Real(0.5)})
      world.add(StaticBody{
          .shape = Box{.size = {Real(0.01), 2, 2}}, .pose = {{x, 0, 0}}, .restitution = 1});
    const RigidId ball = world.add(RigidBody{.shape = Sphere{.radius = Real(0.005)},
                                             .velocity = {300, 0, 0},
                                             .restitution = 1,
                                             .bullet = bullet});
    for (int i = 0; i < 30; ++i) world.step(kDt);
    return std::abs(world.pose(ball).position.x) > Real(0.5);
  };
  EXPECT_TRUE(leaves(false));  // so that the test tells something
  EXPECT_FALSE(leaves(true));
}

// Beside a wall, nothing is there to stop it.
TEST(FastBodies, PassWhatTheyDoNotMeet) {
  World world({.gravity = {}});
  world.add(StaticBody{.shape = Box{.size = {Real(0.01), 2, 2}}, .pose = {{0, Real(1.03), 0}}});
  EXPECT_GT(where_after(world, 300, 3, false), 100);
}

}  // namespace
}  // namespace sinew
