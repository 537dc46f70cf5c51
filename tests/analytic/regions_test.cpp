// Bodies that are not the same everywhere: springs in a row.
#include <sinew/generators.h>
#include <sinew/world.h>

#include <cmath>

#include "support.h"

namespace sinew {
namespace {

constexpr Real kLength = 1, kSide = Real(0.1);

// A bar that hangs from its top, in a balance of forces; how far its lower end went down [m].
// Without a Poisson's ratio it is a column of springs: ρ g/E (l x − x²/2) goes down at x.
void hang(SoftBody& body) {
  std::visit(
      [&](auto& mesh) {
        for (Vec3& v : mesh.vertices) v = {v.y, -v.x, v.z};
        for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
          if (mesh.vertices[i].y > -1e-4) body.pins.push_back(static_cast<Index>(i));
      },
      body.mesh);
}

double way_down(const World& world, SoftId id) {
  double lowest = 0;
  for (const Vec3& x : world.positions(id)) lowest = std::min(lowest, double(x.y));
  return -lowest - double(kLength);
}

double sag(SoftBody body) {
  body.solver = Newton{.iterations = 50};
  hang(body);
  World world;
  const SoftId id = world.add(body);
  EXPECT_TRUE(world.find_equilibrium(id).found);
  return way_down(world, id);
}

// The same by sweeps, after all motion has died away.
double swept_sag(SoftBody body, SweepOrder order) {
  body.solver = Position{.order = order};
  body.drag = 20;
  hang(body);
  World world;
  const SoftId id = world.add(body);
  for (int i = 0; i < 90; ++i) world.step(Real(1.0 / 60));
  EXPECT_EQ(world.state(id).inverted, 0);
  EXPECT_NEAR(world.state(id).volume_ratio, 1, 0.02);
  return way_down(world, id);
}

SoftBody bar(const BodyMesh& mesh) {
  return {.mesh = mesh, .material = Corotated{.young = Real(1e6), .poisson = 0}};
}

TEST(Regions, HangAsSpringsInARow) {
  const BodyMesh meshes[] = {bar_tets(kLength, kSide, kSide, 2),
                             bar_hexes(kLength, kSide, kSide, 2)};
  for (const BodyMesh& mesh : meshes) {
    const double whole = sag(bar(mesh));
    const double weight = 1000 * 9.81 / 1e6;  // ρ g/E
    EXPECT_NEAR(whole, weight / 2, 0.03 * weight);
    // The upper half carries three quarters of the way: ∫ (l − x) dx.
    SoftBody stiff_above = bar(mesh);
    stiff_above.regions = {{.min = {-1, Real(-0.5), -1},
                            .max = {1, 1, 1},
                            .material = NeoHookean{.young = Real(3e6), .poisson = 0}}};
    EXPECT_NEAR(sag(stiff_above) / whole, 0.75 / 3 + 0.25, 0.02);
    SoftBody stiff_below = bar(mesh);
    stiff_below.regions = {{.min = {-1, -2, -1},
                            .max = {1, Real(-0.5), 1},
                            .material = Corotated{.young = Real(3e6), .poisson = 0}}};
    EXPECT_NEAR(sag(stiff_below) / whole, 0.75 + 0.25 / 3, 0.02);
  }
}

TEST(Regions, HangAsSpringsInARowBySweeps) {
  const BodyMesh meshes[] = {bar_tets(kLength, kSide, kSide, 2),
                             bar_hexes(kLength, kSide, kSide, 2)};
  for (const BodyMesh& mesh : meshes)
    for (const SweepOrder order : {SweepOrder::kForward, SweepOrder::kSymmetric}) {
      SCOPED_TRACE(testing::Message() << mesh.index() << ", order " << int(order));
      const double whole = swept_sag(bar(mesh), order);
      SoftBody same = bar(mesh);
      same.regions = {{.min = {-1, Real(-0.5), -1}, .max = {1, 1, 1}, .material = same.material}};
      EXPECT_NEAR(swept_sag(same, order) / whole, 1, 0.005);
      SoftBody stiff_above = bar(mesh);
      stiff_above.regions = {{.min = {-1, Real(-0.5), -1},
                              .max = {1, 1, 1},
                              .material = NeoHookean{.young = Real(3e6), .poisson = 0}}};
      EXPECT_NEAR(swept_sag(stiff_above, order) / whole, 0.75 / 3 + 0.25, 0.02);
    }
}

// Each part is a batch with a state of its own.
TEST(Regions, OfSweptBodiesAreInSnapshotsAndTheSameOnAnyThreads) {
  SoftBody body = bar(bar_hexes(kLength, kSide, kSide, 3));
  body.solver = Position{};
  body.plasticity = Plasticity{.yield_strain = Real(0.002)};
  body.regions = {{.min = {-1, Real(-0.5), -1},
                   .max = {1, 1, 1},
                   .material = NeoHookean{.young = Real(3e6), .poisson = 0}}};
  hang(body);
  std::uint64_t hash[2];
  for (const int threads : {1, 2}) {
    World world({}, make_thread_pool(threads));
    world.add(body);
    for (int i = 0; i < 10; ++i) world.step(Real(1.0 / 60));
    const Snapshot snapshot = world.snapshot();
    for (int i = 0; i < 10; ++i) world.step(Real(1.0 / 60));
    hash[threads - 1] = world.state_hash();
    world.restore(snapshot);
    for (int i = 0; i < 10; ++i) world.step(Real(1.0 / 60));
    EXPECT_EQ(world.state_hash(), hash[threads - 1]);
  }
  EXPECT_EQ(hash[0], hash[1]);
}

TEST(Regions, TheLastOneCounts) {
  SoftBody body = bar(bar_tets(kLength, kSide, kSide, 1));
  const double whole = sag(body);
  std::vector<Index> all(std::get<TetMesh>(body.mesh).cells.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Index>(i);
  const Vec3 nowhere{5, 5, 5};
  body.regions = {{.min = {-9, -9, -9}, .max = {9, 9, 9}, .material = Arap{}},
                  {.min = nowhere,
                   .max = nowhere,
                   .cells = all,
                   .material = Corotated{.young = Real(2e6), .poisson = 0}}};
  EXPECT_NEAR(sag(body) / whole, 0.5, 0.01);
}

TEST(CellStiffness, IsAFactorOnTheMaterial) {
  const BodyMesh meshes[] = {bar_tets(kLength, kSide, kSide, 1),
                             bar_hexes(kLength, kSide, kSide, 1)};
  for (const BodyMesh& mesh : meshes) {
    SoftBody body = bar(mesh);
    const double whole = sag(body);
    const std::size_t cells = std::visit([](const auto& m) { return m.cells.size(); }, mesh);
    body.cell_stiffness.assign(cells, Real(0.5));
    EXPECT_NEAR(sag(body) / whole, 2, 0.03);
    World world;
    const SoftId id = world.add([&] {
      SoftBody b = body;
      b.solver = QuasiNewton{};
      return b;
    }());
    EXPECT_NEAR(world.state(id).volume_ratio, 1, 1e-5);  // measures count as they are
  }
}

TEST(Regions, WhatCannotBeIsRefused) {
  World world;
  SoftBody body = bar(bar_tets(kLength, kSide, kSide, 1));
  body.regions = {{.max = {1, 1, 1}}};
  body.solver = Position{.order = SweepOrder::kJacobi};
  expect_error([&] { world.add(body); }, {"regions", "Jacobi", "forward"});
  body.solver = Position{};
  body.regions = {{.cells = {100000}}};
  expect_error([&] { world.add(body); }, {"regions[0].cells", "100000"});
  body.regions = {{.min = {5, 5, 5}, .max = {6, 6, 6}}};
  expect_error([&] { world.add(body); }, {"regions[0] has no cell", "extends from (0"});
  body.regions.clear();
  body.cell_stiffness = {1, 2};
  expect_error([&] { world.add(body); }, {"cell_stiffness", "quasi_newton"});  // by position
  body.solver = QuasiNewton{};
  expect_error([&] { world.add(body); }, {"cell_stiffness", "2 entries"});
  body.cell_stiffness.assign(std::get<TetMesh>(body.mesh).cells.size(), 0);
  expect_error([&] { world.add(body); }, {"cell_stiffness[0]", "positive"});
  body.cell_stiffness.clear();
  body.plasticity = Plasticity{};
  expect_error([&] { world.add(body); }, {"plasticity", "position"});
}

}  // namespace
}  // namespace sinew
