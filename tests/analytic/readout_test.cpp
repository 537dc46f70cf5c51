// What a viewer asks of a world beside positions: contacts of soft bodies, boxes, points of joints.
#include <sinew/generators.h>

#include <cmath>

#include "soft_support.h"
#include "support.h"

namespace sinew {
namespace {

const Real kStep = Real(1.0 / 60);

TEST(SoftContacts, OfABoxThatRests) {
  World world;
  world.add(StaticBody{.shape = Plane{}, .pose = {{0, 1, 0}}});
  const SoftBody body{.mesh = box_tets({1, Real(0.4), 1}, {3, 2, 3}),
                      .material = StableNeoHookean{.young = Real(1e6)},
                      .pose = {{0, Real(1.21), 0}},
                      .settling = 3};
  const SoftId id = world.add(body);
  EXPECT_TRUE(world.soft_contacts(id).empty());
  run(world, 2);
  const std::vector<SoftContact> contacts = world.soft_contacts(id);
  EXPECT_EQ(int(contacts.size()), world.contacts().count);
  EXPECT_GE(contacts.size(), 12u);
  for (const SoftContact& c : contacts) {
    EXPECT_EQ(c.point, world.particles(id)[c.vertex].position);
    EXPECT_LT(length(c.normal - Vec3{0, 1, 0}), 1e-6);
    EXPECT_NEAR(c.separation, c.point.y - 1, 1e-6);
    EXPECT_LT(c.separation, 1e-5);
  }
}

// Two cloths on a ball: each tells of its own, at half its thickness.
TEST(SoftContacts, OfACloth) {
  World world;
  world.add(StaticBody{.shape = Sphere{.radius = 1}, .friction = 2});
  SoftBody body{.mesh = cloth(1, 1, 8, 8), .thickness = Real(0.1), .pose = {{0, Real(1.06), 0}}};
  body.friction = 2;
  const SoftId id = world.add(body);
  body.pose.position.y = 9;
  const SoftId above = world.add(body);
  run(world, Real(0.5));
  const std::vector<SoftContact> contacts = world.soft_contacts(id);
  EXPECT_FALSE(contacts.empty());
  EXPECT_EQ(int(contacts.size()), world.contacts().count);
  EXPECT_TRUE(world.soft_contacts(above).empty());
  for (const SoftContact& c : contacts) {
    EXPECT_LT(length(c.normal - normalized(c.point)), 1e-4);
    EXPECT_NEAR(length(world.particles(id)[c.vertex].position - c.point), 0.05, 1e-5);
    EXPECT_NEAR(length(c.point) - 1, c.separation, 1e-5);
  }
}

void expect_box(const Bounds& box, const Vec3& lower, const Vec3& upper, Real tolerance) {
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(box.lower[k], lower[k], tolerance) << k;
    EXPECT_NEAR(box.upper[k], upper[k], tolerance) << k;
  }
}

TEST(Bounds, HoldBodies) {
  World world({.gravity = {}});
  const Quat turn = Quat::from_axis_angle({0, 1, 0}, Real(3.14159265 / 4));
  const RigidId box = world.add(
      StaticBody{.shape = Box{.size = {2, 2, 2}}, .pose = {{1, 2, 3}, turn}, .margin = Real(0.01)});
  const Real half = std::sqrt(Real(2)) + Real(0.01);
  expect_box(world.bounds(box), {1 - half, Real(0.99), 3 - half}, {1 + half, Real(3.01), 3 + half},
             Real(1e-4));
  const RigidId plane = world.add(StaticBody{.shape = Plane{}, .pose = {{0, -50, 0}}});
  EXPECT_TRUE(std::isinf(world.bounds(plane).upper.y));
  EXPECT_LT(world.bounds(plane).lower.x, 0);

  // Of what moves, with its motion: it holds it before and after a step.
  const RigidId ball = world.add(
      RigidBody{.shape = Sphere{.radius = Real(0.5)}, .pose = {{0, 9, 0}}, .velocity = {30, 0, 0}});
  world.step(kStep);
  const Bounds bounds = world.bounds(ball);
  const Vec3 at = world.pose(ball).position;
  for (int k = 0; k < 3; ++k) {
    EXPECT_LE(bounds.lower[k], at[k] - Real(0.499));
    EXPECT_GE(bounds.upper[k], at[k] + Real(0.499));
    EXPECT_LT(bounds.upper[k] - bounds.lower[k], 5);
  }

  const SoftId solid =
      world.add(SoftBody{.mesh = box_tets({1, 2, 3}, {2, 2, 2}), .pose = {{0, 0, 7}}});
  expect_box(world.bounds(solid), {Real(-0.5), -1, Real(5.5)}, {Real(0.5), 1, Real(8.5)},
             Real(1e-5));
  const SoftId line = world.add(SoftBody{.mesh = rope(2, 4), .thickness = Real(0.2)});
  expect_box(world.bounds(line), {Real(-0.1), Real(-0.1), Real(-0.1)},
             {Real(2.1), Real(0.1), Real(0.1)}, Real(1e-5));
}

struct Two {
  World world;
  RigidId a, b;

  Two() : world({.gravity = {}}) {
    a = world.add(RigidBody{.shape = Sphere{.radius = Real(0.2)}});
    b = world.add(RigidBody{.shape = Sphere{.radius = Real(0.2)}, .pose = {{2, 0, 0}}});
  }
  void expect_points(JointId id, const Vec3& on_a, const Vec3& on_b, double tolerance) {
    const JointState state = world.state(id);
    EXPECT_LT(length(state.point_a - on_a), tolerance);
    EXPECT_LT(length(state.point_b - on_b), tolerance);
  }
  // What a joint's place was, carried along with a body.
  Vec3 carried(RigidId id, const Vec3& from, const Vec3& point) const {
    return world.pose(id).to_world(point - from);
  }
};

TEST(JointPoints, AreCarriedByTheBodies) {
  const Vec3 anchor{1, Real(0.3), 0}, at_b{2, 0, 0};
  Two two;
  const JointId id = two.world.add(HingeJoint{.a = two.a, .b = two.b, .anchor = anchor});
  two.expect_points(id, anchor, anchor, 1e-6);  // before any step
  two.world.set_velocity(two.a, {0, 1, 0}, {1, 2, 3});
  run(two.world, 0.5);
  two.expect_points(id, two.carried(two.a, {}, anchor), two.carried(two.b, at_b, anchor), 1e-5);
  EXPECT_LT(length(two.world.state(id).point_a - two.world.state(id).point_b), 2e-3);
  EXPECT_GT(length(two.world.state(id).point_a - anchor), 0.1);
  const Snapshot snapshot = two.world.snapshot();
  const Vec3 then = two.world.state(id).point_b;
  run(two.world, 0.5);
  two.world.restore(snapshot);
  EXPECT_EQ(two.world.state(id).point_b, then);
}

TEST(JointPoints, OfEveryKind) {
  const Vec3 p{1, 0, 0}, q{2, 1, 0};
  Two two;
  const auto add = [&](const Joint& joint) { return two.world.add(joint); };
  two.expect_points(add(BallJoint{.a = two.a, .anchor = p}), p, p, 1e-6);  // on the world
  two.expect_points(add(DistanceJoint{.a = two.a, .b = two.b, .anchor_a = p, .anchor_b = q}), p, q,
                    1e-6);
  two.expect_points(add(PulleyJoint{.a = two.a,
                                    .b = two.b,
                                    .anchor_a = p,
                                    .anchor_b = q,
                                    .wheel_a = {0, 5, 0},
                                    .wheel_b = {2, 5, 0}}),
                    p, q, 1e-6);
  two.expect_points(add(GearJoint{.a = two.a, .b = two.b}), {}, {2, 0, 0}, 1e-6);
  two.expect_points(add(RotationLockJoint{.a = two.b}), {2, 0, 0}, {2, 0, 0}, 1e-6);
  const JointId nail = add(NailJoint{.a = two.a, .anchor = p, .offset = {0, 1, 0}});
  two.expect_points(nail, p, {1, 1, 0}, 1e-6);
  two.world.move_nail(nail, {3, 3, 3});
  two.expect_points(nail, p, {3, 3, 3}, 1e-6);
}

}  // namespace
}  // namespace sinew
