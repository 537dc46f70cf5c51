// Stiffness means the same wherever a body is, however long the step and however many its substeps:
// a substep moves vertices by less than a float tells apart. The truth is the balance of forces of
// the same mesh, which the variational solver finds without time, masses or substeps.
#include <gtest/gtest.h>
#include <sinew/generators.h>
#include <sinew/world.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "soft_support.h"

namespace sinew {
namespace {

constexpr double kYoung = 1e7, kDensity = 1000, kLength = 1, kSide = 0.2;

struct Setting {
  Vec3 place = {};
  double dt = 1.0 / 60;
  int substeps = 1;  // at least; the world takes as many as the body needs
};

// Critically damped, more or less, and at rest after half a second.
SoftBody clamped_bar(bool hexahedra, const Vec3& place) {
  const Real length{kLength}, side{kSide};
  SoftBody body{.material = StableNeoHookean{.young = Real(kYoung), .poisson = Real(0.3)},
                .density = Real(kDensity),
                .drag = 28};
  if (hexahedra)
    body.mesh = bar_hexes(length, side, side, 1);
  else
    body.mesh = bar_tets(length, side, side, 1);
  body.pins = vertices_where(body.mesh, [](const Vec3& v) { return v.x < Real(1e-4); });
  body.pose.position = place;
  return body;
}
std::vector<Index> tip_of(const BodyMesh& mesh) {
  return vertices_where(mesh, [](const Vec3& v) { return v.x > Real(kLength - 1e-4); });
}
double height_at_rest(const SoftBody& body, std::span<const Index> vertices) {
  double sum = 0;
  for (Index i : vertices) sum += vertices_of(body.mesh)[i].y;
  return sum / double(vertices.size());
}

double true_sag(bool hexahedra) {
  SoftBody body = clamped_bar(hexahedra, {});
  body.solver = Newton{};
  const std::vector<Index> tip = tip_of(body.mesh);
  const double start = height_at_rest(body, tip);
  World world;
  const SoftId id = world.add(std::move(body));
  EXPECT_TRUE(world.find_equilibrium(id).found);
  return start - mean_position(world, id, tip).y;
}

// CalculiX, for the same tetrahedra (C3D4) and small strains, says 13.495 mm.
TEST(Accuracy, TheTruthIsTrue) { EXPECT_NEAR(true_sag(false), 13.495e-3, 0.02e-3); }

// By the true one. Heights are small numbers wherever the bar is along x and z: they can be read.
double sag(bool hexahedra, const Setting& s) {
  SoftBody body = clamped_bar(hexahedra, s.place);
  const std::vector<Index> tip = tip_of(body.mesh);
  const double start = height_at_rest(body, tip);
  World world({.substeps = s.substeps});
  const SoftId id = world.add(std::move(body));
  run(world, 0.7, Real(s.dt));
  return (start - mean_position(world, id, tip).y) / true_sag(hexahedra);
}

TEST(Accuracy, ABarSagsTheSameFarFromTheOrigin) {
  for (bool hexahedra : {false, true})
    for (double x : {0.0, 10.0, 100.0, 1000.0, 10000.0})
      EXPECT_NEAR(sag(hexahedra, {.place = {Real(x), 0, Real(-x)}}), 1, 0.01)
          << "at " << x << " m, hexahedra " << hexahedra;
}

TEST(Accuracy, ABarSagsTheSameWithAnySubsteps) {
  for (bool hexahedra : {false, true})
    for (int substeps : {10, 50, 200, 400})
      EXPECT_NEAR(sag(hexahedra, {.substeps = substeps}), 1, 0.01)
          << substeps << " substeps, hexahedra " << hexahedra;
}

TEST(Accuracy, ABarSagsTheSameInStepsOfAnyLength) {
  for (double rate : {240.0, 1000.0, 2000.0})
    for (double x : {0.0, 10000.0})
      EXPECT_NEAR(sag(true, {.place = {Real(x), 0, 0}, .dt = 1 / rate, .substeps = 10}), 1, 0.01)
          << rate << " Hz at " << x << " m";
}

// Haptics at the worst of all: h is 1.25 µs, and h²g 1.5e-11 m.
TEST(Accuracy, ABarSagsTheSameAtTheEndsOfAllRanges) {
  EXPECT_NEAR(sag(false, {.place = {10000, 0, 10000}, .dt = 1.0 / 2000, .substeps = 400}), 1, 0.01);
}

// Along the axis of its place positions are read to a millimetre, but energy is not.
TEST(Accuracy, ABarSagsTheSameAlongAnyAxis) {
  const auto energy = [](const Vec3& place) {
    World world;
    world.add(clamped_bar(true, place));
    run(world, 0.7);
    return world.energy().elastic;
  };
  const double near = energy({});
  EXPECT_NEAR(energy({0, 10000, 0}) / near, 1, 0.01);
  EXPECT_NEAR(energy({-7000, 7000, 3000}) / near, 1, 0.01);
}

// Half-periods of the tip's swing, from the times at which it passes its middle [s].
double period(const Vec3& place, int substeps) {
  SoftBody body = clamped_bar(true, place);
  body.drag = 0;
  const std::vector<Index> tip = tip_of(body.mesh);
  World world({.gravity = {0, 0, 0}, .substeps = substeps});
  const SoftId id = world.add(std::move(body));
  std::vector<Vec3> v = world.velocities(id), x = world.positions(id);
  for (std::size_t i = 0; i < v.size(); ++i) {
    const Real along = (x[i].x - place.x) / Real(kLength);
    v[i] = {0, along * along, 0};
  }
  world.set_velocities(id, v);
  double first = 0, last = 0, before = 0;
  int passes = 0;
  const Real dt = Real(1.0 / 480);
  for (int i = 0; i < 480; ++i) {
    world.step(dt);
    const double now = mean_position(world, id, tip).y;
    if (before * now < 0) {
      last = world.time() - double(dt) * now / (now - before);
      if (passes++ == 0) first = last;
    }
    before = now;
  }
  EXPECT_GE(passes, 4);
  return 2 * (last - first) / (passes - 1);
}

TEST(Accuracy, ABarSwingsAtTheSameFrequencyFarFromTheOrigin) {
  // A slender beam, ω = 3.516 √(E I/ρ A L⁴), is a little faster than one with shear.
  const double beam = 2 * std::numbers::pi / 3.516 /
                      std::sqrt(kYoung * kSide * kSide / (12 * kDensity)) * kLength * kLength;
  const double near = period({}, 1);
  EXPECT_NEAR(near / beam, 1.03, 0.05);
  for (int substeps : {1, 50})
    EXPECT_NEAR(period({10000, 0, 10000}, substeps) / near, 1, 0.01) << substeps << " substeps";
}

TEST(Accuracy, AFreeBodyFliesFarFromTheOriginAsItDoesNear) {
  const auto fly = [](const Vec3& place, double& energy, Vec3T<double>& linear) {
    World world({.gravity = {0, 0, 0}});
    SoftBody body{.mesh = box_tets({1, 1, 1}, {2, 2, 2}),
                  .material = StableNeoHookean{.young = Real(1e5)},
                  .velocity = {30, 20, -10},
                  .angular_velocity = {0, 2, 1}};
    body.pose.position = place;
    const SoftId id = world.add(std::move(body));
    linear = world.momentum().linear;
    run(world, 1);
    EXPECT_LT(length(world.momentum().linear - linear), 1e-6 * length(linear));
    linear = mean_position(world, id) - to_double(place);
    energy = world.energy().elastic;
    return world.state(id).strain_max;
  };
  double energy = 0, far_energy = 0;
  Vec3T<double> way{}, far_way{};
  const double strain = fly({}, energy, way);
  EXPECT_NEAR(fly({10000, -10000, 10000}, far_energy, far_way), strain, 1e-4);
  EXPECT_NEAR(far_energy, energy, 0.01 * energy);
  EXPECT_LT(length(far_way - way), 1e-3);
  EXPECT_LT(length(way - Vec3T<double>{30, 20, -10}), 1e-3);
}

// At 100 m/s a float is good to 8 µm/s, and gravity adds 12 µm/s in a substep.
TEST(Accuracy, AFastBodyFallsByGravityInFineSubsteps) {
  World world({.substeps = 400});
  const SoftId id =
      world.add(SoftBody{.mesh = box_tets({1, 1, 1}, {1, 1, 1}), .velocity = {0, -100, 0}});
  run(world, 0.05, Real(1.0 / 2000));
  EXPECT_NEAR((-100 - double(world.velocities(id)[0].y)) / (kGravity * 0.05), 1, 1e-3);
}

// How far the heights of two worlds' vertices differ, at most, when one is 10 km away [m].
double apart_when_far(const SoftBody& body, const WorldSettings& settings, bool ground) {
  const auto heights = [&](const Vec3& place) {
    World world(settings);
    SoftBody there = body;
    there.pose.position = place;
    const SoftId id = world.add(std::move(there));
    if (ground) {
      StaticBody floor{.shape = Plane{}};
      floor.pose.position = {place.x, Real(-0.05), place.z};
      world.add(floor);
    }
    run(world, 0.25);
    std::vector<Vec3> x = world.positions(id);
    EXPECT_EQ(world.events().size(), 0u);
    return x;
  };
  const std::vector<Vec3> near = heights({}), far = heights({10000, 0, -10000});
  double most = 0;
  for (std::size_t i = 0; i < near.size(); ++i)
    most = std::max(most, double(std::abs(near[i].y - far[i].y)));
  return most;
}

struct Held {
  const char* name;
  Constraint constraint;
  bool sheet = false;
  double apart = 2e-4;  // [m], at most
};

// The same motion, whatever holds the body together.
TEST(Accuracy, EveryConstraintMovesABodyFarFromTheOriginAsItDoesNear) {
  const Held all[] = {
      {"springs", Distance{.stiffness = 3000}},
      {"rods", Distance{}},
      {"plain springs", Distance{.plain = Real(0.5)}},
      {"cell volume", CellVolume{}},
      {"volume", Volume{.bulk = Real(1e5)}},
      {"plain volume", Volume{.plain = Real(0.5)}},
      {"body matching", ShapeMatching{.stiffness = 1000}},
      {"plain body matching", ShapeMatching{.plain = Real(0.3)}},
      {"cell matching", ShapeMatching{.clusters = MatchingClusters::kCells, .stiffness = 1000}},
      {"finite elements", FiniteElements{}},
      {"strain limit", StrainLimit{.min = Real(0.99), .max = Real(1.01)}},
      // Jacobi sweeps measure their relaxation where the body is at rest, and not where it is
      // pulled to.
      {"attachment", Attachment{.vertices = {9, 10}, .stiffness = 500}, false, 5e-4},
      // A guarantee of what positions are read as: a few roundings nearer, far away.
      {"sphere", KeepInSphere{.radius = Real(0.02)}, false, 6e-3},
      {"tethers", LongRangeAttachment{}},
      {"hinges", Bending{.stiffness = 1000}, true},
      {"quadratic bending", Bending{.model = BendingModel::kIsometric, .stiffness = 1000}, true},
      {"tethered sheet", LongRangeAttachment{}, true},
  };
  for (const Held& held : all)
    for (SweepOrder order : {SweepOrder::kForward, SweepOrder::kSymmetric, SweepOrder::kJacobi}) {
      SoftBody body{.material = Corotated{.young = Real(2e5), .poisson = Real(0.3)},
                    .density = 500,
                    .constraints = {held.constraint},
                    .solver = Position{.order = order},
                    .damping = Real(0.002)};
      if (held.sheet) {
        body.mesh = cloth(Real(0.6), Real(0.3), 6, 3);
        body.thickness = Real(0.004);
      } else {
        body.mesh = bar_tets(Real(0.6), Real(0.15), Real(0.15), 1);
      }
      const Real end = held.sheet ? Real(-0.299) : Real(1e-4);
      body.pins = vertices_where(body.mesh, [&](const Vec3& v) { return v.x < end; });
      EXPECT_LT(apart_when_far(body, {.substeps = 20}, false), held.apart)
          << held.name << ", order " << int(order);
    }
}

TEST(Accuracy, ContactIsTheSameFarFromTheOrigin) {
  SoftBody body{.mesh = box_hexes({Real(0.3), Real(0.1), Real(0.3)}, {3, 1, 3}),
                .material = StableNeoHookean{.young = Real(2e5)},
                .damping = Real(0.01)};
  for (Vec3& v : std::get<HexMesh>(body.mesh).vertices) v.y += Real(0.1);
  for (int substeps : {10, 100})
    EXPECT_LT(apart_when_far(body, {.substeps = substeps}, true), 2e-4) << substeps;
}

}  // namespace
}  // namespace sinew
