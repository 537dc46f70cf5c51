// Joints that go while their bodies hang on others: nothing may be thrown.
#include <gtest/gtest.h>
#include <sinew/joints.h>
#include <sinew/world.h>

#include <algorithm>
#include <tuple>
#include <vector>

namespace sinew {
namespace {

constexpr Real kDt = Real(1.0 / 60), kSpacing = Real(0.2), kKnot = Real(0.05);

int frozen(const World& world) {
  return static_cast<int>(
      std::count_if(world.events().begin(), world.events().end(),
                    [](const Event& event) { return event.kind == Event::Kind::kFrozen; }));
}

// What falls freely and does not turn has no motion about its centre to take energy from: the share
// of it that was left was no number.
TEST(ChangedJoints, ARodFallsOnceItIsFree) {
  World world;
  std::vector<RigidId> balls;
  std::vector<Vec3> places;
  for (int i = 0; i < 4; ++i) {
    places.push_back({kSpacing * Real(i) - Real(0.3), 0, 0});
    const Sphere ball{.radius = kKnot};
    balls.push_back(i == 0 || i == 3 ? world.add(StaticBody{.shape = ball, .pose = {places[i]}})
                                     : world.add(RigidBody{.shape = ball, .pose = {places[i]}}));
  }
  const auto rod = [&](int a, int b) {
    return world.add(
        DistanceJoint{.a = balls[a], .b = balls[b], .anchor_a = places[a], .anchor_b = places[b]});
  };
  const JointId first = rod(1, 0);
  rod(1, 2);
  const JointId last = rod(2, 3);
  for (int i = 0; i < 60; ++i) {
    if (i == 7) world.remove(first);
    if (i == 8) world.remove(last);
    world.step(kDt);
    ASSERT_EQ(frozen(world), 0) << "step " << i;
  }
  for (const int i : {1, 2}) EXPECT_LT(world.pose(balls[i]).position.y, -2);
}

// Ball joints of a net say the same many times, and pull against each other by any force. What they
// remembered threw a ball of 750 kg up by 20 m once one of them was gone; equations of a net that
// had been torn out of shape did so when they were solved at once again.
struct BallJointNet {
  World world;
  std::vector<JointId> joints;

  explicit BallJointNet(double ratio) {
    constexpr int kSide = 9;
    constexpr Real kMass = Real(0.5), kBall = Real(0.3), kHalf = kSpacing * (kSide - 1) / 2,
                   kSag = kHalf / 3;
    const auto solid = [](Real mass, Real radius) {
      const Real inertia = Real(0.4) * mass * radius * radius;
      return Mass{.mass = mass, .inertia = {inertia, inertia, inertia}};
    };
    const auto is_free = [](int i) {
      return i / kSide > 0 && i / kSide + 1 < kSide && i % kSide > 0 && i % kSide + 1 < kSide;
    };
    std::vector<RigidId> knots;
    std::vector<Vec3> places;
    for (int i = 0; i < kSide * kSide; ++i) {
      const Real x = kSpacing * Real(i / kSide) - kHalf, z = kSpacing * Real(i % kSide) - kHalf;
      const Real u = x / kHalf, v = z / kHalf;
      places.push_back({x, -kSag * (1 - u * u) * (1 - v * v), z});
      const Box box{.size = {2 * kKnot, kKnot, 2 * kKnot}};
      knots.push_back(
          is_free(i)
              ? world.add(RigidBody{.shape = box, .pose = {places[i]}, .mass = solid(kMass, kKnot)})
              : world.add(StaticBody{.shape = box, .pose = {places[i]}}));
    }
    const auto join = [&](int a, int b) {
      if (!is_free(a)) std::swap(a, b);
      if (!is_free(a)) return;
      joints.push_back(world.add(
          BallJoint{.a = knots[a], .b = knots[b], .anchor = (places[a] + places[b]) * Real(0.5)}));
    };
    for (int i = 0; i < kSide * kSide; ++i) {
      if (i % kSide + 1 < kSide) join(i, i + 1);
      if (i / kSide + 1 < kSide) join(i, i + kSide);
    }
    world.add(RigidBody{.shape = Sphere{.radius = kBall},
                        .pose = {{0, -kSag + kKnot + kBall + Real(0.05), 0}},
                        .mass = solid(Real(kMass * ratio), kBall)});
  }
};

class ChangedNet : public testing::TestWithParam<std::tuple<double, int>> {};

TEST_P(ChangedNet, LosesItsJointsOneByOne) {
  const auto [ratio, every] = GetParam();
  BallJointNet net(ratio);
  const double start = net.world.energy().total();
  for (int i = 0; i < 240; ++i) {
    const JointId joint = net.joints[std::size_t(i) * 7919 % net.joints.size()];
    if (i > 5 && i % every == every - 1 && net.world.contains(joint)) net.world.remove(joint);
    net.world.step(kDt);
    ASSERT_EQ(frozen(net.world), 0) << "step " << i;
    ASSERT_LT(net.world.energy().total(), start + 1) << "step " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(ByMassesAndSteps, ChangedNet,
                         testing::Combine(testing::Values(30.0, 140.0, 300.0, 700.0, 1500.0),
                                          testing::Values(2, 3, 4, 5, 8, 13)));

}  // namespace
}  // namespace sinew
