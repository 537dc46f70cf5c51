// Laws of the solver: a free body keeps its momentum, damping stops vibration alone, and what is
// symmetric stays so.
#include <gtest/gtest.h>

#include <algorithm>

#include "body_kinds.h"

namespace sinew {
namespace {

void expect_momentum_kept(SoftBody body, const std::string& name) {
  World world({.gravity = {0, 0, 0}});
  body.velocity = {Real(0.1), Real(-0.2), Real(0.05)};
  body.angular_velocity = {1, 4, 2};
  const SoftId id = world.add(body);
  // Squeezed, so that it vibrates as it tumbles.
  std::vector<Vec3> squeezed = world.positions(id);
  for (Vec3& x : squeezed) x.x *= Real(0.7);
  world.set_positions(id, squeezed);
  const Momentum before = world.momentum();
  const double energy = world.energy().total();
  for (int i = 0; i < 60; ++i) world.step(Real(1.0 / 60));
  const Momentum after = world.momentum();
  const double tolerance = sizeof(Real) == 4 ? 1e-4 : 1e-11;
  EXPECT_LT(length(after.linear - before.linear), tolerance * length(before.linear)) << name;
  EXPECT_LT(length(after.angular - before.angular), tolerance * length(before.angular)) << name;
  EXPECT_LT(world.energy().total(), energy * 1.01) << name;
  EXPECT_TRUE(world.finite()) << name;
}

TEST(SolverLaws, FreeBodyKeepsItsMomentum) {
  for (const NamedBody& b : bodies_of_every_kind())
    for (const NamedSolver& solver : kSolvers)
      for (Real damping : {Real(0), Real(0.02)}) {
        SoftBody body = b.body;
        body.solver = solver.solver;
        body.damping = damping;
        expect_momentum_kept(
            body, b.name + ", " + solver.name + ", damping " + std::to_string(double(damping)));
      }
}

TEST(SolverLaws, DampingStopsVibrationButNotRotation) {
  World world({.gravity = {0, 0, 0}});
  const SoftId id = world.add(SoftBody{.mesh = box_tets({1, Real(0.5), Real(0.5)}, {6, 3, 3}),
                                       .material = StableNeoHookean{.young = 1e5},
                                       .angular_velocity = {0, 1, 0},
                                       .damping = Real(0.02)});
  std::vector<Vec3> squeezed = world.positions(id);
  for (Vec3& x : squeezed) x.x *= Real(0.8);
  world.set_positions(id, squeezed);
  const double elastic = world.energy().elastic;
  const double spin = world.momentum().angular.y;
  for (int i = 0; i < 240; ++i) world.step(Real(1.0 / 60));
  EXPECT_LT(world.energy().elastic, 0.01 * elastic);
  EXPECT_NEAR(world.momentum().angular.y, spin, 0.005 * spin);
}

// Bodies that constraints alone hold have no viscosity; settling stops their jiggling too.
TEST(SolverLaws, SettlingStopsVibrationButNotMotion) {
  double left[2];  // elastic energy without and with it
  for (const bool settles : {false, true}) {
    World world({.gravity = {0, 0, 0}});
    const SoftId id = world.add(SoftBody{.mesh = box_hexes({1, Real(0.5), Real(0.5)}, {6, 3, 3}),
                                         .material = Corotated{.young = 1e5, .poisson = Real(0.3)},
                                         .velocity = {Real(0.1), 0, 0},
                                         .angular_velocity = {0, 1, 0},
                                         .settling = Real(settles ? 5 : 0)});
    std::vector<Vec3> squeezed = world.positions(id);
    for (Vec3& x : squeezed) x.x *= Real(0.8);
    world.set_positions(id, squeezed);
    const Momentum before = world.momentum();
    for (int i = 0; i < 120; ++i) world.step(Real(1.0 / 60));
    const Momentum after = world.momentum();
    left[settles] = world.energy().elastic;
    EXPECT_NEAR(after.linear.x, before.linear.x, 1e-4 * before.linear.x);
    EXPECT_NEAR(after.angular.y, before.angular.y, 1e-3 * before.angular.y);
  }
  EXPECT_LT(left[1], 0.05 * left[0]);
}

// A bridge between two walls, its left the mirror image of its right: how far that is from true
// after the fall, by its sag.
double asymmetry(Position solver) {
  const HexMesh mesh = box_hexes({2, Real(0.2), Real(0.2)}, {20, 2, 2});
  SoftBody body{.mesh = mesh,
                .material = StableNeoHookean{.young = 2e6, .poisson = Real(0.3)},
                .solver = solver};
  for (Index i = 0; i < mesh.vertices.size(); ++i)
    if (std::abs(mesh.vertices[i].x) > Real(0.99)) body.pins.push_back(i);
  World world({.substeps = 5, .substeps_max = 5});
  const SoftId id = world.add(body);
  for (int i = 0; i < 20; ++i) world.step(Real(1.0 / 60));
  const std::vector<Vec3> x = world.positions(id);
  double difference = 0, sag = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Vec3& rest = mesh.vertices[i];
    const auto mirrored =
        std::find_if(mesh.vertices.begin(), mesh.vertices.end(), [&](const Vec3& v) {
          return length(v - Vec3{-rest.x, rest.y, rest.z}) < Real(1e-4);
        });
    const Vec3& other = x[std::size_t(mirrored - mesh.vertices.begin())];
    difference = std::max(difference, std::abs(double(x[i].y) - other.y));
    sag = std::max(sag, double(rest.y) - x[i].y);
  }
  return difference / sag;
}

TEST(SolverLaws, SymmetricOrderFavoursNoDirection) {
  const double forward = asymmetry({.order = SweepOrder::kForward});
  const double symmetric = asymmetry({.order = SweepOrder::kSymmetric});
  const double jacobi = asymmetry({.order = SweepOrder::kJacobi});
  EXPECT_LT(symmetric, 0.5 * forward);
  EXPECT_LT(jacobi, 1e-3);  // rounding only
}

}  // namespace
}  // namespace sinew
