// Soft bodies against what can be worked out on paper.
#include <gtest/gtest.h>
#include <sinew/generators.h>
#include <sinew/world.h>

#include <cmath>

#include "soft_support.h"

namespace sinew {
namespace {

TEST(SoftBody, FallsFreely) {
  World world;
  const SoftId id =
      world.add(SoftBody{.mesh = box_tets({1, 1, 1}, {2, 2, 2}), .velocity = {2, 3, 0}});
  run(world, 1);
  const Vec3T<double> x = mean_position(world, id);
  const double h = 1.0 / 600;  // semi-implicit Euler falls h g t/2 further than the parabola
  EXPECT_NEAR(x.x, 2, 1e-3);
  EXPECT_NEAR(x.y, 3 - 0.5 * kGravity * (1 + h), 2e-3);
  EXPECT_LT(world.state(id).strain_max, 1e-3);
}

TEST(SoftBody, DragSlowsAsItSays) {
  World world({.gravity = {0, 0, 0}});
  world.add(SoftBody{.mesh = box_tets({1, 1, 1}, {1, 1, 1}), .velocity = {5, 0, 0}, .drag = 2});
  const double before = world.momentum().linear.x;
  run(world, 0.5);
  EXPECT_NEAR(world.momentum().linear.x, before * std::exp(-1.0), 1e-3 * before);
}

// A bar hung from its top lengthens by ρ g L²/2E, and gets thinner by ν times the local strain.
TEST(SoftBody, HangingBarLengthensByItsOwnWeight) {
  for (double poisson : {0.0, 0.3}) {
    const double young = 2e5, length = 1, density = 1000;
    TetMesh mesh = bar_tets(Real(length), Real(0.2), Real(0.2), 3);
    for (Vec3& v : mesh.vertices) v = {v.y, -v.x, v.z};  // down from the origin
    mend(mesh);
    // Held at the top in height only would need sliding pins: hold the middle of a long bar's top.
    const auto top = vertices_where(mesh, [](const Vec3& v) { return v.y > Real(-1e-6); });
    const auto bottom =
        vertices_where(mesh, [&](const Vec3& v) { return v.y < Real(-length + 1e-6); });
    World world({.substeps = 20});
    const SoftId id = world.add(
        SoftBody{.mesh = mesh,
                 .material = StableNeoHookean{.young = Real(young), .poisson = Real(poisson)},
                 .density = Real(density),
                 .drag = 6,
                 .pins = top});
    run(world, 3);
    double lengthening = 0;
    for (Index i : bottom) lengthening += -double(world.particles(id)[i].position.y) - length;
    lengthening /= double(bottom.size());
    EXPECT_NEAR(lengthening / (density * kGravity * length * length / (2 * young)), 1, 0.03)
        << "ν " << poisson;
  }
}

struct Cantilever {
  double young = 3e5;
  double length = 0.6, thickness = 0.2;
  int across = 6;
  int substeps = 20, iterations = 1;
  double drag = 8, seconds = 2.5;  // long enough to come to rest
};

// How far the free end's middle sinks below the clamped end [m].
double sag(const Cantilever& c) {
  const TetMesh mesh = bar_tets(Real(c.length), Real(c.thickness), Real(c.thickness), c.across);
  const auto tip = vertices_where(mesh, [&](const Vec3& v) {
    return v.x > Real(c.length - 1e-4) && std::abs(v.y) < Real(1e-4) && std::abs(v.z) < Real(1e-4);
  });
  EXPECT_EQ(tip.size(), 1u);
  World world({.substeps = c.substeps, .iterations = c.iterations});
  const SoftId id = world.add(
      SoftBody{.mesh = mesh,
               .material = StableNeoHookean{.young = Real(c.young), .poisson = Real(0.3)},
               .drag = Real(c.drag),
               .pins = vertices_where(mesh, [](const Vec3& v) { return v.x < Real(1e-4); })});
  run(world, c.seconds);
  EXPECT_LT(world.energy().kinetic, 1e-3);
  EXPECT_EQ(world.state(id).inverted, 0);
  return -double(world.particles(id)[tip.front()].position.y);
}

TEST(Cantilever, SagDoesNotDependOnSubstepsOrIterations) {
  for (double young : {1e5, 3e5}) {
    const double reference = sag({.young = young, .across = 4, .substeps = 40});
    for (int substeps : {10, 20})
      EXPECT_NEAR(sag({.young = young, .across = 4, .substeps = substeps}) / reference, 1, 0.02)
          << "E " << young << ", " << substeps << " substeps";
    EXPECT_NEAR(sag({.young = young, .across = 4, .substeps = 10, .iterations = 3}) / reference, 1,
                0.02)
        << "E " << young;
  }
}

TEST(Cantilever, SagDoesNotDependOnResolution) {
  const double coarse = sag({.young = 1e5, .length = 0.4, .across = 6});
  const double fine = sag({.young = 1e5, .length = 0.4, .across = 12});
  EXPECT_NEAR(fine / coarse, 1, 0.05);
}

// Timoshenko: q L⁴/8EI + q L²/2κGA. At 3 mm of sag the theory of small deflections holds.
TEST(Cantilever, SagIsThatOfBeamTheory) {
  const Cantilever c{.young = 2e7, .across = 10, .substeps = 160, .drag = 30, .seconds = 0.6};
  const double area = c.thickness * c.thickness, inertia = std::pow(c.thickness, 4) / 12;
  const double load = 1000 * kGravity * area, shear = c.young / (2 * 1.3);
  const double theory = load * std::pow(c.length, 4) / (8 * c.young * inertia) +
                        load * c.length * c.length / (2 * 0.85 * shear * area);
  EXPECT_NEAR(sag(c) / theory, 1, 0.05);
}

// A block on a slope: gravity turned by the angle, friction μ = 0.5 slides beyond 26.57°.
Vec3T<double> slide(double angle_deg, double seconds) {
  const double angle = angle_deg * M_PI / 180;
  World world(
      {.gravity = {Real(kGravity * std::sin(angle)), Real(-kGravity * std::cos(angle)), 0}});
  world.add(StaticBody{.friction = Real(0.5)});
  const SoftId id =
      world.add(SoftBody{.mesh = box_tets({Real(0.6), Real(0.2), Real(0.6)}, {4, 2, 4}),
                         .material = StableNeoHookean{.young = 3e5},
                         .pose = {{0, Real(0.1), 0}},
                         .friction = Real(0.5),
                         .damping = Real(0.01)});
  run(world, seconds);
  EXPECT_LT(world.contacts().penetration_max, 1e-3);
  return mean_position(world, id);
}

TEST(Friction, HoldsBelowTheCriticalAngle) {
  const double early = slide(20, 0.5).x, late = slide(20, 2.5).x;
  EXPECT_LT(std::abs(late - early), 1e-3);  // leans, then stays
}

TEST(Friction, SlidesBeyondTheCriticalAngleAtCoulombsRate) {
  const double angle = 35 * M_PI / 180;
  const double acceleration = kGravity * (std::sin(angle) - 0.5 * std::cos(angle));
  EXPECT_NEAR(slide(35, 2).x, 0.5 * acceleration * 4, 0.05 * 0.5 * acceleration * 4);
}

}  // namespace
}  // namespace sinew
