// Joints against closed solutions: reactions, periods, speeds, limits.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "joint_support.h"

namespace sinew::joint_testing {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr Vec3 kGravity{0, -10, 0};

struct Stage {
  Bodies bodies;
  JointSet joints;
  std::unique_ptr<Executor> executor = make_serial_executor();

  template <class J>
  JointSlot add(const J& joint, BodyRow a, BodyRow b = Bodies::kWorld) {
    return joints.add(joint, a, b, bodies.pose(a), bodies.pose(b));
  }
  void run(double seconds, Real h, const Vec3& gravity, int iterations = 2) {
    for (int i = 0; i < std::lround(seconds / h); ++i)
      substep(bodies, joints, h, gravity, iterations, *executor);
  }
};

// 2 kg, out at 1.5 m: it pulls with 20 N and turns with 30 N m.
TEST(JointAnalytic, BeamHeldAtOneEnd) {
  Stage s;
  const BodyRow beam = s.bodies.add({{Real(1.5), 0, 0}, {}}, Real(0.5), {3, 1, 1});
  const JointSlot slot = s.add(FixedJoint{}, beam);
  s.run(0.2, Real(0.005), kGravity);
  const JointState state = s.joints.state(slot);
  EXPECT_LT(length(state.force - Vec3{0, -20, 0}), 1e-2);
  EXPECT_LT(length(state.torque - Vec3{0, 0, -30}), 1e-2);
  EXPECT_LT(state.linear_error + state.angular_error, 1e-5);
}

// Small swings of a body on a hinge: T = 2π √((I + m l²)/(m g l)).
TEST(JointAnalytic, PeriodOfAPendulum) {
  Stage s;
  const double mass = 2, moment = 0.5, arm = 0.8;
  const Quat turn = Quat::from_axis_angle({0, 0, 1}, Real(0.05));
  const BodyRow bob = s.bodies.add({turn.rotate({0, Real(-arm), 0}), turn}, Real(1 / mass),
                                   {3, 3, Real(1 / moment)});
  s.add(HingeJoint{.axis = {0, 0, 1}}, bob);
  const Real h = Real(0.001);
  double last = s.bodies.pose(bob).center.x, first_zero = 0, zeros = 0, time = 0, zero = 0;
  for (int i = 0; i < 6000; ++i) {
    substep(s.bodies, s.joints, h, kGravity, 1, *s.executor);
    time += h;
    const double x = s.bodies.pose(bob).center.x;
    if (x * last < 0) {
      zero = time - h * x / (x - last);
      if (zeros++ == 0) first_zero = zero;
    }
    last = x;
  }
  const double period = 2 * (zero - first_zero) / (zeros - 1);
  EXPECT_NEAR(period, 2 * kPi * std::sqrt((moment + mass * arm * arm) / (mass * 10 * arm)), 0.003);
}

// A spring swings at its frequency, whatever hangs there and wherever it is tied.
TEST(JointAnalytic, SpringsSwingAtTheirFrequency) {
  for (const double frequency : {0.5, 3.0}) {
    Stage s;
    const BodyRow body = s.bodies.add({{}, {}}, Real(0.2), {3, 3, 3});
    s.add(
        NailJoint{.anchor = {}, .offset = {Real(0.1), 0, 0}, .spring = Spring{Real(frequency), 0}},
        body);
    const Real h = Real(1e-3 / frequency);
    double least = 1, at = 0;  // half a period on, it is on the other side
    for (int i = 0; i < 800; ++i) {
      substep(s.bodies, s.joints, h, {}, 1, *s.executor);
      const double away = -s.bodies.pose(body).center.x;
      if (away < least) least = away, at = (i + 1) * double(h);
    }
    EXPECT_NEAR(at * frequency, 0.5, 0.01);
    EXPECT_NEAR(least, -0.2, 0.01);
  }
}

TEST(JointAnalytic, RopeIsSlackThenTaut) {
  Stage s;
  const BodyRow ball = s.bodies.add({{0, 0, 0}, {}}, 1, {5, 5, 5});
  const JointSlot rope = s.add(DistanceJoint{.range = Range{0, 2}}, ball);
  s.run(0.5, Real(1.0 / 240), kGravity);  // free fall by 1.25 m
  EXPECT_NEAR(s.bodies.pose(ball).center.y, -1.25, 0.02);
  EXPECT_EQ(length(s.joints.state(rope).force), 0);
  double longest = 0;
  for (int i = 0; i < 240; ++i) {
    substep(s.bodies, s.joints, Real(1.0 / 240), kGravity, 1, *s.executor);
    longest = std::max(longest, double(length(s.bodies.pose(ball).center)));
  }
  EXPECT_LT(longest, 2.0001);
  EXPECT_NEAR(s.bodies.pose(ball).center.y, -2, 1e-3);
  EXPECT_NEAR(s.joints.state(rope).force.y, -10, 1e-2);
}

TEST(JointAnalytic, HingeStopsAtItsLimit) {
  Stage s;
  const BodyRow door = s.bodies.add({{1, 0, 0}, {}}, 1, {3, 3, 3});
  const JointSlot hinge = s.add(HingeJoint{.axis = {0, 1, 0}, .range = Range{-1, Real(2.5)}}, door);
  s.bodies.set_velocity(door, {{0, 0, -2}, {0, 2, 0}});
  double most = 0;
  for (int i = 0; i < 600; ++i) {
    substep(s.bodies, s.joints, Real(1.0 / 240), {}, 1, *s.executor);
    most = std::max(most, double(s.joints.state(hinge).position));
  }
  EXPECT_LT(most, 2.501);
  EXPECT_NEAR(most, 2.5, 1e-2);
  EXPECT_LT(s.joints.state(hinge).linear_error, 1e-4);
}

// A motor of 6 N m on 1/3 + 1·1² kg m²; speed is reached exactly even far from the axis.
TEST(JointAnalytic, MotorSpeedsUpByItsTorque) {
  Stage s;
  const BodyRow door = s.bodies.add({{1, 0, 0}, {}}, 1, {3, 3, 3});
  const JointSlot hinge =
      s.add(HingeJoint{.axis = {0, 1, 0}, .motor = Motor{.target = 20, .max_force = 6}}, door);
  s.run(1, Real(1.0 / 480), {}, 1);
  EXPECT_NEAR(s.bodies.velocity(door).angular.y, 6 / (4.0 / 3), 0.02);
  s.joints.set_motor(hinge, Motor{.target = 7});
  s.run(1.0 / 480, Real(1.0 / 480), {}, 1);
  EXPECT_NEAR(s.bodies.velocity(door).angular.y, 7, 1e-4);
  // Over many turns, the angle is counted.
  const double before = s.joints.state(hinge).position;
  s.run(3, Real(1.0 / 480), {}, 1);
  EXPECT_NEAR(s.joints.state(hinge).position - before, 21, 0.05);
}

TEST(JointAnalytic, ServoReachesItsPlaceAndHoldsAWeight) {
  Stage s;
  const BodyRow box = s.bodies.add({{}, {}}, 1, {3, 3, 3});
  const JointSlot slider = s.add(
      SliderJoint{
          .axis = {0, 1, 0},
          .motor = Motor{.kind = MotorKind::kPosition, .target = Real(0.5), .frequency = 4}},
      box);
  s.run(2, Real(1.0 / 480), kGravity, 2);
  const double sag = 10 / std::pow(2 * kPi * 4, 2);  // g/ω²
  EXPECT_NEAR(s.joints.state(slider).position, 0.5 - sag, 1e-3);
}

TEST(JointAnalytic, ConeHoldsTheSwing) {
  Stage s;
  const BodyRow arm = s.bodies.add({{0, 1, 0}, {}}, 1, {3, 6, 3});
  const JointSlot cone = s.add(
      ConeJoint{.axis = {0, 1, 0}, .swing = Real(0.7), .twist = Range{Real(-0.2), Real(0.2)}}, arm);
  s.bodies.set_velocity(arm, {{Real(0.5), 0, Real(0.2)}, {Real(0.2), 3, Real(-0.5)}});
  double most = 0;
  for (int i = 0; i < 1200; ++i) {
    substep(s.bodies, s.joints, Real(1.0 / 240), kGravity, 4, *s.executor);
    most = std::max(most, double(s.joints.state(cone).position));
  }
  EXPECT_NEAR(most, 0.7, 5e-3);
  EXPECT_LT(s.joints.state(cone).linear_error, 1e-3);
  EXPECT_LT(s.joints.state(cone).angular_error, 1e-3);
}

TEST(JointAnalytic, GearsKeepTheirRatio) {
  Stage s;
  const BodyRow a = s.bodies.add({{}, {}}, 1, {3, 3, 3}),
                b = s.bodies.add({{2, 0, 0}, {}}, 1, {1, 1, 1});
  const JointSlot at_a = s.add(HingeJoint{.axis = {0, 0, 1}, .motor = Motor{.target = 9}}, a);
  const JointSlot at_b =
      s.add(HingeJoint{.anchor = {2, 0, 0}, .axis = {0, 0, 1}, .range = Range{-1000, 1000}}, b);
  s.add(GearJoint{.ratio = Real(-1.5)}, a, b);
  s.run(4, Real(1.0 / 240), {}, 8);
  const double turn_a = s.joints.state(at_a).position, turn_b = s.joints.state(at_b).position;
  EXPECT_GT(turn_a, 25);
  EXPECT_NEAR(turn_a, -1.5 * turn_b, 0.02);
}

// Masses m and 2m on a pulley: a = g/3; with a ratio of 2 the same hang in balance.
TEST(JointAnalytic, AtwoodsMachine) {
  for (const double ratio : {1.0, 2.0}) {
    Stage s;
    const BodyRow light = s.bodies.add({{-1, 0, 0}, {}}, 1, {3, 3, 3});
    const BodyRow heavy = s.bodies.add({{1, 0, 0}, {}}, Real(0.5), {3, 3, 3});
    s.add(PulleyJoint{.anchor_a = {-1, 0, 0},
                      .anchor_b = {1, 0, 0},
                      .wheel_a = {-1, 5, 0},
                      .wheel_b = {1, 5, 0},
                      .ratio = Real(ratio)},
          light, heavy);
    s.run(0.5, Real(1.0 / 480), kGravity);
    EXPECT_NEAR(s.bodies.velocity(heavy).linear.y, ratio > 1 ? 0 : -10.0 / 3 * 0.5, 1e-2);
  }
}

// Locked in all but one way: what else acts on it does not turn or shift it.
TEST(JointAnalytic, SixDofSlidesAndStops) {
  Stage s;
  const BodyRow box = s.bodies.add({{0, 0, 0}, {}}, 1, {3, 2, 1});
  const JointSlot slot = s.add(
      SixDofJoint{.anchor = {Real(0.5), 0, Real(0.3)}, .y = JointAxis{Range{Real(-0.7), 0}, {}}},
      box);
  s.bodies.set_velocity(box, {{1, 0, 2}, {3, 2, 1}});
  s.run(1, Real(1.0 / 240), kGravity, 2);
  EXPECT_LT(length(s.bodies.pose(box).center - Vec3{0, Real(-0.7), 0}), 1e-3);
  EXPECT_NEAR(s.joints.state(slot).force.y, -10, 1e-2);
  EXPECT_LT(std::fabs(s.bodies.pose(box).turn.w), 1.00001);
  EXPECT_GT(std::fabs(s.bodies.pose(box).turn.w), 0.99999);
}

// A door that gravity presses against the end of its range, with a spring there: it goes past by δ,
// where ω² I δ = m g l cos δ with the moment I about the hinge.
TEST(JointAnalytic, SoftLimitGivesWayByItsStiffness) {
  for (const double frequency : {1.0, 2.0, 5.0}) {
    Stage s;
    const BodyRow door = s.bodies.add({{1, 0, 0}, {}}, 1, {3, 3, 3});
    const JointSlot hinge = s.add(
        HingeJoint{.axis = {0, 0, 1}, .range = Range{0, 1}, .spring = Spring{Real(frequency), 1}},
        door);
    s.run(3, Real(1.0 / 480), kGravity, 2);
    const double stiffness = std::pow(2 * kPi * frequency, 2) * 4 / 3;
    double expected = 0;
    for (int i = 0; i < 50; ++i) expected = 10 * std::cos(expected) / stiffness;
    EXPECT_NEAR(s.joints.state(hinge).position, -expected, 2e-3 * expected) << frequency;
    EXPECT_LT(length(s.bodies.velocity(door).linear), 1e-3);
  }
}

// Against a spring without damping at the end of its range, a drawer goes on by v/ω and comes back
// as fast as it came; before, it does not feel it.
TEST(JointAnalytic, SoftLimitThrowsBack) {
  Stage s;
  const BodyRow drawer = s.bodies.add({{}, {}}, Real(0.5), {3, 3, 3});
  const JointSlot slider =
      s.add(SliderJoint{.range = Range{-1, Real(0.25)}, .spring = Spring{2, 0}}, drawer);
  s.bodies.set_velocity(drawer, {{1, 0, 0}, {}});
  double most = 0;
  for (int i = 0; i < 1000; ++i) {
    substep(s.bodies, s.joints, Real(1e-3), {}, 1, *s.executor);
    most = std::max(most, double(s.joints.state(slider).position));
    if (i < 240) {
      ASSERT_EQ(s.bodies.velocity(drawer).linear.x, 1) << i;
    }
  }
  EXPECT_NEAR(most, 0.25 + 1 / (4 * kPi), 2e-3);
  EXPECT_NEAR(s.bodies.velocity(drawer).linear.x, -1, 0.02);
}

// A shoulder's swing with a spring: the same law, about the point, and the twist likewise.
TEST(JointAnalytic, SoftConeGivesWayByItsStiffness) {
  Stage s;
  const BodyRow arm = s.bodies.add({{1, 0, 0}, {}}, 1, {3, 3, 3});
  const JointSlot cone =
      s.add(ConeJoint{.axis = {1, 0, 0}, .swing = Real(0.2), .spring = Spring{2, 1}}, arm);
  s.run(3, Real(1.0 / 480), kGravity, 2);
  const double stiffness = std::pow(4 * kPi, 2) * 4 / 3;
  double past = 0;
  for (int i = 0; i < 50; ++i) past = 10 * std::cos(0.2 + past) / stiffness;
  EXPECT_NEAR(s.joints.state(cone).position, 0.2 + past, 2e-4);
}

// Motors of any strength end where their ranges do, and leave at once when they are turned round:
// nothing has been wound up.
TEST(JointAnalytic, RangesHoldAgainstTheirOwnMotors) {
  const Range range{Real(-0.3), Real(0.5)};
  const Motor motors[] = {{.target = 5},
                          {.target = 5, .max_force = 500},
                          {.kind = MotorKind::kPosition, .target = 2, .frequency = 8}};
  for (const Motor& motor : motors)
    for (int kind = 0; kind < 4; ++kind) {
      SCOPED_TRACE(testing::Message() << "joint " << kind << ", force " << motor.max_force);
      Stage s;
      const BodyRow body = s.bodies.add({{Real(0.5), 0, 0}, {}}, 1, {3, 3, 3});
      const JointAxis axis{.range = range, .motor = motor};
      const JointSlot slot =
          kind == 0   ? s.add(HingeJoint{.axis = {0, 0, 1}, .range = range, .motor = motor}, body)
          : kind == 1 ? s.add(SliderJoint{.axis = {0, 1, 0}, .range = range, .motor = motor}, body)
          : kind == 2 ? s.add(SixDofJoint{.y = axis}, body)
                      : s.add(UniversalJoint{.range_a = range, .motor_a = motor}, body);
      const auto place = [&] {
        return kind == 2 ? double(s.bodies.pose(body).center.y)
                         : double(s.joints.state(slot).position);
      };
      double most = 0;
      for (int i = 0; i < 960; ++i) {
        substep(s.bodies, s.joints, Real(1.0 / 480), kGravity, 2, *s.executor);
        most = std::max(most, place());
      }
      EXPECT_LT(most, 0.501);
      if (motor.kind == MotorKind::kPosition) continue;
      EXPECT_NEAR(place(), 0.5, 2e-3);
      s.joints.set_motor(slot, Motor{.target = -5, .max_force = motor.max_force},
                         kind == 2 ? 1 : 0);
      for (int i = 0; i < 48; ++i)
        substep(s.bodies, s.joints, Real(1.0 / 480), kGravity, 2, *s.executor);
      EXPECT_NEAR(place(), 0, 0.05);
    }
}

// The two motors of a cardan joint: about the axis of a, and about that of b. The turn of a is that
// about b's axis after that about its own.
TEST(JointAnalytic, UniversalIsDrivenAboutBothAxes) {
  Stage s;
  const BodyRow body = s.bodies.add({{}, {}}, 1, {3, 2, 4});
  const JointSlot joint =
      s.add(UniversalJoint{.axis_a = {1, 0, 0},
                           .axis_b = {0, 0, 1},
                           .motor_a = Motor{.kind = MotorKind::kPosition, .target = Real(0.6)},
                           .motor_b = Motor{.kind = MotorKind::kPosition, .target = Real(-0.9)}},
            body);
  s.run(3, Real(1.0 / 480), {}, 4);
  const Quat expected =
      Quat::from_axis_angle({0, 0, 1}, Real(-0.9)) * Quat::from_axis_angle({1, 0, 0}, Real(0.6));
  const Quat off = expected.conjugate() * s.bodies.pose(body).turn;
  EXPECT_LT(length(Vec3{off.x, off.y, off.z}), 1e-3);
  EXPECT_NEAR(s.joints.state(joint).position, 0.6, 1e-3);
  // At a speed, over many turns.
  s.joints.set_motor(joint, Motor{.target = 4}, 0);
  s.joints.set_motor(joint, Motor{.target = 0}, 1);
  s.run(5, Real(1.0 / 480), {}, 4);
  EXPECT_NEAR(s.joints.state(joint).position, 20.6, 0.05);
  EXPECT_NEAR(length(s.bodies.velocity(body).angular), 4, 1e-2);
  s.joints.set_motor(joint, Motor{.target = 0}, 0);
  s.joints.set_motor(joint, Motor{.target = -2, .max_force = 50}, 1);
  s.run(1, Real(1.0 / 480), {}, 4);
  EXPECT_LT(length(s.bodies.velocity(body).angular - Vec3{0, 0, -2}), 1e-2);
}

// An arm upright on an elliptic cone falls to each side as far as that side's angle; between, to
// the ellipse.
TEST(JointAnalytic, EllipticConeHasTwoAngles) {
  const double across = 0.9, other = 0.4;
  for (int k = 0; k < 12; ++k) {
    const double side = k * kPi / 6;
    Stage s;
    const BodyRow arm = s.bodies.add({{0, 1, 0}, {}}, 1, {3, 6, 3});
    const JointSlot cone = s.add(ConeJoint{.axis = {0, 1, 0},
                                           .swing = Real(other),
                                           .swing_across = Real(across),
                                           .across = {1, 5, 0}},
                                 arm);
    const Vec3 pull{Real(10 * std::cos(side)), 0, Real(10 * std::sin(side))};
    double most = 0;
    for (int i = 0; i < 480; ++i) {
      substep(s.bodies, s.joints, Real(1.0 / 240), pull, 4, *s.executor);
      const Vec3 n = s.bodies.pose(arm).turn.rotate({0, 1, 0});
      const double swing = std::acos(std::min(1.0, double(n.y))), flat = std::hypot(n.x, n.z);
      const double at = swing / std::max(flat, 1e-6);
      most = std::max(most, std::hypot(n.x * at / across, n.z * at / other));
    }
    EXPECT_NEAR(most, 1, 5e-3) << side;
    if (k % 3 != 0) continue;
    EXPECT_NEAR(s.joints.state(cone).position, k % 6 == 0 ? across : other, 2e-3) << side;
  }
}

// Equal angles are a circle, whichever way it is said.
TEST(JointAnalytic, EqualAnglesAreACircularCone) {
  double angle[2];
  Vec3 axis[2];
  for (int i = 0; i < 2; ++i) {
    Stage s;
    const BodyRow arm = s.bodies.add({{0, 1, 0}, {}}, 1, {3, 6, 3});
    const JointSlot cone = s.add(
        ConeJoint{.axis = {0, 1, 0}, .swing = Real(0.7), .swing_across = i == 0 ? 0 : Real(0.7)},
        arm);
    s.run(0.7, Real(1.0 / 480), {3, -10, 1}, 2);
    angle[i] = s.joints.state(cone).position;
    axis[i] = s.bodies.pose(arm).turn.rotate({0, 1, 0});
  }
  EXPECT_NEAR(angle[0], 0.7, 1e-3);
  EXPECT_NEAR(angle[0], angle[1], 1e-5);
  EXPECT_LT(length(axis[0] - axis[1]), 1e-4);
}

}  // namespace
}  // namespace sinew::joint_testing
