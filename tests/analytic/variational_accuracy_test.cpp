// The variational solvers see a body from a point near it, so that stiffness, contact, pins and
// hands mean the same 10 km from the origin as they do there.
#include <gtest/gtest.h>
#include <sinew/generators.h>
#include <sinew/world.h>

#include <cmath>

#include "soft_support.h"

namespace sinew {
namespace {

const Vec3 kPlaces[] = {{10, 0, -10}, {1000, 0, -1000}, {10000, 0, -10000}};

// Critically damped, more or less, and at rest after half a second.
SoftBody clamped_bar(const Solver& solver, bool hexahedra, const Vec3& place) {
  const Real length = 1, side = Real(0.2);
  SoftBody body{.material = StableNeoHookean{.young = Real(1e7), .poisson = Real(0.3)},
                .density = 1000,
                .solver = solver,
                .drag = 28};
  if (hexahedra)
    body.mesh = bar_hexes(length, side, side, 1);
  else
    body.mesh = bar_tets(length, side, side, 1);
  body.pins = vertices_where(body.mesh, [](const Vec3& v) { return v.x < Real(1e-4); });
  body.pose.position = place;
  return body;
}
std::vector<Index> tip_of(const SoftBody& body) {
  return vertices_where(body.mesh, [](const Vec3& v) { return v.x > Real(1 - 1e-4); });
}
double height_at_rest(const SoftBody& body, std::span<const Index> vertices) {
  double sum = 0;
  for (Index i : vertices) sum += vertices_of(body.mesh)[i].y;
  return sum / double(vertices.size());
}

double true_sag(bool hexahedra) {
  const SoftBody body = clamped_bar(Newton{}, hexahedra, {});
  World world;
  const SoftId id = world.add(body);
  EXPECT_TRUE(world.find_equilibrium(id).found);
  const std::vector<Index> tip = tip_of(body);
  return height_at_rest(body, tip) - mean_position(world, id, tip).y;
}

// Heights are small numbers wherever the bar is along x and z: they can be read.
double sag(const Solver& solver, bool hexahedra, const Vec3& place) {
  const SoftBody body = clamped_bar(solver, hexahedra, place);
  const std::vector<Index> tip = tip_of(body);
  World world;
  const SoftId id = world.add(body);
  run(world, 0.7);
  return height_at_rest(body, tip) - mean_position(world, id, tip).y;
}

// 0.969 of the truth at 1 km and 0.187 at 10 km, when floats were seen from the origin.
TEST(VariationalAccuracy, ABarSagsTheSameFarFromTheOrigin) {
  for (bool hexahedra : {false, true}) {
    const double truth = true_sag(hexahedra);
    EXPECT_NEAR(sag(QuasiNewton{}, hexahedra, {}) / truth, 1, 0.01) << "hexahedra " << hexahedra;
    for (const Vec3& place : kPlaces)
      EXPECT_NEAR(sag(QuasiNewton{}, hexahedra, place) / truth, 1, 0.01)
          << "at " << place.x << " m, hexahedra " << hexahedra;
  }
}

TEST(VariationalAccuracy, EverySolverIsTheSameFarFromTheOrigin) {
  const Solver all[] = {Newton{}, QuasiNewton{.integrator = Integrator::kImplicitMidpoint},
                        QuasiNewton{.integrator = Integrator::kBdf2}, Explicit{}};
  for (const Solver& solver : all) {
    const double near = sag(solver, false, {});
    EXPECT_NEAR(sag(solver, false, kPlaces[2]) / near, 1, 0.01)
        << std::visit([](const auto& s) { return s.kName; }, solver);
  }
}

TEST(VariationalAccuracy, ABalanceOfForcesIsFoundFarFromTheOrigin) {
  const double truth = true_sag(true);
  const SoftBody body = clamped_bar(QuasiNewton{}, true, kPlaces[2]);
  const std::vector<Index> tip = tip_of(body);
  World world;
  const SoftId id = world.add(body);
  EXPECT_TRUE(world.find_equilibrium(id).found);
  EXPECT_NEAR((height_at_rest(body, tip) - mean_position(world, id, tip).y) / truth, 1, 0.01);
}

// Along the axis of its place positions are read to a millimetre, but energy is not.
TEST(VariationalAccuracy, ABarSagsTheSameAlongAnyAxis) {
  const auto energy = [](const Vec3& place) {
    World world;
    world.add(clamped_bar(QuasiNewton{}, true, place));
    run(world, 0.7);
    return world.energy().elastic;
  };
  const double near = energy({});
  EXPECT_NEAR(energy({0, 10000, 0}) / near, 1, 0.01);
  EXPECT_NEAR(energy({-7000, 7000, 3000}) / near, 1, 0.01);
}

// Half-periods of the tip's swing, from the times at which it passes its middle [s].
double period(const Vec3& place) {
  SoftBody body = clamped_bar(QuasiNewton{}, true, place);
  body.drag = 0;
  const std::vector<Index> tip = tip_of(body);
  World world({.gravity = {0, 0, 0}});
  const SoftId id = world.add(body);
  std::vector<Vec3> v = world.velocities(id);
  const std::span<const Vec3> rest = vertices_of(body.mesh);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = {0, rest[i].x * rest[i].x, 0};
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

TEST(VariationalAccuracy, ABarSwingsAtTheSameFrequencyFarFromTheOrigin) {
  EXPECT_NEAR(period(kPlaces[2]) / period({}), 1, 0.01);
}

// The point from which a body is seen changes as it flies.
TEST(VariationalAccuracy, ABodyFliesThroughAllPlaces) {
  for (Integrator integrator :
       {Integrator::kImplicitEuler, Integrator::kImplicitMidpoint, Integrator::kBdf2}) {
    World world({.gravity = {0, 0, 0}});
    const SoftId id = world.add(SoftBody{.mesh = box_tets({1, 1, 1}, {2, 2, 2}),
                                         .material = StableNeoHookean{.young = Real(1e5)},
                                         .solver = QuasiNewton{.integrator = integrator},
                                         .pose = {kPlaces[2]},
                                         .velocity = {300, 200, -100}});
    double strain = 0;
    for (int i = 0; i < 60; ++i) {
      world.step(Real(1.0 / 60));
      strain = std::max(strain, world.state(id).strain_max);
    }
    EXPECT_LT(strain, 1e-3) << int(integrator);
    const Vec3T<double> way = mean_position(world, id) - to_double(kPlaces[2]);
    EXPECT_LT(length(way - Vec3T<double>{300, 200, -100}), 5e-3) << int(integrator);
  }
}

// How far the heights of two worlds' vertices differ, at most, when one is 10 km away [m]. `act`
// gets the world, the body and where it is.
template <class Act>
double apart_when_far(const SoftBody& body, Act&& act) {
  const auto heights = [&](const Vec3& place) {
    World world;
    SoftBody there = body;
    there.pose.position = place;
    const SoftId id = world.add(std::move(there));
    act(world, id, place);
    EXPECT_EQ(world.events().size(), 0u);
    return world.positions(id);
  };
  const std::vector<Vec3> near = heights({}), far = heights({10000, 0, -10000});
  double most = 0;
  for (std::size_t i = 0; i < near.size(); ++i)
    most = std::max(most, double(std::abs(near[i].y - far[i].y)));
  return most;
}

SoftBody slab(const Solver& solver) {
  SoftBody body{.mesh = box_hexes({Real(0.3), Real(0.1), Real(0.3)}, {3, 1, 3}),
                .material = StableNeoHookean{.young = Real(2e5)},
                .solver = solver,
                .damping = Real(0.01)};
  for (Vec3& v : std::get<HexMesh>(body.mesh).vertices) v.y += Real(0.1);
  return body;
}

// Of a plane whose middle is where the body is or at the origin, and of a box.
TEST(VariationalAccuracy, ContactIsTheSameFarFromTheOrigin) {
  for (const Solver& solver : {Solver{QuasiNewton{}}, Solver{Newton{}}})
    for (int ground : {0, 1, 2})
      EXPECT_LT(apart_when_far(slab(solver),
                               [&](World& world, SoftId, const Vec3& place) {
                                 StaticBody floor;
                                 floor.pose.position = {place.x, Real(-0.05), place.z};
                                 if (ground == 0) floor.shape = Plane{};
                                 if (ground == 1) floor.shape = Box{{1, Real(0.5), 1}};
                                 if (ground == 1) floor.pose.position.y -= Real(0.5);
                                 if (ground == 2) floor.shape = Plane{};
                                 if (ground == 2) floor.pose.position = {0, Real(-0.05), 0};
                                 world.add(floor);
                                 run(world, 0.25);
                               }),
                2e-4)
          << "ground " << ground;
}

TEST(VariationalAccuracy, PinsAttachmentsAndHandsAreTheSameFarFromTheOrigin) {
  SoftBody body{.mesh = bar_tets(Real(0.6), Real(0.15), Real(0.15), 1),
                .material = Corotated{.young = Real(2e5), .poisson = Real(0.3)},
                .density = 500,
                .solver = QuasiNewton{},
                .damping = Real(0.002)};
  SoftBody pinned = body, swung = body, attached = body;
  pinned.pins = swung.pins = vertices_where(body.mesh, [](const Vec3& v) { return v.x < 1e-4; });
  swung.anchor_motion = AnchorMotion{.swing = {0, Real(0.1), 0}, .frequency = 2};
  attached.constraints = {Attachment{.vertices = pinned.pins, .stiffness = 5000}};
  const auto alone = [](World& world, SoftId, const Vec3&) { run(world, 0.25); };
  EXPECT_LT(apart_when_far(pinned, alone), 2e-4) << "pins";
  EXPECT_LT(apart_when_far(swung, alone), 2e-4) << "an anchor";
  EXPECT_LT(apart_when_far(attached, alone), 2e-4) << "an attachment";
  EXPECT_LT(apart_when_far(pinned,
                           [&](World& world, SoftId id, const Vec3& place) {
                             const GrabId grab = world.add(
                                 Grab{.body = id,
                                      .point = place + Vec3{Real(0.6), Real(0.07), Real(0.07)},
                                      .radius = Real(0.2)});
                             world.move_grab(grab, place + Vec3{Real(0.6), Real(0.2), Real(0.07)});
                             run(world, 0.25);
                           }),
            3e-3)  // hands are told places to a millimetre there
      << "a hand";
  EXPECT_LT(apart_when_far(attached,
                           [&](World& world, SoftId id, const Vec3& place) {
                             for (Index i : pinned.pins) {
                               const Vec3 at = vertices_of(body.mesh)[i];
                               world.move_attachment(id, i, place + at + Vec3{0, Real(0.1), 0});
                             }
                             run(world, 0.25);
                           }),
            1e-3)
      << "a moved attachment";
}

TEST(VariationalAccuracy, SnapshotsGoOnFarFromTheOrigin) {
  for (Integrator integrator :
       {Integrator::kImplicitEuler, Integrator::kImplicitMidpoint, Integrator::kBdf2}) {
    SoftBody body = clamped_bar(QuasiNewton{.integrator = integrator}, false, {1000, 3, 10});
    body.constraints = {Attachment{.vertices = tip_of(body), .stiffness = 500}};
    body.pins.clear();
    body.velocity = {100, 0, 0};
    World world;
    world.add(body);
    run(world, 0.1);
    const Snapshot snapshot = world.snapshot();
    run(world, 0.3);
    const std::uint64_t hash = world.state_hash();
    world.restore(snapshot);
    run(world, 0.3);
    EXPECT_EQ(world.state_hash(), hash) << int(integrator);
  }
}

}  // namespace
}  // namespace sinew
