// Stacks that are set down hard come to rest where they are: impacts must not be done twice
// (src/rigid/contact_memory.h). Half of those of five cubes rocked for more than a minute.
#include <gtest/gtest.h>
#include <sinew/world.h>

#include <algorithm>
#include <vector>

#include "rigid_throws.h"

namespace sinew {
namespace {

constexpr Real kDt = Real(1.0 / 60);

// A stack of cubes, a hundredth of their width out of line, that falls at a speed.
std::vector<RigidId> set_down(World& world, Throws& random, int cubes, Real size, Real speed,
                              Real x = 0) {
  std::vector<RigidId> stack;
  for (int i = 0; i < cubes; ++i) {
    const Vec3 aside = random.vector() * (Real(0.01) * size);
    stack.push_back(
        world.add(RigidBody{.shape = Box{.size = {size, size, size}},
                            .pose = {{x + aside.x, (Real(i) + Real(0.5)) * size, aside.z}},
                            .velocity = {0, -speed, 0}}));
  }
  return stack;
}

// How long it takes until so many sleep, or a minute [s].
double time_to_sleep(World& world, int bodies) {
  while (world.time() < 60 && world.contacts().asleep < bodies) world.step(kDt);
  return world.time();
}

TEST(StacksSettle, HoweverHardTheyAreSetDown) {
  for (const int cubes : {3, 5, 8, 12})
    for (const Real size : {Real(0.1), Real(0.4), Real(1)})
      for (const Real speed : {Real(0.3), Real(1), Real(3)})
        for (unsigned n = 0; n < 4; ++n) {
          World world;
          world.add(StaticBody{});
          Throws random(n);
          const RigidId top = set_down(world, random, cubes, size, speed).back();
          EXPECT_LT(time_to_sleep(world, cubes), 5)
              << cubes << " cubes of " << size << " m at " << speed << " m/s, " << n;
          EXPECT_NEAR(world.pose(top).position.y, (Real(cubes) - Real(0.5)) * size,
                      Real(cubes) * Real(0.0015));
        }
}

// What each weighs counts, not what is in the world.
TEST(StacksSettle, ManyBesideEachOther) {
  World world;
  world.add(StaticBody{});
  Throws random(1);
  for (int i = 0; i < 40; ++i) set_down(world, random, 5, Real(0.4), 1, Real(i));
  EXPECT_LT(time_to_sleep(world, 200), 4);
}

// A single sweep in a substep does not hold as much, but nothing flies about. It went the other way
// in every substep, and stacks of three cubes burst at up to 700 m/s.
TEST(StacksSettle, DoNotBurstWithASingleSweep) {
  for (const int cubes : {3, 5, 8})
    for (unsigned n = 0; n < 6; ++n) {
      World world({.rigid = {.iterations = 1}});
      world.add(StaticBody{});
      Throws random(n);
      const std::vector<RigidId> stack = set_down(world, random, cubes, Real(0.4), 1);
      double most = 0;
      for (int i = 0; i < 300; ++i) {
        world.step(kDt);
        for (const RigidId id : stack)
          most = std::max(most, double(length(world.state(id).velocity)));
      }
      EXPECT_LT(most, 1.5) << cubes << " cubes, " << n;
      EXPECT_GT(world.pose(stack.back()).position.y, (Real(cubes) - Real(0.7)) * Real(0.4));
    }
}

// Loads that go on are learnt, however large they are against the weight: a press with fifty times
// the weight of what lies below it.
TEST(StacksSettle, LoadsThatGoOnAreLearnt) {
  World world;
  world.add(StaticBody{});
  Throws random(3);
  const std::vector<RigidId> stack = set_down(world, random, 5, Real(0.4), 0);
  const RigidId press = world.add(RigidBody{
      .shape = Box{.size = {1, Real(0.2), 1}}, .pose = {{0, Real(2.2), 0}}, .gravity_scale = 0});
  const Real weight = 5 * world.state(stack[0]).mass * Real(9.81);
  world.add(SliderJoint{
      .a = press, .axis = {0, 1, 0}, .motor = Motor{.target = -1, .max_force = 50 * weight}});
  for (int i = 0; i < 180; ++i) world.step(kDt);
  for (std::size_t i = 0; i < stack.size(); ++i) {
    EXPECT_NEAR(world.pose(stack[i]).position.y, (Real(i) + Real(0.5)) * Real(0.4), 0.005) << i;
    EXPECT_LT(length(world.state(stack[i]).velocity), 0.05) << i;
  }
}

// And on a lift that starts with twice gravity, a little in every step.
TEST(StacksSettle, StandOnALiftThatStartsHard) {
  World world;
  const RigidId lift = world.add(RigidBody{.shape = Box{.size = {4, Real(0.2), 4}},
                                           .pose = {{0, Real(-0.1), 0}},
                                           .motion = Motion::kKinematic});
  Throws random(3);
  const std::vector<RigidId> stack = set_down(world, random, 5, Real(0.4), 0);
  for (int i = 0; i < 120; ++i) {
    world.set_velocity(lift, {0, Real(2 * 9.81) * kDt * Real(std::min(i, 40)), 0}, {});
    world.step(kDt);
  }
  const Real floor = world.pose(lift).position.y + Real(0.1);
  for (std::size_t i = 0; i < stack.size(); ++i)
    EXPECT_NEAR(world.pose(stack[i]).position.y - floor, (Real(i) + Real(0.5)) * Real(0.4), 0.02)
        << i;
}

// Bodies in a heap that sleep are woken by those beside them that do not: all that is near sleeps
// as one. Heaps of 60 never slept.
TEST(StacksSettle, HeapsSleepAsAWhole) {
  for (unsigned n = 0; n < 4; ++n) {
    World world;
    world.add(StaticBody{});
    Throws random(n);
    for (int i = 0; i < 60; ++i) {
      const Vec3 aside = random.vector();
      world.add(
          RigidBody{.shape = Box{.size = {Real(0.4), Real(0.3), Real(0.5)}},
                    .pose = {{aside.x, Real(0.4) + Real(0.2) * Real(i), aside.z}, random.turn()}});
    }
    EXPECT_LT(time_to_sleep(world, 60), 20) << n;
  }
}

// What falls as one has no energy within but rounding, of either sign.
TEST(StacksSettle, WhatFallsTogetherStaysFinite) {
  const Shape shapes[] = {Box{}, Sphere{}, Cylinder{}};
  for (const Shape& shape : shapes)
    for (int bodies = 2; bodies < 12; ++bodies) {
      World world;
      for (int i = 0; i < bodies; ++i)
        world.add(RigidBody{.shape = shape, .pose = {{0, Real(i), 0}}});
      for (int i = 0; i < 180; ++i) world.step(kDt);
      ASSERT_TRUE(world.finite()) << shape.index() << ", " << bodies;
      for (const RigidId id : world.rigid_bodies())
        EXPECT_NEAR(world.state(id).velocity.y, -9.81 * 3, 1e-2);
    }
}

}  // namespace
}  // namespace sinew
