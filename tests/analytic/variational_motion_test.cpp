// How fast bodies of the variational solvers move at their default settings, against beam theory
// and CalculiX, and what they say of themselves.
#include <sinew/generators.h>
#include <sinew/world.h>

#include <cmath>
#include <numbers>

#include "soft_support.h"
#include "support.h"

namespace sinew {
namespace {

constexpr double kPi = std::numbers::pi;

// 1 × 0.1 × 0.1 m, clamped at one end.
SoftBody slender_bar(double young, const Solver& solver) {
  SoftBody body{.mesh = box_hexes({1, Real(0.1), Real(0.1)}, {20, 2, 2}),
                .material = StVenantKirchhoff{.young = Real(young), .poisson = Real(0.3)},
                .solver = solver};
  const Real clamped = bounds(std::get<HexMesh>(body.mesh).vertices).lower.x + Real(1e-3);
  body.pins = vertices_where(body.mesh, [&](const Vec3& v) { return v.x < clamped; });
  return body;
}

// Of the middle of its free end: rows of 21 vertices along x end there.
double tip_height(const World& world, SoftId id) {
  const std::vector<Vec3> x = world.positions(id);
  double sum = 0;
  for (std::size_t i = 20; i < x.size(); i += 21) sum += x[i].y / 9;
  return sum;
}

// Of the first bending vibration by Euler and Bernoulli, with Timoshenko's correction [Hz].
double bending_frequency(double young) {
  constexpr double kWave = 1.8751, kRadius2 = 0.01 / 12, kShear = 2.6 / 0.85;
  const double plain = kWave * kWave * std::sqrt(young / 1000 * kRadius2) / (2 * kPi);
  return plain / std::sqrt(1 + kWave * kWave * kRadius2 * (1 + kShear));
}

// From straight, with the velocities of that vibration, until it is straight again [Hz]. Damping
// does not change when that is.
double measured_frequency(double young, const Solver& solver) {
  World world({.gravity = {}});
  const SoftBody body = slender_bar(young, solver);
  const std::vector<Vec3>& rest = std::get<HexMesh>(body.mesh).vertices;
  const SoftId id = world.add(body);
  const double expected = bending_frequency(young), rate = 2 * kPi * expected;
  const Real clamped = bounds(rest).lower.x;
  std::vector<Vec3> velocity(rest.size());
  for (std::size_t i = 0; i < rest.size(); ++i) {
    constexpr double k = 1.8751, kRatio = 0.7341;
    const double s = k * double(rest[i].x - clamped);
    const double way = std::cosh(s) - std::cos(s) - kRatio * (std::sinh(s) - std::sin(s));
    const double slope = k * (std::sinh(s) + std::sin(s) - kRatio * (std::cosh(s) - std::cos(s)));
    velocity[i] = Vec3{Real(-slope * rest[i].y), Real(way), 0} * Real(0.01 * rate);
  }
  world.set_velocities(id, velocity);
  const double straight = tip_height(world, id);
  double before = 0;
  for (int frame = 1; frame < 60 * 2 / expected; ++frame) {
    world.step(Real(1.0 / 60));
    const double now = tip_height(world, id) - straight;
    if (frame > 2 && before > 0 && now <= 0)
      return 0.5 * 60 / (frame - 1 + before / (before - now));
    before = now;
  }
  return 0;
}

// Implicit Euler of substeps of length h turns a vibration by atan(ωh).
double euler_frequency(double frequency, double h) {
  return std::atan(2 * kPi * frequency * h) / (2 * kPi * h);
}

TEST(VariationalMotion, QuasiNewtonVibratesAtTheFrequencyOfABeam) {
  for (const double young : {1e5, 1e6, 1e7, 1e8}) {
    const QuasiNewton solver;
    const double expected = euler_frequency(bending_frequency(young), 1.0 / 60 / solver.substeps);
    EXPECT_NEAR(measured_frequency(young, solver) / expected, 1, 0.02) << young;
  }
}

// C3D20 elements, large deflection. The fall from straight has died down by the end.
TEST(VariationalMotion, QuasiNewtonSagsAsCalculixSays) {
  const std::pair<double, double> sags[] = {{1e6, 0.747}, {1e7, 0.144}, {1e8, 0.0147}};
  for (const auto& [young, sag] : sags) {
    World world;
    SoftBody body = slender_bar(young, QuasiNewton{});
    body.drag = 3;
    const SoftId id = world.add(body);
    const double straight = tip_height(world, id);
    run(world, 5);
    EXPECT_NEAR((straight - tip_height(world, id)) / sag, 1, 0.02) << young;
  }
}

// What it keeps from substep to substep does not turn with the body, and must not spoil a spin.
TEST(VariationalMotion, QuasiNewtonSpinsAsNewtonDoes) {
  const auto spun = [](const Solver& solver) {
    World world({.gravity = {}});
    SoftBody body = slender_bar(1e6, solver);
    body.pins.clear();
    body.angular_velocity = {0, 0, 20};
    const SoftId id = world.add(body);
    run(world, 1);
    EXPECT_EQ(world.state(id).inverted, 0);
    const std::vector<Vec3> x = world.positions(id);
    return std::pair{double(length(x.back() - x.front())), world.energy().total()};
  };
  const auto [length, energy] = spun(QuasiNewton{});
  const auto [true_length, true_energy] = spun(Newton{.iterations = 10, .substeps = 3});
  EXPECT_NEAR(length / true_length, 1, 0.01);
  EXPECT_NEAR(energy / true_energy, 1, 0.02);
}

TEST(VariationalMotion, BodiesSayWhetherTheyConverged) {
  World world;
  const SoftId hurried = world.add(slender_bar(1e7, QuasiNewton{.iterations = 1, .substeps = 1}));
  const SoftId patient = world.add(slender_bar(1e7, QuasiNewton{.iterations = 100}));
  const SoftId swept = world.add(slender_bar(1e5, Position{}));
  run(world, 0.5);
  const SolverReport bad = world.solver_report(hurried), good = world.solver_report(patient);
  EXPECT_FALSE(bad.converged);
  EXPECT_TRUE(good.converged);
  EXPECT_GT(bad.residual, 0);
  EXPECT_EQ(bad.substeps, 1);
  EXPECT_EQ(bad.total_iterations, 1);
  EXPECT_EQ(good.substeps, QuasiNewton{}.substeps);
  EXPECT_GE(good.total_iterations, good.substeps * good.iterations / 2);
  const SolverReport sweeps = world.solver_report(swept);
  EXPECT_EQ(sweeps.substeps, world.substeps(Real(1.0 / 60)));
  EXPECT_EQ(sweeps.total_iterations, sweeps.substeps * world.settings().iterations);
}

}  // namespace
}  // namespace sinew
