// Steps that are solved to no more than a few digits, and contact, must not make energy out of
// nothing, nor let a body through the floor.
#include <sinew/generators.h>
#include <sinew/world.h>

#include "soft_support.h"
#include "support.h"

namespace sinew {
namespace {

double total(const World& world) { return world.energy().total(); }

SoftBody clamped_bar(const Material& material, const Solver& solver) {
  SoftBody body{
      .mesh = bar_tets(1, Real(0.2), Real(0.2), 2), .material = material, .solver = solver};
  body.pins = vertices_where(body.mesh, [](const Vec3& v) { return v.x < Real(1e-3); });
  return body;
}

const Solver kImplicit[] = {QuasiNewton{}, Newton{}, Projective{}};

// Packs that are not full, and those with pins, touch the floor as others do.
TEST(VariationalContact, HoldsBodiesOfAnyNumberOfVertices) {
  for (const Solver& solver : kImplicit)
    for (const int cells : {1, 2, 3, 4}) {
      SCOPED_TRACE(testing::Message() << "solver " << solver.index() << ", " << cells << " cells");
      World world;
      world.add(StaticBody{.shape = Plane{}});
      const SoftId id = world.add(
          SoftBody{.mesh = box_tets({Real(0.3), Real(0.3), Real(0.3)}, {cells, cells, cells}),
                   .material = Arap{.young = Real(1e5)},
                   .solver = solver,
                   .pose = {.position = {0, Real(0.2), 0},
                            .orientation = Quat::from_axis_angle({0, 0, 1}, Real(3.14159265))}});
      run(world, 2);
      EXPECT_TRUE(world.finite());
      EXPECT_NEAR(mean_position(world, id).y, 0.15, 0.02);
      EXPECT_LT(world.contacts().penetration_max, 0.005);
    }
}

TEST(VariationalContact, HoldsTheTipOfAClampedBar) {
  for (const Solver& solver : kImplicit) {
    SCOPED_TRACE(testing::Message() << "solver " << solver.index());
    World world;
    world.add(StaticBody{.shape = Plane{}});
    SoftBody body = clamped_bar(Arap{.young = Real(2e4)}, solver);
    body.pose.position = {0, Real(0.2), 0};
    world.add(body);
    run(world, 3);
    EXPECT_TRUE(world.finite());
    EXPECT_GT(world.contacts().count, 3);  // it did not stop where it first touched
    EXPECT_LT(world.contacts().penetration_max, 0.01);
  }
}

TEST(VariationalEnergy, IsNotGainedByTooFewIterations) {
  const std::pair<const char*, Material> materials[] = {
      {"stable", StableNeoHookean{.young = Real(1e5), .poisson = Real(0.4999)}},
      {"neo", NeoHookean{.young = Real(1e5), .poisson = Real(0.4999)}},
      {"corotated", Corotated{.young = Real(1e5), .poisson = Real(0.4999)}}};
  for (const auto& [name, material] : materials)
    for (const int iterations : {1, 3, 10}) {
      SCOPED_TRACE(testing::Message() << name << ", " << iterations << " iterations");
      World world;
      world.add(clamped_bar(material, QuasiNewton{.iterations = iterations}));
      const double before = total(world);
      double most = before;
      for (int i = 0; i < 90; ++i) {
        world.step(Real(1.0 / 60));
        most = std::max(most, total(world));
      }
      EXPECT_TRUE(world.finite());
      EXPECT_LT(most, before + 6);  // a twentieth of what its fall sets free; it was up to 465 kJ
    }
}

// The midpoint rule gains energy where bodies spin or touch; it must not go on doing so.
TEST(VariationalEnergy, IsNotGainedByTheMidpointRule) {
  const Newton newton{.iterations = 20, .integrator = Integrator::kImplicitMidpoint};
  const Vec3 size{Real(0.3), Real(0.3), Real(0.3)};
  {
    World world({.gravity = {}});
    const SoftId id = world.add(SoftBody{
        .mesh = box_tets(size, {4, 4, 4}), .solver = newton, .angular_velocity = {0, 0, 20}});
    const double before = total(world);
    run(world, 2);
    EXPECT_EQ(world.state(id).inverted, 0);
    EXPECT_LT(total(world), 1.1 * before);
    EXPECT_GT(total(world), 0.9 * before);
  }
  World world;
  world.add(StaticBody{.shape = Plane{}});
  world.add(SoftBody{.mesh = box_tets(size, {3, 3, 3}),
                     .material = StableNeoHookean{.young = Real(2e4), .poisson = Real(0.45)},
                     .solver = newton,
                     .pose = {.position = {0, Real(0.16), 0}}});
  const double before = total(world);
  run(world, 3);
  EXPECT_LT(total(world), before + 1);
}

// Drag takes as much of the speed of a body that is held somewhere, whatever the integrator.
TEST(VariationalEnergy, DragIsThatOfTheWholeStepForEveryIntegrator) {
  const auto fallen = [](Integrator integrator) {
    World world;
    SoftBody body{.mesh = box_tets({1, 1, 1}, {2, 2, 2}),
                  .material = None{},
                  .solver = QuasiNewton{.integrator = integrator},
                  .drag = 2,
                  .pins = {0}};
    const SoftId id = world.add(body);
    run(world, 2);
    return mean_position(world, id).y;
  };
  const double euler = fallen(Integrator::kImplicitEuler);
  EXPECT_LT(euler, -4);
  EXPECT_NEAR(fallen(Integrator::kImplicitMidpoint), euler, 0.03 * -euler);
  EXPECT_NEAR(fallen(Integrator::kBdf2), euler, 0.03 * -euler);
}

// A net of springs that few iterations do not solve, thrown gently against a floor.
TEST(VariationalEnergy, IsNotGainedByBdf2) {
  for (const int iterations : {1, 2, 3}) {
    SCOPED_TRACE(testing::Message() << iterations << " iterations");
    World world;
    world.add(StaticBody{.shape = Plane{}});
    world.add(SoftBody{
        .mesh = box_tets({1, 1, 1}, {3, 3, 3}),
        .material = None{},
        .constraints = {Distance{.stiffness = 1000}},
        .solver =
            QuasiNewton{.iterations = iterations, .substeps = 1, .integrator = Integrator::kBdf2},
        .pose = {.position = {0, 2, 0}},
        .velocity = {1, 2, 0},
        .angular_velocity = {1, 2, 3}});
    const double before = total(world);
    double most = before;
    for (int i = 0; i < 180; ++i) {
      world.step(Real(1.0 / 60));
      most = std::max(most, total(world));
    }
    EXPECT_TRUE(world.finite());
    EXPECT_LT(most, 1.1 * before);  // it was up to 32 times that
  }
}

// No step of the world takes more than a thousand explicit ones: what is too stiff is softer, and
// says so.
TEST(VariationalEnergy, ExplicitBodiesAreSofterRatherThanSlow) {
  World world;
  world.add(StaticBody{.shape = Plane{}});
  const auto add = [&](double young, Real x) {
    return world.add(
        SoftBody{.mesh = box_tets({Real(0.05), Real(0.05), Real(0.05)}, {2, 2, 2}),
                 .material = StableNeoHookean{.young = Real(young), .poisson = Real(0.3)},
                 .solver = Explicit{},
                 .pose = {.position = {x, Real(0.05), 0}}});
  };
  const SoftId stiff = add(1e11, 0), soft = add(1e4, 1);
  run(world, 0.5);
  EXPECT_TRUE(world.finite());
  EXPECT_LE(world.solver_report(stiff).substeps, 1000);
  EXPECT_LT(world.solver_report(stiff).stiffness, 0.5);
  EXPECT_EQ(world.solver_report(soft).stiffness, 1);
  EXPECT_LT(world.state(stiff).strain_max, 0.05);
}

TEST(VariationalEnergy, ExplicitStepsRefuseDamping) {
  World world;
  EXPECT_PRED2(contains, error_of([&] {
                 world.add(SoftBody{
                     .mesh = box_tets({1, 1, 1}, {1, 1, 1}), .solver = Explicit{}, .damping = 1});
               }),
               "damping");
}

}  // namespace
}  // namespace sinew
