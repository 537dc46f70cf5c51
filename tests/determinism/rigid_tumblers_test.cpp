// Rods that tumble in a heap, whose contacts come and go within a step: the same bits for any
// number of threads and from any snapshot.
#include <gtest/gtest.h>
#include <sinew/world.h>

#include <random>
#include <vector>

#include "snapshot_support.h"

namespace sinew {
namespace {

// Enough for several zones, with bodies among them that do not tumble and some that bounce.
World falling_rods(int threads) {
  World world({}, make_thread_pool(threads));
  world.add(StaticBody{.restitution = Real(0.5)});
  std::mt19937 random(11);
  const auto uniform = [&](double from, double to) {
    return Real(from + (to - from) * double(random() % 100000) / 100000);
  };
  for (int i = 0; i < 700; ++i) {
    const Shape shape = i % 3 == 0
                            ? Shape(Box{.size = {Real(0.2), Real(0.2), Real(0.2)}})
                            : Shape(Cylinder{.radius = Real(0.03), .half_height = Real(0.3)});
    world.add(RigidBody{
        .shape = shape,
        .pose = {{uniform(-2, 2), Real(0.3) + Real(i % 7) * Real(0.3), uniform(-2, 2)},
                 normalized(Quat{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(0.1, 1)})},
        .angular_velocity = {uniform(-30, 30), uniform(-30, 30), uniform(-30, 30)}});
  }
  return world;
}

TEST(RigidTumblers, AreTheSameForAnyNumberOfThreads) {
  World one = falling_rods(1);
  const auto expected = hashes(one, 20);
  for (const int threads : {2, 4}) {
    World world = falling_rods(threads);
    EXPECT_EQ(hashes(world, 20), expected) << threads;
  }
}

TEST(RigidTumblers, ResumeFromSnapshots) {
  World world = falling_rods(2);
  for (int k = 0; k < 2; ++k) {
    hashes(world, 6);
    const Snapshot before = world.snapshot();
    const auto expected = hashes(world, 5);
    world.restore(before);
    EXPECT_EQ(hashes(world, 5), expected) << k;
  }
}

}  // namespace
}  // namespace sinew
