// The same bits, however the work is spread.
#include <gtest/gtest.h>
#include <sinew/generators.h>
#include <sinew/world.h>

#include "backwards.h"

namespace sinew {
namespace {

std::uint64_t hash_after(std::shared_ptr<Executor> executor, Real young = 5e4) {
  World world({}, std::move(executor));
  world.add(StaticBody{});
  world.add(StaticBody{.shape = Sphere{.radius = Real(0.3)}, .pose = {{Real(0.1), Real(0.2), 0}}});
  // Big enough for several blocks in a colour.
  world.add(SoftBody{.mesh = box_tets({1, 1, 1}, {14, 14, 14}),
                     .material = StableNeoHookean{.young = young},
                     .pose = {{0, Real(1.1), 0}},
                     .angular_velocity = {1, 2, 3},
                     .damping = Real(0.005)});
  world.add(SoftBody{.mesh = sphere_tets(Real(0.3), 6), .pose = {{1, 1, 0}}});
  for (int i = 0; i < 20; ++i) world.step(Real(1.0 / 60));
  EXPECT_GT(world.contacts().count, 0);
  return world.state_hash();
}

TEST(Determinism, SameBitsForAnyExecutor) {
  const std::uint64_t serial = hash_after(nullptr);
  EXPECT_EQ(hash_after(nullptr), serial);
  EXPECT_EQ(hash_after(make_thread_pool(2)), serial);
  EXPECT_EQ(hash_after(make_thread_pool(2)), serial);
  EXPECT_EQ(hash_after(make_thread_pool(5)), serial);
  EXPECT_EQ(hash_after(std::make_shared<Backwards>()), serial);
}

TEST(Determinism, HashSeesAParameterThatDiffers) {
  EXPECT_NE(hash_after(nullptr), hash_after(nullptr, Real(5.0001e4)));
}

TEST(Determinism, RemovingABodyDoesNotDisturbTheOthers) {
  const auto run = [](bool with_another) {
    World world;
    world.add(StaticBody{});
    SoftId extra{};
    if (with_another)
      extra = world.add(SoftBody{.mesh = box_tets({1, 1, 1}, {2, 3, 2}), .pose = {{5, 1, 0}}});
    const SoftId id =
        world.add(SoftBody{.mesh = box_tets({1, 1, 1}, {4, 4, 4}), .pose = {{0, 1, 0}}});
    for (int i = 0; i < 10; ++i) world.step(Real(1.0 / 60));
    if (with_another) world.remove(extra);
    for (int i = 0; i < 20; ++i) world.step(Real(1.0 / 60));
    return world.positions(id);
  };
  EXPECT_EQ(run(true), run(false));
}

}  // namespace
}  // namespace sinew
