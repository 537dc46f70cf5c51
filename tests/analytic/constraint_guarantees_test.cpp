// Spheres, shape matching and plain stiffness: what must hold whatever happens, and however it is
// solved.
#include <gtest/gtest.h>
#include <sinew/generators.h>
#include <sinew/world.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double kGravity = 9.81;

void run(World& world, double seconds) {
  for (int i = 0; i < int(std::lround(seconds * 60)); ++i) world.step(Real(1.0 / 60));
}

// Thrown at a floor, far from the origin, with gravity and stiff elements: no vertex ever leaves
// its sphere.
TEST(KeepInSphere, IsNeverLeft) {
  for (SweepOrder order : {SweepOrder::kForward, SweepOrder::kSymmetric, SweepOrder::kJacobi})
    for (const Vec3& where : {Vec3{0, 0, 0}, Vec3{100, 50, -30}}) {
      constexpr double kRadius = 0.05;
      World world({.substeps = 4});
      const Pose pose{where + Vec3{0, Real(0.52), 0}, Quat::from_axis_angle({0, 1, 0}, Real(0.4))};
      world.add(StaticBody{.pose = {where}});
      // It pushes a corner out of its sphere: the sphere is stronger.
      world.add(StaticBody{.shape = Sphere{.radius = Real(0.2)},
                           .pose = {where + Vec3{Real(0.4), Real(0.4), 0}}});
      const TetMesh mesh = box_tets({1, 1, 1}, {3, 3, 3});
      const SoftId id = world.add(SoftBody{.mesh = mesh,
                                           .material = StableNeoHookean{.young = 1e6},
                                           .constraints = {KeepInSphere{.radius = Real(kRadius)}},
                                           .solver = Position{.order = order},
                                           .pose = pose,
                                           .velocity = {60, -40, 30},
                                           .angular_velocity = {0, 20, 5}});
      double furthest = 0;
      for (int step = 0; step < 120; ++step) {
        if (step == 60) {
          std::vector<Vec3> thrown(mesh.vertices.size());
          for (std::size_t i = 0; i < thrown.size(); ++i)
            thrown[i] = {Real(i % 7) * 10 - 30, 20, Real(i % 5) * 10 - 20};
          world.set_velocities(id, thrown);
        }
        world.step(Real(1.0 / 60));
        const std::vector<Vec3> x = world.positions(id);
        for (std::size_t i = 0; i < x.size(); ++i)
          furthest = std::max(furthest,
                              length(to_double(x[i]) - to_double(pose.to_world(mesh.vertices[i]))));
      }
      EXPECT_TRUE(world.finite());
      EXPECT_GT(furthest, 0.99 * kRadius);
      EXPECT_LT(furthest, kRadius * (1 + 1e-5)) << "order " << int(order);
    }
}

TEST(KeepInSphere, HoldsABodyAgainstGravity) {
  World world;
  const SoftId id = world.add(SoftBody{.mesh = box_tets({1, 1, 1}, {2, 2, 2}),
                                       .material = StableNeoHookean{.young = 1e5},
                                       .constraints = {KeepInSphere{.radius = Real(0.01)}}});
  run(world, 2);
  EXPECT_LT(length(world.momentum().linear), 1e-2 * 1000 * kGravity);  // it does not go on falling
  for (const Vec3& v : world.velocities(id)) EXPECT_LT(length(v), 0.05);
}

// The largest error of the distance between two vertices of a cell; of all vertices from the first,
// if `rigid`.
double shape_error(const World& world, SoftId id, bool rigid) {
  const std::vector<Vec3> x = world.positions(id);
  const std::span<const Vec3> rest = vertices_of(world.rest_mesh(id));
  double worst = 0;
  const auto compare = [&](Index a, Index b) {
    if (a == b) return;
    const double now = length(to_double(x[a]) - to_double(x[b]));
    worst = std::max(worst, std::abs(now / length(to_double(rest[a]) - to_double(rest[b])) - 1));
  };
  if (rigid)
    for (Index i = 1; i < x.size(); ++i) compare(0, i);
  std::visit(
      [&](const auto& mesh) {
        for (const auto& cell : mesh.cells)
          for (Index a : cell)
            for (Index b : cell) compare(a, b);
      },
      world.rest_mesh(id));
  return worst;
}

TEST(ShapeMatching, ReturnsASquashedBodyToItsShape) {
  const BodyMesh meshes[] = {box_tets({1, 1, 1}, {3, 3, 3}), box_hexes({1, 1, 1}, {3, 3, 3}),
                             cloth(1, 1, 4, 4)};
  for (const BodyMesh& mesh : meshes)
    for (MatchingClusters clusters : {MatchingClusters::kBody, MatchingClusters::kCells})
      for (RotationMethod rotation : {RotationMethod::kDefault, RotationMethod::kSvd,
                                      RotationMethod::kSpin, RotationMethod::kDiagonalisation})
        for (Real plain : {Real(0), Real(0.3)}) {
          World world({.gravity = {0, 0, 0}});
          const SoftId id =
              world.add(SoftBody{.mesh = mesh,
                                 .material = None{},
                                 .constraints = {ShapeMatching{
                                     .clusters = clusters, .rotation = rotation, .plain = plain}},
                                 .drag = 10});
          std::vector<Vec3> x = world.positions(id);
          const Quat turn = Quat::from_axis_angle({1, 1, 0}, Real(0.3));
          for (Vec3& v : x) v = turn.rotate({v.x * Real(1.2), v.y * Real(0.6), v.z * Real(0.7)});
          world.set_positions(id, x);
          run(world, 1.5);
          // Triangles by themselves may fold along their edges.
          const bool rigid = mesh.index() < 2 || clusters == MatchingClusters::kBody;
          EXPECT_LT(shape_error(world, id, rigid), 0.01)
              << "mesh " << mesh.index() << ", clusters " << int(clusters) << ", "
              << EnumWords<RotationMethod>::kWords[int(rotation)] << ", plain " << plain;
        }
}

// Breathing: all vertices swing in and out about the centre, with ω² = s/M = 400/s².
TEST(ShapeMatching, PhysicalStiffnessIsThatOfASpring) {
  World world({.gravity = {0, 0, 0}, .substeps = 20});
  const SoftId id = world.add(SoftBody{.mesh = box_hexes({1, 1, 1}, {1, 1, 1}),
                                       .material = None{},
                                       .constraints = {ShapeMatching{.stiffness = Real(4e5)}}});
  std::vector<Vec3> x = world.positions(id);
  for (Vec3& v : x) v *= Real(1.1);
  world.set_positions(id, x);
  EXPECT_NEAR(world.energy().elastic, 0.5 * 4e5 * 0.01 * 0.75, 0.1);
  const double period = 2 * M_PI / 20;
  const int steps = int(std::lround(period * 60 * 4));
  for (int i = 0; i < steps; ++i) world.step(Real(period / steps));
  EXPECT_NEAR(length(world.positions(id)[0]) / length(Vec3{Real(0.5), Real(0.5), Real(0.5)}), 1.1,
              0.02);
}

// One substep on a deformed body with one constraint: the result does not depend on the sweeps.
std::vector<Vec3> after_a_substep(const BodyMesh& mesh, const Constraint& constraint,
                                  int iterations) {
  World world({.gravity = {0, 0, 0}, .substeps = 1, .iterations = iterations});
  const SoftId id =
      world.add(SoftBody{.mesh = mesh, .material = None{}, .constraints = {constraint}});
  std::vector<Vec3> x = world.positions(id);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = {x[i].x * Real(1.05), x[i].y * Real(0.96) + Real(i == 1) / 10, x[i].z * Real(1.06)};
  world.set_positions(id, x);
  world.step(Real(1.0 / 60));
  return world.positions(id);
}

TEST(PlainStiffness, DoesNotDependOnIterations) {
  const TetMesh tetrahedron{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2, 3}}};
  const TriMesh triangle{{{0, 0, 0}, {1, 0, 0}, {0, 0, -1}}, {{0, 1, 2}}};
  const TriMesh hinge = cloth(1, 1, 1, 1);
  const BodyMesh ball = sphere_surface(Real(0.5), 1);
  constexpr Real kPlain = Real(0.4);
  const struct {
    const char* name;
    BodyMesh mesh;
    Constraint constraint;
  } cases[] = {
      {"distance", rope(1, 1), Distance{.plain = kPlain}},
      {"dihedral", hinge, Bending{.plain = kPlain}},
      {"isometric", hinge, Bending{.model = BendingModel::kIsometric, .plain = kPlain}},
      {"volume", ball, Volume{.plain = kPlain}},
      {"body", ball, ShapeMatching{.plain = kPlain}},
      {"cell", tetrahedron, ShapeMatching{.clusters = MatchingClusters::kCells, .plain = kPlain}},
      {"strain", box_hexes({1, 1, 1}, {1, 1, 1}),
       StrainLimit{.min = Real(0.99), .max = Real(1.01), .plain = kPlain}},
      {"tetrahedron", tetrahedron, PlainCells{.edge = 0, .volume = kPlain}},
      {"triangle", triangle, PlainCells{.edge = 0, .volume = kPlain}},
  };
  for (const auto& c : cases) {
    const std::vector<Vec3> rest = after_a_substep(c.mesh, PlainCells{.edge = 0}, 1);
    const std::vector<Vec3> once = after_a_substep(c.mesh, c.constraint, 1);
    const std::vector<Vec3> often = after_a_substep(c.mesh, c.constraint, 10);
    double moved = 0, apart = 0;
    for (std::size_t i = 0; i < rest.size(); ++i) {
      moved = std::max(moved, double(length(once[i] - rest[i])));
      apart = std::max(apart, double(length(once[i] - often[i])));
    }
    EXPECT_GT(moved, 1e-3) << c.name;
    EXPECT_LT(apart, 0.05 * moved) << c.name;
  }
}

TEST(PlainCells, HoldABodyOfEveryKindOfCell) {
  const BodyMesh meshes[] = {bar_tets(1, Real(0.3), Real(0.3), 2),
                             bar_hexes(1, Real(0.3), Real(0.3), 2), cloth(1, 1, 5, 5), rope(1, 8)};
  for (const BodyMesh& mesh : meshes) {
    PlainCells cells{.edge = Real(0.8), .volume = Real(0.5)};
    if (std::holds_alternative<HexMesh>(mesh)) cells.face = cells.diagonal = Real(0.5);
    World world;
    const SoftId id =
        world.add(SoftBody{.mesh = mesh, .material = None{}, .constraints = {cells}, .pins = {0}});
    std::vector<Vec3> x = world.positions(id);
    run(world, 1);
    EXPECT_TRUE(world.finite());
    EXPECT_LT(shape_error(world, id, mesh.index() < 2), 0.1) << mesh.index();
    EXPECT_EQ(world.state(id).inverted, 0);
  }
}

TEST(ConstraintMomentum, OfAFreeBodyIsKept) {
  const BodyMesh solid = box_tets({1, Real(0.5), Real(0.4)}, {4, 2, 2});
  const BodyMesh hexes = box_hexes({1, Real(0.5), Real(0.4)}, {4, 2, 2});
  const BodyMesh sheet = cloth(1, Real(0.5), 6, 3);
  const struct {
    const BodyMesh& mesh;
    Constraint constraint;
  } cases[] = {
      {sheet, Bending{}},
      {sheet, Bending{.model = BendingModel::kIsometric}},
      {solid, Volume{.bulk = 1e6}},
      {solid, Volume{}},
      {solid, ShapeMatching{.stiffness = 1e4}},
      {hexes, ShapeMatching{.clusters = MatchingClusters::kCells, .plain = Real(0.1)}},
      {solid, StrainLimit{}},
      {hexes, StrainLimit{}},
      {sheet, StrainLimit{}},
      {hexes, PlainCells{.edge = Real(0.1), .face = Real(0.1), .volume = Real(0.1)}},
  };
  for (const auto& c : cases)
    for (SweepOrder order : {SweepOrder::kForward, SweepOrder::kJacobi}) {
      World world({.gravity = {0, 0, 0}});
      const SoftId id = world.add(SoftBody{.mesh = c.mesh,
                                           .material = StableNeoHookean{.young = 2e4},
                                           .thickness = Real(0.01),
                                           .constraints = {c.constraint},
                                           .solver = Position{.order = order},
                                           .velocity = {Real(0.1), Real(-0.2), Real(0.05)},
                                           .angular_velocity = {1, 4, 2}});
      std::vector<Vec3> squeezed = world.positions(id);
      for (Vec3& x : squeezed) x.x *= Real(0.8);
      world.set_positions(id, squeezed);
      const Momentum before = world.momentum();
      run(world, 1);
      const Momentum after = world.momentum();
      const double tolerance = sizeof(Real) == 4 ? 2e-4 : 1e-10;
      const std::string name =
          std::visit([](const auto& one) { return std::string(one.kName); }, c.constraint) +
          (order == SweepOrder::kJacobi ? ", jacobi" : "");
      EXPECT_LT(length(after.linear - before.linear), tolerance * length(before.linear)) << name;
      EXPECT_LT(length(after.angular - before.angular), tolerance * length(before.angular)) << name;
      EXPECT_TRUE(world.finite()) << name;
    }
}

}  // namespace
}  // namespace sinew
