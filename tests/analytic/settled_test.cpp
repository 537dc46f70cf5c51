// Bodies that start displaced from rest (SoftBody::start): in the balance that find_equilibrium
// gives they stand still, with every solver, and sag as theory says.
#include <gtest/gtest.h>
#include <sinew/generators.h>
#include <sinew/world.h>

#include <cmath>

#include "support.h"

namespace sinew {
namespace {

// 1 × 0.1 × 0.1 m, clamped at x = 0, which sags by 0.144 m at 1e7 Pa (CalculiX, C3D20).
SoftBody cantilever(Solver solver, Pose pose = {}) {
  SoftBody body{.mesh = box_hexes({1, Real(0.1), Real(0.1)}, {20, 2, 2}),
                .material = StVenantKirchhoff{.young = Real(1e7), .poisson = Real(0.3)},
                .solver = solver,
                .pose = pose};
  const std::span<const Vec3> rest = vertices_of(body.mesh);
  for (std::size_t i = 0; i < rest.size(); ++i)
    if (rest[i].x < Real(-0.499)) body.pins.push_back(static_cast<Index>(i));
  return body;
}

double fastest(const World& world, SoftId id) {
  double most = 0;
  for (const Vec3& v : world.velocities(id)) most = std::max(most, double(length(v)));
  return most;
}

double sag(const World& world, SoftId id, const Pose& pose) {
  const std::span<const Vec3> rest = vertices_of(world.rest_mesh(id));
  const std::vector<Vec3> x = world.positions(id);
  double fallen = 0;  // of the free end, where rows of 21 vertices end
  for (std::size_t i = 20; i < x.size(); i += 21) {
    const Vec3 at = pose.position + pose.orientation.rotate(rest[i]);
    fallen += double(at.y - x[i].y) / 9;
  }
  return fallen;
}

// The places of a body's vertices in the frame of its mesh.
std::vector<Vec3> in_frame(const World& world, SoftId id, const Pose& pose) {
  std::vector<Vec3> x = world.positions(id);
  for (Vec3& p : x) p = pose.to_local(p);
  return x;
}

TEST(Settled, BodiesStandStillWhereForcesAreInBalance) {
  const Pose poses[] = {
      {}, {.position = {2, 3, 1}, .orientation = Quat::from_axis_angle({0, 1, 0}, Real(0.7))}};
  for (const Pose& pose : poses)
    for (const Solver& solver : {Solver(Position{}), Solver(QuasiNewton{}), Solver(Newton{})}) {
      SCOPED_TRACE(testing::Message() << "solver " << solver.index());
      World still;
      const SoftId twin = still.add(cantilever(QuasiNewton{}, pose));
      ASSERT_TRUE(still.find_equilibrium(twin).found);
      SoftBody body = cantilever(solver, pose);
      body.start = in_frame(still, twin, pose);
      World world;
      const SoftId id = world.add(body);
      EXPECT_NEAR(sag(world, id, pose) / 0.144, 1, 0.02);
      double speed = 0;
      for (int i = 0; i < 60; ++i) {
        world.step(Real(1.0 / 60));
        speed = std::max(speed, fastest(world, id));
      }
      EXPECT_LT(speed, 5e-3);  // from rest it reaches 1 m/s and more
      EXPECT_NEAR(sag(world, id, pose) / 0.144, 1, 0.02);
    }
}

TEST(Settled, RestStaysWhatItWas) {
  SoftBody body = cantilever(Position{});
  body.pins = {};
  body.start = std::vector<Vec3>(vertices_of(body.mesh).begin(), vertices_of(body.mesh).end());
  for (Vec3& x : *body.start) x.x *= Real(1.2);
  World world({.gravity = {}});
  const SoftId id = world.add(body);
  EXPECT_NEAR(world.state(id).strain_max, 0.2, 1e-3);
  EXPECT_GT(world.energy().elastic, 1000);
  EXPECT_EQ(vertices_of(world.rest_mesh(id))[0].x, vertices_of(body.mesh)[0].x);
}

TEST(Settled, StartsThatDoNotFitAreRefused) {
  World world;
  SoftBody body = cantilever(Position{});
  body.start.emplace(3);
  expect_error([&] { world.add(body); }, {"start has 3 positions", "189 vertices"});
  body.start.emplace(vertices_of(body.mesh).size());
  (*body.start)[5].y = std::numeric_limits<Real>::quiet_NaN();
  expect_error([&] { world.add(body); }, {"start[5][1]", "finite"});
}

}  // namespace
}  // namespace sinew
