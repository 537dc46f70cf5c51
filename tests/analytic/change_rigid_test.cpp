// Settings of a world, and surfaces and masses of rigid bodies, changed while it runs.
#include <sinew/generators.h>

#include <cmath>
#include <limits>

#include "soft_support.h"
#include "support.h"

namespace sinew {
namespace {

const Real kStep = Real(1.0 / 60);

RigidBody crate(const Vec3& at) { return {.shape = Box{.size = {1, 1, 1}}, .pose = {at}}; }

TEST(SetSettings, GravityActsFromTheNextStepOn) {
  World world({.gravity = {}});
  const RigidId ball = world.add(RigidBody{.shape = Sphere{}, .pose = {{5, 0, 0}}});
  const SoftId swept = world.add(SoftBody{.mesh = box_tets({1, 1, 1}, {2, 2, 2})});
  const SoftId minimised = world.add(SoftBody{
      .mesh = box_tets({1, 1, 1}, {2, 2, 2}), .solver = QuasiNewton{}, .pose = {{-5, 0, 0}}});
  run(world, 0.5);
  EXPECT_EQ(world.state(ball).velocity, Vec3{});
  WorldSettings settings = world.settings();
  settings.gravity = {0, 0, 2};
  world.set_settings(settings);
  EXPECT_EQ(world.settings().gravity.z, 2);
  run(world, 0.5);
  EXPECT_NEAR(world.state(ball).velocity.z, 1, 1e-3);
  EXPECT_NEAR(mean_position(world, swept).z, 0.25, 0.01);
  EXPECT_NEAR(mean_position(world, minimised).z, 0.25, 0.02);
}

TEST(SetSettings, WakesWhatSleptInOtherGravity) {
  World world;
  world.add(StaticBody{});
  const RigidId id = world.add(crate({0, Real(0.5), 0}));
  run(world, 2);
  ASSERT_TRUE(world.state(id).asleep);
  WorldSettings settings = world.settings();
  settings.substeps = 20;  // of soft bodies: nothing to do with it
  world.set_settings(settings);
  EXPECT_TRUE(world.state(id).asleep);
  settings.gravity = {0, Real(3), 0};
  world.set_settings(settings);
  EXPECT_FALSE(world.state(id).asleep);
  run(world, 1);
  EXPECT_NEAR(world.pose(id).position.y, 0.5 + 1.5, 0.1);
}

TEST(SetSettings, SubstepsAndIterationsAct) {
  World world;
  world.add(SoftBody{.mesh = box_tets({1, 1, 1}, {2, 2, 2})});
  WorldSettings settings;
  settings.substeps = settings.substeps_max = 3;
  world.set_settings(settings);
  EXPECT_EQ(world.substeps(kStep), 3);
  settings.rigid.sleeping = false;
  world.set_settings(settings);
  world.add(StaticBody{.pose = {{0, -9, 0}}});
  const RigidId id = world.add(crate({5, Real(-8.5), 0}));
  run(world, 2);
  EXPECT_FALSE(world.state(id).asleep);
}

// A world whose settings were changed is one that had them from the start: nothing that was
// prepared for the old ones is left.
TEST(SetSettings, NothingOfTheOldOnesIsLeft) {
  for (const SweepOrder order : {SweepOrder::kForward, SweepOrder::kJacobi}) {
    WorldSettings settings;
    settings.substeps = settings.substeps_max = 4;
    settings.iterations = 6;
    WorldSettings other = settings;
    other.iterations = 2;
    SoftBody body{.mesh = box_tets({1, 1, 1}, {3, 3, 3}), .pose = {{0, Real(0.6), 0}}};
    body.solver = Position{.order = order};
    body.constraints = {Distance{.plain = Real(0.3)}};
    World early(settings), late(other);
    for (World* world : {&early, &late}) world->add(StaticBody{});
    const SoftId id = early.add(body), same = late.add(body);
    const std::vector<Vec3> start = early.positions(id);
    early.set_positions(id, start);  // as they are read: rounded
    run(late, 0.1);
    late.set_positions(same, start);
    late.set_velocities(same, std::vector<Vec3>(start.size()));
    late.set_settings(settings);
    run(early, 0.3);
    run(late, 0.3);
    EXPECT_EQ(early.positions(id), late.positions(same));
    late.set_settings(other);
    run(early, 0.1);
    run(late, 0.1);
    EXPECT_NE(early.positions(id), late.positions(same));  // they do make a difference
  }
}

TEST(SetSettings, RefusesWhatTheConstructorDoes) {
  World world;
  WorldSettings settings;
  settings.gravity.x = 1;
  settings.substeps = 0;
  expect_error([&] { world.set_settings(settings); }, {"substeps", "0"});
  EXPECT_EQ(world.settings().gravity.x, 0);
  EXPECT_EQ(world.settings().substeps, 10);
}

TEST(SetFriction, StopsWhatSlides) {
  World world;
  const RigidId floor = world.add(StaticBody{.friction = 1});
  RigidBody body = crate({0, Real(0.5), 0});
  body.friction = 0;
  body.velocity = {3, 0, 0};
  const RigidId id = world.add(body);
  run(world, 1);
  EXPECT_NEAR(world.state(id).velocity.x, 3, 0.01);
  EXPECT_NEAR(world.pose(id).position.x, 3, 0.05);
  world.set_friction(id, Real(0.25));  // √(1·¼) = ½
  EXPECT_EQ(world.parts(id)[0].friction, Real(0.25));
  const double from = world.pose(id).position.x;
  run(world, 3);
  EXPECT_NEAR(world.state(id).velocity.x, 0, 1e-3);
  EXPECT_NEAR(world.pose(id).position.x - from, 9 / (2 * 0.5 * kGravity), 0.05);
  EXPECT_EQ(world.parts(floor)[0].friction, 1);
}

TEST(SetFriction, OfTheGroundWakesWhatSleepsOnIt) {
  World world;
  const Real angle = Real(0.3);  // tan = 0.31
  const Quat tilt = Quat::from_axis_angle({0, 0, 1}, angle);
  const RigidId slope = world.add(StaticBody{.pose = {{}, tilt}, .friction = 1});
  RigidBody body = crate(tilt.rotate({0, Real(0.5), 0}));
  body.pose.orientation = tilt;
  body.friction = 1;
  const RigidId id = world.add(body);
  run(world, 3);
  ASSERT_TRUE(world.state(id).asleep);
  const Vec3 from = world.pose(id).position;
  world.set_friction(slope, 0);
  EXPECT_FALSE(world.state(id).asleep);
  run(world, 1);
  EXPECT_NEAR(length(world.pose(id).position - from), kGravity * std::sin(angle) / 2, 0.1);
}

TEST(SetFriction, OfTheGroundActsOnSoftBodies) {
  for (const Solver& solver : {Solver(Position{}), Solver(QuasiNewton{})}) {
    World world({.gravity = {3, -9, 0}});
    const RigidId floor = world.add(StaticBody{.friction = 1});
    const SoftId id = world.add(SoftBody{.mesh = box_tets({1, Real(0.4), 1}, {3, 2, 3}),
                                         .material = StableNeoHookean{.young = Real(3e5)},
                                         .solver = solver,
                                         .pose = {{0, Real(0.2), 0}},
                                         .friction = 1});
    run(world, 1);
    const double held = mean_position(world, id).x;
    EXPECT_LT(held, 0.2);
    world.set_friction(floor, 0);
    run(world, 1);
    EXPECT_NEAR(mean_position(world, id).x - held, 1.5, 0.3);
  }
}

TEST(SetRestitution, ActsOnTheNextImpact) {
  World world;
  const RigidId floor = world.add(StaticBody{});
  const RigidId ball = world.add(RigidBody{.shape = Sphere{}, .pose = {{0, Real(1.5), 0}}});
  run(world, 3);
  EXPECT_NEAR(world.pose(ball).position.y, 0.5, 0.01);
  ASSERT_TRUE(world.state(ball).asleep);
  world.set_restitution(floor, Real(0.8));
  EXPECT_EQ(world.parts(floor)[0].restitution, Real(0.8));
  world.set_velocity(ball, {0, 3, 0}, {});
  double highest = 0;
  bool landed = false;
  for (int i = 0; i < 90; ++i) {
    world.step(kStep);
    landed = landed || world.pose(ball).position.y < 0.55;
    if (landed && i > 30) highest = std::max(highest, double(world.state(ball).velocity.y));
  }
  EXPECT_NEAR(highest, 0.8 * 3, 0.3);
  world.set_restitution(floor, 0);
  run(world, 3);
  EXPECT_NEAR(world.pose(ball).position.y, 0.5, 0.01);
}

TEST(SetFriction, RefusesWhatABodyMayNotHave) {
  World world;
  const RigidId id = world.add(crate({}));
  expect_error([&] { world.set_friction(id, -1); }, {"friction", "-1"});
  expect_error([&] { world.set_friction(id, NAN); }, {"friction", "finite"});
  expect_error([&] { world.set_restitution(id, 2); }, {"restitution", "2", "at most 1"});
  EXPECT_EQ(world.parts(id)[0].friction, Real(0.5));
  world.remove(id);
  expect_error([&] { world.set_friction(id, 1); }, {"not alive"});
}

TEST(ScaleMass, ForcesAndTorquesActLess) {
  World world({.gravity = {}});
  const RigidId id = world.add(crate({}));
  const double mass = world.state(id).mass, moment = mass / 6;
  run(world, 2);
  const auto push = [&] {
    world.set_velocity(id, {}, {});
    for (int i = 0; i < 60; ++i) {
      world.apply_force(id, {Real(mass), 0, 0});
      world.apply_torque(id, {0, Real(moment), 0});
      world.step(kStep);
    }
    return world.state(id);
  };
  const RigidState before = push();
  EXPECT_NEAR(before.velocity.x, 1, 1e-3);
  EXPECT_NEAR(before.angular_velocity.y, 1, 1e-3);
  world.scale_mass(id, 4);
  EXPECT_FLOAT_EQ(world.state(id).mass, Real(4 * mass));
  const RigidState after = push();
  EXPECT_NEAR(after.velocity.x, 0.25, 1e-3);
  EXPECT_NEAR(after.angular_velocity.y, 0.25, 1e-3);
  EXPECT_NEAR(world.momentum().linear.x, mass, 1e-3 * mass);
}

// A sleeper is woken, and wakes up with its new mass.
TEST(ScaleMass, WakesAndIsKeptBySleepers) {
  World world;
  world.add(StaticBody{});
  const RigidId id = world.add(crate({0, Real(0.5), 0}));
  const double mass = world.state(id).mass;
  run(world, 2);
  ASSERT_TRUE(world.state(id).asleep);
  world.scale_mass(id, Real(0.5));
  EXPECT_FALSE(world.state(id).asleep);
  run(world, 2);
  ASSERT_TRUE(world.state(id).asleep);
  world.apply_impulse(id, {0, Real(mass), 0});
  EXPECT_NEAR(world.state(id).velocity.y, 2, 1e-4);
}

// What hangs on a joint: the sweeps' and the direct solver's loads follow the weight.
TEST(ScaleMass, JointsBearTheNewWeight) {
  for (const JointSolver solver : {JointSolver::kIterative, JointSolver::kDirect}) {
    WorldSettings settings;
    settings.rigid.joint_solver = solver;
    settings.rigid.sleeping = false;
    World world(settings);
    const RigidId upper = world.add(RigidBody{.shape = Sphere{.radius = Real(0.1)}});
    const RigidId lower =
        world.add(RigidBody{.shape = Sphere{.radius = Real(0.1)}, .pose = {{0, -1, 0}}});
    const JointId top = world.add(BallJoint{.a = upper});
    world.add(BallJoint{.a = lower, .b = upper, .anchor = {}});
    const double mass = world.state(upper).mass;
    run(world, 1);
    EXPECT_NEAR(length(world.state(top).force), 2 * mass * kGravity, 0.02 * mass * kGravity);
    world.scale_mass(lower, 100);
    run(world, 1);
    EXPECT_NEAR(length(world.state(top).force), 101 * mass * kGravity, mass * kGravity);
    EXPECT_LT(length(world.state(lower).center_of_mass - Vec3{0, -1, 0}), 2e-3);
  }
}

TEST(ScaleMass, RefusesWhatHasNone) {
  World world;
  const RigidId floor = world.add(StaticBody{.name = "floor"});
  const RigidId sled = world.add(RigidBody{.shape = Box{}, .motion = Motion::kKinematic});
  const RigidId id = world.add(crate({0, 5, 0}));
  const Real tiny = std::numeric_limits<Real>::min() * Real(1e-6);
  expect_error([&] { world.scale_mass(floor, 2); }, {"floor", "dynamic"});
  expect_error([&] { world.scale_mass(sled, 2); }, {"dynamic"});
  expect_error([&] { world.scale_mass(id, 0); }, {"factor", "greater than 0"});
  expect_error([&] { world.scale_mass(id, -2); }, {"factor"});
  expect_error([&] { world.scale_mass(id, INFINITY); }, {"factor", "finite"});
  expect_error([&] { world.scale_mass(id, tiny); }, {"out of range"});
  EXPECT_FLOAT_EQ(world.state(id).mass, 1000);
}

}  // namespace
}  // namespace sinew
