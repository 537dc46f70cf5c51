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

std::uint64_t hash_with_energies(std::shared_ptr<Executor> executor, const Solver& solver) {
  World world({}, std::move(executor));
  world.add(StaticBody{});
  add_bodies_with_energies(world, solver);
  for (int i = 0; i < 4; ++i) world.step(Real(1.0 / 60));
  EXPECT_TRUE(world.finite());
  return world.state_hash();
}

TEST(Determinism, SameBitsWithEveryEnergy) {
  for (const Solver& solver :
       {Solver(Projective{}), Solver(QuasiNewton{}), Solver(Newton{.iterations = 1})}) {
    const std::uint64_t serial = hash_with_energies(nullptr, solver);
    for (int threads : {2, 5})
      EXPECT_EQ(hash_with_energies(make_thread_pool(threads), solver), serial)
          << "solver " << solver.index() << ", " << threads << " threads";
  }
}

}  // namespace
}  // namespace sinew
