// Bodies that cannot move along or turn about some axes of the world: whatever they are given along
// these is nothing, from the start, and the rest is as if a guide held them without friction.
#include <gtest/gtest.h>
#include <sinew/world.h>

#include <cmath>

namespace sinew {
namespace {

constexpr Real kDt = Real(1.0 / 60);

// 2 kg, moments 1, 3, 0.5 about its own axes.
RigidBody body_with(const Quat& turn, const Vec3& free_axes, const Vec3& free_turns) {
  return {.shape = Box{},
          .pose = {{}, turn},
          .mass = Mass{.mass = 2, .inertia = {1, 3, Real(2.5)}},
          .free_axes = free_axes,
          .free_turns = free_turns};
}
World without_gravity() { return World({.gravity = {}, .rigid = {.sleeping = false}}); }

void expect_motion(const World& world, RigidId id, const Vec3& v, const Vec3& w) {
  const RigidState s = world.state(id);
  EXPECT_LT(length(s.velocity - v), 1e-5) << s.velocity.x << s.velocity.y << s.velocity.z;
  EXPECT_LT(length(s.angular_velocity - w), 1e-5)
      << s.angular_velocity.x << ", " << s.angular_velocity.y << ", " << s.angular_velocity.z;
}

TEST(LockedAxes, WhatIsGivenAlongThemIsIgnored) {
  World world = without_gravity();
  RigidBody body = body_with({}, {1, 0, 1}, {0, 1, 0});
  body.velocity = {4, 5, 6};
  body.angular_velocity = {1, 2, 3};
  const RigidId id = world.add(body);
  expect_motion(world, id, {4, 0, 6}, {0, 2, 0});
  EXPECT_NEAR(world.energy().kinetic, 0.5 * 2 * (16 + 36) + 0.5 * 3 * 4, 1e-3);
  world.step(kDt);
  expect_motion(world, id, {4, 0, 6}, {0, 2, 0});
  EXPECT_NEAR(world.pose(id).position.y, 0, 1e-7);

  world.set_velocity(id, {1, 2, 3}, {3, 2, 1});
  expect_motion(world, id, {1, 0, 3}, {0, 2, 0});
  world.apply_impulse(id, {2, 2, 2});
  expect_motion(world, id, {2, 0, 4}, {0, 2, 0});
  world.apply_angular_impulse(id, {3, 3, 3});
  expect_motion(world, id, {2, 0, 4}, {0, 3, 0});
  world.apply_torque(id, {60, 60, 60});
  world.apply_force(id, {120, 120, 120});
  world.step(kDt);
  expect_motion(world, id, {3, 0, 5}, {0, Real(3 + 1.0 / 3), 0});
}

TEST(LockedAxes, APointMassNeverTurns) {
  World world = without_gravity();
  RigidBody body = body_with({}, {1, 1, 1}, {1, 1, 1});
  body.point_mass = true;
  body.velocity = {1, 0, 0};
  body.angular_velocity = {1, 2, 3};
  const RigidId id = world.add(body);
  expect_motion(world, id, {1, 0, 0}, {});
  world.set_velocity(id, {1, 0, 0}, {1, 2, 3});
  world.apply_angular_impulse(id, {3, 3, 3});
  world.apply_torque(id, {3, 3, 3});
  world.step(kDt);
  expect_motion(world, id, {1, 0, 0}, {});
  EXPECT_EQ(world.energy().kinetic, 1);
}

// Kinematic bodies, too.
TEST(LockedAxes, AKinematicBodyKeepsToThem) {
  World world = without_gravity();
  RigidBody body = body_with({}, {1, 0, 1}, {0, 1, 0});
  body.motion = Motion::kKinematic;
  body.angular_velocity = {1, 2, 3};
  const RigidId id = world.add(body);
  expect_motion(world, id, {}, {0, 2, 0});
  world.set_velocity(id, {1, 1, 1}, {1, 1, 1});
  world.step(kDt);
  expect_motion(world, id, {1, 0, 1}, {0, 1, 0});
}

// Askew, a body that turns about y alone has the moment e·I e about it, and an impulse L gives it
// the energy L²/(2 e·I e). One entry of I⁻¹ would be more.
TEST(LockedAxes, AnAskewBodyTurnsByItsMomentAboutTheAxis) {
  const Quat turn = Quat::from_axis_angle(normalized(Vec3{1, Real(0.3), 2}), Real(0.9));
  const Vec3 y = turn.conjugate().rotate({0, 1, 0});
  const double moment = y.x * y.x * 1.0 + y.y * y.y * 3.0 + y.z * y.z * 2.5;
  World world = without_gravity();
  const RigidId id = world.add(body_with(turn, {1, 1, 1}, {0, 1, 0}));
  world.apply_angular_impulse(id, {1, 6, 2});
  expect_motion(world, id, {}, {0, Real(6 / moment), 0});
  EXPECT_NEAR(world.energy().kinetic, 18 / moment, 1e-4);
  for (int i = 0; i < 60; ++i) world.step(kDt);
  EXPECT_NEAR(world.energy().kinetic, 18 / moment, 1e-3);
}

// About two axes: the part of I that is free is inverted as a whole.
TEST(LockedAxes, AnAskewBodyTurnsAboutTwoAxes) {
  const Quat turn = Quat::from_axis_angle(normalized(Vec3{1, Real(0.3), 2}), Real(0.9));
  const Mat3 r = turn.matrix();
  const auto i = [&](int a, int b) {
    return double(r(a, 0)) * r(b, 0) * 1 + double(r(a, 1)) * r(b, 1) * 3 +
           double(r(a, 2)) * r(b, 2) * 2.5;
  };
  World world = without_gravity();
  const RigidId id = world.add(body_with(turn, {1, 1, 1}, {1, 0, 1}));
  world.apply_angular_impulse(id, {1, 5, 2});
  const double det = i(0, 0) * i(2, 2) - i(0, 2) * i(0, 2);
  expect_motion(
      world, id, {},
      {Real((i(2, 2) * 1 - i(0, 2) * 2) / det), 0, Real((i(0, 0) * 2 - i(0, 2) * 1) / det)});
}

}  // namespace
}  // namespace sinew
