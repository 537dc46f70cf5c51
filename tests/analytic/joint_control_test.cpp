// Joints that are told something else while the world runs.
#include <gtest/gtest.h>
#include <sinew/world.h>

#include <limits>

#include "support.h"

namespace sinew {
namespace {

constexpr Real kDt = Real(1.0 / 60);

void run(World& world, double seconds) {
  for (int i = 0; i < int(seconds * 60); ++i) world.step(kDt);
}

TEST(JointControl, AMotorIsGivenAnotherAimAndWakesWhatItTurns) {
  World world;
  const RigidId door = world.add(RigidBody{.shape = Box{}});
  const JointId hinge = world.add(HingeJoint{
      .a = door, .axis = {0, 1, 0}, .motor = Motor{.kind = MotorKind::kPosition, .target = 0}});
  run(world, 2);
  ASSERT_TRUE(world.state(door).asleep);
  world.set_motor(hinge, {.kind = MotorKind::kPosition, .target = 1});
  EXPECT_FALSE(world.state(door).asleep);
  run(world, 1);
  EXPECT_NEAR(world.state(hinge).position, 1, 1e-3);
  world.set_motor(hinge, {.kind = MotorKind::kVelocity, .target = -3});
  run(world, 0.5);
  EXPECT_NEAR(world.state(door).angular_velocity.y, -3, 1e-3);
}

TEST(JointControl, ANailIsCarriedAndWakesWhatHangsOnIt) {
  World world;
  const RigidId lamp = world.add(RigidBody{.shape = Sphere{.radius = Real(0.2)}});
  const JointId nail = world.add(NailJoint{.a = lamp, .anchor = {0, Real(0.2), 0}});
  run(world, 2);
  ASSERT_TRUE(world.state(lamp).asleep);
  for (int i = 1; i <= 60; ++i) {
    world.move_nail(nail, {0, Real(0.2) + Real(i) / 60, 0});
    world.step(kDt);
  }
  run(world, 1);
  EXPECT_NEAR(world.pose(lamp).position.y, 1, 0.01);
}

TEST(JointControl, WhatCannotBeIsRefused) {
  World world;
  const RigidId body = world.add(RigidBody{});
  const JointId ball = world.add(BallJoint{.a = body});
  const JointId hinge = world.add(HingeJoint{.a = body, .motor = Motor{}});
  const std::uint64_t before = world.state_hash();
  constexpr Real kNan = std::numeric_limits<Real>::quiet_NaN();
  expect_error([&] { world.set_motor(ball, {}); }, {"no motor"});
  expect_error([&] { world.set_motor(hinge, {.target = kNan}); }, {"motor", "target"});
  expect_error([&] { world.set_motor(hinge, {.max_force = -1}); }, {"max_force", "-1"});
  expect_error([&] { world.set_motor(hinge, {}, 1); }, {"axis 1"});
  expect_error([&] { world.move_nail(hinge, {}); }, {"nail"});
  expect_error([&] { world.move_nail(hinge, {kNan, 0, 0}); }, {"anchor"});
  EXPECT_EQ(world.state_hash(), before);
  world.remove(hinge);
  expect_error([&] { world.set_motor(hinge, {}); }, {"not alive"});
}

}  // namespace
}  // namespace sinew
