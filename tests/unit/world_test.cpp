// The world's own manners: what it accepts, what it refuses, and that a refusal changes nothing.
#include <gtest/gtest.h>
#include <sinew/error.h>
#include <sinew/generators.h>
#include <sinew/world.h>

#include <cmath>

#include "support.h"

namespace sinew {
namespace {

SoftBody cube() { return SoftBody{.name = "cube", .mesh = box_tets({1, 1, 1}, {2, 2, 2})}; }

TetMesh& tets(SoftBody& body) { return std::get<TetMesh>(body.mesh); }

#define EXPECT_MENTIONS(text, part) \
  EXPECT_NE((text).find(part), std::string::npos) << "message: " << (text)

TEST(World, RefusesWhatItCannotUseAndSaysWhy) {
  World world;
  const auto refused = [&](auto&& change) {
    SoftBody body = cube();
    change(body);
    const std::string message = error_of([&] { world.add(std::move(body)); });
    EXPECT_FALSE(message.empty());
    EXPECT_TRUE(world.soft_bodies().empty());
    return message;
  };
  EXPECT_MENTIONS(refused([](SoftBody& b) { b.density = -3; }),
                  "soft body \"cube\".density is -3 kg/m³; it must be greater than 0");
  EXPECT_MENTIONS(refused([](SoftBody& b) { b.density = NAN; }), "must be a finite number");
  EXPECT_MENTIONS(refused([](SoftBody& b) { b.material = StableNeoHookean{.poisson = Real(0.5)}; }),
                  "material.poisson is 0.5; it must be less than 0.5");
  EXPECT_MENTIONS(refused([](SoftBody& b) { b.material = StableNeoHookean{.young = 0}; }),
                  "material.young is 0 Pa");
  EXPECT_MENTIONS(refused([](SoftBody& b) { tets(b).cells[1][2] = 999; }), "names vertex 999");
  EXPECT_MENTIONS(refused([](SoftBody& b) { tets(b).cells.clear(); }), "mesh has no tetrahedron");
  EXPECT_MENTIONS(refused([](SoftBody& b) { std::swap(tets(b).cells[0][0], tets(b).cells[0][1]); }),
                  "tetrahedron 0 is inside out");
  EXPECT_MENTIONS(refused([](SoftBody& b) { tets(b).vertices[4].y = INFINITY; }),
                  "vertex 4 is not finite");
  EXPECT_MENTIONS(refused([](SoftBody& b) { b.pins = {1000}; }), "pins names vertex 1000");
  EXPECT_MENTIONS(refused([](SoftBody& b) {
                    b.pose.orientation = {0, 0, 0, 2};
                  }),
                  "unit quaternion");
  EXPECT_MENTIONS(error_of([&] { world.step(0); }), "dt is 0 s; it must be greater than 0");
  EXPECT_MENTIONS(error_of([&] { world.step(NAN); }), "dt is nan");
  EXPECT_MENTIONS(error_of([] { World bad({.substeps = 0}); }), "world.substeps is 0");
  EXPECT_MENTIONS(error_of([&] { world.add(StaticBody{.shape = Sphere{.radius = -1}}); }),
                  "shape.radius is -1 m");
  EXPECT_MENTIONS(error_of([] { make_thread_pool(-1); }), "threads is -1");
  EXPECT_EQ(world.step_count(), 0);
}

TEST(World, RefusesMaterialsThatASolverDoesNotKnow) {
  MaterialList::for_each([]<class M>() {
    World world;
    SoftBody body = cube();
    body.material = M{};
    const std::string message = error_of([&] { world.add(body); });
    if constexpr (HasTangentBound<M>) {
      EXPECT_EQ(message, "");
    } else {
      EXPECT_EQ(message,
                std::string("soft body \"cube\": the solver \"position\" does not know its "
                            "material, \"") +
                    M::kName +
                    "\"; take the solver \"quasi_newton\" or \"newton\", or another "
                    "material");
      EXPECT_TRUE(world.soft_bodies().empty());
      body.solver = QuasiNewton{};
      world.add(body);
    }
  });
}

TEST(World, RefusesCurvesThatMakeNoMaterial) {
  const auto refused = [](Spline material, bool sheet = false) {
    World world;
    SoftBody body = cube();
    if (sheet) body.mesh = cloth(1, 1, 2, 2);
    body.material = std::move(material);
    body.solver = QuasiNewton{};
    return error_of([&] { world.add(body); });
  };
  const std::vector<CurvePoint> line = {{0, 0}, {2, 2}};
  EXPECT_EQ(refused({.stretch = line}), "");
  EXPECT_MENTIONS(refused({.stretch = {{1, 1}}}), "material.stretch has one point");
  EXPECT_MENTIONS(refused({.area = std::vector<CurvePoint>(17)}),
                  "material.area has 17 points; 16 is the most");
  EXPECT_MENTIONS(refused({.volume = {{0, 0}, {2, 1}, {2, 3}}}),
                  "material.volume: point 2 is not further on than the one before");
  EXPECT_MENTIONS(refused({.stretch = {{0, 0}, {2, NAN}}}), "material.stretch[1][1] is nan");
  EXPECT_MENTIONS(refused({.stretch = {{0, 0}, {2, 3}}}), "add up to 0.500000, not to 0");
  EXPECT_MENTIONS(refused({.preset = SplinePreset::kNone}), "material has no curves");
  EXPECT_MENTIONS(refused({.stretch = {{0, 4}, {2, -2}}}), "material is not stable at rest");
  EXPECT_MENTIONS(refused({.stretch = line}, true), "are for solids");
  EXPECT_EQ(refused({.preset = SplinePreset::kStiffInTension}, true), "");
  World world;
  SoftBody body = cube();
  body.material = Polynomial{.linear = 0, .quartic = 0};
  EXPECT_MENTIONS(error_of([&] { world.add(body); }), "neither a linear nor a quartic part");
}

TEST(World, DeadHandlesAreErrors) {
  World world;
  const SoftId first = world.add(cube());
  world.remove(first);
  EXPECT_FALSE(world.contains(first));
  const SoftId second = world.add(cube());  // takes the slot over
  EXPECT_EQ(second.index, first.index);
  EXPECT_NE(second, first);
  EXPECT_MENTIONS(error_of([&] { world.positions(first); }), "not alive");
  EXPECT_MENTIONS(error_of([&] { world.remove(first); }), "not alive");
  EXPECT_MENTIONS(error_of([&] { world.positions(SoftId{}); }), "not alive");
  EXPECT_TRUE(world.contains(second));
  const RigidId floor = world.add(StaticBody{});
  world.remove(floor);
  EXPECT_MENTIONS(error_of([&] { world.parts(floor); }), "not alive");
}

TEST(World, PinsHoldMoveAndLetGo) {
  World world;
  const SoftId id = world.add(cube());
  world.pin(id, 0);
  const Vec3 held = world.positions(id)[0];
  for (int i = 0; i < 30; ++i) world.step(Real(1.0 / 60));
  EXPECT_EQ(world.positions(id)[0], held);
  world.pin(id, 0, {0, 3, 0});
  world.step(Real(1.0 / 60));
  EXPECT_EQ(world.positions(id)[0], (Vec3{0, 3, 0}));
  world.unpin(id, 0);
  world.step(Real(1.0 / 60));
  EXPECT_NE(world.positions(id)[0], (Vec3{0, 3, 0}));
  EXPECT_MENTIONS(error_of([&] { world.pin(id, 12345); }), "no vertex 12345");
  EXPECT_MENTIONS(error_of([&] { world.pin(id, 0, {NAN, 0, 0}); }), "finite");
  EXPECT_MENTIONS(error_of([&] { world.set_positions(id, {}); }), "0 positions were given");
}

TEST(World, JellyComesToRestOnEveryShape) {
  const std::pair<Shape, Real> shapes[] = {{Plane{}, Real(0)},  // and the height of its top
                                           {Sphere{.radius = 3}, Real(3)},
                                           {Box{.size = {4, 2, 4}}, Real(1)},
                                           {Capsule{.radius = 3, .half_height = 1}, Real(4)}};
  for (const auto& [shape, top] : shapes) {
    World world;
    world.add(StaticBody{.shape = shape, .pose = {{0, -top, 0}}});
    SoftBody body = cube();
    body.pose.position.y = Real(0.8);
    body.damping = Real(0.02);
    body.drag = 1;
    const SoftId id = world.add(std::move(body));
    for (int i = 0; i < 180; ++i) world.step(Real(1.0 / 60));
    EXPECT_GT(world.contacts().count, 0) << shape.index();
    EXPECT_LT(world.contacts().penetration_max, 1e-3) << shape.index();
    EXPECT_NEAR(world.state(id).volume_ratio, 1, 0.05) << shape.index();
    EXPECT_LT(world.energy().kinetic, 1) << shape.index();  // of a tonne
    for (const Vec3& x : world.positions(id)) EXPECT_GT(x.y, Real(-0.6)) << shape.index();
  }
}

TEST(World, EnergyIsNotCreated) {
  World world;
  world.add(StaticBody{});
  SoftBody body = cube();
  body.pose.position.y = 2;
  world.add(std::move(body));
  double last = world.energy().total();
  for (int i = 0; i < 180; ++i) {
    world.step(Real(1.0 / 60));
    const double now = world.energy().total();
    EXPECT_LT(now, last + 20) << "step " << i;  // of 24 kJ
    last = std::min(last, now);
  }
}

TEST(World, ProfileCountsStages) {
  World world;
  world.add(cube());
  world.step(Real(1.0 / 60));
  EXPECT_TRUE(world.profile().empty());
  world.enable_profile(true);
  world.step(Real(1.0 / 60));
  bool found = false;
  for (const StageTime& stage : world.profile())
    if (std::string(stage.name) == "elasticity") found = stage.calls == 10 && stage.seconds > 0;
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace sinew
