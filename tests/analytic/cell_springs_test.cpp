// Springs of cells are those of a cubic lattice, and with fitted stiffnesses come near to finite
// elements.
#include <sinew/fit.h>
#include <sinew/generators.h>
#include <sinew/world.h>

#include "soft_support.h"
#include "support.h"

namespace sinew {
namespace {

constexpr double kCell = 0.1;

SoftBody spring_box(Cells3 cells, const CellSprings& springs, const Solver& solver) {
  return {.mesh = box_hexes(
              {Real(kCell * cells[0]), Real(kCell * cells[1]), Real(kCell * cells[2])}, cells),
          .material = None{},
          .constraints = {springs},
          .solver = solver};
}

// Born's lattice: C₁₁ = Σ k l² n_x⁴/a³ and C₁₂ = C₄₄ = Σ k l² n_x² n_y²/a³ over the springs of a
// cell. Springs of neighbours add up, so that cells at the surface are as stiff as all others.
TEST(CellSprings, HaveTheEnergyOfALattice) {
  const CellSprings springs{.edge = 100, .face = 50, .diagonal = 30};
  const double c11 = (4 * 100 + 4 * 50 + 4.0 / 3 * 30) / kCell;
  const double c12 = (2 * 50 + 4.0 / 3 * 30) / kCell;
  const double volume = 3 * 2 * 2 * kCell * kCell * kCell, strain = 1e-2;
  for (const Solver& solver : {Solver(Position{}), Solver(Newton{}), Solver(Projective{})}) {
    World world({.gravity = {}});
    const SoftId id = world.add(spring_box({3, 2, 2}, springs, solver));
    const std::vector<Vec3> rest = world.positions(id);
    const auto energy_of = [&](auto&& map) {
      std::vector<Vec3> x = rest;
      for (Vec3& v : x) v = map(v);
      world.set_positions(id, x);
      return world.energy().elastic;
    };
    const double along = energy_of([&](const Vec3& v) {
      return Vec3{v.x * Real(1 + strain), v.y, v.z};
    });
    EXPECT_NEAR(along / (0.5 * c11 * strain * strain * volume), 1, 0.02);
    const double sheared = energy_of([&](const Vec3& v) {
      return Vec3{v.x + v.y * Real(strain), v.y, v.z};
    });
    EXPECT_NEAR(sheared / (0.5 * c12 * strain * strain * volume), 1, 0.02);
  }
}

// Young's modulus of a lattice along its axes [Pa].
double young_of(const CellSprings& springs) {
  const double c11 = (4 * springs.edge + 4 * springs.face + 4.0 / 3 * springs.diagonal) / kCell;
  const double c12 = (2 * springs.face + 4.0 / 3 * springs.diagonal) / kCell;
  return c11 - 2 * c12 * c12 / (c11 + c12);
}

// End to end: a bar of springs from `fit_springs` sags by its weight as linear finite elements with
// the Young's modulus of the lattice do. The fit, of matrices, leaves springs softer than asked
// for.
TEST(CellSprings, FittedBarSagsAsItsLattice) {
  const double young = 1e5, gravity = 1;
  const FitRequest request{.young = young, .poisson = 0.25, .size = kCell};
  const SpringFit fit = fit_springs(request);
  const CellSprings springs{Real(fit.edge), Real(fit.face), Real(fit.diagonal)};
  const auto sag = [&](SoftBody bar, bool statics) {
    bar.pins = vertices_where(bar.mesh, [](const Vec3& x) { return x.x < Real(-0.499); });
    bar.drag = 10;
    World world({.gravity = {0, Real(-gravity), 0}});
    const SoftId id = world.add(bar);
    if (statics)
      EXPECT_TRUE(world.find_equilibrium(id).found);
    else
      run(world, 4);
    return -mean_position(world, id).y;
  };
  SoftBody solid = spring_box({10, 4, 4}, {}, Newton{});
  solid.constraints.clear();
  solid.material = Linear{.young = Real(young_of(springs)), .poisson = Real(0.25)};
  solid.integration = HexIntegration::kEightPoint;
  const double truth = sag(solid, true);
  const double statics = sag(spring_box({10, 4, 4}, springs, Newton{}), true);
  const double swept = sag(spring_box({10, 4, 4}, springs, Position{}), false);
  EXPECT_NEAR(statics / truth, 1, 0.1);
  EXPECT_NEAR(swept / statics, 1, 0.02);
  EXPECT_NEAR(young_of(springs) / young, 1, 0.3);
}

TEST(CellSprings, TellWhatDoesNotFit) {
  World world;
  SoftBody tets{.mesh = box_tets({1, 1, 1}, {2, 2, 2}),
                .material = None{},
                .constraints = {CellSprings{.edge = 1, .face = 1}}};
  expect_error([&] { world.add(tets); }, {"cell_springs", "face", "hexahedra"});
  tets.constraints = {CellSprings{}};
  expect_error([&] { world.add(tets); }, {"cell_springs", "stiffnesses are 0"});
}

}  // namespace
}  // namespace sinew
