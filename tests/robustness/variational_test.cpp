// Whatever is done to bodies with a variational solver: they come back, and are finite on the way.
#include <gtest/gtest.h>
#include <sinew/generators.h>

#include <random>

#include "body_kinds.h"
#include "soft_support.h"

namespace sinew {
namespace {

struct NamedMaterial {
  const char* name;
  Material material;
};

std::vector<NamedMaterial> materials(double poisson) {
  const Real young = Real(1e5), ratio = Real(poisson);
  return {{"stable_neo_hookean", StableNeoHookean{.young = young, .poisson = ratio}},
          {"neo_hookean", NeoHookean{.young = young, .poisson = ratio}},
          {"corotated", Corotated{.young = young, .poisson = ratio}},
          {"st_venant_kirchhoff", StVenantKirchhoff{.young = young, .poisson = ratio}},
          {"arap", Arap{.young = young}},
          {"corrected_corotated", CorrectedCorotated{.young = young, .poisson = ratio}},
          {"mooney_rivlin", MooneyRivlin{.young = young, .poisson = ratio}},
          {"polynomial", Polynomial{.young = young, .poisson = ratio}},
          {"spline", Spline{.young = young, .poisson = ratio}}};
}

// Of all corners of a body's hexahedra, the least det of the edges that meet there by what it is at
// rest.
double least_corner(const World& world, SoftId id) {
  const auto* mesh = std::get_if<HexMesh>(&world.rest_mesh(id));
  if (!mesh) return 1;
  static constexpr int kNext[8][3] = {{1, 3, 4}, {2, 0, 5}, {3, 1, 6}, {0, 2, 7},
                                      {7, 5, 0}, {4, 6, 1}, {5, 7, 2}, {6, 4, 3}};
  const std::vector<Vec3> x = world.positions(id);
  const auto det = [](const std::vector<Vec3>& p, const Hexahedron& cell, int n) {
    const auto edge = [&](int k) {
      return to_double(p[cell[kNext[n][k]]]) - to_double(p[cell[n]]);
    };
    return dot(edge(0), cross(edge(1), edge(2)));
  };
  double least = 1;
  for (const Hexahedron& cell : mesh->cells)
    for (int n = 0; n < 8; ++n)
      least = std::min(least, det(x, cell, n) / det(mesh->vertices, cell, n));
  return least;
}

SoftBody bar_of_tets() { return {.mesh = box_tets({1, Real(0.5), Real(0.4)}, {6, 3, 3})}; }

template <class Spoil>
void expect_recovery(const Solver& solver, Spoil&& spoil, SoftBody body = bar_of_tets()) {
  for (double poisson : {0.3, 0.45})
    for (const NamedMaterial& m : materials(poisson)) {
      World world({.gravity = {0, 0, 0}});
      body.material = m.material;
      body.solver = solver;
      const SoftId id = world.add(body);
      std::vector<Vec3> x = world.positions(id);
      std::mt19937 generator(3);
      spoil(x, generator);
      world.set_positions(id, x);
      run(world, 6);
      EXPECT_TRUE(world.finite()) << m.name << " ν " << poisson;
      EXPECT_EQ(world.state(id).inverted, 0) << m.name << " ν " << poisson;
      EXPECT_LT(world.state(id).strain_max, 0.02) << m.name << " ν " << poisson;
      EXPECT_GT(least_corner(world, id), 0.8) << m.name << " ν " << poisson;
    }
}

void randomise(std::vector<Vec3>& x, std::mt19937& generator) {
  std::uniform_real_distribution<Real> place(Real(-0.4), Real(0.4));
  for (Vec3& v : x) v.x = place(generator), v.y = place(generator), v.z = place(generator);
}

TEST(VariationalAbuse, RandomVerticesComeBack) { expect_recovery(QuasiNewton{}, randomise); }

SoftBody bar_of_hexes(HexIntegration integration) {
  return {.mesh = box_hexes({1, Real(0.5), Real(0.4)}, {6, 3, 3}), .integration = integration};
}

TEST(VariationalAbuse, RandomVerticesOfHexahedraComeBack) {
  for (HexIntegration integration : kIntegrations) {
    if (integration == HexIntegration::kOnePoint) continue;  // hourglasses are free
    SCOPED_TRACE(word(integration));
    expect_recovery(QuasiNewton{}, randomise, bar_of_hexes(integration));
  }
}

TEST(VariationalAbuse, NewtonBringsRandomVerticesOfHexahedraBack) {
  expect_recovery(Newton{}, randomise, bar_of_hexes(HexIntegration::kAssumedStrain));
}

TEST(VariationalAbuse, HexahedraTurnedInsideOutComeBack) {
  expect_recovery(
      QuasiNewton{},
      [](std::vector<Vec3>& x, std::mt19937&) {
        for (Vec3& v : x) v.y = -v.y;
      },
      bar_of_hexes(HexIntegration::kAssumedStrain));
}

// With fibres and viscosity, which is no stronger where a body is stretched.
TEST(VariationalAbuse, DampedAndReinforcedComesBack) {
  for (SoftBody body : {bar_of_tets(), bar_of_hexes(HexIntegration::kAssumedStrain)}) {
    body.fibres = {{.stiffness = Real(2e5), .direction = {1, 1, 0}}};
    body.damping = Real(0.05);
    expect_recovery(QuasiNewton{}, randomise, body);
    expect_recovery(
        QuasiNewton{},
        [](std::vector<Vec3>& x, std::mt19937&) {
          for (Vec3& v : x) v.x *= 10;
        },
        body);
  }
}

// Sheets and lines, which may fold, have their strain back.
TEST(VariationalAbuse, RandomVerticesOfSheetsAndLinesComeBack) {
  for (const NamedBody& b : bodies_of_every_kind()) {
    if (std::holds_alternative<TetMesh>(b.body.mesh) ||
        std::holds_alternative<HexMesh>(b.body.mesh))
      continue;
    for (const Solver& solver : {Solver(QuasiNewton{}), Solver(Newton{})}) {
      SoftBody body = b.body;
      body.solver = solver;
      body.drag = 1;
      World world({.gravity = {0, 0, 0}});
      const SoftId id = world.add(body);
      std::vector<Vec3> x = world.positions(id);
      std::mt19937 generator(3);
      randomise(x, generator);
      world.set_positions(id, x);
      run(world, 6);
      EXPECT_TRUE(world.finite()) << b.name << ", solver " << solver.index();
      EXPECT_LT(world.state(id).strain_max, 0.1) << b.name << ", solver " << solver.index();
    }
  }
}

TEST(VariationalAbuse, FlattenedComesBack) {
  expect_recovery(QuasiNewton{}, [](std::vector<Vec3>& x, std::mt19937&) {
    for (Vec3& v : x) v.y *= Real(1e-3);
  });
}

TEST(VariationalAbuse, TurnedInsideOutComesBack) {
  expect_recovery(QuasiNewton{}, [](std::vector<Vec3>& x, std::mt19937&) {
    for (Vec3& v : x) v.y = -v.y;
  });
}

TEST(VariationalAbuse, StretchedTenfoldComesBack) {
  expect_recovery(QuasiNewton{}, [](std::vector<Vec3>& x, std::mt19937&) {
    for (Vec3& v : x) v.x *= 10;
  });
}

TEST(VariationalAbuse, NewtonBringsRandomVerticesBack) { expect_recovery(Newton{}, randomise); }

TEST(VariationalAbuse, AnyStiffnessAndAnyStepStaysFinite) {
  for (const Solver& solver : {Solver(QuasiNewton{}), Solver(Newton{.iterations = 2})})
    for (double young : {1.0, 1e3, 1e6, 1e9, 1e12})
      for (double dt : {1e-5, 1e-3, 1.0 / 60, 0.2, 1.0}) {
        World world({.gravity = {0, 0, 0}});
        const SoftId id = world.add(SoftBody{.mesh = box_tets({1, 1, 1}, {3, 3, 3}),
                                             .material = StableNeoHookean{.young = Real(young)},
                                             .solver = solver,
                                             .velocity = {1, 0, 0},
                                             .angular_velocity = {1, 1, 1}});
        for (int i = 0; i < 30; ++i) world.step(Real(dt));
        EXPECT_TRUE(world.finite()) << "E " << young << " dt " << dt;
        const Vec3T<double> middle = mean_position(world, id);
        EXPECT_NEAR(middle.x / (30 * dt), 1, 0.01) << "E " << young << " dt " << dt;
        if (young < 1e6) continue;  // it spins faster than sound in it, and flies apart
        for (const Vec3& x : world.positions(id))
          EXPECT_LT(length(to_double(x) - middle), 1.5) << "E " << young << " dt " << dt;
      }
}

// Slabs on ground with more friction than slope. Steps of too few iterations, with a guess at the
// lowest point of a path that contact bends, let one of 1e5 Pa slide by 1.4 m, and held a
// frictionless one in the middle of its fall.
TEST(VariationalContact, FrictionHoldsSlabsAtTheDefaults) {
  for (const Real young : {Real(1e5), Real(1e6), Real(1e7), Real(1e8), Real(1e9)})
    for (const Real from : {Real(0), Real(1e4)}) {
      World world({.gravity = {3, -9, 0}});
      world.add(StaticBody{.friction = 1});
      const SoftId id = world.add(SoftBody{.mesh = box_hexes({1, Real(0.4), 1}, {10, 4, 10}),
                                           .material = StableNeoHookean{.young = young},
                                           .solver = QuasiNewton{},
                                           .pose = {{from, Real(0.2), 0}},
                                           .friction = 1});
      run(world, 1);
      EXPECT_LT(std::abs(mean_position(world, id).x - from), 0.02) << young << " Pa at " << from;
    }
}

TEST(VariationalContact, NothingStopsBeforeItRests) {
  for (const Real young : {Real(2e5), Real(1e7)}) {
    const auto settled = [&](const Solver& solver) {
      World world;
      world.add(StaticBody{.friction = 0});
      const SoftId id =
          world.add(SoftBody{.mesh = box_hexes({Real(0.3), Real(0.1), Real(0.3)}, {3, 1, 3}),
                             .material = StableNeoHookean{.young = young},
                             .solver = solver,
                             .pose = {{0, Real(0.15), 0}},
                             .friction = 0,
                             .damping = Real(0.01)});
      run(world, 1);
      return mean_position(world, id).y;
    };
    EXPECT_NEAR(settled(QuasiNewton{}), settled(Newton{.substeps = 3}), 5e-5) << young << " Pa";
  }
}

// Friction strains what is stiff after it was solved, and every step that gained by it was undone:
// a box that fell on a corner stood there for ever.
TEST(VariationalContact, StiffBoxesFallFlat) {
  for (const Real young : {Real(3e6), Real(1e7), Real(1e8)})
    for (const Real friction : {Real(0.1), Real(0.5)}) {
      World world;
      const SoftId id =
          world.add(SoftBody{.mesh = box_tets({Real(0.3), Real(0.2), Real(0.3)}, {4, 2, 4}),
                             .material = StableNeoHookean{.young = young, .poisson = Real(0.3)},
                             .solver = QuasiNewton{},
                             .pose = {{}, Quat::from_axis_angle({1, 0, 1}, Real(0.3))},
                             .friction = friction});
      world.add(StaticBody{.pose = {{0, Real(-0.4), 0}}, .friction = friction});
      run(world, 3);
      EXPECT_GE(world.contacts().count, 20) << young << " Pa, friction " << friction;
      EXPECT_LT(world.energy(id).kinetic, 1e-3) << young << " Pa, friction " << friction;
    }
}

}  // namespace
}  // namespace sinew
