// Constraints that sum over a whole body do so in an order of their own.
#include <gtest/gtest.h>

#include "constrained_bodies.h"

namespace sinew {
namespace {

std::uint64_t hash_after(std::shared_ptr<Executor> executor, const Solver& solver) {
  World world({.substeps = 2, .substeps_max = 2, .iterations = 2}, std::move(executor));
  world.add(StaticBody{});
  add_constrained_bodies(world, solver);
  for (int i = 0; i < 4; ++i) world.step(Real(1.0 / 60));
  EXPECT_TRUE(world.finite());
  return world.state_hash();
}

TEST(Determinism, SameBitsWithEveryConstraint) {
  for (SweepOrder order : {SweepOrder::kSymmetric, SweepOrder::kJacobi}) {
    const Solver solver = Position{.order = order};
    EXPECT_EQ(hash_after(nullptr, solver), hash_after(make_thread_pool(3), solver));
  }
}

}  // namespace
}  // namespace sinew
