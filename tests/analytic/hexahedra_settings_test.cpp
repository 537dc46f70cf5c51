// Settings of hexahedra: the stiffness of hourglass modes, and the solver "projective" for
// constraints alone.
#include <sinew/generators.h>
#include <sinew/world.h>

#include "soft_support.h"
#include "support.h"

namespace sinew {
namespace {

// Energy of one cell whose corners are moved in an hourglass mode, to and fro along x.
double hourglass_energy(const Solver& solver, double factor) {
  World world({.gravity = {}});
  const SoftId id = world.add(SoftBody{.mesh = box_hexes({1, 1, 1}, {1, 1, 1}),
                                       .integration = HexIntegration::kPerturbation,
                                       .hourglass = Real(factor),
                                       .solver = solver});
  std::vector<Vec3> x = world.positions(id);
  for (Vec3& v : x) v.x += v.y * v.z > 0 ? Real(0.01) : Real(-0.01);
  world.set_positions(id, x);
  return world.energy().elastic;
}

TEST(HexahedraSettings, HourglassModesAreAsStiffAsTold) {
  for (const Solver& solver : {Solver(Position{}), Solver(Newton{})}) {
    const double one = hourglass_energy(solver, 1);
    EXPECT_GT(one, 0);
    EXPECT_NEAR(hourglass_energy(solver, 3) / one, 3, 0.01);
    EXPECT_NEAR(hourglass_energy(solver, 0) / one, 0, 0.01);
  }
}

TEST(HexahedraSettings, HourglassIsRefusedWhereItDoesNothing) {
  World world;
  const SoftBody body{.mesh = box_hexes({1, 1, 1}, {1, 1, 1}), .hourglass = 2};
  expect_error([&] { world.add(body); }, {"hourglass", "perturbation"});
}

// It was refused whatever held the cells.
TEST(HexahedraSettings, ProjectiveTakesConstraintsAlone) {
  const BodyMesh mesh = box_hexes({Real(0.4), Real(0.1), Real(0.1)}, {8, 2, 2});
  const auto body = [&](const Material& material, const Solver& solver) {
    return SoftBody{
        .mesh = mesh,
        .material = material,
        .constraints = {ShapeMatching{.clusters = MatchingClusters::kCells, .stiffness = 20000}},
        .solver = solver,
        .drag = 5,
        .pins = vertices_where(mesh, [](const Vec3& x) { return x.x < Real(-0.19); })};
  };
  const auto sag = [&](const Solver& solver) {
    World world;
    const SoftId id = world.add(body(None{}, solver));
    run(world, 4);
    return mean_position(world, id).y;
  };
  EXPECT_NEAR(sag(Projective{}) / sag(QuasiNewton{}), 1, 0.02);
  World world;
  expect_error([&] { world.add(body(Arap{}, Projective{})); }, {"projective", "hexahedra", "none"});
}

}  // namespace
}  // namespace sinew
