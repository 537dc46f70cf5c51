// How forces become motion: orders of accuracy, what is kept, and where forces are in balance.
#include <sinew/generators.h>
#include <sinew/world.h>

#include "support.h"

namespace sinew {
namespace {

constexpr bool kFloat = sizeof(Real) == 4;

Newton converged(Integrator integrator) {
  return {.iterations = 30, .tolerance = Real(1e-10), .integrator = integrator};
}

struct Named {
  const char* name;
  Solver solver;
  double order;
  int steps;  // in float, the second order is lost in rounding when there are many more
};
const Named kSolvers[] = {
    {"implicit Euler", converged(Integrator::kImplicitEuler), 1, 80},
    {"implicit midpoint", converged(Integrator::kImplicitMidpoint), 2, 10},
    {"BDF2", converged(Integrator::kBdf2), 2, 20},
    {"symplectic Euler", Explicit{.substeps = 1}, 1, 80},
    {"explicit Euler", Explicit{.method = ExplicitMethod::kEuler, .substeps = 1}, 1, 80},
};

SoftBody soft_bar(const Solver& solver) {
  return {.mesh = bar_tets(Real(0.4), Real(0.1), Real(0.1), 1),
          .material = StableNeoHookean{.young = 2000, .poisson = Real(0.3)},
          .solver = solver};
}

// A bar stretched smoothly, so that slow vibrations are what there is to see, after 0.1 s.
std::vector<Vec3> swung(const Solver& solver, int steps) {
  World world({.gravity = {}});
  const SoftId id = world.add(soft_bar(solver));
  std::vector<Vec3> x = world.positions(id);
  for (Vec3& p : x) p.x *= Real(1.2);
  world.set_positions(id, x);
  for (int i = 0; i < steps; ++i) world.step(Real(0.1) / Real(steps));
  return world.positions(id);
}

double distance(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::pow(double(length(a[i] - b[i])), 2);
  return std::sqrt(sum);
}

TEST(Integrators, HaveTheirOrders) {
  for (const Named& s : kSolvers) {
    SCOPED_TRACE(s.name);
    const auto coarse = swung(s.solver, s.steps), middle = swung(s.solver, 2 * s.steps),
               fine = swung(s.solver, 4 * s.steps);
    const double order = std::log2(distance(coarse, middle) / distance(middle, fine));
    EXPECT_NEAR(order, s.order, 0.35);
  }
}

TEST(Integrators, AgreeInTheLimit) {
  const auto reference = swung(Explicit{.substeps = 10}, 1000);
  for (const Named& s : kSolvers)
    EXPECT_LT(distance(swung(s.solver, s.order == 1 ? 2000 : 80), reference), 0.012) << s.name;
}

TEST(Integrators, KeepMomentum) {
  for (const Named& s : kSolvers) {
    if (s.order == 1 && std::string(s.name) == "explicit Euler") continue;  // does not
    SCOPED_TRACE(s.name);
    World world({.gravity = {}});
    SoftBody body = soft_bar(s.solver);
    body.velocity = {1, 2, 3};
    body.angular_velocity = {2, Real(-1), 3};
    world.add(body);
    const Momentum before = world.momentum();
    const double size = length(before.angular);
    for (int i = 0; i < 200; ++i) world.step(Real(1.0 / 400));
    const Momentum after = world.momentum();
    EXPECT_LT(length(after.linear - before.linear),
              (kFloat ? 1e-4 : 1e-10) * length(before.linear));
    EXPECT_LT(length(after.angular - before.angular), (kFloat ? 1e-3 : 1e-9) * size);
  }
}

TEST(Integrators, FallAsAllThingsFall) {
  for (const Named& s : kSolvers) {
    SCOPED_TRACE(s.name);
    World world;
    const SoftId id = world.add(soft_bar(s.solver));
    const Real start = world.positions(id)[0].y;
    for (int i = 0; i < 100; ++i) world.step(Real(0.001));
    EXPECT_NEAR(world.velocities(id)[0].y, -0.981, 1e-3);
    EXPECT_NEAR(world.positions(id)[0].y - start, -0.0981 / 2, 0.0006);  // ± g h t / 2
  }
}

TEST(Integrators, PinsArriveWhereTheyAreSent) {
  for (const Named& s : kSolvers) {
    SCOPED_TRACE(s.name);
    World world;
    SoftBody body = soft_bar(s.solver);
    body.pins = {0};
    const SoftId id = world.add(body);
    const Vec3 start = world.positions(id)[0];
    for (int i = 1; i <= 20; ++i) {
      const Vec3 to = start + Vec3{0, Real(0.002) * Real(i * i) / 10, Real(0.001) * Real(i)};
      world.move_pin(id, 0, to);
      world.step(Real(1.0 / 200));
      EXPECT_LT(length(world.positions(id)[0] - to), 1e-6);
    }
    EXPECT_TRUE(world.finite());
  }
}

// BDF2 looks back a step: to what was there before the body was put elsewhere, it must not.
TEST(Integrators, ForgetWhatWasBeforeABodyIsMoved) {
  World world({.gravity = {}});
  const SoftId id = world.add(soft_bar(converged(Integrator::kBdf2)));
  for (int i = 0; i < 3; ++i) world.step(Real(0.01));
  std::vector<Vec3> x = world.positions(id);
  for (Vec3& p : x) p.y += 10;
  world.set_positions(id, x);
  for (int i = 0; i < 3; ++i) world.step(Real(0.01));
  EXPECT_NEAR(world.positions(id)[0].y, x[0].y, 1e-3);
}

TEST(Equilibrium, IsWhatAHangingBarComesTo) {
  for (const Solver& solver : {Solver(QuasiNewton{}), Solver(Newton{})}) {
    SoftBody body = soft_bar(solver);
    body.material = NeoHookean{.young = Real(2e4), .poisson = Real(0.3)};
    const std::vector<Vec3>& rest = std::get<TetMesh>(body.mesh).vertices;
    for (std::size_t i = 0; i < rest.size(); ++i)
      if (rest[i].x < 1e-4) body.pins.push_back(static_cast<Index>(i));
    body.drag = 2;
    World world;
    const SoftId at_once = world.add(body), in_time = world.add(body);
    const Equilibrium found = world.find_equilibrium(at_once);
    EXPECT_TRUE(found.found) << found.residual << " N after " << found.iterations;
    const std::vector<Vec3> balance = world.positions(at_once);
    for (int i = 0; i < 600; ++i) world.step(Real(1.0 / 60));
    EXPECT_LT(distance(balance, world.positions(in_time)), 2e-3);
    EXPECT_LT(distance(balance, world.positions(at_once)), 2e-3);  // and it stays there
    EXPECT_GT(distance(balance, rest), 0.05);
  }
}

// 1 × 0.1 × 0.1 m, clamped: sags by CalculiX (C3D20, large deflection). Stiff bodies are found as
// well as numbers allow, and say how well that is.
TEST(Equilibrium, IsFoundOnlyWhereForcesAreInBalance) {
  const std::pair<double, double> sags[] = {
      {1e6, 0.747}, {1e7, 0.144}, {1e8, 0.0147}, {1e9, 0.00147}};
  for (const Solver& solver : {Solver(QuasiNewton{}), Solver(Newton{})})
    for (const auto& [young, sag] : sags) {
      SCOPED_TRACE(testing::Message() << "solver " << solver.index() << ", E = " << young);
      SoftBody body{.mesh = box_hexes({1, Real(0.1), Real(0.1)}, {20, 2, 2}),
                    .material = StVenantKirchhoff{.young = Real(young), .poisson = Real(0.3)},
                    .solver = solver};
      const std::vector<Vec3>& rest = std::get<HexMesh>(body.mesh).vertices;
      const Real clamped = bounds(rest).lower.x + Real(1e-3);
      for (std::size_t i = 0; i < rest.size(); ++i)
        if (rest[i].x < clamped) body.pins.push_back(static_cast<Index>(i));
      World world;
      const SoftId id = world.add(body);
      const Equilibrium found = world.find_equilibrium(id);
      EXPECT_TRUE(found.found) << found.residual << " N after " << found.iterations;
      EXPECT_LE(found.residual, found.tolerance);
      const std::vector<Vec3> x = world.positions(id);
      double fallen = 0;  // of the free end, where rows of 21 vertices end
      for (std::size_t i = 20; i < x.size(); i += 21) fallen += (rest[i].y - x[i].y) / 9;
      EXPECT_NEAR(fallen / sag, 1, 0.02);
    }
}

TEST(Equilibrium, IsNotFoundByTooFewIterations) {
  SoftBody body = soft_bar(QuasiNewton{});
  const std::vector<Vec3>& rest = std::get<TetMesh>(body.mesh).vertices;
  for (std::size_t i = 0; i < rest.size(); ++i)
    if (rest[i].x < 1e-4) body.pins.push_back(static_cast<Index>(i));
  World world;
  const Equilibrium hurried = world.find_equilibrium(world.add(body), {.iterations = 2});
  EXPECT_FALSE(hurried.found);
  EXPECT_GT(hurried.residual, hurried.tolerance);
}

TEST(Equilibrium, IsRefusedWithoutAnImplicitSolver) {
  World world;
  const SoftId id = world.add(soft_bar(Position{})), other = world.add(soft_bar(Explicit{}));
  expect_error([&] { world.find_equilibrium(id); }, {"quasi_newton"});
  expect_error([&] { world.find_equilibrium(other); }, {"quasi_newton"});
}

TEST(Budget, EndsIterations) {
  World world({.gravity = {}});
  const SoftId hurried = world.add(soft_bar(QuasiNewton{.iterations = 50, .budget = Real(1e-3)}));
  const SoftId patient = world.add(soft_bar(QuasiNewton{.iterations = 5, .budget = Real(1e8)}));
  for (SoftId id : {hurried, patient}) {
    std::vector<Vec3> x = world.positions(id);
    for (Vec3& p : x) p.x *= Real(1.2);
    world.set_positions(id, x);
  }
  world.step(Real(1.0 / 60));
  EXPECT_EQ(world.solver_report(hurried).iterations, 1);
  EXPECT_EQ(world.solver_report(patient).iterations, 5);
  EXPECT_GT(world.solver_report(patient).objective, 0);
}

}  // namespace
}  // namespace sinew
