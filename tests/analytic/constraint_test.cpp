// Bending, volume, tethers and strain limits, against what can be worked out on paper.
#include <gtest/gtest.h>
#include <sinew/generators.h>
#include <sinew/world.h>

#include <algorithm>
#include <cmath>

#include "support.h"

namespace sinew {
namespace {

constexpr double kGravity = 9.81;

void run(World& world, double seconds) {
  for (int i = 0; i < int(std::lround(seconds * 60)); ++i) world.step(Real(1.0 / 60));
}

template <class Cell>
std::vector<Index> vertices_where(const Mesh<Cell>& mesh, auto&& condition) {
  std::vector<Index> found;
  for (Index i = 0; i < mesh.vertices.size(); ++i)
    if (condition(mesh.vertices[i])) found.push_back(i);
  return found;
}

double enclosed_volume(const World& world, SoftId id) {
  TriMesh surface = world.surface(id);
  surface.vertices = world.positions(id);
  double sum = 0;
  for (const auto& [a, b, c] : surface.cells)
    sum += dot(cross(to_double(surface.vertices[a]), to_double(surface.vertices[b])),
               to_double(surface.vertices[c]));
  return sum / 6;
}

// A strip clamped at one end sags by q L⁴/8D at the other: D = E t³/12 for ν = 0, q = ρ t g per
// area.
double strip_sag_by_theory(BendingModel model, double factor) {
  constexpr double kLength = 1, kCell = 0.1, kThickness = 0.1, kYoung = 2.5e7, kDensity = 1000;
  TriMesh mesh = cloth(Real(kLength), Real(0.2), 10, 2);
  for (Vec3& v : mesh.vertices) v.x += Real(kLength / 2);
  World world({.substeps = 40});
  const SoftId id = world.add(SoftBody{
      .mesh = mesh,
      .material = StableNeoHookean{.young = Real(kYoung), .poisson = 0},
      .density = Real(kDensity),
      .thickness = Real(kThickness),
      .constraints = {Bending{.model = model, .stiffness = Real(factor)}},
      .drag = 20,
      .pins = vertices_where(mesh, [](const Vec3& v) { return v.x < Real(1.5 * kCell); })});
  run(world, 1.5);
  EXPECT_LT(world.energy().kinetic, 1e-4);
  double sag = 0;
  const auto tip = vertices_where(mesh, [](const Vec3& v) { return v.x > Real(kLength - 1e-3); });
  for (Index i : tip) sag -= double(world.particles(id)[i].position.y) / double(tip.size());
  // Two rows of pins hold the slope in the middle between them.
  const double free_length = kLength - kCell / 2;
  const double rigidity = factor * kYoung * std::pow(kThickness, 3) / 12;
  const double load = kDensity * kThickness * kGravity;
  return sag / (load * std::pow(free_length, 4) / (8 * rigidity));
}

TEST(Bending, StripSagsByItsRigidity) {
  for (BendingModel model : {BendingModel::kDihedral, BendingModel::kIsometric})
    for (double factor : {1.0, 0.5})
      EXPECT_NEAR(strip_sag_by_theory(model, factor), 1, 0.1)
          << "model " << int(model) << ", factor " << factor;
}

// Far too stiff for the substep it is softer, but calm; and never softer for being stiffer.
TEST(Bending, IsCalmHoweverStiff) {
  for (BendingModel model : {BendingModel::kDihedral, BendingModel::kIsometric}) {
    const TriMesh mesh = cloth(1, Real(0.2), 10, 2);
    double sag_before = 1;
    for (double factor : {0.1, 1.0, 10.0, 1000.0}) {
      World world({.substeps = 10, .substeps_max = 10});
      const SoftId id = world.add(
          SoftBody{.mesh = mesh,
                   .material = StableNeoHookean{.young = Real(2.5e7), .poisson = 0},
                   .thickness = Real(0.1),
                   .constraints = {Bending{.model = model, .stiffness = Real(factor)}},
                   .drag = 20,
                   .pins = vertices_where(mesh, [](const Vec3& v) { return v.x < Real(-0.35); })});
      run(world, 1.5);
      double sag = 0;
      for (const Vec3& x : world.positions(id)) sag = std::max(sag, -double(x.y));
      EXPECT_LT(world.energy().kinetic, 0.01) << "model " << int(model) << ", factor " << factor;
      EXPECT_LT(sag, 1.02 * sag_before) << "model " << int(model) << ", factor " << factor;
      sag_before = sag;
    }
  }
}

// A roof keeps its angle; the quadratic model is for flat sheets, and says so.
TEST(Bending, CurvedRestShape) {
  TriMesh roof = cloth(1, 1, 2, 1);
  for (Vec3& v : roof.vertices) v.y = Real(0.5) - std::abs(v.x);
  World world({.gravity = {0, 0, 0}});
  const SoftId id = world.add(SoftBody{.mesh = roof,
                                       .material = StableNeoHookean{.young = 1e6, .poisson = 0},
                                       .thickness = Real(0.05),
                                       .constraints = {Bending{}}});
  EXPECT_NEAR(world.energy().elastic, 0, 1e-3);
  run(world, 0.5);
  const std::vector<Vec3> after = world.positions(id);
  for (std::size_t i = 0; i < after.size(); ++i)
    EXPECT_LT(length(after[i] - roof.vertices[i]), 1e-4);
  const auto isometric = [&] {
    world.add(SoftBody{
        .name = "roof", .mesh = roof, .constraints = {Bending{.model = BendingModel::kIsometric}}});
  };
  expect_error(isometric, {"roof", "constraints[0]", "flat", "dihedral"});
}

TEST(Bending, NeedsASheetAndAMaterialOrPlainStiffness) {
  World world;
  expect_error(
      [&] {
        world.add(SoftBody{.mesh = box_tets({1, 1, 1}, {1, 1, 1}), .constraints = {Bending{}}});
      },
      {"bending", "triangles"});
  expect_error(
      [&] {
        world.add(
            SoftBody{.mesh = cloth(1, 1, 2, 2), .material = None{}, .constraints = {Bending{}}});
      },
      {"bending", "Young"});
  world.add(SoftBody{
      .mesh = cloth(1, 1, 2, 2), .material = None{}, .constraints = {Bending{.plain = Real(0.5)}}});
}

// A soft ball, hollow or solid, falls on the floor and lies there. Without the constraint it loses
// much of its volume.
double smallest_volume_ratio(const BodyMesh& mesh, Real young,
                             std::vector<Constraint> constraints) {
  World world({.substeps = 20});
  world.add(StaticBody{});
  const SoftId id =
      world.add(SoftBody{.mesh = mesh,
                         .material = StableNeoHookean{.young = young, .poisson = Real(0.1)},
                         .thickness = Real(0.01),
                         .constraints = std::move(constraints),
                         .pose = {{0, Real(0.7), 0}},
                         .velocity = {0, -2, 0}});
  const double before = enclosed_volume(world, id);
  double least = 1, most = 1;
  for (int i = 0; i < 60; ++i) {
    world.step(Real(1.0 / 60));
    least = std::min(least, enclosed_volume(world, id) / before);
    most = std::max(most, enclosed_volume(world, id) / before);
  }
  EXPECT_LT(most, 1.01);
  EXPECT_TRUE(world.finite());
  return least;
}

TEST(Volume, KeepsWithinAPercentWhenSquashed) {
  const BodyMesh hollow = sphere_surface(Real(0.5), 2), solid = sphere_tets(Real(0.5), 4);
  EXPECT_LT(smallest_volume_ratio(hollow, 1e5, {}), 0.6);
  EXPECT_GT(smallest_volume_ratio(hollow, 1e5, {Volume{}}), 0.99);
  EXPECT_LT(smallest_volume_ratio(solid, 2e4, {}), 0.9);
  EXPECT_GT(smallest_volume_ratio(solid, 2e4, {Volume{}}), 0.99);
}

// Inflated to 1.5 times its volume, a body without elasticity of its own gets there; against a bulk
// modulus it stores ½ κ (ΔV)²/V₀.
TEST(Volume, Inflates) {
  World world({.gravity = {0, 0, 0}, .substeps = 20});
  const SoftId id = world.add(SoftBody{.mesh = sphere_surface(Real(0.5), 2),
                                       .material = None{},
                                       .constraints = {Volume{.pressure = Real(1.5)}},
                                       .drag = 20});
  const double before = enclosed_volume(world, id);
  run(world, 0.5);
  EXPECT_NEAR(enclosed_volume(world, id) / before, 1.5, 0.01);

  World soft({.gravity = {0, 0, 0}});
  const SoftId ball =
      soft.add(SoftBody{.mesh = sphere_surface(Real(0.5), 2),
                        .material = None{},
                        .constraints = {Volume{.pressure = Real(1.5), .bulk = 1e4}}});
  const double rest = enclosed_volume(soft, ball);
  EXPECT_NEAR(soft.energy().elastic / (0.5 * 1e4 * 0.25 * rest), 1, 1e-4);
}

TEST(Volume, RefusesASurfaceWithAHole) {
  TriMesh open = sphere_surface(Real(0.5), 1);
  open.cells.pop_back();
  World world;
  expect_error([&] { world.add(SoftBody{.mesh = open, .constraints = {Volume{}}}); },
               {"volume", "not closed"});
  expect_error([&] { world.add(SoftBody{.mesh = rope(1, 3), .constraints = {Volume{}}}); },
               {"volume", "line"});
}

// How much longer a heavy cloth hangs than it is.
double hanging_stretch(std::vector<Constraint> constraints,
                       std::optional<AnchorMotion> motion = {}) {
  TriMesh mesh = cloth(1, 1, 12, 12);
  for (Vec3& v : mesh.vertices) v = {v.x, -v.z, 0};
  World world({.substeps = 10});
  const SoftId id = world.add(
      SoftBody{.mesh = mesh,
               .material = StableNeoHookean{.young = 3e4, .poisson = Real(0.3)},
               .constraints = std::move(constraints),
               .drag = 3,
               .pins = vertices_where(mesh, [](const Vec3& v) { return v.y > Real(0.499); }),
               .anchor_motion = motion});
  double stretch = 0;
  for (int i = 0; i < 90; ++i) {
    world.step(Real(1.0 / 60));
    double top = -1e9;  // the pins move together
    for (const Vec3& x : world.positions(id)) top = std::max(top, double(x.y));
    for (const Vec3& x : world.positions(id)) stretch = std::max(stretch, (top - double(x.y)) - 1);
  }
  EXPECT_TRUE(world.finite());
  return stretch;
}

TEST(LongRangeAttachment, KeepsAHangingClothFromStretching) {
  EXPECT_GT(hanging_stretch({}), 0.1);
  EXPECT_LT(hanging_stretch({LongRangeAttachment{}}), 0.01);
  EXPECT_LT(hanging_stretch({LongRangeAttachment{}},
                            AnchorMotion{.swing = {Real(0.3), 0, 0}, .frequency = 2}),
            0.01);
}

TEST(LongRangeAttachment, NeedsPinsAndLetsGoWithThem) {
  World world;
  expect_error(
      [&] { world.add(SoftBody{.mesh = rope(1, 4), .constraints = {LongRangeAttachment{}}}); },
      {"long_range_attachment", "pins"});
  const SoftId id = world.add(SoftBody{
      .mesh = rope(1, 4), .material = None{}, .constraints = {LongRangeAttachment{}}, .pins = {0}});
  world.unpin(id, 0);
  run(world, 1);
  for (const Vec3& x : world.positions(id)) EXPECT_NEAR(x.y, -kGravity / 2, 0.02);
}

// A soft bar hung from its end: without limits it stretches by half.
double hanging_strain(const BodyMesh& mesh, std::vector<Constraint> constraints) {
  std::vector<Index> pins;
  const std::span<const Vec3> x = vertices_of(mesh);
  for (Index i = 0; i < x.size(); ++i)
    if (x[i].y > Real(-1e-3)) pins.push_back(i);
  World world({.substeps = 20});
  const SoftId id =
      world.add(SoftBody{.mesh = mesh,
                         .material = StableNeoHookean{.young = 1e4, .poisson = Real(0.3)},
                         .thickness = Real(0.01),
                         .constraints = std::move(constraints),
                         .drag = 5,
                         .pins = pins});
  run(world, 1.5);
  EXPECT_TRUE(world.finite());
  return world.state(id).strain_max;
}

template <class Cell>
Mesh<Cell> turned_down(Mesh<Cell> mesh) {
  for (Vec3& v : mesh.vertices) v = {v.y, -v.x, v.z};
  return mesh;
}

TEST(StrainLimit, HoldsWithinAPercent) {
  TriMesh sheet = cloth(1, Real(0.3), 10, 3);
  for (Vec3& v : sheet.vertices) v = {v.z, -v.x - Real(0.5), 0};
  const BodyMesh meshes[] = {turned_down(bar_tets(1, Real(0.2), Real(0.2), 2)),
                             turned_down(bar_hexes(1, Real(0.2), Real(0.2), 2)), sheet};
  for (const BodyMesh& mesh : meshes) {
    EXPECT_GT(hanging_strain(mesh, {}), 0.2) << mesh.index();
    EXPECT_LT(hanging_strain(mesh, {StrainLimit{}}), 0.11) << mesh.index();
  }
}

TEST(StrainLimit, TurnsInvertedElementsBack) {
  World world({.gravity = {0, 0, 0}});
  const TetMesh mesh = box_tets({1, 1, 1}, {2, 2, 2});
  const SoftId id = world.add(
      SoftBody{.mesh = mesh, .material = None{}, .constraints = {StrainLimit{}}, .drag = 5});
  std::vector<Vec3> x = world.positions(id);
  for (std::size_t i = 0; i < x.size(); ++i)
    if (length(x[i]) < Real(1e-6)) x[i] = {Real(0.8), Real(0.1), 0};  // the middle, through a side
  world.set_positions(id, x);
  EXPECT_GT(world.state(id).inverted, 0);
  run(world, 2);
  EXPECT_EQ(world.state(id).inverted, 0);
  EXPECT_LT(world.state(id).strain_max, 0.11);
}

}  // namespace
}  // namespace sinew
