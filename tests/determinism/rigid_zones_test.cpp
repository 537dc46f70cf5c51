// Stacks so large that threads share them: the same bits for any number of threads and from any
// snapshot, also over the step in which bodies are shared out anew.
#include <gtest/gtest.h>
#include <sinew/world.h>

#include <algorithm>
#include <random>
#include <vector>

#include "snapshot_support.h"

namespace sinew {
namespace {

constexpr Real kDt = Real(1.0 / 60);

// A pyramid of 650 cubes that are added in no order: neighbours are far from each other in memory.
World shuffled_pyramid(int threads) {
  World world({.rigid = {.sleeping = false}}, make_thread_pool(threads));
  world.add(StaticBody{});
  std::vector<Vec3> places;
  constexpr int kLayers = 12;
  for (int layer = 0; layer < kLayers; ++layer)
    for (int i = 0; i < kLayers - layer; ++i)
      for (int k = 0; k < kLayers - layer; ++k)
        places.push_back({Real(2 * i + layer), Real(2 * layer + 1), Real(2 * k + layer)});
  std::mt19937 random(5);
  for (std::size_t i = places.size(); i > 1; --i) std::swap(places[i - 1], places[random() % i]);
  for (const Vec3& place : places)
    world.add(RigidBody{.shape = Box{.size = {2, 2, 2}}, .pose = {place}});
  return world;
}

TEST(RigidZones, AreTheSameForAnyNumberOfThreads) {
  World one = shuffled_pyramid(1);
  const auto expected = hashes(one, 70);
  for (const int threads : {2, 4}) {
    World world = shuffled_pyramid(threads);
    EXPECT_EQ(hashes(world, 70), expected) << threads;
  }
}

TEST(RigidZones, ResumeFromSnapshots) {
  World world = shuffled_pyramid(2);
  hashes(world, 57);
  const Snapshot before = world.snapshot();
  const auto expected = hashes(world, 10);
  world.restore(before);
  EXPECT_EQ(hashes(world, 10), expected);
}

// Impulses go with the contacts when these change their zones: nothing moves.
TEST(RigidZones, ChangeWithoutATrace) {
  World world = shuffled_pyramid(1);
  hashes(world, 50);
  Real fastest = 0;
  for (int i = 0; i < 30; ++i) {
    world.step(kDt);
    for (const RigidId id : world.rigid_bodies())
      fastest = std::max(fastest, length(world.state(id).velocity));
  }
  EXPECT_LT(fastest, 1e-3);
}

}  // namespace
}  // namespace sinew
