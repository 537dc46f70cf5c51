// Contacts that are solved with joints: the same bits for any number of threads and from a
// snapshot, also where one ball lies on two strips of net, of which one alone may hold it.
#include <gtest/gtest.h>
#include <sinew/joints.h>
#include <sinew/world.h>

#include <vector>

#include "snapshot_support.h"

namespace sinew {
namespace {

constexpr Real kPitch = Real(0.2), kKnot = Real(0.05), kBall = Real(0.5);

// A strip along z of `wide` × 14 knots of half a kilogram, held at both ends.
void add_strip(World& world, Real x, int wide) {
  constexpr int kLong = 14;
  std::vector<RigidId> knots;
  std::vector<Vec3> places;
  for (int i = 0; i < wide * kLong; ++i) {
    places.push_back({x + kPitch * Real(i / kLong), 0, kPitch * (Real(i % kLong) - Real(6.5))});
    const Sphere knot{.radius = kKnot};
    if (i % kLong == 0 || i % kLong + 1 == kLong)
      knots.push_back(world.add(StaticBody{.shape = knot, .pose = {places.back()}}));
    else
      knots.push_back(world.add(RigidBody{.shape = knot, .pose = {places.back()}}));
  }
  const auto join = [&](int a, int b) {
    world.add(
        DistanceJoint{.a = knots[a], .b = knots[b], .anchor_a = places[a], .anchor_b = places[b]});
  };
  for (int i = 0; i < wide * kLong; ++i) {
    const int along = i % kLong;
    if (along > 0 && along + 1 < kLong) join(i, i + 1);
    if (along == 1) join(i, i - 1);
    if (along > 0 && along + 1 < kLong && i + kLong < wide * kLong) join(i, i + kLong);
  }
}

World strips(int threads) {
  World world({.rigid = {.sleeping = false}}, make_thread_pool(threads));
  const auto drop = [&](Real x, Real height) {
    world.add(RigidBody{.shape = Sphere{.radius = kBall}, .pose = {{x, height, 0}}});
  };
  add_strip(world, Real(-1.3), 6);
  add_strip(world, Real(0.1), 6);
  drop(Real(-0.1), Real(1));
  drop(Real(0.9), Real(2));
  add_strip(world, Real(3), 6);
  drop(Real(3.5), Real(0.8));
  return world;
}

TEST(HeldContacts, AreTheSameForAnyNumberOfThreads) {
  World one = strips(1);
  const auto expected = hashes(one, 90);
  for (const int threads : {2, 4}) {
    World world = strips(threads);
    EXPECT_EQ(hashes(world, 90), expected) << threads;
  }
}

TEST(HeldContacts, ResumeFromSnapshots) {
  World world = strips(2);
  hashes(world, 45);
  const Snapshot before = world.snapshot();
  const auto expected = hashes(world, 30);
  world.restore(before);
  EXPECT_EQ(hashes(world, 30), expected);
}

}  // namespace
}  // namespace sinew
