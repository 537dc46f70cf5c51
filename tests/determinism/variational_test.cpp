// The same bits for any number of threads: bodies that are solved side by side, and one that is
// solved on all of them.
#include <gtest/gtest.h>

#include "backwards.h"
#include "body_kinds.h"

namespace sinew {
namespace {

const Solver kVariational[] = {QuasiNewton{}, QuasiNewton{.integrator = Integrator::kBdf2},
                               Newton{.iterations = 2},
                               Newton{.iterations = 2,
                                      .linear_solver = LinearSolver::kConjugateGradients,
                                      .linear_iterations = 10},
                               Explicit{.substeps = 20}};

template <class Add>
void expect_same_bits(const char* what, Add&& add) {
  std::uint64_t last = 0;
  for (const Solver& solver : kVariational) {
    const auto hash = [&](std::shared_ptr<Executor> executor) {
      World world({}, std::move(executor));
      world.add(StaticBody{.pose = {{0, Real(-0.51), 0}}});
      add(world, solver);
      for (int i = 0; i < 4; ++i) world.step(Real(1.0 / 60));
      EXPECT_TRUE(world.finite());
      return world.state_hash();
    };
    const std::uint64_t serial = hash(make_serial_executor());
    EXPECT_NE(serial, last) << what << ", solver " << solver.index();  // it matters to the bits
    last = serial;
    for (int threads : {2, 5})
      EXPECT_EQ(hash(make_thread_pool(threads)), serial)
          << what << ", solver " << solver.index() << ", " << threads << " threads";
    EXPECT_EQ(hash(std::make_shared<Backwards>()), serial)
        << what << ", solver " << solver.index() << ", backwards";
  }
}

TEST(Determinism, OfVariationalBodiesSideBySide) {
  expect_same_bits("every kind", [](World& world, const Solver& solver) {
    for (const NamedBody& b : bodies_of_every_kind()) {
      SoftBody body = b.body;
      body.solver = solver;
      if (!std::holds_alternative<Explicit>(solver)) body.damping = Real(0.002);
      body.angular_velocity = {1, 2, 3};
      world.add(body);
    }
  });
}

TEST(Determinism, OfALargeVariationalBody) {
  expect_same_bits("large", [](World& world, const Solver& solver) {
    world.add(SoftBody{.mesh = box_tets({1, 1, 1}, {16, 16, 16}),
                       .material = NeoHookean{.young = Real(2e4), .poisson = Real(0.3)},
                       .solver = solver,
                       .angular_velocity = {1, 2, 3}});
  });
}

}  // namespace
}  // namespace sinew
