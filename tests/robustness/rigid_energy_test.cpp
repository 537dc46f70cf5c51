// Energy comes from nowhere: what nothing drives never has more of it than at first, however thin
// it is, however fast it is thrown, whatever holds it.
#include <gtest/gtest.h>
#include <sinew/world.h>

#include <algorithm>
#include <cmath>

#include "rigid_throws.h"

namespace sinew {
namespace {

constexpr Real kDt = Real(1.0 / 60);

// Rods turn far in a step once they hit, out of the inertia that contacts were made with. Whatever
// they are dropped with, they never have more energy than that.
TEST(RigidEnergy, ThinRodsDoNotExplode) {
  Throws random(2);
  const auto uniform = [&](double from, double to) { return random.uniform(from, to); };
  const Shape rods[] = {Box{.size = {Real(0.007), Real(0.25), Real(0.007)}},
                        Cylinder{.radius = Real(0.0035), .half_height = Real(0.09)},
                        Capsule{.radius = Real(0.0015), .half_height = Real(0.025)},
                        Box{.size = {Real(0.05), 1, Real(0.05)}},
                        Box{.size = {Real(0.3), Real(0.01), Real(0.2)}}};
  for (const Shape& rod : rods)
    for (const Real spin : {Real(0), Real(20), Real(100)})
      for (int n = 0; n < 12; ++n) {
        const Real restitution = Real(n % 3) / 2;
        World world;
        world.add(StaticBody{.restitution = restitution});
        const Quat turn =
            normalized(Quat{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(0.1, 1)});
        const Vec3 axis = normalized(Vec3{uniform(-1, 1), uniform(-1, 1), uniform(0.1, 1)});
        world.add(RigidBody{.shape = rod,
                            .pose = {{0, Real(1.5), 0}, turn},
                            .angular_velocity = axis * spin,
                            .restitution = restitution});
        const double energy = world.energy().total();
        for (int i = 0; i < 120; ++i) {
          world.step(kDt);
          ASSERT_LT(world.energy().total(), 1.02 * energy)
              << "rod " << &rod - rods << ", " << spin << " rad/s, " << n << ", step " << i;
        }
      }
}

// In a heap, where they lie on each other and on walls.
TEST(RigidEnergy, HeapsOfRodsDoNotExplode) {
  World world;
  world.add(StaticBody{});
  Throws random(3);
  const auto uniform = [&](double from, double to) { return random.uniform(from, to); };
  for (int i = 0; i < 60; ++i)
    world.add(RigidBody{
        .shape = Cylinder{.radius = Real(0.0035), .half_height = Real(0.09)},
        .pose = {{uniform(-0.1, 0.1), Real(0.1 + 0.03 * i), uniform(-0.1, 0.1)},
                 normalized(Quat{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(0.1, 1)})},
        .angular_velocity = {uniform(-50, 50), uniform(-50, 50), uniform(-50, 50)}});
  const double energy = world.energy().total();
  for (int i = 0; i < 300; ++i) {
    world.step(kDt);
    ASSERT_LT(world.energy().total(), 1.02 * energy) << i;
  }
  EXPECT_LT(world.energy().kinetic, 0.01 * energy);
  for (RigidId id : world.rigid_bodies()) EXPECT_GT(world.pose(id).position.y, -1e-3);
}

const char* const kKinds[] = {"ball",    "fixed",     "hinge",  "cone",
                              "six_dof", "universal", "slider", "distance"};

// A joint of one of eight kinds.
void join(World& world, int kind, RigidId a, RigidId b, const Vec3& anchor) {
  switch (kind) {
    case 0:
      world.add(BallJoint{.a = a, .b = b, .anchor = anchor});
      break;
    case 1:
      world.add(FixedJoint{.a = a, .b = b, .anchor = anchor});
      break;
    case 2:
      world.add(HingeJoint{.a = a, .b = b, .anchor = anchor, .axis = {0, 0, 1}});
      break;
    case 3:
      world.add(ConeJoint{.a = a, .b = b, .anchor = anchor});
      break;
    case 4:
      world.add(SixDofJoint{.a = a,
                            .b = b,
                            .anchor = anchor,
                            .turn_x = JointAxis{.range = Range{-1, 1}},
                            .turn_z = JointAxis{.range = Range{-1, 1}}});
      break;
    case 5:
      world.add(UniversalJoint{.a = a, .b = b, .anchor = anchor});
      break;
    case 6:
      world.add(SliderJoint{.a = a, .b = b});
      break;
    default:
      world.add(DistanceJoint{
          .a = a, .b = b, .anchor_a = anchor, .anchor_b = anchor + Vec3{Real(0.4), 0, 0}});
  }
}

// Two rods that hold on to each other and turn out of their inertia in every step. At first joints
// take what they do not allow; then nothing takes angular momentum.
TEST(RigidEnergy, RodsOnJointsNeverGainAny) {
  for (int kind = 0; kind < 8; ++kind)
    for (const Real speed : {Real(10), Real(30), Real(100), Real(300)})
      for (unsigned n = 0; n < 8; ++n) {
        Throws random(1000 * unsigned(kind) + n);
        World world({.gravity = {}});
        RigidId rods[2];
        for (int i = 0; i < 2; ++i)
          rods[i] =
              world.add(RigidBody{.shape = Capsule{.radius = Real(0.01), .half_height = Real(0.25)},
                                  .pose = {{Real(i), 0, 0}, random.turn()},
                                  .angular_velocity = random.vector() * speed,
                                  .mask = 0});
        join(world, kind, rods[0], rods[1], {Real(0.5), random.uniform(-0.2, 0.2), 0});
        const double energy = world.energy().kinetic;
        const Vec3T<double> momentum = world.momentum().angular;
        for (int i = 0; i < 120; ++i) {
          world.step(kDt);
          ASSERT_LT(world.energy().kinetic, 1.001 * energy)
              << kKinds[kind] << ", " << speed << " rad/s, " << n << ", step " << i;
        }
        EXPECT_TRUE(world.finite());
        if (speed > 20) continue;
        EXPECT_LT(length(world.momentum().angular - momentum), 0.05 * length(momentum))
            << kKinds[kind] << ", " << n;
      }
}

// Three that hang on each other and on the world, thrown in all directions.
TEST(RigidEnergy, HangingRodsNeverGainAny) {
  for (const int kind : {0, 2, 3, 4, 5})
    for (const Real speed : {Real(3), Real(10), Real(30)})
      for (unsigned n = 0; n < 8; ++n) {
        Throws random(n);
        World world;
        RigidId last = {};
        for (int i = 0; i < 3; ++i) {
          const RigidId rod =
              world.add(RigidBody{.shape = Capsule{.radius = Real(0.02), .half_height = Real(0.2)},
                                  .pose = {{0, Real(-0.25) - Real(0.5) * Real(i), 0}},
                                  .angular_velocity = random.vector() * speed});
          join(world, kind, rod, last, {0, Real(-0.5) * Real(i), 0});
          last = rod;
        }
        const Energy first = world.energy();
        for (int i = 0; i < 180; ++i) {
          world.step(kDt);
          ASSERT_LT(world.energy().total(), first.total() + 0.01 * first.kinetic + 0.05)
              << kKinds[kind] << ", " << speed << " rad/s, " << n << ", step " << i;
        }
        EXPECT_TRUE(world.finite()) << kKinds[kind] << ", " << speed << " rad/s, " << n;
      }
}

// What a motor gives is not taken back.
TEST(RigidEnergy, MotorsMayGiveSome) {
  World world({.gravity = {}});
  RigidId rods[2];
  for (int i = 0; i < 2; ++i)
    rods[i] = world.add(RigidBody{.shape = Capsule{.radius = Real(0.01), .half_height = Real(0.25)},
                                  .pose = {{0, 0, Real(0.1) * Real(i)}},
                                  .mask = 0});
  world.add(HingeJoint{.a = rods[0],
                       .b = rods[1],
                       .axis = {0, 0, 1},
                       .motor = Motor{.target = 60, .max_force = Real(0.5)}});
  for (int i = 0; i < 240; ++i) world.step(kDt);
  EXPECT_NEAR(world.state(rods[0]).angular_velocity.z, 30, 0.3);
  EXPECT_NEAR(world.state(rods[1]).angular_velocity.z, -30, 0.3);
}

// Without loss and without friction, ten seconds of it: as high as ever, and no higher.
TEST(RigidEnergy, WhatBouncesWithoutLossKeepsIt) {
  const Shape shapes[] = {Box{.size = {Real(0.5), Real(0.5), Real(0.5)}},
                          Box{.size = {Real(0.6), Real(0.1), Real(0.4)}},
                          Sphere{.radius = Real(0.25)},
                          Capsule{.radius = Real(0.02), .half_height = Real(0.3)},
                          Cylinder{.radius = Real(0.1), .half_height = Real(0.005)}};
  for (const Shape& shape : shapes)
    for (unsigned n = 0; n < 10; ++n) {
      Throws random(n);
      World world;
      world.add(StaticBody{.friction = 0, .restitution = 1});
      world.add(RigidBody{.shape = shape,
                          .pose = {{0, 1, 0}, random.turn()},
                          .angular_velocity = random.vector() * 5,
                          .friction = 0,
                          .restitution = Real(n % 2)});  // that of the ground is enough
      const double energy = world.energy().total();
      for (int i = 0; i < 600; ++i) {
        world.step(kDt);
        ASSERT_LT(world.energy().total(), 1.01 * energy) << shape.index() << ", " << n;
      }
      EXPECT_GT(world.energy().total(), 0.9 * energy) << shape.index() << ", " << n;
    }
}

// Energy is asked of those who gained it: a rubber ball rolls on over a plank at whose end crates
// settle, and a rotor turns on beside them. Both were stopped.
TEST(RigidEnergy, NobodyPaysForOthers) {
  World world;
  world.add(StaticBody{});
  const RigidId plank =
      world.add(RigidBody{.shape = Box{.size = {8, Real(0.2), 1}}, .pose = {{0, Real(0.099), 0}}});
  const RigidId ball = world.add(RigidBody{.shape = Sphere{.radius = Real(0.05)},
                                           .pose = {{-3, Real(0.25), 0}},
                                           .velocity = {2, 0, 0},
                                           .angular_velocity = {0, 0, -40},
                                           .restitution = Real(0.6)});
  const RigidId rotor =
      world.add(RigidBody{.shape = Box{.size = {Real(0.6), Real(0.05), Real(0.05)}},
                          .pose = {{-2, 1, 0}},
                          .angular_velocity = {0, 20, 0},
                          .mask = 0});
  world.add(HingeJoint{.a = rotor, .b = plank, .anchor = {-2, 1, 0}, .axis = {0, 1, 0}});
  for (int i = 0; i < 5; ++i)
    world.add(RigidBody{.shape = Box{.size = {Real(0.5), Real(0.5), Real(0.5)}},
                        .pose = {{3, Real(0.45) + Real(0.52) * Real(i), 0}}});
  for (int i = 0; i < 60; ++i) world.step(kDt);
  EXPECT_NEAR(world.state(ball).velocity.x, 2, 0.05);
  EXPECT_NEAR(world.state(rotor).angular_velocity.y, 20, 0.2);
}

// A pendulum that spins about itself gained energy without end.
TEST(RigidEnergy, ASpinningPendulumStaysOne) {
  World world;
  const RigidId rod =
      world.add(RigidBody{.shape = Capsule{.radius = Real(0.01), .half_height = Real(0.25)},
                          .pose = {{Real(0.26), 2, 0}, {0, 0, Real(0.70710678), Real(0.70710678)}},
                          .angular_velocity = {1, 0, 0}});
  world.add(DistanceJoint{.a = rod, .anchor_a = {0, 2, 0}, .anchor_b = {0, Real(2.3), 0}});
  for (int i = 0; i < 1800; ++i) {
    world.step(kDt);
    ASSERT_LT(length(world.state(rod).velocity), 5) << i;
  }
}

// Six thin bodies that meet in the air: some are met within a step, and tumble from then on.
TEST(RigidEnergy, ThinBodiesThatMeetInTheAirDoNotExplode) {
  Throws random(9);
  const auto uniform = [&](double from, double to) { return random.uniform(from, to); };
  for (int n = 0; n < 60; ++n) {
    World world({.gravity = {}});
    for (int i = 0; i < 6; ++i) {
      const Vec3 place{uniform(-0.5, 0.5), uniform(-0.5, 0.5), uniform(-0.5, 0.5)};
      const Real spin = Real(3) * std::pow(Real(10), uniform(0, 2.4));
      world.add(
          RigidBody{.shape = i % 2 == 0 ? Shape(Box{.size = {Real(0.02), Real(0.5), Real(0.02)}})
                                        : Shape(Box{.size = {Real(0.4), Real(0.01), Real(0.3)}}),
                    .pose = {place * 2, normalized(Quat{uniform(-1, 1), uniform(-1, 1),
                                                        uniform(-1, 1), uniform(0.1, 1)})},
                    .velocity = place * -4,
                    .angular_velocity =
                        normalized(Vec3{uniform(-1, 1), uniform(-1, 1), uniform(0.1, 1)}) * spin});
    }
    const double energy = world.energy().kinetic;
    for (int i = 0; i < 90; ++i) {
      world.step(kDt);
      ASSERT_LT(world.energy().kinetic, 1.02 * energy) << n << ", step " << i;
    }
  }
}

}  // namespace
}  // namespace sinew
