// Position-based soft bodies gain no energy out of nothing, however stiff, incompressible or fast
// they are: too stiff is softer, and says so.
#include <gtest/gtest.h>
#include <sinew/generators.h>
#include <sinew/world.h>

#include <algorithm>
#include <string>

namespace sinew {
namespace {

constexpr SweepOrder kOrders[] = {SweepOrder::kForward, SweepOrder::kSymmetric,
                                  SweepOrder::kJacobi};
constexpr Real kFrame = Real(1.0 / 60);

std::vector<Material> materials(double young, double poisson) {
  const Real e = Real(young), nu = Real(poisson);
  return {StableNeoHookean{e, nu}, Corotated{e, nu}, NeoHookean{e, nu}, StVenantKirchhoff{e, nu},
          Linear{e, nu}};
}

std::string told(const Material& material, double young, double poisson, SweepOrder order) {
  const char* name = std::visit([](const auto& m) { return m.kName; }, material);
  return std::string(name) + ", E " + std::to_string(young) + ", nu " + std::to_string(poisson) +
         ", " + EnumWords<SweepOrder>::kWords[int(order)];
}

double fastest(const World& world, SoftId id) {
  double speed = 0;
  for (const Vec3& v : world.velocities(id)) speed = std::max(speed, double(length(v)));
  return speed;
}

double farthest(const World& world, SoftId id, const std::vector<Vec3>& from) {
  const std::vector<Vec3> x = world.positions(id);
  double way = 0;
  for (std::size_t i = 0; i < x.size(); ++i) way = std::max(way, double(length(x[i] - from[i])));
  return way;
}

bool happened(const World& world, Event::Kind kind) {
  return std::any_of(world.events().begin(), world.events().end(),
                     [&](const Event& event) { return event.kind == kind; });
}

// Left alone, without gravity.
void expect_rest(const BodyMesh& mesh, const Material& material, SweepOrder order, int steps,
                 const std::string& what) {
  World world({.gravity = {0, 0, 0}});
  const SoftId id =
      world.add(SoftBody{.mesh = mesh, .material = material, .solver = Position{.order = order}});
  const std::vector<Vec3> start = world.positions(id);
  double speed = 0;
  for (int i = 0; i < steps; ++i) {
    world.step(kFrame);
    speed = std::max(speed, fastest(world, id));
  }
  EXPECT_LT(speed, 0.01) << what;
  EXPECT_LT(farthest(world, id, start), 1e-3) << what;
  EXPECT_TRUE(world.finite()) << what;
}

// 103 m/s after one step at 2e7 Pa and 0.499, when elements were limited one by one.
TEST(SoftStability, BodiesAtRestStayAtRest) {
  struct Case {
    double young, poisson;
  };
  for (const Case& c : {Case{2e7, 0.499}, Case{5e7, 0.495}, Case{1e8, 0.49}, Case{1e9, 0.499}})
    for (const Material& material : {Material(StableNeoHookean{Real(c.young), Real(c.poisson)}),
                                     Material(Corotated{Real(c.young), Real(c.poisson)})})
      expect_rest(box_tets({1, 1, 1}, {6, 6, 6}), material, SweepOrder::kForward, 60,
                  told(material, c.young, c.poisson, SweepOrder::kForward));
}

TEST(SoftStability, EveryStiffnessIsCalmAtRest) {
  const BodyMesh meshes[] = {box_tets({1, 1, 1}, {3, 3, 3}), box_hexes({1, 1, 1}, {3, 3, 3})};
  for (double young : {1e5, 1e7, 1e9})
    for (double poisson : {0.0, 0.45, 0.499})
      for (const Material& material : materials(young, poisson))
        for (const BodyMesh& mesh : meshes)
          for (SweepOrder order : kOrders)
            expect_rest(mesh, material, order, 6,
                        told(material, young, poisson, order) +
                            (mesh.index() == meshes[0].index() ? ", tets" : ", hexes"));
}

// 2.7e7 m/s at 1e9 Pa and 0.499, with nothing frozen.
TEST(SoftStability, BodiesThatFallAreNoFasterThanFree) {
  constexpr double kHeight = 0.5;
  const double free_fall = std::sqrt(2 * 9.81 * kHeight);
  struct Case {
    double young, poisson;
  };
  for (const Case& c : {Case{2e7, 0.499}, Case{1e8, 0.49}, Case{1e9, 0.499}})
    for (const BodyMesh& mesh :
         {BodyMesh(box_tets({1, 1, 1}, {4, 4, 4})), BodyMesh(box_hexes({1, 1, 1}, {4, 4, 4}))})
      for (SweepOrder order : kOrders) {
        World world;
        world.add(StaticBody{.shape = Plane{}});
        const SoftId id = world.add(SoftBody{
            .mesh = mesh,
            .material = StableNeoHookean{.young = Real(c.young), .poisson = Real(c.poisson)},
            .solver = Position{.order = order},
            .pose = {{0, Real(0.5 + kHeight), 0}}});
        double speed = 0;
        for (int i = 0; i < 60; ++i) {
          world.step(kFrame);
          speed = std::max(speed, fastest(world, id));
        }
        EXPECT_LT(speed, 2 * free_fall)
            << told(StableNeoHookean{}, c.young, c.poisson, order) << ", " << mesh.index();
      }
}

// The energy of a body of 1e5 Pa at 200 rad/s grew seventeenfold.
TEST(SoftStability, FastSpinGainsNoEnergy) {
  for (const BodyMesh& mesh :
       {BodyMesh(box_tets({1, 1, 1}, {4, 4, 4})), BodyMesh(box_hexes({1, 1, 1}, {4, 4, 4})),
        BodyMesh(box_tets({1, Real(0.2), Real(0.2)}, {10, 2, 2}))})
    for (double young : {1e5, 1e7})
      for (double spin : {50.0, 200.0, 500.0}) {
        World world({.gravity = {0, 0, 0}});
        world.add(SoftBody{.mesh = mesh,
                           .material = StableNeoHookean{.young = Real(young)},
                           .angular_velocity = {0, Real(0.1 * spin), Real(spin)}});
        const double before = world.energy().total();
        double most = 0;
        for (int i = 0; i < 60; ++i) {
          world.step(kFrame);
          most = std::max(most, world.energy().total());
        }
        EXPECT_LT(most, 1.2 * before)
            << "E " << young << ", " << spin << " rad/s, mesh " << mesh.index();
      }
}

// Softer than its material for want of substeps, and no longer once it has them.
TEST(SoftStability, TellsThatABodyIsSofterThanItsMaterial) {
  World world({.gravity = {0, 0, 0}, .substeps_max = 20});
  const SoftId id = world.add(SoftBody{.mesh = box_tets({1, 1, 1}, {4, 4, 4}),
                                       .material = StableNeoHookean{.young = Real(1e8)}});
  world.step(kFrame);
  EXPECT_TRUE(happened(world, Event::Kind::kSoftened));
  EXPECT_LT(world.state(id).stiffness_share, 0.5);
  world.step(kFrame);
  EXPECT_FALSE(happened(world, Event::Kind::kSoftened)) << "told once";
  WorldSettings settings = world.settings();
  settings.substeps_max = 1000;
  world.set_settings(settings);
  world.step(kFrame);
  EXPECT_FALSE(happened(world, Event::Kind::kSoftened));
  EXPECT_EQ(world.state(id).stiffness_share, 1);
  settings.substeps_max = 20;
  world.set_settings(settings);
  world.step(kFrame);
  EXPECT_TRUE(happened(world, Event::Kind::kSoftened)) << "told anew";
}

// Pressed to a hundredth of its height it lay flat for good: there its material has no force.
TEST(SoftStability, PressedStVenantKirchhoffComesBack) {
  for (const BodyMesh& mesh :
       {BodyMesh(box_tets({1, 1, 1}, {4, 4, 4})), BodyMesh(box_hexes({1, 1, 1}, {4, 4, 4}))}) {
    World world;
    world.add(StaticBody{.shape = Plane{}});
    const SoftId id = world.add(
        SoftBody{.mesh = mesh, .material = StVenantKirchhoff{}, .pose = {{0, Real(0.5), 0}}});
    std::vector<Vec3> x = world.positions(id);
    for (Vec3& v : x) v.y *= Real(0.01);
    world.set_positions(id, x);
    for (int i = 0; i < 180; ++i) world.step(kFrame);
    EXPECT_GT(world.state(id).volume_ratio, 0.8) << mesh.index();
    EXPECT_EQ(world.state(id).inverted, 0) << mesh.index();
  }
}

// What does no harm is left alone.
TEST(SoftStability, HealthyBodiesLoseNothing) {
  for (const BodyMesh& mesh :
       {BodyMesh(box_tets({1, 1, 1}, {4, 4, 4})), BodyMesh(box_hexes({1, 1, 1}, {4, 4, 4}))}) {
    World world;
    world.add(StaticBody{.shape = Plane{}});
    const SoftId id = world.add(SoftBody{
        .mesh = mesh, .pose = {{0, 1, 0}}, .velocity = {2, 0, 0}, .angular_velocity = {1, 2, 3}});
    for (int i = 0; i < 180; ++i) {
      world.step(kFrame);
      ASSERT_FALSE(happened(world, Event::Kind::kCalmed)) << "step " << i;
    }
    EXPECT_LT(world.state(id).energy_taken, 0.01);
  }
}

// The most energy that a body has in so many steps, by what it begins with; no gravity.
double most_energy(World& world, int steps) {
  const double before = world.energy().total();
  double most = 0;
  for (int i = 0; i < steps; ++i) {
    world.step(kFrame);
    most = std::max(most, world.energy().total());
  }
  return most / before;
}

// Up to 10⁵ times, when elastic energy was looked at where kinetic energy changed. Jacobi's bodies
// are slowed, never put back, and still gain.
TEST(SoftStability, BodiesShortOfSubstepsGainNoEnergy) {
  const BodyMesh meshes[] = {box_tets({1, 1, 1}, {3, 3, 3}), box_hexes({1, 1, 1}, {3, 3, 3}),
                             box_hexes({Real(0.8), Real(0.16), Real(0.16)}, {10, 2, 2})};
  for (const BodyMesh& mesh : meshes)
    for (SweepOrder order : {SweepOrder::kForward, SweepOrder::kSymmetric})
      for (int most : {1, 5, 20})
        for (double young : {2e5, 2e8}) {
          World world({.gravity = {0, 0, 0}, .substeps = 1, .substeps_max = most});
          world.add(
              SoftBody{.mesh = mesh,
                       .material = StableNeoHookean{.young = Real(young), .poisson = Real(0.45)},
                       .solver = Position{.order = order},
                       .pose = {{100, 0, -100}},
                       .angular_velocity = {5, 3, 30}});
          EXPECT_LT(most_energy(world, 15), 1.2)
              << told(StableNeoHookean{}, young, 0.45, order) << ", " << most << " substeps, mesh "
              << &mesh - meshes;
        }
}

// A body that was turned began with the rotation of one that was not, and followed it by steps: up
// to 2·10⁶ times the energy in its first step.
TEST(SoftStability, TurnedBodiesAreAtRestWhateverFindsTheirRotation) {
  for (RotationMethod method :
       {RotationMethod::kDefault, RotationMethod::kSvd, RotationMethod::kSpin,
        RotationMethod::kSpinCold, RotationMethod::kDiagonalisation})
    for (const Constraint& constraint :
         {Constraint(ShapeMatching{.rotation = method, .plain = Real(0.4)}),
          Constraint(ShapeMatching{
              .clusters = MatchingClusters::kCells, .rotation = method, .plain = Real(0.4)}),
          Constraint(FiniteElements{.rotation = method})})
      for (SweepOrder order : kOrders) {
        World world({.gravity = {0, 0, 0}});
        SoftBody body{.mesh = box_tets({10, 8, 6}, {1, 2, 3}),
                      .material = StableNeoHookean{.young = Real(1.9e4)},
                      .constraints = {constraint},
                      .solver = Position{.order = order},
                      .velocity = {10, 0, 0}};
        body.pose.orientation = Quat::from_axis_angle({Real(0.6), Real(0.8), 0}, Real(2.8));
        world.add(std::move(body));
        EXPECT_LT(most_energy(world, 3), 1.05)
            << EnumWords<RotationMethod>::kWords[int(method)] << ", "
            << std::visit([](const auto& c) { return c.kName; }, constraint) << ", "
            << EnumWords<SweepOrder>::kWords[int(order)];
      }
}

// Vertices of a body that are all thrown about: explicit steps cannot follow.
TEST(SoftStability, ExplicitBodiesGainNoEnergy) {
  for (const BodyMesh& mesh :
       {BodyMesh(box_tets({1, 1, 1}, {2, 2, 2})), BodyMesh(box_hexes({1, 1, 1}, {2, 2, 2}))})
    for (double speed : {10.0, 100.0, 1000.0}) {
      World world({.gravity = {0, 0, 0}});
      const SoftId id = world.add(SoftBody{
          .mesh = mesh, .material = StableNeoHookean{.young = Real(1e4)}, .solver = Explicit{}});
      std::vector<Vec3> v = world.velocities(id);
      for (std::size_t i = 0; i < v.size(); ++i)
        for (int k = 0; k < 3; ++k)
          v[i][k] = Real(speed * (double((i * 7919 + std::size_t(k) * 104729) % 2001) / 1000 - 1));
      world.set_velocities(id, v);
      EXPECT_LT(most_energy(world, 30), 1.2) << speed << " m/s, mesh " << mesh.index();
      EXPECT_TRUE(std::isfinite(world.solver_report(id).objective));
    }
}

// Damped bodies of tetrahedra, far more viscous than substeps follow. Sweeps in one direction
// stopped those that hang by a pin in mid-air, and burst those on a spring.
TEST(SoftStability, StiffDampedBodiesSwing) {
  const TetMesh mesh = box_tets({Real(0.3), Real(0.15), Real(0.3)}, {4, 2, 4});
  for (const Real young : {Real(1e6), Real(1e7), Real(1e8)})
    for (const Real damping : {Real(0.01), Real(0.1)})
      for (const bool sprung : {false, true}) {
        World world;
        SoftBody body{.mesh = mesh,
                      .material = StableNeoHookean{.young = young, .poisson = Real(0.3)},
                      .damping = damping};
        if (sprung)
          body.constraints = {Attachment{.vertices = {0}, .stiffness = 1000}};
        else
          body.pins = {0};
        const SoftId id = world.add(body);
        const double start = world.energy(id).gravity;
        double fallen = 0, most = 0;
        for (int i = 0; i < 60; ++i) {
          world.step(Real(1.0 / 60));
          const Energy e = world.energy(id);
          fallen = std::max(fallen, start - e.gravity);
          most = std::max(most, e.kinetic + e.elastic);
        }
        EXPECT_GT(fallen, 35) << young << " Pa, " << damping << " s, sprung " << sprung;
        EXPECT_LT(most, 1.05 * fallen) << young << " Pa, " << damping << " s, sprung " << sprung;
      }
}

// Springs on a viscous cube, by any order of sweeps.
TEST(SoftStability, SpringsOnDampedBodiesAreCalm) {
  for (const double stiffness : {10.0, 1e3})
    for (const SweepOrder order : {SweepOrder::kForward, SweepOrder::kSymmetric}) {
      World world({.substeps = 9});
      const SoftId id =
          world.add(SoftBody{.mesh = box_tets({Real(0.01), Real(0.007), Real(0.004)}, {3, 2, 1}),
                             .material = Arap{.young = Real(2.2e3)},
                             .density = 221,
                             .constraints = {Distance{.stiffness = Real(stiffness)}},
                             .solver = Position{.order = order},
                             .damping = Real(0.01),
                             .pins = {3}});
      const Vec3 pin = world.positions(id)[3];
      world.move_pin(id, 3, pin + Vec3{Real(3e-4), Real(-1e-4), 0});
      Real fastest = 0;
      for (int i = 0; i < 200; ++i) {
        world.step(Real(1e-3));
        for (const Vec3& v : world.velocities(id)) fastest = std::max(fastest, length(v));
      }
      EXPECT_LT(fastest, 1) << stiffness << " N/m, order " << int(order);
      EXPECT_FALSE(world.state(id).frozen) << stiffness << " N/m, order " << int(order);
    }
}

}  // namespace
}  // namespace sinew
