// Plasticity: what is bent beyond yield stays bent, what is not springs back; volumes and bounds
// are kept.
#include "solvers/plasticity.h"

#include <gtest/gtest.h>
#include <sinew/generators.h>
#include <sinew/world.h>

#include "soft_support.h"

namespace sinew {
namespace {

constexpr double kLength = 1, kThickness = 0.2, kBent = 0.3;  // [m]

struct Bent {
  double tip;  // where its middle is in the end [m]
  SoftState state;
};

// A bar without gravity, clamped at one end, whose other end is carried 0.3 m down, kept there for
// a while and let go. Its strain is up to 3 d (t/2)/L² = 0.09.
Bent bend(const BodyMesh& mesh, const Plasticity& plasticity, HexIntegration integration) {
  World world({.gravity = {0, 0, 0}});
  const SoftId id = world.add(
      SoftBody{.mesh = mesh,
               .material = StableNeoHookean{.young = 2e5, .poisson = Real(0.3)},
               .integration = integration,
               .plasticity = plasticity,
               .drag = 6,
               .pins = vertices_where(mesh, [](const Vec3& v) { return v.x < Real(1e-4); })});
  const auto tip = vertices_where(mesh, [&](const Vec3& v) {
    return v.x > Real(kLength - 1e-4) && std::abs(v.z) < Real(0.01);
  });
  const std::span<const Vec3> rest = vertices_of(mesh);
  for (int i = 1; i <= 30; ++i) {
    for (Index v : tip) world.move_pin(id, v, rest[v] + Vec3{0, Real(-kBent * i / 30), 0});
    world.step(Real(1.0 / 60));
  }
  run(world, 0.5);
  for (Index v : tip) world.unpin(id, v);
  run(world, 3);
  EXPECT_TRUE(world.finite());
  EXPECT_LT(world.energy().kinetic, 1e-4);
  return {mean_position(world, id, tip).y, world.state(id)};
}

struct Kind {
  const char* name;
  BodyMesh mesh;
  HexIntegration integration = HexIntegration::kAssumedStrain;
};
std::vector<Kind> kinds() {
  const HexMesh two = bar_hexes(Real(kLength), Real(kThickness), Real(kThickness), 2);
  HexMesh skewed = two;
  for (Vec3& v : skewed.vertices)  // slanting cells, the ends as they were
    v.x += Real(0.15) * v.y * (v.x * (Real(kLength) - v.x)) * 4;
  return {{"tetrahedra", split(two, Split::kFive)},
          {"hexahedra", two},
          {"skewed hexahedra", skewed},
          {"hexahedra of eight points", two, HexIntegration::kEightPoint},
          {"hexahedra, selective", two, HexIntegration::kSelective}};
}

TEST(Plasticity, BelowYieldItSpringsBack) {
  for (const Kind& k : kinds()) {
    const Bent bent = bend(k.mesh, {.yield_strain = Real(0.3)}, k.integration);
    EXPECT_NEAR(bent.tip, 0, 0.01 * kBent) << k.name;
    EXPECT_LT(bent.state.strain_max, 0.005) << k.name;
  }
}

TEST(Plasticity, BeyondYieldItStaysBent) {
  for (const Kind& k : kinds()) {
    const Bent bent = bend(k.mesh, {.yield_strain = Real(0.005)}, k.integration);
    EXPECT_LT(bent.tip, -0.5 * kBent) << k.name;
    EXPECT_GT(bent.tip, -1.01 * kBent) << k.name;  // and not further than it was
    EXPECT_NEAR(bent.state.volume_ratio, 1, 0.005) << k.name;
    EXPECT_EQ(bent.state.inverted, 0) << k.name;
    EXPECT_LT(bent.state.strain_max, 0.045) << k.name;  // half of the stress is gone, or more
  }
}

TEST(Plasticity, TheMoreYieldTheLessItStays) {
  for (const Kind& k : kinds()) {
    const double soft = bend(k.mesh, {.yield_strain = Real(0.005)}, k.integration).tip;
    const double hard = bend(k.mesh, {.yield_strain = Real(0.02)}, k.integration).tip;
    EXPECT_LT(soft, hard) << k.name;
    EXPECT_LT(hard, -0.01 * kBent) << k.name;
  }
}

// However far it is bent, an element keeps no more strain than the bound.
TEST(Plasticity, TheBoundLimitsWhatStays) {
  for (const Kind& k : kinds()) {
    const double bounded =
        bend(k.mesh, {.yield_strain = Real(0.005), .strain_max = Real(0.01)}, k.integration).tip;
    const double free = bend(k.mesh, {.yield_strain = Real(0.005)}, k.integration).tip;
    EXPECT_GT(bounded, 0.6 * free) << k.name;
    EXPECT_LT(bounded, 0.05 * free) << k.name;
  }
}

// Drawn out as far as can be, many times over: the plastic part comes up to its bound and keeps its
// volume.
TEST(Plasticity, FlowReachesItsBoundAndKeepsTheVolume) {
  const Mat3 round = Mat3::diagonal({9, 9, 9});  // nothing to flow
  const Mat3 stretches[] = {Mat3::diagonal({2, Real(0.7), Real(0.7)}),
                            Mat3::diagonal({Real(0.3), Real(1.8), Real(1.8)}),
                            Mat3{{{1, 0, 0}, {3, 1, 0}, {0, Real(0.4), 1}}}, round};
  for (const Mat3& stretch : stretches)
    for (Real creep_rate : {Real(10), Real(1e6)}) {
      const Plasticity plasticity{
          .yield_strain = Real(0.02), .creep_rate = creep_rate, .strain_max = Real(0.3)};
      PlasticState<Real> state;
      Mat3 rest = Mat3::identity();
      for (int i = 0; i < 2000; ++i)
        flow_strain(plasticity, stretch * rest, Real(1e-3), rest, state);
      const Real strain = plastic_detail::plastic_strain(state.inverse);
      EXPECT_LE(strain, Real(0.3) * (1 + Real(1e-5)));
      if (stretch(0, 0) == round(0, 0))
        EXPECT_LT(strain, Real(1e-4));
      else
        EXPECT_GT(strain, Real(0.25)) << creep_rate;
      EXPECT_NEAR(determinant(state.inverse), 1, 1e-3);
      const Mat3 difference = rest - state.inverse;
      EXPECT_LT(contract(difference, difference), Real(1e-10));
    }
}

TEST(Plasticity, WhatIsFlatOrInsideOutDoesNotFlow) {
  for (Real x : {Real(0), Real(-1), Real(NAN)}) {
    PlasticState<Real> state;
    Mat3 rest = Mat3::identity();
    flow_strain(Plasticity{.yield_strain = 0}, Mat3::diagonal({x, 2, 1}), Real(0.01), rest, state);
    EXPECT_EQ(contract(rest - Mat3::identity(), rest - Mat3::identity()), 0) << x;
  }
}

}  // namespace
}  // namespace sinew
