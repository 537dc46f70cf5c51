// Pins that move: with the anchor, as a sine of time, and to where they are sent.
#include <gtest/gtest.h>
#include <sinew/error.h>
#include <sinew/generators.h>
#include <sinew/world.h>

#include "soft_support.h"

namespace sinew {
namespace {

SoftBody anchored_box(const AnchorMotion& motion) {
  const HexMesh mesh = box_hexes({Real(0.4), Real(0.4), Real(0.4)}, {4, 4, 4});
  return {.mesh = mesh,
          .material = StableNeoHookean{.young = 2e4},
          .pose = {{1, 2, 3}},
          .pins = vertices_where(mesh, [](const Vec3& v) { return v.x < Real(-0.19); }),
          .anchor_motion = motion};
}

constexpr double kPlace = sizeof(Real) == 4 ? 2e-6 : 1e-12;  // [m] to which places are compared

TEST(AnchorMotion, PinsFollowTheSine) {
  const AnchorMotion motion{
      .swing = {0, Real(0.1), Real(0.05)}, .turn = {Real(0.3), 0, 0}, .frequency = Real(1.7)};
  const SoftBody body = anchored_box(motion);
  World world;
  const SoftId id = world.add(body);
  const std::vector<Vec3> start = world.positions(id);
  const Vec3T<double> middle = mean_position(world, id, body.pins);
  for (int i = 0; i < 90; ++i) {
    world.step(Real(1.0 / 60));
    const double phase = std::sin(2 * M_PI * 1.7 * world.time());
    const QuatT<double> turn = QuatT<double>::from_axis_angle({1, 0, 0}, 0.3 * phase);
    for (Index pin : body.pins) {
      const Vec3T<double> expected = middle + turn.rotate(to_double(start[pin]) - middle) +
                                     Vec3T<double>{0, 0.1, 0.05} * phase;
      ASSERT_LT(length(to_double(world.particles(id)[pin].position) - expected), kPlace);
    }
  }
  EXPECT_TRUE(world.finite());
}

TEST(AnchorMotion, StartsWhenTheBodyIsAdded) {
  World world({.gravity = {0, 0, 0}});
  run(world, 0.1);
  const SoftBody body = anchored_box({.swing = {0, Real(0.1), 0}, .frequency = 2});
  const SoftId id = world.add(body);
  const double before = mean_position(world, id, body.pins).y;
  world.step(Real(1.0 / 60));
  EXPECT_NEAR(mean_position(world, id, body.pins).y - before, 0.1 * std::sin(2 * M_PI * 2 / 60),
              2 * kPlace);
}

TEST(AnchorMotion, CarriesTheBodyAlong) {
  World world({.gravity = {0, 0, 0}});
  // So slow that the body follows without lag.
  SoftBody body = anchored_box({.swing = {0, Real(0.2), 0}, .frequency = Real(0.1)});
  body.damping = Real(0.05);
  const SoftId id = world.add(body);
  const double before = mean_position(world, id).y;
  run(world, 2.5);  // a quarter of the period: at the turning point
  EXPECT_NEAR(mean_position(world, id).y - before, 0.2, 0.01);
  EXPECT_LT(world.energy().kinetic, 0.1);
}

TEST(AnchorMotion, APinThatIsLetGoIsFree) {
  SoftBody body = anchored_box({.swing = {0, Real(0.1), 0}});
  World world;
  const SoftId id = world.add(body);
  for (Index pin : body.pins) world.unpin(id, pin);
  const double before = mean_position(world, id).y;
  run(world, 0.5);
  EXPECT_NEAR(mean_position(world, id).y - before, -0.5 * kGravity * 0.25, 0.02);
}

TEST(MovePin, ArrivesExactlyAndAtConstantSpeed) {
  const HexMesh mesh = box_hexes({1, 1, 1}, {2, 2, 2});
  const Vec3 target{Real(0.7), Real(-0.3), Real(0.1)};
  World world({.gravity = {0, 0, 0}, .substeps = 7});
  const SoftId id = world.add(SoftBody{.mesh = mesh});
  world.move_pin(id, 0, target);
  world.step(Real(0.1));
  EXPECT_EQ(world.positions(id)[0], target);
  EXPECT_EQ(world.velocities(id)[0], (Vec3{}));
  world.step(Real(0.1));
  EXPECT_EQ(world.positions(id)[0], target);  // and stays
  EXPECT_EQ(world.particles(id)[0].inverse_mass, 0);
}

// A whole body carried as one must not be shaken: all its vertices move alike.
TEST(MovePin, MovesSmoothly) {
  const HexMesh mesh = box_hexes({1, 1, 1}, {2, 2, 2});
  World world({.gravity = {0, 0, 0}});
  const SoftId id = world.add(
      SoftBody{.mesh = mesh, .material = StableNeoHookean{.young = 1e5}, .velocity = {1, 0, 0}});
  const Vec3 start = mesh.vertices[0];
  for (int i = 1; i <= 30; ++i) {
    // One vertex is carried at the speed at which the rest flies.
    world.move_pin(id, 0, start + Vec3{Real(i) / 60, 0, 0});
    world.step(Real(1.0 / 60));
    ASSERT_LT(world.state(id).strain_max, 1e-3) << "step " << i;
  }
  EXPECT_NEAR(mean_position(world, id).x, 0.5, 1e-3);
}

TEST(MovePin, RefusesWhatItCannotUse) {
  World world;
  const SoftId id = world.add(SoftBody{.mesh = box_hexes({1, 1, 1}, {1, 1, 1})});
  EXPECT_THROW(world.move_pin(id, 8, {}), Error);
  EXPECT_THROW(world.move_pin(id, 0, {0, Real(NAN), 0}), Error);
  EXPECT_GT(world.particles(id)[0].inverse_mass, 0);
}

TEST(MovePin, TheLastWordCounts) {
  World world({.gravity = {0, 0, 0}});
  const SoftId id = world.add(SoftBody{.mesh = box_hexes({1, 1, 1}, {1, 1, 1})});
  const Vec3 a{-1, 0, 0}, b{0, -1, 0};
  world.move_pin(id, 0, a);
  world.pin(id, 0, b);
  world.step(Real(0.1));
  EXPECT_EQ(world.positions(id)[0], b);
  world.move_pin(id, 0, a);
  world.unpin(id, 0);
  world.pin(id, 0);
  world.step(Real(0.1));
  EXPECT_EQ(world.positions(id)[0], b);
}

TEST(MovePin, AVertexInNoCellArrivesToo) {
  TetMesh mesh = box_tets({1, 1, 1}, {1, 1, 1});
  mesh.vertices.push_back({2, 0, 0});
  const Index alone = Index(mesh.vertices.size() - 1);
  World world({.gravity = {0, 0, 0}});
  const SoftId id = world.add(SoftBody{.mesh = mesh});
  world.move_pin(id, alone, {3, 0, 0});
  for (int i = 0; i < 3; ++i) world.step(Real(0.1));
  EXPECT_EQ(world.positions(id)[alone], (Vec3{3, 0, 0}));
}

TEST(MovePin, TakesAPinFromItsAnchor) {
  const HexMesh mesh = box_hexes({1, 1, 1}, {1, 1, 1});
  World world({.gravity = {0, 0, 0}});
  const SoftId id = world.add(SoftBody{
      .mesh = mesh, .pins = {0, 1, 1, 0}, .anchor_motion = AnchorMotion{.swing = {1, 0, 0}}});
  const Vec3 target = mesh.vertices[0] + Vec3{0, 0, -1};
  world.move_pin(id, 0, target);
  for (int i = 0; i < 3; ++i) world.step(Real(1.0 / 60));
  EXPECT_EQ(world.positions(id)[0], target);
  EXPECT_GT(world.positions(id)[1].x, mesh.vertices[1].x + Real(0.1));  // goes on swinging
}

// Naming a vertex twice does not make it weigh twice in the middle that anchors turn about.
TEST(Anchor, TurnsAboutTheMiddleOfItsVertices) {
  const HexMesh mesh = box_hexes({1, 1, 1}, {1, 1, 1});
  const auto turned = [&](std::vector<Index> pins) {
    World world({.gravity = {0, 0, 0}});
    const SoftId id =
        world.add(SoftBody{.mesh = mesh,
                           .pins = std::move(pins),
                           .anchor_motion = AnchorMotion{.turn = {0, 0, 1}, .frequency = 1}});
    for (int i = 0; i < 10; ++i) world.step(Real(1.0 / 60));
    return world.positions(id)[0];
  };
  EXPECT_LT(length(turned({0, 1, 2}) - turned({0, 1, 2, 2, 2})), 1e-6);
}

TEST(Combinations, ThatWouldDoNothingAreRefused) {
  const TetMesh tets = box_tets({1, 1, 1}, {1, 1, 1});
  const auto message = [](const SoftBody& body) -> std::string {
    World world;
    try {
      world.add(body);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message({.mesh = tets}), "");
  EXPECT_NE(message({.mesh = tets, .anchor_motion = AnchorMotion{}}).find("pins"),
            std::string::npos);
  EXPECT_NE(message({.mesh = tets, .material = None{}, .plasticity = Plasticity{}}).find("none"),
            std::string::npos);
  EXPECT_NE(message({.mesh = tets, .integration = HexIntegration::kSelective}).find("hexahedra"),
            std::string::npos);
  EXPECT_NE(message({.mesh = tets, .fibres = {Fibres{}}}).find("quasi_newton"), std::string::npos);
  EXPECT_NE(
      message({.mesh = tets, .fibres = {{}, {.direction = {0, 0, 0}}}, .solver = QuasiNewton{}})
          .find("fibres[1].direction"),
      std::string::npos);
  EXPECT_NE(message({.mesh = rope(1, 3), .fibres = {Fibres{}}, .solver = QuasiNewton{}})
                .find("solids and sheets"),
            std::string::npos);
  EXPECT_NE(message({.mesh = tets, .fibres = {{.stiffness = -1}}, .solver = QuasiNewton{}})
                .find("fibres[0].stiffness is -1 Pa"),
            std::string::npos);
  EXPECT_NE(message({.mesh = tets, .constraints = {PlainCells{.face = Real(0.5)}}}).find("face"),
            std::string::npos);
  EXPECT_NE(message({.mesh = tets, .density = Real(sizeof(Real) == 4 ? 1e-44 : 1e-320)}).find("kg"),
            std::string::npos);
}

// All mass in flat cells: nothing moves, and nothing breaks.
TEST(Combinations, ABodyWithoutMassMayBeMatched) {
  World world;
  const TetMesh flat{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, {{0, 1, 2, 3}}};
  const SoftId id = world.add(SoftBody{.mesh = flat, .constraints = {ShapeMatching{}}});
  world.step(Real(0.1));
  EXPECT_EQ(world.positions(id), flat.vertices);
}

}  // namespace
// Pairs from before the pin came would have told L-BFGS that masses change, and freed it again.
TEST(Pins, HoldWhatIsPinnedInFlight) {
  const Solver solvers[] = {Position{},
                            QuasiNewton{},
                            QuasiNewton{.integrator = Integrator::kImplicitMidpoint},
                            QuasiNewton{.integrator = Integrator::kBdf2},
                            Newton{},
                            Explicit{}};
  for (const Real where : {Real(0), Real(1000)})
    for (const Solver& solver : solvers) {
      World world;
      const SoftId id = world.add(SoftBody{.mesh = box_tets({0.1f, 0.1f, 0.1f}, {2, 2, 2}),
                                           .material = Corotated{.young = 1e5f, .poisson = 0.3f},
                                           .density = 1000,
                                           .solver = solver,
                                           .pose = {.position = {where, 2, 0}}});
      for (int i = 0; i < 5; ++i) world.step(Real(1) / 60);
      world.pin(id, 3);
      const Vec3 place = world.positions(id)[3];
      for (int i = 0; i < 10; ++i) world.step(Real(1) / 60);
      const Vec3 now = world.positions(id)[3];
      EXPECT_EQ(world.particles(id)[3].inverse_mass, 0) << solver.index();
      EXPECT_TRUE(now.x == place.x && now.y == place.y && now.z == place.z)
          << solver.index() << " at " << where << " m";
    }
}

}  // namespace sinew
