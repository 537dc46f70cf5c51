// Whatever is done to bodies that constraints hold together as energies: they stay finite, and
// where there is one way to be at rest, they come back to it.
#include <gtest/gtest.h>
#include <sinew/generators.h>

#include <random>

#include "soft_support.h"

namespace sinew {
namespace {

const Solver kSolvers[] = {Projective{}, QuasiNewton{}, Newton{}};

struct NamedBody {
  const char* name;
  BodyMesh mesh;
  Material material;
  std::vector<Constraint> constraints;
  bool comes_back;  // from random places; others may stay folded
};

std::vector<NamedBody> bodies() {
  const TetMesh tets = box_tets({1, Real(0.5), Real(0.4)}, {6, 3, 3});
  const TriMesh sheet = cloth(1, 1, 6, 6), ball = sphere_surface(Real(0.5), 2);
  const Material arap = Arap{.young = 1e5};
  const ShapeMatching cells{.clusters = MatchingClusters::kCells, .stiffness = 1e3};
  return {
      {"arap", tets, arap, {}, true},
      {"arap, cell volume", tets, arap, {CellVolume{.stiffness = 1e5}}, true},
      {"arap, strain limit", tets, arap, {StrainLimit{}}, true},
      {"matched body", tets, None{}, {ShapeMatching{.stiffness = 1e4}}, true},
      {"springs", tets, None{}, {Distance{.stiffness = 1e3}}, false},
      {"matched cells", tets, None{}, {cells}, false},
      {"sheet", sheet, arap, {Bending{}, StrainLimit{}}, false},
      {"sheet of ropes", sheet, None{}, {Distance{.stiffness = 100, .tension_only = true}}, false},
      {"ball", ball, arap, {Bending{}, ShapeMatching{.stiffness = 1e3}}, false},
  };
}

template <class Spoil>
void expect_sane(Spoil&& spoil, bool comes_back) {
  for (const Solver& solver : kSolvers)
    for (const NamedBody& body : bodies()) {
      World world({.gravity = {0, 0, 0}});
      const SoftId id = world.add(SoftBody{.mesh = body.mesh,
                                           .material = body.material,
                                           .thickness = Real(0.01),
                                           .constraints = body.constraints,
                                           .solver = solver,
                                           .drag = 5});
      std::vector<Vec3> x = world.positions(id);
      std::mt19937 generator(3);
      spoil(x, generator);
      world.set_positions(id, x);
      run(world, comes_back && body.comes_back ? 5 : 1);
      EXPECT_TRUE(world.finite()) << body.name << ", solver " << solver.index();
      for (const Vec3& v : world.positions(id))
        EXPECT_LT(length(v), 20) << body.name << ", solver " << solver.index();
      if (!comes_back || !body.comes_back) continue;
      EXPECT_EQ(world.state(id).inverted, 0) << body.name << ", solver " << solver.index();
      EXPECT_LT(world.state(id).strain_max, 0.05) << body.name << ", solver " << solver.index();
    }
}

TEST(ConstraintEnergyAbuse, RandomVertices) {
  expect_sane(
      [](std::vector<Vec3>& x, std::mt19937& generator) {
        std::uniform_real_distribution<Real> place(Real(-0.4), Real(0.4));
        for (Vec3& v : x) v = {place(generator), place(generator), place(generator)};
      },
      true);
}

TEST(ConstraintEnergyAbuse, AllInOnePlace) {
  expect_sane(
      [](std::vector<Vec3>& x, std::mt19937&) {
        for (Vec3& v : x) v = {Real(0.3), 0, 0};
      },
      false);
}

TEST(ConstraintEnergyAbuse, Flattened) {
  expect_sane(
      [](std::vector<Vec3>& x, std::mt19937&) {
        for (Vec3& v : x) v.y = 0;
      },
      false);
}

TEST(ConstraintEnergyAbuse, StretchedTenfold) {
  expect_sane(
      [](std::vector<Vec3>& x, std::mt19937&) {
        for (Vec3& v : x) v.x *= 10;
      },
      true);
}

// Vertices of the mesh in one place: edges and cells without a size.
TEST(ConstraintEnergyAbuse, DuplicateVertices) {
  TetMesh tets = box_tets({1, 1, 1}, {2, 2, 2});
  tets.vertices[1] = tets.vertices[0];
  TriMesh sheet = cloth(1, 1, 4, 4);
  sheet.vertices[6] = sheet.vertices[7];
  const ShapeMatching cells{.clusters = MatchingClusters::kCells, .stiffness = 1e3};
  const BodyMesh meshes[] = {tets, sheet};
  for (const Solver& solver : kSolvers)
    for (const BodyMesh& mesh : meshes) {
      std::vector<Constraint> constraints = {Distance{.stiffness = 100}, StrainLimit{}, cells,
                                             ShapeMatching{.stiffness = 10},
                                             Attachment{.vertices = {0, 1}}};
      if (mesh.index() == BodyMesh(tets).index())
        constraints.push_back(CellVolume{});
      else
        constraints.push_back(Bending{});
      World world;
      world.add(StaticBody{.pose = {{0, -1, 0}}});
      world.add(SoftBody{.mesh = mesh,
                         .material = Arap{.young = 1e4},
                         .thickness = Real(0.01),
                         .constraints = constraints,
                         .solver = solver});
      run(world, 1);
      EXPECT_TRUE(world.finite()) << "solver " << solver.index();
    }
}

TEST(ConstraintEnergyAbuse, AnyStiffnessAndAnyStepStaysFinite) {
  const TetMesh mesh = box_tets({1, 1, 1}, {2, 2, 2});
  for (const Solver& solver : kSolvers)
    for (double k : {1e-3, 1.0, 1e4, 1e8, 1e12})
      for (double dt : {1e-4, 1.0 / 60, 1.0}) {
        World world({.gravity = {0, 0, 0}});
        const Real stiffness = Real(k);
        world.add(SoftBody{
            .mesh = mesh,
            .material = None{},
            .constraints = {Distance{.stiffness = stiffness}, CellVolume{.stiffness = stiffness},
                            ShapeMatching{.stiffness = stiffness}},
            .solver = solver,
            .velocity = {1, 0, 0},
            .angular_velocity = {1, 1, 1}});
        const SoftId id = world.soft_bodies()[0];
        for (int i = 0; i < 20; ++i) world.step(Real(dt));
        EXPECT_TRUE(world.finite()) << "k " << k << " dt " << dt << " solver " << solver.index();
        EXPECT_NEAR(mean_position(world, id).x / (20 * dt), 1, 0.01)
            << "k " << k << " dt " << dt << " solver " << solver.index();
      }
}

}  // namespace
}  // namespace sinew
