// Cloth and ropes against what can be worked out on paper.
#include <gtest/gtest.h>
#include <sinew/generators.h>
#include <sinew/world.h>

#include "soft_support.h"

namespace sinew {
namespace {

// A strip hung by its upper edge: at a distance s from the free end it bears σ = ρ g s, is longer
// by σ/E and narrower by ν σ/E. Its length grows by ρ g L²/2E: F L/(E w t) with half its weight as
// F.
TEST(Cloth, AStripUnderItsOwnWeightIsInPlaneStress) {
  for (double poisson : {0.0, 0.3, 0.45}) {
    const double young = 1e6, length = 1, width = 0.2, density = 1000;
    TriMesh mesh = cloth(Real(width), Real(length), 8, 40);
    for (Vec3& v : mesh.vertices) v = {v.x, -v.z - Real(length / 2), 0};  // down from the origin
    World world({.substeps = 40});
    const SoftId id = world.add(
        SoftBody{.mesh = mesh,
                 .material = StableNeoHookean{.young = Real(young), .poisson = Real(poisson)},
                 .density = Real(density),
                 .thickness = Real(1e-3),
                 .drag = 15,
                 .pins = vertices_where(mesh, [](const Vec3& v) { return v.y > Real(-1e-6); })});
    run(world, 2);
    const double strain = density * kGravity * length / young;
    const auto bottom =
        vertices_where(mesh, [&](const Vec3& v) { return v.y < Real(-length + 1e-6); });
    const double longer = -mean_position(world, id, bottom).y - length;
    EXPECT_NEAR(longer / (strain * length / 2), 1, 0.03) << "ν " << poisson;
    const auto edge = [&](Real side) {
      return vertices_where(mesh, [&](const Vec3& v) {
        return std::abs(v.x - side) < Real(1e-6) && std::abs(v.y + Real(length / 2)) < Real(1e-6);
      });
    };
    const Real half = Real(width / 2);
    ASSERT_EQ(edge(half).size(), 1u);
    const double width_now =
        mean_position(world, id, edge(half)).x - mean_position(world, id, edge(-half)).x;
    EXPECT_NEAR((width - width_now) / width, poisson * strain / 2, 0.03 * strain / 2)
        << "ν " << poisson;
    EXPECT_LT(world.energy().kinetic, 1e-6);
  }
}

// The same with pins alone: a strip drawn out between two edges has the energy ½ E ε² w t L, once
// it is long enough that the clamped ends do not matter.
TEST(Cloth, AStripDrawnOutHasTheEnergyOfHookesLaw) {
  const double young = 1e6, length = 2, width = 0.1, thickness = 2e-3, drawn = 0.01;
  const TriMesh mesh = cloth(Real(length), Real(width), 80, 4);
  const auto end = [&](Real side) {
    return vertices_where(mesh, [&](const Vec3& v) { return std::abs(v.x - side) < Real(1e-5); });
  };
  const Real half = Real(length / 2);
  std::vector<Index> pins = end(half);
  const std::vector<Index> left = end(-half);
  pins.insert(pins.end(), left.begin(), left.end());
  World world({.gravity = {0, 0, 0}, .substeps = 40});
  const SoftId id =
      world.add(SoftBody{.mesh = mesh,
                         .material = StableNeoHookean{.young = Real(young), .poisson = Real(0.3)},
                         .thickness = Real(thickness),
                         .drag = 20,
                         .pins = pins});
  for (Index i : end(half)) world.move_pin(id, i, mesh.vertices[i] + Vec3{Real(drawn), 0, 0});
  run(world, 2);
  const double strain = drawn / length;
  const double hooke = 0.5 * young * strain * strain * width * thickness * length;
  EXPECT_NEAR(world.energy().elastic / hooke, 1, 0.02);
}

LineMesh hanging_rope(double length, int segments) {
  LineMesh mesh = rope(Real(length), segments);
  for (Vec3& v : mesh.vertices) v = {0, -v.x, 0};
  return mesh;
}

TEST(Rope, LengthensByItsOwnWeight) {
  const double young = 1e6, length = 2, density = 1000;
  for (const Solver& solver : {Solver(Position{}), Solver(QuasiNewton{}), Solver(Newton{})})
    for (int segments : {5, 40}) {
      World world({.substeps = 40});
      const SoftId id = world.add(SoftBody{.mesh = hanging_rope(length, segments),
                                           .material = StableNeoHookean{.young = Real(young)},
                                           .density = Real(density),
                                           .thickness = Real(0.01),
                                           .solver = solver,
                                           .drag = 10,
                                           .pins = {0}});
      run(world, 3);
      const double lengthening = -double(world.positions(id).back().y) - length;
      EXPECT_NEAR(lengthening / (density * kGravity * length * length / (2 * young)), 1, 0.01)
          << segments << " segments, solver " << solver.index();
    }
}

// A hanging chain swings as the zeros of Bessel's J₀ say: its slowest mode J₀(2 ω √(s/g)), with s
// from the free end, has ω = ½ j₀ √(g/L), j₀ = 2.4048 (Bernoulli 1732).
TEST(Rope, SwingsAsAHangingChain) {
  const double length = 1;
  const int segments = 40;
  SoftBody body{.mesh = hanging_rope(length, segments),
                .material = StableNeoHookean{.young = 1e7},
                .thickness = Real(0.01),
                .pins = {0}};
  World world({.substeps = 40});
  const SoftId id = world.add(body);
  std::vector<Vec3> x = world.positions(id);
  for (Vec3& v : x) {
    const double from_end = (length + v.y) / length;
    v.x = Real(0.02 * std::cyl_bessel_j(0, 2.4048 * std::sqrt(from_end)));
  }
  world.set_positions(id, x);
  std::vector<double> crossings;
  double before = world.positions(id).back().x;
  for (int i = 0; i < 600; ++i) {
    world.step(Real(1.0 / 120));
    const double now = world.positions(id).back().x;
    if ((before > 0) != (now > 0)) crossings.push_back(world.time() - now / (now - before) / 120);
    before = now;
  }
  ASSERT_GE(crossings.size(), 3u);
  const double half_period = (crossings.back() - crossings.front()) / double(crossings.size() - 1);
  EXPECT_NEAR(M_PI / half_period, 0.5 * 2.4048 * std::sqrt(kGravity / length),
              0.01 * 0.5 * 2.4048 * std::sqrt(kGravity / length));
}

}  // namespace
}  // namespace sinew
