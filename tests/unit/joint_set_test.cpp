// The set of joints as a container: what comes and goes, and what is kept.
#include "rigid/joint_set.h"

#include <gtest/gtest.h>
#include <sinew/error.h>

#include "joint_support.h"

namespace sinew::joint_testing {
namespace {

constexpr Real kH = Real(1.0 / 240);
constexpr Vec3 kGravity{0, -10, 0};

// A chain that hangs from the world.
struct Chain {
  Bodies bodies;
  JointSet joints;
  std::vector<BodyRow> row;
  std::vector<JointSlot> slot;
  std::unique_ptr<Executor> executor = make_serial_executor();

  explicit Chain(int count) {
    for (int i = 0; i < count; ++i) {
      row.push_back(bodies.add({{Real(i + 1), 0, 0}, {}}, 1, {6, 6, 6}));
      link(i == 0 ? Bodies::kWorld : row[i - 1], row[i], {Real(i) + Real(0.5), 0, 0});
    }
  }
  void link(BodyRow b, BodyRow a, const Vec3& anchor) {
    slot.push_back(joints.add(BallJoint{.anchor = anchor}, a, b, bodies.pose(a), bodies.pose(b)));
  }
  void step(int count = 1) {
    for (int i = 0; i < count; ++i) substep(bodies, joints, kH, kGravity, 4, *executor);
  }
  void prepare() { joints.prepare(bodies.rows, kH, Bodies::kScratch, *executor); }
};

void expect_same_motion(const Bodies& one, const Bodies& other) {
  ASSERT_EQ(one.end(), other.end());
  for (BodyRow i = one.first(); i < one.end(); ++i)
    for (int k = 0; k < 8; ++k) {
      EXPECT_EQ(one.rows.velocity[i].c[k], other.rows.velocity[i].c[k]);
      EXPECT_EQ(one.rows.pose[i].c[k], other.rows.pose[i].c[k]);
    }
}

TEST(JointSet, ImpulsesOutliveOtherJoints) {
  Chain chain(40);
  chain.step(10);
  std::vector<Vec3> force;
  for (const JointSlot slot : chain.slot) force.push_back(chain.joints.state(slot).force);
  EXPECT_GT(length(force[1]), 1);
  // Every third goes, and one comes: all packs are made anew.
  for (int i = 0; i < 40; i += 3) chain.joints.remove(chain.slot[i]);
  chain.link(Bodies::kWorld, chain.row[7], {8, 0, 0});
  EXPECT_EQ(chain.joints.size(), 40 - 14 + 1);
  chain.prepare();
  for (int i = 0; i < 40; ++i) {
    if (i % 3 == 0) continue;
    const Vec3 now = chain.joints.state(chain.slot[i]).force;
    EXPECT_LT(length(now - force[i]), 1e-4 * (1 + length(force[i]))) << i;
  }
  EXPECT_EQ(length(chain.joints.state(chain.slot.back()).force), 0);
}

TEST(JointSet, SlotsAreUsedAgainAndStaleOnesRefused) {
  Chain chain(3);
  chain.joints.remove(chain.slot[1]);
  EXPECT_FALSE(chain.joints.contains(chain.slot[1]));
  EXPECT_THROW(chain.joints.state(chain.slot[1]), Error);
  EXPECT_THROW(chain.joints.remove(chain.slot[1]), Error);
  chain.link(chain.row[0], chain.row[1], {Real(1.5), 0, 0});
  EXPECT_EQ(chain.slot.back(), chain.slot[1]);
  EXPECT_THROW(chain.joints.add(BallJoint{}, 20, 20, {}, {}), Error);
}

TEST(JointSet, PairsAreThoseOfTheJoints) {
  Chain chain(5);
  chain.joints.remove(chain.slot[2]);
  std::vector<std::pair<BodyRow, BodyRow>> pairs;
  chain.joints.for_each_pair([&](BodyRow a, BodyRow b, JointSlot) { pairs.push_back({a, b}); });
  const std::vector<BodyRow>& r = chain.row;
  const std::vector<std::pair<BodyRow, BodyRow>> expected = {
      {r[0], Bodies::kWorld}, {r[1], r[0]}, {r[3], r[2]}, {r[4], r[3]}};
  EXPECT_EQ(pairs, expected);
}

TEST(JointSet, CopiesGoOnAlike) {
  Chain chain(20);
  chain.step(5);
  const Bodies bodies = chain.bodies;
  const JointSet joints = chain.joints;
  chain.step(20);
  Chain other(20);
  other.bodies = bodies;
  other.joints = joints;
  other.step(20);
  expect_same_motion(chain.bodies, other.bodies);
}

TEST(JointSet, SleepersAreLeftAloneAndKeepTheirImpulses) {
  Chain chain(2);
  chain.step(5);
  const Vec3 force = chain.joints.state(chain.slot[0]).force;
  for (const JointSlot slot : chain.slot) chain.joints.set_active(slot, false);
  const Twist<Real> before = chain.bodies.velocity(chain.row[0]);
  chain.prepare();
  chain.joints.warm_start(chain.bodies.rows, *chain.executor);
  chain.joints.solve(chain.bodies.rows, *chain.executor);
  EXPECT_EQ(length(chain.bodies.velocity(chain.row[0]).linear - before.linear), 0);
  for (const JointSlot slot : chain.slot) chain.joints.set_active(slot, true);
  chain.prepare();
  EXPECT_LT(length(chain.joints.state(chain.slot[0]).force - force), 1e-4 * length(force));
}

TEST(JointSet, BodiesMayMoveToOtherRows) {
  Chain one(8), other(8);
  one.step(5), other.step(5);
  // The rows of the other chain in reverse.
  std::vector<BodyRow> to(other.bodies.end());
  for (BodyRow i = 0; i < to.size(); ++i)
    to[i] = i < other.bodies.first() ? i : other.bodies.first() + (other.bodies.end() - 1 - i);
  Bodies moved = other.bodies;
  for (BodyRow i = other.bodies.first(); i < other.bodies.end(); ++i) {
    moved.set_pose(to[i], other.bodies.pose(i));
    moved.set_velocity(to[i], other.bodies.velocity(i));
  }
  other.bodies = moved;
  other.joints.relabel(to);
  one.step(5), other.step(5);
  for (BodyRow i = one.bodies.first(); i < one.bodies.end(); ++i)
    EXPECT_LT(length(one.bodies.pose(i).center - other.bodies.pose(to[i]).center), 1e-5);
}

TEST(JointSet, ThreadsChangeNothing) {
  const auto build = [](std::unique_ptr<Executor> executor) {
    auto chain = std::make_unique<Chain>(0);
    chain->executor = std::move(executor);
    for (int i = 0; i < 9000; ++i) {
      const Real x = Real(i % 90), z = Real(i) / 90;
      chain->row.push_back(chain->bodies.add({{x, 0, z}, {}}, 1, {6, 6, 6}));
      chain->link(i % 3 == 0 ? Bodies::kWorld : chain->row[i - 1], chain->row[i],
                  {x - Real(0.5), 0, z});
    }
    chain->step(3);
    return chain;
  };
  const auto serial = build(make_serial_executor()), pool = build(make_thread_pool(3));
  expect_same_motion(serial->bodies, pool->bodies);
  for (int k = 0; k < 8; ++k) EXPECT_EQ(pool->bodies.rows.velocity[Bodies::kWorld].c[k], 0);
}

// More joints at one body than there are bits in a word of colours.
TEST(JointSet, ManyJointsAtOneBody) {
  Chain chain(1);
  for (int i = 0; i < 150; ++i) {
    chain.row.push_back(chain.bodies.add({{1, Real(i), 1}, {}}, 1, {6, 6, 6}));
    chain.link(chain.row[0], chain.row.back(), {1, Real(i), Real(0.5)});
  }
  chain.step(3);
  for (BodyRow i = chain.bodies.first(); i < chain.bodies.end(); ++i)
    ASSERT_TRUE(std::isfinite(length(chain.bodies.pose(i).center)));
  EXPECT_GT(length(chain.joints.state(chain.slot.back()).force), 0);
}

TEST(JointSet, MotorsAndNailsCanBeChanged) {
  Bodies bodies;
  const BodyRow wheel = bodies.add({{}, {}}, 1, {6, 6, 6});
  const auto executor = make_serial_executor();
  JointSet joints;
  const JointSlot hinge = joints.add(HingeJoint{.axis = {0, 0, 1}, .motor = Motor{.target = 1}},
                                     wheel, Bodies::kWorld, bodies.pose(wheel), {});
  const JointSlot plain =
      joints.add(HingeJoint{.axis = {0, 0, 1}}, wheel, Bodies::kWorld, bodies.pose(wheel), {});
  substep(bodies, joints, kH, {}, 2, *executor);
  EXPECT_NEAR(bodies.velocity(wheel).angular.z, 1, 1e-5);
  joints.set_motor(hinge, Motor{.target = -3});
  substep(bodies, joints, kH, {}, 2, *executor);
  EXPECT_NEAR(bodies.velocity(wheel).angular.z, -3, 1e-5);
  EXPECT_THROW(joints.set_motor(plain, Motor{}), Error);
  EXPECT_THROW(joints.set_motor(hinge, Motor{}, 1), Error);
  EXPECT_THROW(joints.set_place(plain, {}), Error);

  const BodyRow held = bodies.add({{5, 0, 0}, {}}, 1, {6, 6, 6});
  const JointSlot nail =
      joints.add(NailJoint{.anchor = {5, 0, 0}}, held, Bodies::kWorld, bodies.pose(held), {});
  joints.set_place(nail, {5, 1, 0});
  for (int i = 0; i < 40; ++i) substep(bodies, joints, kH, {}, 2, *executor);
  EXPECT_LT(length(bodies.pose(held).center - Vec3{5, 1, 0}), 1e-4);
}

TEST(JointSet, BreakingJointsAreTold) {
  Chain chain(0);
  const BodyRow body = chain.bodies.add({{0, -1, 0}, {}}, Real(0.5), {6, 6, 6});  // 20 N
  const auto nail = [&](Real force) {
    return chain.joints.add(NailJoint{.anchor = {0, -1, 0}, .break_force = force}, body,
                            Bodies::kWorld, chain.bodies.pose(body), {});
  };
  nail(21);
  const auto step = [&] {
    std::vector<JointSlot> broken;
    chain.step(2);
    chain.joints.add_loads(kH);
    chain.joints.take_breaking(kH, broken);
    return broken;
  };
  EXPECT_TRUE(step().empty());
  chain.joints.remove(0);
  const JointSlot weak = nail(19);
  EXPECT_EQ(step(), std::vector<JointSlot>{weak});
}

}  // namespace
}  // namespace sinew::joint_testing
