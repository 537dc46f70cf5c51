// Sheets that bend freely down to a radius of curvature (Lewin §1.2.1), and spheres that move with
// those they keep.
#include <gtest/gtest.h>
#include <sinew/generators.h>
#include <sinew/world.h>

#include <cmath>
#include <numbers>

#include "support.h"

namespace sinew {
namespace {

// What a strip of 0.2 × 0.05 m stores when it is bent to a cylinder about z, beside what its
// triangles do.
double bending_energy(const Bending& bending, const Solver& solver, double radius) {
  double energy[2];
  for (const bool bent : {false, true}) {
    SoftBody strip{.mesh = cloth(Real(0.2), Real(0.05), 40, 10),
                   .material = StVenantKirchhoff{.young = Real(1e6), .poisson = Real(0.3)},
                   .density = 1000,
                   .thickness = Real(1e-3),
                   .solver = solver};
    if (bent) strip.constraints = {bending};
    World world({.gravity = {}});
    const SoftId id = world.add(strip);
    std::vector<Vec3> x = world.positions(id);
    for (Vec3& p : x) {
      const double angle = double(p.x) / radius;
      p = {Real(radius * std::sin(angle)), Real(radius * (1 - std::cos(angle))), p.z};
    }
    world.set_positions(id, x);
    energy[bent] = world.energy().elastic;
  }
  return energy[1] - energy[0];
}

TEST(FreeBending, OnlyWhatIsBentMoreSharplyStoresEnergy) {
  const std::pair<const char*, std::pair<Bending, Solver>> cases[] = {
      {"dihedral", {{}, Position{}}},
      {"dihedral energy", {{}, QuasiNewton{}}},
      {"isometric energy", {{.model = BendingModel::kIsometric}, QuasiNewton{}}}};
  for (const auto& [name, one] : cases) {
    SCOPED_TRACE(name);
    const auto& [bending, solver] = one;
    Bending free = bending;
    free.free_radius = Real(0.1);
    const double rigidity = 1e6 * 1e-9 / 12 * 9 / 8, area = 0.2 * 0.05;
    for (const double radius : {0.05, 0.04}) {
      const double whole = 0.5 * rigidity / (radius * radius) * area;
      EXPECT_NEAR(bending_energy(bending, solver, radius) / whole, 1, 0.06);
      const double excess = 1 / radius - 1 / 0.1;
      EXPECT_NEAR(bending_energy(free, solver, radius) / (0.5 * rigidity * excess * excess * area),
                  1, 0.06);
    }
    const double whole = 0.5 * rigidity / (0.11 * 0.11) * area;
    EXPECT_NEAR(bending_energy(free, solver, 0.11) / whole, 0, 1e-2);
  }
}

TEST(FreeBending, IsRefusedWhereItMeansNothing) {
  World world;
  SoftBody sheet{.mesh = cloth(1, 1, 4, 4), .material = StVenantKirchhoff{}};
  sheet.constraints = {Bending{.model = BendingModel::kIsometric, .free_radius = 1}};
  expect_error([&] { world.add(sheet); }, {"isometric", "free_radius", "dihedral"});
  for (Vec3& p : std::get<TriMesh>(sheet.mesh).vertices) p.y = p.x * p.x;
  sheet.constraints = {Bending{.free_radius = 1}};
  sheet.solver = QuasiNewton{};
  expect_error([&] { world.add(sheet); }, {"free_radius", "flat at rest"});
  sheet.solver = Position{};
  world.add(sheet);
}

// Spheres that carry a cloth away, by the anchor's motion or by hand; it never leaves them.
TEST(MovingSpheres, AreNeverLeft) {
  for (const bool by_hand : {false, true})
    for (const Real far : {Real(0), Real(1000)}) {
      SCOPED_TRACE(testing::Message() << by_hand << ", " << far);
      constexpr double kRadius = 0.05;
      SoftBody sheet{.mesh = cloth(1, 1, 6, 6),
                     .material = StVenantKirchhoff{.young = Real(1e4), .poisson = Real(0.3)},
                     .density = 200,
                     .pose = {.position = {far, 1, 0}}};
      sheet.constraints = {KeepInSphere{.radius = Real(kRadius), .anchored = !by_hand}};
      constexpr double kSwing = 0.5, kFrequency = 1;
      if (!by_hand)
        sheet.anchor_motion = AnchorMotion{.swing = {0, Real(kSwing), 0}, .frequency = kFrequency};
      World world;
      const SoftId id = world.add(sheet);
      const std::vector<Vec3> rest = world.positions(id);
      std::uint64_t hash = 0;
      Snapshot snapshot;
      const auto step = [&](int i) {
        const double to = kSwing * std::sin(2 * std::numbers::pi * kFrequency * i / 60.0);
        if (by_hand)
          for (Index v = 0; v < rest.size(); ++v)
            world.move_sphere(id, v, rest[v] + Vec3{0, Real(to), 0});
        world.step(Real(1.0 / 60));
        const std::vector<Vec3> x = world.positions(id);
        for (std::size_t v = 0; v < x.size(); ++v)
          ASSERT_LE(length(to_double(x[v]) - to_double(rest[v]) - Vec3T<double>{0, to, 0}),
                    kRadius + 4e-7 * double(far) + 1e-6);
      };
      for (int i = 1; i <= 45; ++i) {
        step(i);
        if (i == 20) snapshot = world.snapshot();
      }
      hash = world.state_hash();
      world.restore(snapshot);
      for (int i = 21; i <= 45; ++i) step(i);
      EXPECT_EQ(world.state_hash(), hash);
    }
}

TEST(MovingSpheres, AreMovedOnlyWhereThereAreSome) {
  World world;
  const SoftId id = world.add(SoftBody{.mesh = cloth(1, 1, 2, 2), .material = StVenantKirchhoff{}});
  expect_error([&] { world.move_sphere(id, 0, {}); }, {"kept in no sphere", "keep_in_sphere"});
}

}  // namespace
}  // namespace sinew
