// Whatever is done to a body, it comes back or is frozen; the rest of the world goes on.
#include <gtest/gtest.h>
#include <sinew/error.h>
#include <sinew/generators.h>
#include <sinew/world.h>

#include <cmath>
#include <limits>
#include <random>

namespace sinew {
namespace {

void run(World& world, double seconds, Real dt = Real(1.0 / 60)) {
  for (int i = 0; i < int(std::lround(seconds / dt)); ++i) world.step(dt);
}

// After `spoil` has been done to a free, elastic box, is it the box again? Nearly incompressible
// ones may end up folded in another equilibrium, but whole.
template <class Spoil>
void expect_recovery(Spoil&& spoil, double seconds = 3) {
  struct Case {
    Position solver;
    int iterations;
    double young;
  };
  const Case cases[] = {{{}, 1, 1e5},
                        {{.order = SweepOrder::kJacobi, .chebyshev = false}, 1, 1e5},
                        {{.order = SweepOrder::kJacobi, .chebyshev = true}, 8, 1e6}};
  for (const Case& c : cases)
    for (double poisson : {0.3, 0.45}) {
      SCOPED_TRACE(testing::Message() << "case " << (&c - cases) << ", ν " << poisson);
      World world({.gravity = {0, 0, 0}, .iterations = c.iterations});
      const SoftId id = world.add(
          SoftBody{.mesh = box_tets({1, 1, 1}, {6, 6, 6}),
                   .material = StableNeoHookean{.young = Real(c.young), .poisson = Real(poisson)},
                   .solver = c.solver,
                   .damping = Real(0.02)});
      std::vector<Vec3> x = world.positions(id);
      spoil(x);
      world.set_positions(id, x);
      run(world, seconds);
      const SoftState state = world.state(id);
      EXPECT_TRUE(world.finite());
      EXPECT_NEAR(state.volume_ratio, 1, poisson < 0.4 ? 0.01 : 0.1);
      EXPECT_LT(state.strain_max, poisson < 0.4 ? 0.05 : 3);
      EXPECT_LE(state.inverted, poisson < 0.4 ? 0 : 10);
    }
}

TEST(Abuse, RandomVerticesComeBack) {
  expect_recovery([](std::vector<Vec3>& x) {
    std::mt19937 generator(11);
    std::uniform_real_distribution<Real> place(Real(-0.5), Real(0.5));
    for (Vec3& v : x) v = {place(generator), place(generator), place(generator)};
  });
}

TEST(Abuse, FlattenedOntoAPlaneComesBack) {
  expect_recovery([](std::vector<Vec3>& x) {
    for (Vec3& v : x) v.y *= Real(1e-3);
  });
}

// Ten micrometres, at random. Jacobi sweeps keep an exact symmetry for ever, and with it a box of
// ν 0.45 that is folded on a saddle: 8 elements inverted, and 0.89 of its volume.
void jolt(std::vector<Vec3>& x) {
  std::mt19937 generator(12);
  std::uniform_real_distribution<Real> way(Real(-1e-5), Real(1e-5));
  for (Vec3& v : x) v += {way(generator), way(generator), way(generator)};
}

TEST(Abuse, TurnedInsideOutComesBack) {
  expect_recovery([](std::vector<Vec3>& x) {
    for (Vec3& v : x) v.y = -v.y;
    jolt(x);
  });
}

TEST(Abuse, ShrunkToASpeckComesBack) {
  expect_recovery([](std::vector<Vec3>& x) {
    for (Vec3& v : x) v *= Real(0.01);
    jolt(x);
  });
}

TEST(Abuse, StretchedTenfoldComesBack) {
  expect_recovery([](std::vector<Vec3>& x) {
    for (Vec3& v : x) v.x *= 10;
  });
}

TEST(Abuse, AnyStiffnessAndAnyStepStaysFinite) {
  for (double young : {1.0, 1e3, 1e6, 1e9, 1e12})
    for (double dt : {1e-5, 1e-3, 1.0 / 60, 0.2, 1.0}) {
      World world;
      world.add(StaticBody{});
      const SoftId id = world.add(SoftBody{.mesh = box_tets({1, 1, 1}, {3, 3, 3}),
                                           .material = StableNeoHookean{.young = Real(young)},
                                           .pose = {{0, Real(0.6), 0}},
                                           .angular_velocity = {1, 1, 1}});
      for (int i = 0; i < 60; ++i) world.step(Real(dt));
      EXPECT_TRUE(world.finite()) << "E " << young << " dt " << dt;
      for (const Vec3& x : world.positions(id)) {
        EXPECT_LT(length(x), 100) << "E " << young << " dt " << dt;
        EXPECT_GT(x.y, Real(-1e-3));
      }
    }
}

TEST(Abuse, ThrownAtAWallBouncesOrRests) {
  World world;
  world.add(StaticBody{});
  world.add(StaticBody{.shape = Box{.size = {1, 10, 10}}, .pose = {{5, 0, 0}}});
  const SoftId id = world.add(
      SoftBody{.mesh = sphere_tets(Real(0.5), 6), .pose = {{0, 1, 0}}, .velocity = {60, 0, 0}});
  run(world, 3);
  EXPECT_TRUE(world.finite());
  EXPECT_EQ(world.state(id).inverted, 0);
  for (const Vec3& x : world.positions(id)) EXPECT_LT(x.x, Real(4.51));
}

TEST(Abuse, DeepOverlapPartsGently) {
  World world;
  world.add(StaticBody{});
  const SoftId id =
      world.add(SoftBody{.mesh = box_tets({1, 1, 1}, {4, 4, 4}), .pose = {{0, Real(0.1), 0}}});
  double highest = 0;
  for (int i = 0; i < 120; ++i) {
    world.step(Real(1.0 / 60));
    for (const Vec3& x : world.positions(id)) highest = std::max(highest, double(x.y));
  }
  EXPECT_LT(highest, 2.5);  // not shot into the sky
  EXPECT_LT(world.contacts().penetration_max, 1e-3);
}

TEST(Abuse, ABodyThatOverflowsIsFrozenAndTheRestGoesOn) {
  World world({.gravity = {0, 0, 0}});
  const SoftId broken =
      world.add(SoftBody{.name = "broken", .mesh = box_tets({1, 1, 1}, {2, 2, 2})});
  const SoftId fine = world.add(
      SoftBody{.mesh = box_tets({1, 1, 1}, {2, 2, 2}), .pose = {{9, 0, 0}}, .velocity = {1, 0, 0}});
  const std::vector<Vec3> before = world.positions(broken);
  std::vector<Vec3> velocities(before.size());
  velocities[3] = {std::numeric_limits<Real>::max(), 0, 0};
  world.set_velocities(broken, velocities);
  world.step(1);
  ASSERT_EQ(world.events().size(), 1u);
  EXPECT_EQ(world.events()[0].kind, Event::Kind::kFrozen);
  EXPECT_EQ(world.events()[0].body, broken);
  EXPECT_FALSE(world.finite());
  EXPECT_TRUE(world.state(broken).frozen);
  EXPECT_EQ(world.positions(broken), before);
  const Real x = world.positions(fine)[0].x;
  world.step(Real(0.1));
  EXPECT_TRUE(world.events().empty());
  EXPECT_NEAR(world.positions(fine)[0].x - x, 0.1, 1e-4);
  world.set_positions(broken, before);  // thaws
  world.set_velocities(broken, std::vector<Vec3>(before.size()));
  world.step(Real(0.01));
  EXPECT_TRUE(world.finite());
}

TEST(Abuse, HugeMassesAndSizes) {
  for (double size : {1e-3, 1.0, 1e4})
    for (double density : {1e-3, 1e3, 1e9}) {
      World world;
      world.add(StaticBody{});
      const SoftId id =
          world.add(SoftBody{.mesh = box_tets({Real(size), Real(size), Real(size)}, {3, 3, 3}),
                             .density = Real(density),
                             .pose = {{0, Real(size * 0.6), 0}}});
      run(world, 1);
      EXPECT_TRUE(world.finite()) << size << " m, " << density << " kg/m³";
      for (const Vec3& x : world.positions(id)) EXPECT_LT(length(x), 10 * size + 10);
    }
}

TEST(Abuse, EmptyAndStaticWorldsStep) {
  World empty;
  empty.step(Real(0.1));
  EXPECT_TRUE(empty.finite());
  EXPECT_NEAR(empty.time(), 0.1, 1e-6);
  World only_statics;
  only_statics.add(StaticBody{});
  only_statics.step(Real(0.1));
  EXPECT_EQ(only_statics.contacts().count, 0);
}

// Without volume a body has neither mass nor stiffness: it stays where it is, and all that is
// reported of it is a number.
TEST(Abuse, ABodyThatIsFlatAtRestStaysPut) {
  World world;
  TetMesh mesh = box_tets({1, 1, 1}, {2, 2, 2});
  for (Vec3& v : mesh.vertices) v.y = 0;
  const SoftId id = world.add(SoftBody{.mesh = mesh});
  run(world, 0.1);
  EXPECT_TRUE(world.finite());
  EXPECT_EQ(world.positions(id), mesh.vertices);
  EXPECT_EQ(world.state(id).volume_ratio, 1);
  EXPECT_EQ(world.state(id).inverted, 0);
}

TEST(Abuse, AllVerticesPinnedStayPut) {
  World world;
  TetMesh mesh = box_tets({1, 1, 1}, {1, 1, 1});
  std::vector<Index> all(mesh.vertices.size());
  for (Index i = 0; i < all.size(); ++i) all[i] = i;
  const SoftId id = world.add(SoftBody{.mesh = mesh, .velocity = {3, 0, 0}, .pins = all});
  const std::vector<Vec3> before = world.positions(id);
  run(world, 0.5);
  EXPECT_EQ(world.positions(id), before);
}

}  // namespace
}  // namespace sinew
