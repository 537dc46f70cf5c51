// Bodies that were seen to gain energy out of nothing, and no longer do.
#include <gtest/gtest.h>
#include <sinew/error.h>
#include <sinew/generators.h>
#include <sinew/world.h>

#include <algorithm>
#include <string>

namespace sinew {
namespace {

constexpr SweepOrder kOrders[] = {SweepOrder::kForward, SweepOrder::kSymmetric,
                                  SweepOrder::kJacobi};

std::string word(SweepOrder order) { return EnumWords<SweepOrder>::kWords[int(order)]; }

template <class Chosen>
std::vector<Index> vertices_where(const BodyMesh& mesh, Chosen&& chosen) {
  std::vector<Index> found;
  const auto x = vertices_of(mesh);
  for (Index i = 0; i < x.size(); ++i)
    if (chosen(x[i])) found.push_back(i);
  return found;
}

// Kinetic energy after some seconds [J].
double kinetic_after(World& world, double seconds) {
  for (int i = 0; i < int(60 * seconds); ++i) world.step(Real(1.0 / 60));
  return world.energy().kinetic;
}

// Clusters that turn freely gain nothing, however their rotation is found and whatever their shape.
// Spin used to take the inertia of a cube for that of every cluster: 64 J became 162, 544 J 18,602.
TEST(Calm, ClustersThatSpinGainNothing) {
  struct Case {
    BodyMesh mesh;
    MatchingClusters clusters;
    double stiffness;  // [N/m]; 0: plain
  };
  const Vec3 bar{Real(0.8), Real(0.2), Real(0.2)}, cube{Real(0.4), Real(0.4), Real(0.4)};
  for (const Case& c : {Case{box_hexes(bar, {8, 2, 2}), MatchingClusters::kBody, 1e4},
                        Case{box_hexes(bar, {2, 2, 2}), MatchingClusters::kCells, 1e4},
                        Case{box_hexes(bar, {2, 2, 2}), MatchingClusters::kCells, 0},
                        Case{box_tets(cube, {3, 3, 3}), MatchingClusters::kCells, 1e4}})
    for (RotationMethod method : {RotationMethod::kSpin, RotationMethod::kSpinCold})
      for (Vec3 axis : {Vec3{20, 0, 0}, Vec3{0, 20, 0}}) {
        World world({.gravity = {}});
        world.add(SoftBody{.mesh = c.mesh,
                           .material = None{},
                           .constraints = {ShapeMatching{.clusters = c.clusters,
                                                         .rotation = method,
                                                         .stiffness = Real(c.stiffness),
                                                         .plain = c.stiffness > 0 ? 0 : Real(0.5)}},
                           .angular_velocity = axis});
        const double start = world.energy().kinetic;
        double most = 0;
        for (int i = 0; i < 120; ++i) {
          world.step(Real(1.0 / 60));
          most = std::max(most, world.energy().kinetic + world.energy().elastic);
        }
        EXPECT_LT(most, 1.005 * start) << EnumWords<RotationMethod>::kWords[int(method)];
      }
}

// Held by one face, the plain elements hang still, however stiff: rigid ones used to shake
// themselves inside out.
TEST(Calm, PositionBasedElementsHangStill) {
  const Vec3 size{Real(0.4), Real(0.4), Real(0.4)};
  for (const BodyMesh& mesh :
       {BodyMesh(box_tets(size, {4, 4, 4})), BodyMesh(box_hexes(size, {4, 4, 4})),
        BodyMesh(sphere_hexes(Real(0.2), 4))})
    for (double k : {0.5, 1.0})
      for (SweepOrder order : {SweepOrder::kForward, SweepOrder::kSymmetric}) {
        World world;
        const SoftId id = world.add(SoftBody{
            .mesh = mesh,
            .material = None{},
            .constraints = {FiniteElements{.shape = Real(k), .volume = Real(k)}},
            .solver = Position{.order = order},
            .pins = vertices_where(mesh, [](const Vec3& x) { return x.x < Real(-0.15); })});
        // To and fro leaves at one end and then at the other what one direction leaves at one.
        const double still = order == SweepOrder::kForward ? 1e-6 : 0.01;
        EXPECT_LT(kinetic_after(world, 3), still) << "k " << k << ", " << word(order);
        EXPECT_LT(world.state(id).strain_max, 0.05) << "k " << k << ", " << word(order);
      }
}

// What is too stiff for its substeps is softer, but does not vibrate for ever: it may still rock,
// with less than the 100 J that it fell with.
TEST(Calm, SteelRestsOnTheFloor) {
  for (double young : {1e8, 1e9, 1e10})
    for (SweepOrder order : {SweepOrder::kForward, SweepOrder::kSymmetric}) {
      World world;
      world.add(StaticBody{});
      const SoftId id = world.add(
          SoftBody{.mesh = box_tets({Real(0.4), Real(0.4), Real(0.4)}, {3, 3, 3}),
                   .material = Corotated{.young = Real(young)},
                   .solver = Position{.order = order},
                   .pose = {{0, Real(0.5), 0}, Quat::from_axis_angle({1, 0, 1}, Real(0.5))}});
      EXPECT_LT(kinetic_after(world, 4), 50) << "E " << young << ", " << word(order);
      EXPECT_LT(world.state(id).strain_max, 0.01) << "E " << young << ", " << word(order);
    }
}

// Rigid springs to and fro: a truss that was dropped, and a pendulum.
TEST(Calm, RigidSpringsLoseEnergy) {
  for (SweepOrder order : {SweepOrder::kForward, SweepOrder::kSymmetric}) {
    World world;
    world.add(StaticBody{});
    world.add(SoftBody{.mesh = box_tets({Real(0.4), Real(0.4), Real(0.4)}, {3, 3, 3}),
                       .material = None{},
                       .constraints = {Distance{}},
                       .solver = Position{.order = order},
                       .pose = {{0, Real(0.5), 0}}});
    EXPECT_LT(kinetic_after(world, 3), 1) << word(order);
  }
}

// A thread of 1e7 Pa hangs still, as long as it should be.
TEST(Calm, StiffThreadsComeToRest) {
  for (double young : {3e6, 1e7, 1e8}) {
    World world;
    LineMesh line = rope(1, 20);
    for (Vec3& x : line.vertices) x = {0, -x.x, 0};
    const SoftId id = world.add(SoftBody{.mesh = line,
                                         .material = StableNeoHookean{.young = Real(young)},
                                         .thickness = Real(0.01),
                                         .drag = 5,
                                         .pins = {0}});
    EXPECT_LT(kinetic_after(world, 8), 1e-7) << "E " << young;
    EXPECT_NEAR(world.state(id).volume_ratio - 1, 1000 * 9.81 / 2 / young, 1e-4) << "E " << young;
  }
}

// Damping works on threads, and on springs alone.
TEST(Calm, DampingStopsAThreadThatBounces) {
  const auto left = [](double damping, const Material& material,
                       std::vector<Constraint> constraints) {
    World world;
    LineMesh line = rope(1, 10);
    for (Vec3& x : line.vertices) x = {0, -x.x, 0};
    world.add(SoftBody{.mesh = line,
                       .material = material,
                       .thickness = Real(0.02),
                       .constraints = std::move(constraints),
                       .damping = Real(damping),
                       .pins = {0}});
    return kinetic_after(world, 2);
  };
  const StableNeoHookean rubber{.young = Real(3e4)};
  EXPECT_LT(left(0.05, rubber, {}), 0.1 * left(0, rubber, {}));
  const Distance springs{.stiffness = 100};
  EXPECT_LT(left(0.05, None{}, {springs}), 0.1 * left(0, None{}, {springs}));
}

// Folding hinges stretch their triangles; that must not run away.
TEST(Calm, PlainHingesDoNotTearCloth) {
  for (SweepOrder order : kOrders)
    for (double plain : {0.1, 1.0}) {
      const TriMesh mesh = cloth(Real(0.6), Real(0.6), 8, 8);
      World world;
      const SoftId id = world.add(
          SoftBody{.mesh = mesh,
                   .constraints = {Bending{.plain = Real(plain)}},
                   .solver = Position{.order = order},
                   .velocity = {0, 0, 3},
                   .pins = vertices_where(mesh, [](const Vec3& x) { return x.x < Real(-0.29); })});
      EXPECT_LT(kinetic_after(world, 2), 10) << word(order) << ", k " << plain;
      EXPECT_LT(world.state(id).strain_max, 5) << word(order) << ", k " << plain;
    }
}

// A balloon swells as far as it is told, at leisure; a solid refuses to.
TEST(Calm, BalloonsSwellAndSolidsRefuse) {
  const TriMesh ball = boundary(sphere_tets(Real(0.3), 6));
  World world({.gravity = {0, 0, 0}});
  const SoftId id = world.add(SoftBody{.mesh = ball, .constraints = {Volume{.pressure = Real(2)}}});
  double fastest = 0;
  for (int i = 0; i < 120; ++i) fastest = std::max(fastest, kinetic_after(world, 1.0 / 60));
  EXPECT_LT(fastest, 1);
  EXPECT_LT(world.energy().kinetic, 1e-4);
  EXPECT_NEAR(world.state(id).volume_ratio, 1.587, 0.02);  // of its sheet: 2^(2/3)
  EXPECT_THROW(world.add(SoftBody{.mesh = box_tets({1, 1, 1}, {2, 2, 2}),
                                  .constraints = {Volume{.pressure = Real(2)}}}),
               Error);
}

// Corners that go straight on get ahead of a fast turn.
TEST(Calm, FastSpinGainsNoEnergy) {
  World world({.gravity = {0, 0, 0}});
  const SoftId id =
      world.add(SoftBody{.mesh = box_tets({Real(0.4), Real(0.4), Real(0.4)}, {3, 3, 3}),
                         .material = StableNeoHookean{.young = Real(1e7)},
                         .angular_velocity = {0, 0, 300}});
  const double before = world.energy().kinetic;
  double most = 0;
  for (int i = 0; i < 60; ++i) {
    world.step(Real(1.0 / 60));
    most = std::max(most, world.energy().kinetic + world.energy().elastic);
  }
  EXPECT_LT(most, 1.1 * before);
  EXPECT_LT(world.state(id).strain_max, 1);
}

}  // namespace
}  // namespace sinew
