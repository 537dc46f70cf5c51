// Rigid bodies resume from a snapshot to the bit: contacts, joints, sleep and the broad phase with
// them; also when bodies and joints came and went in between.
#include <sinew/generators.h>

#include "snapshot_support.h"

namespace sinew {
namespace {

struct Pile {
  World world;
  std::vector<RigidId> crates;
  std::vector<JointId> joints;
  RigidId lift;
};

// A pyramid with a chain that swings into it, a breaking joint, a lift and a door with a motor.
Pile pile() {
  Pile p;
  World& world = p.world;
  world.add(StaticBody{});
  for (int row = 0; row < 4; ++row)
    for (int i = 0; i < 4 - row; ++i)
      p.crates.push_back(
          world.add(RigidBody{.shape = Box{.size = {1, 1, 1}},
                              .pose = {{Real(1.05) * (Real(i) + Real(0.5) * Real(row)),
                                        Real(0.52) + Real(1.02) * Real(row), Real(0.03) * Real(i)}},
                              .restitution = row == 3 ? Real(0.5) : Real(0)}));
  RigidId last{};
  for (int i = 0; i < 5; ++i) {
    const Real x = -3 + Real(0.5) * Real(i);
    const RigidId link = world.add(RigidBody{
        .shape = Sphere{.radius = Real(0.2)}, .pose = {{x, 4, 0}}, .velocity = {2, 0, 0}});
    p.joints.push_back(
        world.add(BallJoint{.a = link, .b = last, .anchor = {x - Real(0.25), 4, 0}}));
    p.crates.push_back(link);
    last = link;
  }
  p.lift = world.add(RigidBody{.shape = Box{.size = {1, Real(0.2), 1}},
                               .pose = {{-5, Real(0.3), 0}},
                               .motion = Motion::kKinematic});
  p.crates.push_back(world.add(RigidBody{.shape = Box{.size = {1, 1, 1}}, .pose = {{-5, 1, 0}}}));
  const RigidId door =
      world.add(RigidBody{.shape = Box{.size = {1, 1, Real(0.1)}}, .pose = {{0, 1, 4}}});
  p.joints.push_back(world.add(HingeJoint{
      .a = door, .anchor = {Real(-0.5), 1, 4}, .motor = Motor{.target = 3, .max_force = 100}}));
  const RigidId hanging = world.add(RigidBody{.shape = Sphere{}, .pose = {{4, 3, 4}}});
  p.joints.push_back(world.add(BallJoint{.a = hanging, .anchor = {4, 4, 4}, .break_force = 10}));
  world.add(SoftBody{.mesh = box_tets({1, 1, 1}, {2, 2, 2}), .pose = {{8, 1, 0}}});
  return p;
}

void drive(Pile& p, World& world, int i) {
  const Vec3 to{-5, Real(0.3) + Real(0.02) * Real(i), 0};
  world.move_to(p.lift, {to}, Real(1.0 / 60));
  if (i % 7 == 3) world.apply_force(p.crates[2], {200, 0, 100});
  if (i == 20) world.apply_impulse(p.crates[9], {-500, 0, 0});
}

TEST(Snapshot, ResumesRigidBodiesWithJoints) {
  Pile p = pile();
  int broken = 0;
  expect_resumes(
      "pile", p.world, 40,
      [&](World& world, int i) {
        drive(p, world, i);
        for (const Event& event : world.events()) broken += event.kind == Event::Kind::kBroken;
      },
      [](World& world) { world.step(Real(1.0 / 90)); });
  EXPECT_GT(broken, 1);  // again after going back
  EXPECT_GT(p.world.rigid_contacts().size(), 10u);
}

TEST(Snapshot, ResumesRigidBodiesAfterOthersCameAndWent) {
  Pile p = pile();
  const std::size_t bodies = p.world.rigid_bodies().size();
  expect_resumes(
      "changed pile", p.world, 30, [&](World& world, int i) { drive(p, world, i); },
      [&](World& world) {
        for (int i = 0; i < 5; ++i) world.remove(p.crates[i]);
        world.remove(p.joints[1]);
        for (int i = 0; i < 12; ++i)
          world.add(RigidBody{.shape = Capsule{}, .pose = {{Real(i), 6, 0}}});
        world.add(StaticBody{.shape = Box{.size = {1, 1, 1}}, .pose = {{8, 0, 0}}});
        for (int i = 0; i < 10; ++i) world.step(Real(1.0 / 60));
        world.remove(p.crates[9]);
        world.step(Real(1.0 / 60));
      });
  EXPECT_EQ(p.world.rigid_bodies().size(), bodies);
  EXPECT_TRUE(p.world.contains(p.crates[0]));
  EXPECT_TRUE(p.world.contains(p.joints[1]));
}

// Joints that are solved at once, which remember how hard they pulled.
TEST(Snapshot, ResumesAHeavyChain) {
  World world;
  std::vector<JointId> joints;
  RigidId last{};
  for (int i = 0; i < 12; ++i) {
    const Real x = Real(0.4) * Real(i);
    const Real density = i == 11 ? Real(1e6) : Real(1000);
    const RigidId link = world.add(RigidBody{.shape = Capsule{.radius = Real(0.05)},
                                             .pose = {{x, 0, 0}},
                                             .density = density,
                                             .mask = 0});
    joints.push_back(world.add(BallJoint{.a = link, .b = last, .anchor = {x - Real(0.2), 0, 0}}));
    last = link;
  }
  expect_resumes(
      "chain", world, 60, [](World&, int) {},
      [&](World& w) {
        w.remove(joints[5]);
        for (int i = 0; i < 3; ++i) w.step(Real(1.0 / 60));
      });
  EXPECT_LT(world.pose(last).position.y, -1);
}

TEST(Snapshot, ResumesWhatSleeps) {
  World world;
  world.add(StaticBody{});
  std::vector<RigidId> crates;
  for (int i = 0; i < 3; ++i)
    crates.push_back(world.add(
        RigidBody{.shape = Box{.size = {1, 1, 1}}, .pose = {{0, Real(0.5) + Real(i), 0}}}));
  for (int i = 0; i < 300 && !world.state(crates[0]).asleep; ++i) world.step(Real(1.0 / 60));
  ASSERT_TRUE(world.state(crates[0]).asleep);
  expect_resumes(
      "asleep", world, 20,
      [&](World& w, int i) {
        if (i == 5) w.apply_impulse(crates[2], {2000, 0, 0});
      },
      [&](World& w) {
        w.wake(crates[0]);
        w.step(Real(1.0 / 60));
      });
}

// Taken before their first step, and while all sleeps on a lift that stands still.
TEST(Snapshot, ResumesNewJointsAndWhatSleepsOnALift) {
  World world({.rigid = {.joint_solver = JointSolver::kIterative}});
  RigidId last =
      world.add(RigidBody{.shape = Box{.size = {2, 1, 2}}, .motion = Motion::kKinematic});
  const RigidId lift = last;
  for (int i = 0; i < 4; ++i) {
    const RigidId link =
        world.add(RigidBody{.shape = Sphere{.radius = Real(0.2)}, .pose = {{0, Real(-1 - i), 0}}});
    world.add(BallJoint{.a = link, .b = last, .anchor = {0, Real(-0.5) - Real(i), 0}});
    last = link;
  }
  const RigidId crate = world.add(RigidBody{.shape = Box{.size = {1, 1, 1}}, .pose = {{0, 1, 0}}});
  const auto no_drive = [](World&, int) {};
  const auto step = [](World& w) { w.step(Real(1.0 / 60)); };
  expect_resumes("new joints", world, 10, no_drive, step);
  for (int i = 0; i < 300 && !world.state(crate).asleep; ++i) world.step(Real(1.0 / 60));
  ASSERT_TRUE(world.state(crate).asleep);
  expect_resumes(
      "on a lift", world, 20,
      [&](World& w, int i) {
        if (i == 5) w.set_velocity(lift, {0, 1, 0}, {});
      },
      step);
}

// The packs of the last joint are there until the next step: a snapshot forgot that they are to go.
TEST(RigidSnapshot, AfterTheLastJointHasGone) {
  World world;
  const RigidId crate = world.add(RigidBody{.shape = Box{}, .pose = {{0, 5, 0}}});
  const JointId joint = world.add(BallJoint{.a = crate, .anchor = {1, 6, 0}});
  for (int i = 0; i < 10; ++i) world.step(Real(1.0 / 60));
  world.remove(joint);
  const Snapshot snapshot = world.snapshot();
  const auto run = [&] {
    for (int i = 0; i < 10; ++i) world.step(Real(1.0 / 60));
    return world.state_hash();
  };
  const std::uint64_t hash = run();
  world.restore(snapshot);
  EXPECT_EQ(run(), hash);
}

}  // namespace
}  // namespace sinew
