// Rigid bodies against what mechanics says of them: friction, impacts, pendulums, spin, momentum.
#include <gtest/gtest.h>
#include <sinew/world.h>

#include <cmath>
#include <vector>

namespace sinew {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kGravity = 9.81;
constexpr Real kDt = Real(1.0 / 60);

World without_gravity() { return World({.gravity = {}, .rigid = {.sleeping = false}}); }

// A box on a slope of that angle; how far it has slid after a time.
double slide(double angle, double friction, double seconds) {
  World world;
  const Quat turn = Quat::from_axis_angle({0, 0, 1}, Real(angle));
  world.add(StaticBody{.pose = {{}, turn}, .friction = Real(friction)});
  const Vec3 start = turn.rotate({0, Real(0.25), 0});
  const RigidId box = world.add(RigidBody{
      .shape = Box{.size = {1, Real(0.5), 1}}, .pose = {start, turn}, .friction = Real(friction)});
  while (world.time() < seconds - 1e-6) world.step(kDt);
  return length(to_double(world.pose(box).position - start));
}

TEST(RigidLaws, SlidingStartsAtTheAngleOfFriction) {
  for (const double friction : {0.2, 0.5, 0.9}) {
    const double limit = std::atan(friction), half_degree = kPi / 360;
    EXPECT_LT(slide(limit - half_degree, friction, 2), 1e-3) << friction;
    EXPECT_GT(slide(limit + half_degree, friction, 2), 5e-3) << friction;
  }
}

TEST(RigidLaws, SlidesAsFarAsItShould) {
  for (const double friction : {0.0, 0.2, 0.5}) {
    const double angle = std::atan(friction) + 0.2, t = 1.5;
    const double expected = 0.5 * kGravity * (std::sin(angle) - friction * std::cos(angle)) * t * t;
    EXPECT_NEAR(slide(angle, friction, t), expected, 0.02 * expected) << friction;
  }
}

// Kicked along a floor, it stops after v²/2μg.
TEST(RigidLaws, FrictionStopsWhatSlides) {
  World world;
  world.add(StaticBody{.friction = Real(0.4)});
  const RigidId box = world.add(RigidBody{.shape = Box{.size = {1, Real(0.2), 1}},
                                          .pose = {{0, Real(0.1), 0}},
                                          .velocity = {3, 0, Real(1.5)},
                                          .friction = Real(0.4)});
  for (int i = 0; i < 180; ++i) world.step(kDt);
  const double way = length(to_double(world.pose(box).position - Vec3{0, Real(0.1), 0}));
  const double expected = (9 + 2.25) / (2 * 0.4 * kGravity);
  EXPECT_NEAR(way, expected, 0.02 * expected);
}

// Highest point after the first bounce, above where the shape rests.
double bounce_height(const Shape& shape, double rest, double height, double restitution) {
  World world;
  world.add(StaticBody{.restitution = Real(restitution)});
  const RigidId ball = world.add(RigidBody{
      .shape = shape, .pose = {{0, Real(rest + height), 0}}, .restitution = Real(restitution)});
  double y[3] = {};  // the last three heights
  for (int i = 0; i < 240; ++i) {
    world.step(kDt);
    y[0] = y[1], y[1] = y[2], y[2] = double(world.pose(ball).position.y) - rest;
    // The top of the parabola through them.
    if (i > 2 && y[1] > y[0] && y[1] >= y[2])
      return y[1] - (y[2] - y[0]) * (y[2] - y[0]) / (8 * (y[0] - 2 * y[1] + y[2]));
  }
  return 0;
}

TEST(RigidLaws, RestitutionReturnsItsSquareOfTheHeight) {
  for (const double e : {0.3, 0.5, 0.8, 1.0})
    for (const double height : {0.5, 1.0, 2.0}) {
      EXPECT_NEAR(bounce_height(Sphere{.radius = Real(0.1)}, 0.1, height, e), e * e * height,
                  0.02 * height * e * e)
          << "ball, " << e << ", " << height;
      EXPECT_NEAR(bounce_height(Box{.size = {1, Real(0.2), 1}}, 0.1, height, e), e * e * height,
                  0.02 * height * e * e)
          << "box, " << e << ", " << height;
    }
}

// A box on a turntable that friction holds goes round with it; along tangents it would creep
// outwards by exp(ω² dt t/2), a fifth of its way in 10 s.
TEST(RigidLaws, WhatRidesOnATurntableStaysInItsPlace) {
  World world({.rigid = {.sleeping = false}});
  world.add(RigidBody{.shape = Box{.size = {4, Real(0.2), 4}},
                      .pose = {{0, Real(-0.1), 0}},
                      .motion = Motion::kKinematic,
                      .angular_velocity = {0, Real(1.5), 0}});
  const RigidId box = world.add(RigidBody{.shape = Box{.size = {Real(0.2), Real(0.2), Real(0.2)}},
                                          .pose = {{1, Real(0.1), 0}},
                                          .velocity = {0, 0, Real(-1.5)},
                                          .angular_velocity = {0, Real(1.5), 0}});
  for (int i = 0; i < 600; ++i) world.step(kDt);
  const Vec3 place = world.pose(box).position;
  EXPECT_NEAR(std::hypot(place.x, place.z), 1, 2e-3);
}

TEST(RigidLaws, AStackWithRestitutionComesToRest) {
  World world;
  world.add(StaticBody{.restitution = Real(0.5)});
  std::vector<RigidId> boxes;
  for (int i = 0; i < 5; ++i)
    boxes.push_back(world.add(RigidBody{
        .shape = Box{}, .pose = {{0, Real(0.5 + i + 0.2), 0}}, .restitution = Real(0.5)}));
  for (int i = 0; i < 600; ++i) world.step(kDt);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    EXPECT_NEAR(world.pose(boxes[i]).position.y, 0.5 + double(i), 0.02) << i;
    EXPECT_LT(length(world.state(boxes[i]).velocity), 0.02) << i;
  }
}

// Time of a swing to and fro, from the moments at which the angle passes zero.
class Swing {
 public:
  void observe(double angle, double time) {
    if (last_time_ >= 0 && last_ < 0 && angle >= 0)
      passes_.push_back(last_time_ + (time - last_time_) * -last_ / (angle - last_));
    last_ = angle, last_time_ = time;
  }
  double period() const { return (passes_.back() - passes_.front()) / double(passes_.size() - 1); }

 private:
  std::vector<double> passes_;
  double last_ = 0, last_time_ = -1;
};

// A rod of that length, turning about one end, let go at an angle.
double pendulum_period(double rod, double angle, bool hinge) {
  World world({.rigid = {.sleeping = false}});
  const Quat turn = Quat::from_axis_angle({0, 0, 1}, Real(angle));
  const RigidId body =
      world.add(RigidBody{.shape = Box{.size = {Real(0.05), Real(rod), Real(0.05)}},
                          .pose = {turn.rotate({0, Real(-rod / 2), 0}), turn}});
  if (hinge)
    world.add(HingeJoint{.a = body, .anchor = {}, .axis = {0, 0, 1}});
  else
    world.add(BallJoint{.a = body, .anchor = {}});
  Swing swing;
  while (world.time() < 20) {
    world.step(kDt);
    const Vec3 p = world.pose(body).position;
    swing.observe(std::atan2(p.x, -p.y), world.time());
  }
  return swing.period();
}

TEST(RigidLaws, PendulumPeriods) {
  for (const double rod : {0.5, 1.0, 3.0})
    for (const double angle : {0.05, 0.5, 1.5}) {
      // I/(m g d) = (L²/3 + w²/12)/(g L/2); the amplitude by the arithmetic–geometric mean.
      const double inertia = rod * rod / 3 + 0.05 * 0.05 / 12;
      double a = 1, g = std::cos(angle / 2);
      for (int i = 0; i < 8; ++i) {
        const double mean = (a + g) / 2;
        g = std::sqrt(a * g), a = mean;
      }
      const double expected = 2 * kPi * std::sqrt(inertia / (kGravity * rod / 2)) / a;
      for (const bool hinge : {false, true})
        EXPECT_NEAR(pendulum_period(rod, angle, hinge), expected, 0.005 * expected)
            << rod << ", " << angle << ", " << hinge;
    }
}

// Two point masses on rods of equal length swing slowly, in step, with ω² = (2 − √2) g/L, and
// quickly, against each other, with (2 + √2) g/L.
TEST(RigidLaws, DoublePendulumPeriods) {
  for (const double sign : {1.0, -1.0}) {
    World world({.rigid = {.sleeping = false}});
    const double rod = 1, small = 0.02;
    const double x1 = small, x2 = small + sign * std::sqrt(2.0) * small;
    const double y1 = -std::sqrt(rod * rod - x1 * x1);
    const double y2 = y1 - std::sqrt(rod * rod - (x2 - x1) * (x2 - x1));
    const auto add = [&](double x, double y) {
      return world.add(RigidBody{.shape = Sphere{.radius = Real(0.05)},
                                 .pose = {{Real(x), Real(y), 0}},
                                 .point_mass = true});
    };
    const RigidId upper = add(x1, y1), lower = add(x2, y2);
    world.add(DistanceJoint{.a = upper, .anchor_a = {Real(x1), Real(y1), 0}, .anchor_b = {}});
    world.add(DistanceJoint{.a = lower,
                            .b = upper,
                            .anchor_a = {Real(x2), Real(y2), 0},
                            .anchor_b = {Real(x1), Real(y1), 0}});
    Swing swing;
    while (world.time() < 20) {
      world.step(kDt);
      swing.observe(world.pose(upper).position.x, world.time());
    }
    const double expected = 2 * kPi / std::sqrt((2 - sign * std::sqrt(2.0)) * kGravity / rod);
    EXPECT_NEAR(swing.period(), expected, 0.005 * expected) << sign;
  }
}

// Spin about the middle axis, which is not stable: the body tumbles, and keeps what it must.
TEST(RigidLaws, FreeSpinKeepsEnergyAndMomentum) {
  for (const double speed : {2.0, 10.0, 30.0}) {
    World world = without_gravity();
    const RigidId body = world.add(
        RigidBody{.shape = Box{.size = {Real(0.1), Real(0.4), 1}},
                  .angular_velocity = {Real(0.01 * speed), Real(speed), Real(0.02 * speed)}});
    const double energy = world.energy().kinetic;
    const Vec3T<double> momentum = world.momentum().angular;
    bool tumbled = false;
    for (int i = 0; i < 3600; ++i) {
      world.step(kDt);
      tumbled |= dot(world.pose(body).orientation.rotate({0, 1, 0}), {0, 1, 0}) < Real(-0.5);
      ASSERT_NEAR(world.energy().kinetic, energy, 0.005 * energy) << speed << ", step " << i;
      ASSERT_LT(length(world.momentum().angular - momentum), 0.005 * length(momentum))
          << speed << ", step " << i;
    }
    EXPECT_TRUE(tumbled) << speed;
  }
}

// However fast and whatever the shape: rods, discs and boxes.
TEST(RigidLaws, FastSpinKeepsEnergyAndMomentum) {
  for (const Vec3& size :
       {Vec3{Real(0.007), Real(0.25), Real(0.007)}, Vec3{Real(0.3), Real(0.01), Real(0.3)},
        Vec3{Real(0.3), Real(0.01), Real(0.2)}, Vec3{Real(0.2), Real(0.1), Real(0.06)}})
    for (const double speed : {20.0, 100.0, 500.0, 2000.0}) {
      World world = without_gravity();
      world.add(
          RigidBody{.shape = Box{.size = size},
                    .angular_velocity = Vec3{Real(0.6), Real(0.64), Real(0.48)} * Real(speed)});
      const double energy = world.energy().kinetic;
      const Vec3T<double> momentum = world.momentum().angular;
      for (int i = 0; i < 600; ++i) {
        world.step(kDt);
        ASSERT_NEAR(world.energy().kinetic, energy, 0.002 * energy) << speed << ", step " << i;
        ASSERT_LT(length(world.momentum().angular - momentum), 0.002 * length(momentum))
            << speed << ", step " << i;
      }
    }
}

TEST(RigidLaws, NewtonsCradlePassesTheImpulse) {
  World world = without_gravity();
  std::vector<RigidId> balls;
  for (int i = 0; i < 5; ++i)
    balls.push_back(world.add(RigidBody{.shape = Sphere{.radius = Real(0.1)},
                                        .pose = {{Real(i == 0 ? -0.5 : 0.2 * i), 0, 0}},
                                        .velocity = {Real(i == 0 ? 2 : 0), 0, 0},
                                        .friction = 0,
                                        .restitution = 1}));
  for (int i = 0; i < 60; ++i) world.step(kDt);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(world.state(balls[i]).velocity.x, 0, 0.02) << i;
  EXPECT_NEAR(world.state(balls[4]).velocity.x, 2, 0.02);
}

TEST(RigidLaws, LockedAxesStayLocked) {
  World world;
  world.add(StaticBody{});
  const RigidId flat = world.add(RigidBody{.shape = Box{},
                                           .pose = {{0, Real(0.6), 0}},
                                           .free_axes = {1, 1, 0},
                                           .free_turns = {0, 0, 1}});
  // Hit along z, beside its middle.
  const RigidId ball = world.add(RigidBody{.shape = Sphere{.radius = Real(0.3)},
                                           .pose = {{Real(0.3), Real(0.7), -2}},
                                           .velocity = {0, 0, 10}});
  for (int i = 0; i < 240; ++i) world.step(kDt);
  const RigidState s = world.state(flat);
  EXPECT_EQ(s.pose.position.z, 0);
  EXPECT_EQ(s.velocity.z, 0);
  EXPECT_LT(world.pose(ball).position.z, Real(-0.7));  // it did hit
  EXPECT_NEAR(s.pose.orientation.x, 0, 1e-5);
  EXPECT_NEAR(s.pose.orientation.y, 0, 1e-5);
}

// A slope without friction holds what cannot go along it, and bears mg/cos of its angle.
TEST(RigidLaws, LockedAxesBearWhatPushesAlongThem) {
  const Real angle = Real(0.6);
  const Quat turn = Quat::from_axis_angle({0, 0, 1}, angle);
  World world({.rigid = {.sleeping = false}});
  world.add(StaticBody{.shape = Box{.size = {10, 1, 10}},
                       .pose = {turn.rotate({0, Real(-0.5), 0}), turn},
                       .friction = 0});
  const RigidId body = world.add(RigidBody{.shape = Box{},
                                           .pose = {turn.rotate({0, Real(0.5), 0}), turn},
                                           .mass = Mass{.mass = 2},
                                           .friction = 0,
                                           .free_axes = {0, 1, 1},
                                           .free_turns = {0, 0, 0}});
  const Vec3 start = world.pose(body).position;
  for (int i = 0; i < 120; ++i) world.step(kDt);
  EXPECT_NEAR(world.pose(body).position.y, start.y, 1e-3);
  EXPECT_LT(length(world.state(body).velocity), 1e-2);
  Real impulse = 0;  // of the last of eight substeps
  for (const RigidContact& contact : world.rigid_contacts())
    for (int i = 0; i < contact.count; ++i) impulse += contact.impulse[i];
  EXPECT_NEAR(impulse * 8 / kDt, 2 * 9.81 / std::cos(angle), 0.02 * 2 * 9.81);
}

// Kenwright and Morgan, eq. 4: sweeps end when they change next to nothing, and what comes out is
// the same.
TEST(RigidLaws, SweepsEndWhenTheyChangeNothing) {
  const auto drop = [](Real tolerance, int& sweeps) {
    World world({.rigid = {.iterations = 60, .tolerance = tolerance, .sleeping = false}});
    world.add(StaticBody{});
    std::vector<RigidId> boxes;
    for (int i = 0; i < 8; ++i)
      boxes.push_back(world.add(RigidBody{.shape = Box{}, .pose = {{0, Real(0.5 + i), 0}}}));
    sweeps = 0;
    for (int i = 0; i < 60; ++i) {
      world.step(kDt);
      sweeps += world.contacts().sweeps;
    }
    return world.pose(boxes.back()).position.y;
  };
  int all = 0, some = 0;
  const Real expected = drop(0, all), found = drop(Real(1e-3), some);
  EXPECT_EQ(all, 60 * 8 * 60);
  EXPECT_LT(some, all / 3);
  EXPECT_NEAR(found, expected, 1e-3);
}

// Whether sweeps may end is a matter of each island: a pendulum far away, whose joints change much
// larger velocities, must not hide what a chain under a load still lacks.
TEST(RigidLaws, SweepsOfAChainGoOnBesideAPendulum) {
  const auto lowest = [](bool beside, int& sweeps) {
    World world({.rigid = {.iterations = 400,
                           .tolerance = Real(1e-3),
                           .joint_solver = JointSolver::kIterative,
                           .sleeping = false}});
    RigidId last = {};
    for (int i = 0; i < 12; ++i) {
      const Real y = Real(-0.2) * Real(i);
      const RigidId link = world.add(
          RigidBody{.shape = Sphere{Real(0.05)}, .pose = {{0, y - Real(0.1), 0}}, .density = 1910});
      world.add(BallJoint{.a = link, .b = last, .anchor = {0, y, 0}});
      last = link;
    }
    const RigidId load = world.add(
        RigidBody{.shape = Sphere{Real(0.3)}, .pose = {{0, Real(-2.8), 0}}, .density = 1768});
    world.add(BallJoint{.a = load, .b = last, .anchor = {0, Real(-2.4), 0}});
    if (beside) {
      const RigidId bob = world.add(RigidBody{.shape = Sphere{Real(0.1)},
                                              .pose = {{10, -1, 0}},
                                              .density = 239,
                                              .velocity = {0, 0, 20}});
      world.add(BallJoint{.a = bob, .anchor = {10, 0, 0}});
    }
    sweeps = 0;
    for (int i = 0; i < 60; ++i) {
      world.step(kDt);
      sweeps += world.contacts().sweeps;
    }
    return world.pose(load).position.y;
  };
  int alone = 0, both = 0;
  const Real expected = lowest(false, alone), found = lowest(true, both);
  EXPECT_GE(both, alone);
  EXPECT_GT(found, expected - 1e-4);
  EXPECT_NEAR(found, -2.8, 0.02);
}

// Coulomb's cone does not care about directions; a pyramid lets more slide along its edges' axes.
TEST(RigidLaws, TheConeIsRoundAndThePyramidIsNot) {
  const auto slide_along = [](FrictionModel model, double angle) {
    World world({.rigid = {.friction = model}});
    world.add(StaticBody{.friction = Real(0.4)});
    const RigidId box =
        world.add(RigidBody{.shape = Box{.size = {1, Real(0.2), 1}},
                            .pose = {{0, Real(0.1), 0}},
                            .velocity = {Real(3 * std::cos(angle)), 0, Real(3 * std::sin(angle))},
                            .friction = Real(0.4)});
    for (int i = 0; i < 120; ++i) world.step(kDt);
    return double(length(world.pose(box).position - Vec3{0, Real(0.1), 0}));
  };
  const double straight = slide_along(FrictionModel::kCone, 0);
  for (const double angle : {0.3, 0.7, 1.2})
    EXPECT_NEAR(slide_along(FrictionModel::kCone, angle), straight, 0.01 * straight) << angle;
  double least = straight;
  for (const double angle : {0.0, 0.4, 0.8, 1.2})
    least = std::min(least, slide_along(FrictionModel::kPyramid, angle));
  EXPECT_LT(least, 0.85 * straight);
}

// A crowd that flies into itself, every third of it on the one before, with contacts that bounce,
// slide and overlap.
TEST(RigidLaws, ClosedSystemsKeepTheirMomentum) {
  World world = without_gravity();
  const auto unit = [](int i, int k) {
    return Real(((i * 7919 + k * 104729) % 2000) / 1000.0 - 1);
  };
  RigidId last;
  for (int i = 0; i < 40; ++i) {
    const Vec3 place{Real(i % 4) - Real(1.5) + unit(i, 1) / 10,
                     Real(i / 4 % 4) - Real(1.5) + unit(i, 2) / 10, Real(i / 16) - 1};
    const Shape shape = i % 2 == 0 ? Shape(Box{.size = {Real(0.6), Real(0.4), Real(0.5)}})
                                   : Shape(Capsule{.radius = Real(0.2), .half_height = Real(0.3)});
    const RigidId id = world.add(RigidBody{.shape = shape,
                                           .pose = {place},
                                           .density = i % 3 == 0 ? Real(100) : Real(1000),
                                           .velocity = place * Real(-1.5),
                                           .angular_velocity = {unit(i, 4), unit(i, 5), unit(i, 6)},
                                           .restitution = Real(i % 2) / 2});
    if (i % 3 == 2) world.add(BallJoint{.a = id, .b = last, .anchor = place});
    last = id;
  }
  const Momentum before = world.momentum();
  double size = 0;  // of what is exchanged; arms are about a metre
  for (RigidId id : world.rigid_bodies())
    size += world.state(id).mass * length(world.state(id).velocity);
  for (int i = 0; i < 240; ++i) world.step(kDt);
  const double rounding = sizeof(Real) == 4 ? 1e-5 : 1e-12;
  EXPECT_LT(length(world.momentum().linear - before.linear), rounding * size);
  // What an island is given back may not cost much energy, so that in double not all is rounding.
  const double left = sizeof(Real) == 4 ? rounding : 5e-5;
  EXPECT_LT(length(world.momentum().angular - before.angular), left * size);
}

}  // namespace
}  // namespace sinew
