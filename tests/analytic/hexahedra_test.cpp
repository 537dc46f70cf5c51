// Hexahedra bend as beams do, with any number of cells across.
#include <gtest/gtest.h>
#include <sinew/generators.h>
#include <sinew/world.h>

#include "soft_support.h"

namespace sinew {
namespace {

struct Beam {
  double length = 1, thickness = 0.2;
  double young = 1e6, poisson = 0, density = 1000, gravity = 0.5;

  double load() const { return density * gravity * thickness * thickness; }  // [N/m]
  double inertia() const { return std::pow(thickness, 4) / 12; }
  // Timoshenko: q L⁴/8EI + q L²/2κGA.
  double sag() const {
    const double shear = young / (2 * (1 + poisson)), area = thickness * thickness;
    const double kappa = 10 * (1 + poisson) / (12 + 11 * poisson);  // Cowper 1966
    return load() * std::pow(length, 4) / (8 * young * inertia()) +
           load() * length * length / (2 * kappa * shear * area);
  }
};

// Sag of the clamped beam's free end by theory, once it has come to rest.
double relative_sag(const Beam& beam, const BodyMesh& mesh, HexIntegration integration,
                    const Solver& solver = Position{}) {
  World world({.gravity = {0, Real(-beam.gravity), 0}, .substeps = 20});
  const SoftId id = world.add(SoftBody{
      .mesh = mesh,
      .material = StableNeoHookean{.young = Real(beam.young), .poisson = Real(beam.poisson)},
      .density = Real(beam.density),
      .integration = integration,
      .solver = solver,
      .drag = 12,
      .pins = vertices_where(mesh, [](const Vec3& v) { return v.x < Real(1e-4); })});
  const auto tip =
      vertices_where(mesh, [&](const Vec3& v) { return v.x > Real(beam.length - 1e-4); });
  run(world, 3);
  EXPECT_LT(world.energy().kinetic, 1e-4 * world.energy().elastic);
  EXPECT_EQ(world.state(id).inverted, 0);
  return -mean_position(world, id, tip).y / beam.sag();
}

BodyMesh hexes(const Beam& beam, int across) {
  const Real t = Real(beam.thickness);
  return bar_hexes(Real(beam.length), t, t, across);
}

// One cell across is enough: its hourglass modes are the bending of a beam.
TEST(HexCantilever, SagIsThatOfBeamTheoryForAnyNumberOfCellsAcross) {
  for (int across : {1, 2, 4}) {
    const Beam beam{.poisson = 0};
    EXPECT_NEAR(relative_sag(beam, hexes(beam, across), HexIntegration::kAssumedStrain), 1, 0.03)
        << across << " across";
  }
  // The clamp keeps the section from narrowing: a little stiffer than theory, which knows nothing
  // of it.
  for (int across : {1, 2, 4}) {
    const Beam beam{.poisson = 0.3};
    EXPECT_NEAR(relative_sag(beam, hexes(beam, across), HexIntegration::kAssumedStrain), 0.985,
                0.03)
        << across << " across";
  }
}

// The variational solvers minimise the energy that the position-based one balances.
TEST(HexCantilever, SagIsTheSameByQuasiNewton) {
  for (HexIntegration integration : {HexIntegration::kAssumedStrain, HexIntegration::kSelective,
                                     HexIntegration::kPerturbation, HexIntegration::kEightPoint})
    for (double poisson : {0.0, 0.3}) {
      const Beam beam{.poisson = poisson};
      const BodyMesh mesh = hexes(beam, 2);
      EXPECT_NEAR(relative_sag(beam, mesh, integration, QuasiNewton{.iterations = 20}) /
                      relative_sag(beam, mesh, integration),
                  1, 0.01)
          << "integration " << static_cast<int>(integration) << " ν " << poisson;
    }
}

TEST(HexCantilever, SagByQuasiNewtonIsThatOfBeamTheoryForAnyNumberOfCellsAcross) {
  for (int across : {1, 2, 4}) {
    const Beam beam{.poisson = 0};
    EXPECT_NEAR(relative_sag(beam, hexes(beam, across), HexIntegration::kAssumedStrain,
                             QuasiNewton{.iterations = 20}),
                1, 0.03)
        << across << " across";
  }
}

TEST(HexCantilever, OtherElementsLock) {
  const Beam beam{.poisson = 0};
  const double assumed = relative_sag(beam, hexes(beam, 2), HexIntegration::kAssumedStrain);
  const double gauss = relative_sag(beam, hexes(beam, 2), HexIntegration::kEightPoint);
  const double tets = relative_sag(beam, split(std::get<HexMesh>(hexes(beam, 2)), Split::kFive),
                                   HexIntegration::kAssumedStrain);
  EXPECT_LT(gauss, 0.95 * assumed);
  EXPECT_LT(tets, 0.8 * assumed);
}

TEST(HexCantilever, EightPointsConvergeToTheory) {
  const Beam beam{.poisson = 0};
  const double coarse = relative_sag(beam, hexes(beam, 1), HexIntegration::kEightPoint);
  const double fine = relative_sag(beam, hexes(beam, 4), HexIntegration::kEightPoint);
  EXPECT_LT(coarse, 0.75);  // locks
  EXPECT_GT(fine, 0.9);
  EXPECT_LT(fine, 1);
}

// Hung by its end, a bar lengthens by ρ g L²/2E, whatever the integration.
TEST(HexBar, LengthensByItsOwnWeight) {
  const double young = 2e5, length = 1, density = 1000;
  for (HexIntegration integration : {HexIntegration::kAssumedStrain, HexIntegration::kSelective,
                                     HexIntegration::kPerturbation, HexIntegration::kEightPoint}) {
    HexMesh mesh = bar_hexes(Real(length), Real(0.2), Real(0.2), 2);
    for (Vec3& v : mesh.vertices) v = {v.y, -v.x, v.z};
    mend(mesh);
    World world({.substeps = 20});
    const SoftId id = world.add(
        SoftBody{.mesh = mesh,
                 .material = StableNeoHookean{.young = Real(young), .poisson = 0},
                 .density = Real(density),
                 .integration = integration,
                 .drag = 6,
                 .pins = vertices_where(mesh, [](const Vec3& v) { return v.y > Real(-1e-6); })});
    run(world, 3);
    const auto bottom =
        vertices_where(mesh, [&](const Vec3& v) { return v.y < Real(-length + 1e-6); });
    const double lengthening = -mean_position(world, id, bottom).y - length;
    EXPECT_NEAR(lengthening / (density * kGravity * length * length / (2 * young)), 1, 0.03)
        << static_cast<int>(integration);
  }
}

}  // namespace
}  // namespace sinew
