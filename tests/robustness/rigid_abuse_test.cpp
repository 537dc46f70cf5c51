// Rigid bodies that are wrong, contradictory, on top of each other, or come and go all the time.
#include <gtest/gtest.h>
#include <sinew/generators.h>
#include <sinew/world.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "support.h"

namespace sinew {
namespace {

constexpr Real kDt = Real(1.0 / 60);
constexpr Real kNan = std::numeric_limits<Real>::quiet_NaN();

double fastest(const World& world) {
  double most = 0;
  for (RigidId id : world.rigid_bodies()) {
    const RigidState s = world.state(id);
    most = std::max(most, double(length(s.velocity)) + double(length(s.angular_velocity)));
  }
  return most;
}

TEST(RigidAbuse, WrongBodiesAreRefusedByName) {
  World world;
  const auto add = [&](RigidBody body) { return [&world, body] { world.add(body); }; };
  expect_error(add({.name = "crate", .mass = Mass{.mass = 0}}), {"crate", "mass"});
  expect_error(add({.mass = Mass{.mass = -2}}), {"mass.mass", "-2"});
  expect_error(add({.mass = Mass{.inertia = {1, 1, 0}}}), {"inertia"});
  expect_error(add({.mass = Mass{.inertia = {1, 1, 5}}}), {"inertia"});
  expect_error(add({.density = 0}), {"density"});
  expect_error(add({.velocity = {kNan, 0, 0}}), {"velocity"});
  expect_error(add({.shape = Plane{}}), {"plane"});
  expect_error(add({.shape = ConvexHull{.points = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}}}}),
               {"points", "line"});
  expect_error(add({.shape = ConvexHull{.points = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {1, 0, 1}}}}),
               {"points", "plane"});
  expect_error(add({.shape = ConvexHull{.points = std::vector<Vec3>(6, Vec3{1, 2, 3})}}),
               {"points"});
  expect_error([&] { world.add(StaticBody{.shape = TriangleMesh{}}); }, {"mesh"});
  EXPECT_TRUE(world.rigid_bodies().empty());
}

TEST(RigidAbuse, WrongJointsAreRefused) {
  World world;
  const RigidId floor = world.add(StaticBody{}), wall = world.add(StaticBody{.shape = Box{}});
  const RigidId body = world.add(RigidBody{});
  expect_error([&] { world.add(BallJoint{.a = floor, .b = wall}); }, {"dynamic"});
  expect_error([&] { world.add(BallJoint{.a = floor}); }, {"dynamic"});
  expect_error([&] { world.add(BallJoint{.a = body, .b = body}); }, {"same"});
  expect_error([&] { world.add(BallJoint{}); }, {"a is not given"});
  expect_error([&] { world.add(HingeJoint{.a = body, .axis = {}}); }, {"axis"});
  expect_error(
      [&] {
        world.add(HingeJoint{.a = body, .range = Range{1, -1}});
      },
      {"lower", "upper"});
  const RigidId gone = world.add(RigidBody{});
  world.remove(gone);
  expect_error([&] { world.add(BallJoint{.a = body, .b = gone}); }, {"not alive"});
  EXPECT_TRUE(world.joints().empty());
}

TEST(RigidAbuse, WrongPushesAreRefused) {
  World world;
  const RigidId floor = world.add(StaticBody{}), body = world.add(RigidBody{.pose = {{0, 5, 0}}});
  const std::uint64_t before = world.state_hash();
  expect_error([&] { world.apply_force(body, {kNan, 0, 0}); }, {"force"});
  expect_error([&] { world.apply_impulse(body, {0, kNan, 0}, {}); }, {"impulse"});
  expect_error([&] { world.apply_impulse(body, {}, {0, kNan, 0}); }, {"point"});
  expect_error([&] { world.set_velocity(body, {}, {kNan, 0, 0}); }, {"angular_velocity"});
  expect_error([&] { world.set_pose(body, {{kNan, 0, 0}}); }, {"pose"});
  expect_error([&] { world.apply_force(floor, {1, 0, 0}); }, {"not dynamic"});
  expect_error([&] { world.set_velocity(floor, {1, 0, 0}, {}); }, {"static"});
  EXPECT_EQ(world.state_hash(), before);
  world.remove(body);
  expect_error([&] { world.apply_force(body, {1, 0, 0}); }, {"not alive"});
  expect_error([&] { world.remove(body); }, {"not alive"});
}

// Kenwright and Morgan, figure 8: constraints that cannot all hold.
TEST(RigidAbuse, ContradictoryJointsStayBounded) {
  World world({.rigid = {.sleeping = false}});
  const RigidId body = world.add(RigidBody{.pose = {{0, 2, 0}}});
  world.add(NailJoint{.a = body, .anchor = {0, 2, 0}});
  const RigidId other = world.add(RigidBody{.pose = {{3, 2, 0}}});
  world.add(BallJoint{.a = other, .b = body, .anchor = {Real(1.5), 2, 0}});
  world.add(NailJoint{.a = other, .anchor = {3, 2, 0}});
  world.add(DistanceJoint{.a = other, .b = body, .anchor_a = {3, 2, 0}, .anchor_b = {0, 2, 0}});
  world.set_pose(other, {{4, 3, 0}});
  for (int i = 0; i < 300; ++i) {
    world.step(kDt);
    ASSERT_LT(fastest(world), 30) << i;
  }
  EXPECT_TRUE(world.finite());
}

TEST(RigidAbuse, BodiesInOnePlacePartGently) {
  for (const Shape& shape : {Shape(Box{}), Shape(Sphere{}), Shape(Capsule{}), Shape(Cylinder{})}) {
    World world({.gravity = {}});
    for (int i = 0; i < 10; ++i) world.add(RigidBody{.shape = shape});
    for (int i = 0; i < 300; ++i) {
      world.step(kDt);
      ASSERT_LT(fastest(world), 5) << i;
    }
    EXPECT_TRUE(world.finite());
  }
}

TEST(RigidAbuse, DeepOverlapIsUndoneWithoutAnExplosion) {
  World world;
  world.add(StaticBody{});
  for (int i = 0; i < 5; ++i)
    for (int k = 0; k < 5; ++k)
      world.add(RigidBody{.shape = Box{}, .pose = {{Real(0.3 * i), Real(0.3 * k - 0.3), 0}}});
  for (int i = 0; i < 600; ++i) {
    world.step(kDt);
    ASSERT_LT(fastest(world), 30) << i;
  }
  for (RigidId id : world.rigid_bodies()) EXPECT_GT(world.pose(id).position.y, -0.5);
}

// Whatever their shape, and however many points it touches with.
TEST(RigidAbuse, OverlapIsUndoneAtTheSpeedThatIsAsked) {
  const RigidSettings settings{.recovery_speed = 2};
  for (const Shape& shape : {Shape(Box{}), Shape(Sphere{}), Shape(Capsule{}), Shape(Cylinder{})}) {
    World world({.gravity = {}, .rigid = settings});
    const RigidId a = world.add(RigidBody{.shape = shape});
    const RigidId b = world.add(RigidBody{.shape = shape, .pose = {{0, Real(0.2), 0}}});
    double before = 0.2, most = 0;
    for (int i = 0; i < 60; ++i) {
      world.step(kDt);
      const double now = length(world.pose(b).position - world.pose(a).position);
      most = std::max(most, (now - before) / kDt);
      before = now;
    }
    EXPECT_LT(most, 1.2 * settings.recovery_speed) << shape.index();
    EXPECT_GT(most, 0.5 * settings.recovery_speed) << shape.index();
  }
}

// Impulses of what cannot give way grow with every sweep. It must not be shot out with them: under
// a press of 2 m/s, 25 to 47 m/s were usual, and 85 m/s were seen. Each case is chaotic, so there
// are several.
TEST(RigidAbuse, WhatIsSqueezedSlipsOutAndDoesNotBurst) {
  const auto fastest_under_press = [](const Shape& shape, Real height) {
    World world;
    world.add(StaticBody{});
    const RigidId press = world.add(RigidBody{.shape = Box{.size = {4, 1, 4}},
                                              .pose = {{0, height, 0}},
                                              .motion = Motion::kKinematic,
                                              .velocity = {0, -2, 0}});
    for (int i = 0; i < 10; ++i)
      world.add(RigidBody{.shape = shape,
                          .pose = {{Real(i % 3) * Real(1.05) - 1,
                                    Real(0.6) + Real(1.05) * Real(i / 3), Real(0.1) * Real(i)}}});
    double most = 0;
    for (int i = 0; i < 240; ++i) {
      world.step(kDt);
      if (world.pose(press).position.y < Real(0.55)) world.set_velocity(press, {}, {});
      for (RigidId id : world.rigid_bodies())
        most = std::max(most, double(length(world.state(id).velocity)));
    }
    return most;
  };
  for (const Shape& shape : {Shape(Box{}), Shape(Sphere{}), Shape(Capsule{}), Shape(Cylinder{})}) {
    std::vector<double> speeds;
    for (int i = 0; i < 9; ++i)
      speeds.push_back(fastest_under_press(shape, Real(4.5) + Real(i) * Real(0.12)));
    std::sort(speeds.begin(), speeds.end());
    EXPECT_LT(speeds[4], 12) << shape.index();
    EXPECT_LT(speeds[8], 30) << shape.index();
  }
}

// What is pushed beyond all numbers goes back to where it was and stays there; the rest goes on.
TEST(RigidAbuse, WhatIsNotFiniteIsFrozenAlone) {
  World world;
  world.add(StaticBody{});
  const RigidId light = world.add(
      RigidBody{.shape = Box{}, .pose = {{0, Real(0.5), 0}}, .mass = Mass{.mass = Real(1e-3)}});
  const RigidId near = world.add(RigidBody{.shape = Box{}, .pose = {{0, Real(1.5), 0}}});
  const RigidId far = world.add(RigidBody{.shape = Box{}, .pose = {{5, 3, 0}}});
  for (int i = 0; i < 5; ++i) world.step(kDt);
  world.apply_impulse(light, {std::numeric_limits<Real>::max() / 4, 0, 0});
  const Vec3 before = world.pose(light).position;
  int told = 0;
  for (int i = 0; i < 120; ++i) {
    world.step(kDt);
    for (const Event& event : world.events())
      told += event.kind == Event::Kind::kFrozen && event.rigid == light;
  }
  EXPECT_EQ(told, 1);
  EXPECT_FALSE(world.finite());
  EXPECT_EQ(world.pose(light).position, before);
  for (const RigidId id : {near, far}) {
    const RigidState s = world.state(id);
    EXPECT_TRUE(std::isfinite(s.pose.position.y));
    EXPECT_LT(length(s.velocity), 1);
  }
  EXPECT_NEAR(world.pose(near).position.y, 1.5, 0.02);  // upon what was frozen
  EXPECT_NEAR(world.pose(far).position.y, 0.5, 0.02);
}

// Every body that is frozen is told of once: after others were frozen and removed, after a snapshot
// from before it, and when it is thrown again.
TEST(RigidAbuse, EveryFrozenBodyIsToldOnce) {
  World world({.gravity = {}});
  const auto add = [&](Real x) { return world.add(RigidBody{.pose = {{x, 0, 0}}}); };
  const auto thrown = [&](RigidId id) {
    world.set_velocity(id, {std::numeric_limits<Real>::max() / 4, 0, 0}, {});
    int told = 0;
    for (int i = 0; i < 3; ++i) {
      world.step(kDt);
      for (const Event& event : world.events())
        told += event.kind == Event::Kind::kFrozen && event.rigid == id;
    }
    return told;
  };
  const RigidId first = add(0), second = add(5), third = add(10), fourth = add(15);
  EXPECT_EQ(thrown(first), 1);
  EXPECT_EQ(thrown(second), 1);
  world.remove(first);
  const Snapshot before = world.snapshot();
  EXPECT_EQ(thrown(third), 1);
  EXPECT_EQ(thrown(third), 0);
  world.restore(before);
  EXPECT_EQ(thrown(third), 1);
  world.remove(second);
  world.remove(third);
  EXPECT_TRUE(world.finite());
  EXPECT_EQ(thrown(fourth), 1);
  EXPECT_EQ(thrown(add(20)), 1);
}

// A load that sleeps on the ground wakes when the hook that it hangs on is moved.
TEST(RigidAbuse, WhatHangsOnAKinematicBodyWakes) {
  World world;
  world.add(StaticBody{});
  const RigidId hook = world.add(RigidBody{
      .shape = Sphere{.radius = Real(0.1)}, .pose = {{0, 3, 0}}, .motion = Motion::kKinematic});
  const RigidId load = world.add(RigidBody{.shape = Box{}, .pose = {{0, Real(0.5), 0}}});
  world.add(DistanceJoint{.a = load, .b = hook, .anchor_a = {0, 1, 0}, .anchor_b = {0, 3, 0}});
  for (int i = 0; i < 300 && !world.state(load).asleep; ++i) world.step(kDt);
  ASSERT_TRUE(world.state(load).asleep);
  for (int i = 0; i < 120; ++i) {
    world.move_to(hook, {{0, 3 + Real(i + 1) / 60, 0}}, kDt);
    world.step(kDt);
  }
  EXPECT_NEAR(world.pose(load).position.y, 2.5, 0.05);
}

TEST(RigidAbuse, AbsurdStepsAndMassesStayFinite) {
  for (const Real dt : {Real(1e-6), Real(1), Real(100)}) {
    World world;
    world.add(StaticBody{});
    for (int i = 0; i < 4; ++i)
      world.add(RigidBody{.shape = Box{},
                          .pose = {{0, Real(0.6 + 1.1 * i), 0}},
                          .density = i % 2 == 0 ? Real(1e-3) : Real(1e7)});
    for (int i = 0; i < 20; ++i) world.step(dt);
    EXPECT_TRUE(world.finite()) << dt;
  }
}

// Of two balls that are far apart, though their boxes overlap, the distance is remembered; that of
// another ball and the mesh below it is not told, and must not be taken from there.
TEST(RigidAbuse, AMeshHoldsWhatFallsWhileOthersAreFarApart) {
  World world;
  for (const Real x : {Real(0), Real(9)})
    world.add(
        RigidBody{.shape = Sphere{.radius = 5}, .pose = {{x + 50, x, x}}, .gravity_scale = 0});
  world.add(StaticBody{.shape = TriangleMesh{.mesh = cloth(2, 2, 4, 4)}});
  const RigidId ball =
      world.add(RigidBody{.shape = Sphere{.radius = Real(0.1)}, .pose = {{0, Real(0.5), 0}}});
  for (int i = 0; i < 60; ++i) world.step(kDt);
  EXPECT_NEAR(world.pose(ball).position.y, 0.1, 1e-3);
}

// What falls faster than numbers can tell has a box without end, in which the broad phase once
// looked for a bin that is not there.
TEST(RigidAbuse, WhatOverflowsIsFrozenAndTheRestGoesOn) {
  for (const Real gravity : {Real(1e15), Real(1e20), Real(1e25), Real(1e38)}) {
    World world({.gravity = {0, -gravity, 0}});
    for (int i = 0; i < 60; ++i)
      world.add(RigidBody{.shape = Sphere{.radius = Real(0.1)},
                          .pose = {{Real(i), Real(i % 7), Real(i % 3)}}});
    const RigidId still =
        world.add(RigidBody{.shape = Box{}, .pose = {{Real(-9), 0, 0}}, .gravity_scale = 0});
    for (int i = 0; i < 30; ++i) world.step(kDt);
    EXPECT_EQ(world.pose(still).position, (Vec3{Real(-9), 0, 0})) << gravity;
  }
}

}  // namespace
}  // namespace sinew
