// What is fast does not pass through what is thin.
#include <gtest/gtest.h>
#include <sinew/generators.h>
#include <sinew/world.h>

#include <cmath>
#include <random>

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

// To and fro between two walls several times in a step: the middle of nothing leaves, and a bullet
// does not even enter a wall.
TEST(FastBodies, StayBetweenTwoWalls) {
  const auto farthest = [](Real radius, bool bullet) {
    World world({.gravity = {}});
    for (const Real x : {Real(-0.5), Real(0.5)})
      world.add(StaticBody{
          .shape = Box{.size = {Real(0.01), 2, 2}}, .pose = {{x, 0, 0}}, .restitution = 1});
    const RigidId ball = world.add(RigidBody{.shape = Sphere{.radius = radius},
                                             .velocity = {300, 0, 0},
                                             .restitution = 1,
                                             .bullet = bullet});
    Real most = 0;
    for (int i = 0; i < 30; ++i) {
      world.step(kDt);
      most = std::max(most, std::abs(world.pose(ball).position.x));
    }
    return most;
  };
  for (const Real radius : {Real(0.005), Real(0.2)}) {
    EXPECT_LT(farthest(radius, false), 0.495) << radius;
    EXPECT_LT(farthest(radius, true), 0.495 - radius) << radius;
  }
  EXPECT_GT(farthest(Real(0.2), false), 0.3);  // so that the test tells something
}

// Beside a wall, nothing is there to stop it.
TEST(FastBodies, PassWhatTheyDoNotMeet) {
  World world({.gravity = {}});
  world.add(StaticBody{.shape = Box{.size = {Real(0.01), 2, 2}}, .pose = {{0, Real(1.03), 0}}});
  EXPECT_GT(where_after(world, 300, 3, false), 100);
}

// Thrown at random, aslant and turned anyhow; none of them spins. How many pass.
struct Thrown {
  Shape shape;
  double fastest;  // [m/s]
};

int passed(const Thrown& thrown, const Shape& wall, bool free, Real spin, bool bullet) {
  std::mt19937 random(3);
  const auto uniform = [&](double from, double to) {
    return Real(from + (to - from) * double(random() % 100000) / 100000);
  };
  int count = 0;
  for (int n = 0; n < 100; ++n) {
    const Vec3 at{uniform(-2.6, -0.6), uniform(-0.5, 0.5), uniform(-0.5, 0.5)};
    const Vec3 velocity{uniform(2, thrown.fastest), uniform(-5, 5), uniform(-5, 5)};
    const Quat turn =
        normalized(Quat{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(Real(0.1), 1)});
    World world({.gravity = {}});
    RigidId other{};
    if (free)
      other = world.add(RigidBody{.shape = wall, .velocity = {-1, 0, 0}});
    else
      world.add(StaticBody{.shape = wall});
    const RigidId body = world.add(
        RigidBody{.shape = thrown.shape,
                  .pose = {at, turn},
                  .velocity = velocity,
                  .angular_velocity = Vec3{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)} * spin,
                  .bullet = bullet});
    bool through = false;
    for (int i = 0; i < 25; ++i) {
      world.step(kDt);
      Vec3 place = world.pose(body).position;
      if (free) place = world.pose(other).to_local(place);
      through |= place.x > 0 && std::abs(place.y) < 3.5 && std::abs(place.z) < 3.5;
    }
    count += through;
  }
  return count;
}

const Thrown kThrown[] = {
    {Sphere{.radius = Real(0.02)}, 100},
    {Capsule{.radius = Real(0.02), .half_height = Real(0.1)}, 20},
    {Capsule{.radius = Real(0.02), .half_height = Real(0.1)}, 100},
    {Box{.size = {Real(0.3), Real(0.02), Real(0.1)}}, 20},
    {Box{.size = {Real(0.3), Real(0.02), Real(0.1)}}, 100},
};

TEST(FastBodies, DoNotPassAslant) {
  const Shape wall = Box{.size = {Real(0.02), 8, 8}};
  for (const Thrown& thrown : kThrown) {
    const int number = static_cast<int>(&thrown - kThrown);
    EXPECT_EQ(passed(thrown, wall, false, 0, false), 0) << number;
    EXPECT_EQ(passed(thrown, wall, true, 0, false), 0) << number << ", a free wall";
    EXPECT_EQ(passed(thrown, wall, false, 0, true), 0) << number << ", as a bullet";
    EXPECT_EQ(passed(thrown, wall, false, 3, false), 0) << number << ", spinning";
    EXPECT_EQ(passed(thrown, wall, false, 3, true), 0) << number << ", spinning bullet";
  }
}

}  // namespace
}  // namespace sinew
