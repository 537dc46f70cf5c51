// Constraints as energies of the variational solvers, against what can be worked out on paper and
// against each other.
#include <gtest/gtest.h>
#include <sinew/generators.h>
#include <sinew/world.h>

#include "soft_support.h"
#include "support.h"

namespace sinew {
namespace {

constexpr bool kFloat = sizeof(Real) == 4;
// Enough for each to come to the minimum.
const Solver kConverged[] = {Projective{.iterations = 3000},
                             QuasiNewton{.iterations = 300, .history = 10, .substeps = 1},
                             Newton{.iterations = 60}};

struct NamedBody {
  const char* name;
  SoftBody body;
};

TriMesh hanging_cloth(int cells) {
  TriMesh mesh = cloth(1, 1, cells, cells);
  for (Vec3& v : mesh.vertices) v = {v.x, -v.z - Real(0.5), v.x * v.x * Real(0.05)};
  return mesh;
}
std::vector<Index> top_of(const BodyMesh& mesh, Real top) {
  return vertices_where(mesh, [&](const Vec3& v) { return v.y > top - Real(1e-4); });
}

// Bodies that hang, each by another kind of constraint.
std::vector<NamedBody> hanging_bodies() {
  const TriMesh sheet = hanging_cloth(5);
  const TetMesh tets = box_tets({Real(0.4), 1, Real(0.4)}, {2, 4, 2});
  const Material soft = Arap{.young = 1e5};
  const auto body = [&](const BodyMesh& mesh, Material material, std::vector<Constraint> list) {
    const Real top = std::holds_alternative<TriMesh>(mesh) ? Real(-1e-3) : Real(0.5);
    return SoftBody{.mesh = mesh,
                    .material = std::move(material),
                    .thickness = Real(0.01),
                    .constraints = std::move(list),
                    .pins = top_of(mesh, top)};
  };
  const ShapeMatching cells{.clusters = MatchingClusters::kCells, .stiffness = 300};
  std::vector<NamedBody> all;
  all.push_back({"springs", body(sheet, None{}, {Distance{.stiffness = 500}})});
  all.push_back({"ropes", body(sheet, None{}, {Distance{.stiffness = 500, .tension_only = true}})});
  all.push_back({"arap", body(tets, soft, {})});
  all.push_back(
      {"bending", body(sheet, soft, {Bending{}, Bending{.model = BendingModel::kDihedral}})});
  all.push_back(
      {"strain limit", body(sheet, Arap{.young = 1e4}, {StrainLimit{.max = Real(1.02)}})});
  all.push_back({"strain limit of a solid",
                 body(tets, Arap{.young = 1e4}, {StrainLimit{.max = Real(1.02)}})});
  all.push_back({"cell volume", body(tets, Arap{.young = 2e4}, {CellVolume{.stiffness = 1e5}})});
  all.push_back({"matched cells", body(tets, None{}, {cells})});
  all.push_back({"matched body", body(tets, soft, {ShapeMatching{.stiffness = 300}})});
  SoftBody attached = body(tets, soft, {Attachment{.vertices = top_of(tets, Real(0.5))}});
  attached.pins.clear();
  all.push_back({"attachment", attached});
  return all;
}

TEST(ConstraintEnergies, SolversAgreeWhenTheyHaveConverged) {
  for (const NamedBody& named : hanging_bodies()) {
    std::vector<Vec3> first;
    for (const Solver& solver : kConverged) {
      World world;
      SoftBody body = named.body;
      body.solver = solver;
      const SoftId id = world.add(body);
      for (int i = 0; i < 3; ++i) world.step(Real(1.0 / 60));
      const std::vector<Vec3> x = world.positions(id);
      if (first.empty()) first = x;
      for (std::size_t i = 0; i < x.size(); ++i)
        EXPECT_LT(length(x[i] - first[i]), kFloat ? 1e-4 : 1e-6)
            << named.name << ", solver " << solver.index() << ", vertex " << i;
    }
  }
}

// Volume is no squared distance: the other two. On the way there they are up to 0.5 mm apart.
TEST(ConstraintEnergies, EnclosedVolumeIsTheSameByNewtonAndQuasiNewton) {
  const BodyMesh meshes[] = {sphere_surface(Real(0.5), 2), sphere_tets(Real(0.5), 3)};
  for (const BodyMesh& mesh : meshes) {
    std::vector<Vec3> first;
    for (const Solver& solver : {kConverged[1], kConverged[2]}) {
      World world({.gravity = {0, 0, 0}});
      const SoftId id =
          world.add(SoftBody{.mesh = mesh,
                             .material = StableNeoHookean{.young = 1e5},
                             .thickness = Real(0.01),
                             .constraints = {Volume{.pressure = Real(1.2), .bulk = 1e5}},
                             .solver = solver});
      for (int i = 0; i < 10; ++i) world.step(Real(1.0 / 60));
      const std::vector<Vec3> x = world.positions(id);
      if (first.empty()) first = x;
      for (std::size_t i = 0; i < x.size(); ++i)
        EXPECT_LT(length(x[i] - first[i]), kFloat ? 1e-4 : 1e-6) << "vertex " << i;
      EXPECT_GT(length(x[0]), length(vertices_of(mesh)[0]) * Real(1.005));
    }
  }
}

const Solver kSolvers[] = {Projective{.iterations = 30}, QuasiNewton{}, Newton{}};

// A body on springs of k in all hangs by M g/k below them, whoever solves it.
TEST(Attachment, HangsByItsWeight) {
  const TetMesh mesh = box_tets({1, 1, 1}, {2, 2, 2});
  const std::vector<Index> top = top_of(mesh, Real(0.5));
  const double stiffness = 5000;
  for (const Solver& solver : {Solver(Position{}), Solver(Position{.order = SweepOrder::kJacobi}),
                               kSolvers[0], kSolvers[1], kSolvers[2]}) {
    World world;
    const SoftId id = world.add(
        SoftBody{.mesh = mesh,
                 .material = Arap{.young = 1e7},
                 .constraints = {Attachment{.vertices = top, .stiffness = Real(stiffness)}},
                 .solver = solver,
                 .pose = {{1, 2, 3}},
                 .drag = 10});
    run(world, 3);
    const double sag = 2.5 - mean_position(world, id, top).y;
    const double theory = 1000 * kGravity / (stiffness * double(top.size()));
    EXPECT_NEAR(sag / theory, 1, 0.01) << solver.index();
    EXPECT_NEAR(mean_position(world, id).x, 1, 1e-3);
  }
}

TEST(Attachment, FollowsWhereItIsMoved) {
  const TetMesh mesh = box_tets({1, 1, 1}, {1, 1, 1});
  std::vector<Index> all(mesh.vertices.size());
  for (Index i = 0; i < all.size(); ++i) all[i] = i;
  for (const Solver& solver : {Solver(Position{}), kSolvers[0], kSolvers[1], kSolvers[2]}) {
    World world({.gravity = {0, 0, 0}});
    const SoftId id =
        world.add(SoftBody{.mesh = mesh,
                           .material = Arap{.young = 1e5},
                           .constraints = {Attachment{.vertices = all, .stiffness = 1e4}},
                           .solver = solver,
                           .drag = 10});
    for (Index v : all) world.move_attachment(id, v, mesh.vertices[v] + Vec3{1, 2, 0});
    run(world, 2);
    const Vec3T<double> middle = mean_position(world, id);
    EXPECT_NEAR(middle.x, 1, 2e-3) << solver.index();
    EXPECT_NEAR(middle.y, 2, 2e-3) << solver.index();
  }
}

// Held loosely, a body still goes to and fro with its anchor; or does not, if it need not.
TEST(Attachment, GoesWithTheAnchor) {
  const TetMesh mesh = box_tets({1, 1, 1}, {1, 1, 1});
  for (const Solver& solver : {Solver(Position{}), kSolvers[1]})
    for (bool anchored : {true, false}) {
      World world({.gravity = {0, 0, 0}});
      const SoftId id = world.add(SoftBody{
          .mesh = mesh,
          .material = Arap{.young = 1e5},
          .constraints = {Attachment{
              .vertices = {0, 1, 2, 3, 4, 5, 6, 7}, .stiffness = 1e6, .anchored = anchored}},
          .solver = solver,
          .pins = anchored ? std::vector<Index>{} : std::vector<Index>{0},
          .anchor_motion = AnchorMotion{.swing = {Real(0.1), 0, 0}, .frequency = Real(0.5)}});
      run(world, 0.5);  // a quarter of a period
      EXPECT_NEAR(mean_position(world, id).x, anchored ? 0.1 : 0.1 / 8, anchored ? 5e-3 : 2e-2);
    }
}

TEST(Attachment, RefusesWhatIsNotThere) {
  World world;
  const TetMesh mesh = box_tets({1, 1, 1}, {1, 1, 1});
  for (const Solver& solver : {Solver(Position{}), kSolvers[1]}) {
    const auto attach = [&](Attachment attachment) {
      world.add(
          SoftBody{.name = "jelly", .mesh = mesh, .constraints = {attachment}, .solver = solver});
    };
    expect_error(
        [&] {
          attach({.vertices = {3, 8}});
        },
        {"jelly", "constraints[0]", "vertex 8", "8 vertices"});
    expect_error([&] { attach({}); }, {"jelly", "constraints[0]", "no vertices"});
    expect_error([&] { attach({.vertices = {1}, .stiffness = 0}); },
                 {"jelly", "constraints[0].stiffness", "greater than 0"});
  }
  const SoftId id = world.add(SoftBody{.name = "jelly",
                                       .mesh = mesh,
                                       .constraints = {Attachment{.vertices = {1}}},
                                       .solver = QuasiNewton{}});
  expect_error([&] { world.move_attachment(id, 0, {0, 0, 0}); }, {"jelly", "vertex 0", "attached"});
  expect_error([&] { world.move_attachment(id, 9, {0, 0, 0}); }, {"jelly", "no vertex 9"});
  expect_error(
      [&] {
        world.move_attachment(id, 1, {0, Real(NAN), 0});
      },
      {"attachment 1", "finite"});
}

// The strips of constraint_test.cpp: rigidity is the same as position-based.
double strip_sag_by_theory(const Solver& solver, BendingModel model, double factor) {
  constexpr double kLength = 1, kCell = 0.1, kThickness = 0.1, kYoung = 2.5e7, kDensity = 1000;
  TriMesh mesh = cloth(Real(kLength), Real(0.2), 10, 2);
  for (Vec3& v : mesh.vertices) v.x += Real(kLength / 2);
  World world;
  const SoftId id = world.add(SoftBody{
      .mesh = mesh,
      .material = Arap{.young = Real(kYoung)},
      .density = Real(kDensity),
      .thickness = Real(kThickness),
      .constraints = {Bending{.model = model, .stiffness = Real(factor)}},
      .solver = solver,
      .drag = 20,
      .pins = vertices_where(mesh, [](const Vec3& v) { return v.x < Real(1.5 * kCell); })});
  run(world, 2);
  const auto tip = vertices_where(mesh, [](const Vec3& v) { return v.x > Real(kLength - 1e-3); });
  const double free_length = kLength - kCell / 2;  // two rows of pins
  const double rigidity = factor * kYoung * std::pow(kThickness, 3) / 12;
  const double load = kDensity * kThickness * kGravity;
  return -mean_position(world, id, tip).y / (load * std::pow(free_length, 4) / (8 * rigidity));
}

TEST(BendingEnergy, StripSagsByItsRigidity) {
  const Solver solvers[] = {Projective{.iterations = 300}, QuasiNewton{.iterations = 100},
                            Newton{}};
  for (BendingModel model : {BendingModel::kDihedral, BendingModel::kIsometric})
    for (double factor : {1.0, 0.5})
      for (const Solver& solver : solvers)
        EXPECT_NEAR(strip_sag_by_theory(solver, model, factor), 1, 0.05)
            << "solver " << solver.index() << ", model " << int(model) << ", factor " << factor;
}

// A roof keeps its angle, and is about it as stiff as the hinges of the solver position.
TEST(BendingEnergy, CurvedRestShape) {
  TriMesh roof = cloth(1, 1, 2, 1);
  for (Vec3& v : roof.vertices) v.y = Real(0.5) - std::abs(v.x);
  const auto energy_when_opened = [&](const Solver& solver) {
    World world({.gravity = {0, 0, 0}});
    const SoftId id = world.add(SoftBody{.mesh = roof,
                                         .material = Arap{.young = 1e6},
                                         .thickness = Real(0.05),
                                         .constraints = {Bending{}},
                                         .solver = solver});
    EXPECT_NEAR(world.energy().elastic, 0, 1e-3);
    const double angle = M_PI / 4 + 0.01;  // of the sides, from the vertical
    std::vector<Vec3> x = roof.vertices;
    for (Vec3& v : x) {
      const double side = std::abs(double(v.x)) * std::sqrt(2.0);
      v = {Real(std::copysign(side * std::sin(angle), v.x)), Real(0.5 - side * std::cos(angle)),
           v.z};
    }
    world.set_positions(id, x);
    return world.energy().elastic;
  };
  EXPECT_NEAR(energy_when_opened(QuasiNewton{}) / energy_when_opened(Position{}), 1, 0.05);
}

double hanging_strain(const BodyMesh& mesh, const Solver& solver,
                      std::vector<Constraint> constraints) {
  const auto pins = vertices_where(mesh, [](const Vec3& v) { return v.y > Real(-1e-3); });
  World world;
  const SoftId id = world.add(SoftBody{.mesh = mesh,
                                       .material = Arap{.young = 1e4},
                                       .thickness = Real(0.01),
                                       .constraints = std::move(constraints),
                                       .solver = solver,
                                       .drag = 5,
                                       .pins = pins});
  run(world, 2);
  EXPECT_TRUE(world.finite());
  return world.state(id).strain_max;
}

TEST(StrainLimitEnergy, HoldsWithinAPercent) {
  TetMesh bar = bar_tets(1, Real(0.2), Real(0.2), 2);
  for (Vec3& v : bar.vertices) v = {v.y, -v.x, v.z};
  TriMesh sheet = cloth(1, Real(0.3), 10, 3);
  for (Vec3& v : sheet.vertices) v = {v.z, -v.x - Real(0.5), 0};
  const BodyMesh meshes[] = {bar, sheet};
  for (const BodyMesh& mesh : meshes) {
    EXPECT_GT(hanging_strain(mesh, QuasiNewton{}, {}), 0.2) << mesh.index();
    for (const Solver& solver : {Solver(Projective{.iterations = 100}), kSolvers[1], kSolvers[2]})
      EXPECT_LT(hanging_strain(mesh, solver, {StrainLimit{.stiffness = Real(2e6)}}), 0.11)
          << mesh.index() << ", solver " << solver.index();
  }
}

// Squeezed to two thirds of its height, a soft block that has no Poisson's ratio of its own gives
// way to the sides; all but the cells at its glued ends, for which there is no way.
TEST(CellVolume, IsKeptWhenSqueezed) {
  const TetMesh mesh = box_tets({1, 1, 1}, {3, 3, 3});
  const auto bottom = vertices_where(mesh, [](const Vec3& v) { return v.y < Real(-0.499); });
  const auto top = top_of(mesh, Real(0.5));
  std::vector<Index> pins = bottom;
  pins.insert(pins.end(), top.begin(), top.end());
  const auto volume = [&](const Solver& solver, std::vector<Constraint> constraints) {
    World world({.gravity = {0, 0, 0}});
    const SoftId id = world.add(SoftBody{.mesh = mesh,
                                         .material = Arap{.young = 1e4},
                                         .constraints = std::move(constraints),
                                         .solver = solver,
                                         .drag = 5,
                                         .pins = pins});
    for (int i = 0; i < 90; ++i) {
      const Real down = Real(0.33) * std::min(Real(i) / 60, Real(1));
      for (Index v : top) world.move_pin(id, v, mesh.vertices[v] - Vec3{0, down, 0});
      world.step(Real(1.0 / 60));
    }
    EXPECT_EQ(world.state(id).inverted, 0);
    return world.state(id).volume_ratio;
  };
  for (const Solver& solver :
       {Solver(Position{}), Solver(Projective{.iterations = 50}), kSolvers[1], kSolvers[2]}) {
    EXPECT_LT(volume(solver, {}), 0.75) << solver.index();
    EXPECT_NEAR(volume(solver, {CellVolume{.stiffness = 1e6}}), 0.938, 0.002) << solver.index();
    const double within = volume(solver, {CellVolume{.min = Real(0.85), .stiffness = 1e6}});
    EXPECT_NEAR(within, 0.87, 0.03) << solver.index();
  }
}

// Stretched by its own weight it becomes thinner.
TEST(CellVolume, IsKeptWhenHanging) {
  TetMesh bar = bar_tets(1, Real(0.2), Real(0.2), 2);
  for (Vec3& v : bar.vertices) v = {v.y, -v.x, v.z};
  const auto volume = [&](const Solver& solver, std::vector<Constraint> constraints) {
    World world;
    const SoftId id =
        world.add(SoftBody{.mesh = bar,
                           .material = Arap{.young = 5e4},
                           .constraints = std::move(constraints),
                           .solver = solver,
                           .drag = 5,
                           .pins = vertices_where(bar, [](const Vec3& v) { return v.y > -1e-4; })});
    run(world, 2);
    return world.state(id).volume_ratio;
  };
  for (const Solver& solver :
       {Solver(Position{}), Solver(Projective{.iterations = 50}), kSolvers[1], kSolvers[2]}) {
    EXPECT_GT(volume(solver, {}), 1.05) << solver.index();
    EXPECT_NEAR(volume(solver, {CellVolume{.stiffness = 1e7}}), 1, 0.005) << solver.index();
  }
}

// A closed sheet under pressure stores ½ κ (ΔV)²/V₀ at the start of its swelling, and comes to rest
// where its elasticity balances it, as it does with the solver position.
TEST(VolumeEnergy, BalloonSwellsAsFarAsPositionBased) {
  const auto swollen = [](const Solver& solver) {
    World world({.gravity = {0, 0, 0}});
    const TriMesh ball = sphere_surface(Real(0.5), 2);
    const SoftId id =
        world.add(SoftBody{.mesh = ball,
                           .material = StableNeoHookean{.young = 1e6},
                           .thickness = Real(0.01),
                           .constraints = {Volume{.pressure = Real(1.3), .bulk = 1e5}},
                           .solver = solver,
                           .drag = 10});
    run(world, 2);
    double radius = 0;
    for (const Vec3& x : world.positions(id)) radius += length(to_double(x));
    return radius / double(ball.vertices.size());
  };
  const double reference = swollen(Position{});
  EXPECT_GT(reference, 0.505);
  for (const Solver& solver : {kSolvers[1], kSolvers[2]})
    EXPECT_NEAR(swollen(solver) - 0.5, reference - 0.5, 0.02 * (reference - 0.5)) << solver.index();
}

// Nothing holds it: what it does to itself moves it nowhere.
TEST(ConstraintEnergies, MomentumIsKept) {
  for (NamedBody named : hanging_bodies()) {
    if (std::string(named.name) == "attachment") continue;
    for (const Solver& solver : kSolvers) {
      World world({.gravity = {0, 0, 0}});
      named.body.pins.clear();
      named.body.solver = solver;
      named.body.velocity = {1, Real(0.5), 0};
      named.body.angular_velocity = {0, 0, 2};
      const SoftId id = world.add(named.body);
      std::vector<Vec3> x = world.positions(id);
      for (Vec3& v : x) v *= Real(1.1);
      world.set_positions(id, x);
      const Momentum before = world.momentum();
      run(world, 0.5);
      const Momentum after = world.momentum();
      const double size = length(before.linear);
      EXPECT_LT(length(after.linear - before.linear), (kFloat ? 1e-4 : 1e-9) * size) << named.name;
      EXPECT_LT(length(after.angular - before.angular), (kFloat ? 1e-3 : 1e-8) * size)
          << named.name;
    }
  }
}

TEST(ConstraintEnergies, WhatIsNoEnergyIsRefused) {
  World world;
  const TetMesh tets = box_tets({1, 1, 1}, {1, 1, 1});
  const auto add = [&](const BodyMesh& mesh, Constraint constraint, Solver solver = QuasiNewton{},
                       Material material = Arap{}) {
    world.add(SoftBody{.name = "jelly",
                       .mesh = mesh,
                       .material = material,
                       .constraints = {constraint},
                       .solver = solver});
  };
  const auto refused = [&](Constraint constraint, std::initializer_list<const char*> parts) {
    expect_error([&] { add(tets, constraint); }, {"jelly", "constraints[0]"});
    expect_error([&] { add(tets, constraint); }, parts);
  };
  refused(Distance{}, {"distance", "stiffness", "N/m"});
  refused(Distance{.stiffness = 1, .plain = Real(0.5)}, {"distance", "plain", "position"});
  refused(ShapeMatching{}, {"shape_matching", "stiffness", "N/m"});
  refused(ShapeMatching{.rotation = RotationMethod::kSpin, .stiffness = 1},
          {"shape_matching", "rotation"});
  refused(Volume{}, {"volume", "bulk", "Pa"});
  refused(FiniteElements{}, {"finite_elements", "position", "material"});
  refused(PlainCells{}, {"plain_cells", "position", "material"});
  refused(KeepInSphere{}, {"keep_in_sphere", "position"});
  refused(LongRangeAttachment{}, {"long_range_attachment", "position"});
  refused(Bending{}, {"bending", "triangles"});
  expect_error([&] { add(cloth(1, 1, 2, 2), CellVolume{}); }, {"cell_volume", "solid"});
  expect_error([&] { add(cloth(1, 1, 2, 2), Bending{.plain = 1}); }, {"bending", "plain"});
  expect_error([&] { add(tets, StrainLimit{}, QuasiNewton{}, None{}); },
               {"strain_limit", "stiffness", "Pa"});
  expect_error([&] { add(tets, Volume{.bulk = 1e5}, Projective{}); },
               {"jelly", "constraints[0]", "volume", "projective", "quasi_newton"});
  expect_error([&] { add(tets, CellVolume{}, Projective{}, NeoHookean{}); },
               {"jelly", "neo_hookean", "arap", "projective", "quasi_newton"});
}

}  // namespace
}  // namespace sinew
