// Joints that are solved at once: large ratios of masses, loops, and what contradicts itself.
#include <gtest/gtest.h>
#include <sinew/world.h>

#include <cmath>
#include <vector>

namespace sinew {
namespace {

constexpr Real kDt = Real(1.0 / 60);
constexpr Real kPitch = Real(0.4);

WorldSettings settings(JointSolver solver, int iterations = 2) {
  WorldSettings s;
  s.rigid.joint_solver = solver;
  s.rigid.iterations = iterations;
  s.rigid.sleeping = false;
  return s;
}

// Links on ball joints from the origin along `way`, of a kilogram each; then a ball.
struct Chain {
  std::vector<RigidId> bodies;
  std::vector<JointId> joints;

  Chain(World& world, int links, double weight, const Vec3& way) {
    const Quat turn = Quat::from_axis_angle(cross(Vec3{0, 1, 0}, way), Real(std::acos(way.y)));
    RigidId last = {};
    const auto add = [&](const Shape& shape, double mass, Real length_, const Vec3& top) {
      const Real density = Real(mass) / volume_of(shape);
      bodies.push_back(world.add(RigidBody{
          .shape = shape, .pose = {top + way * (length_ / 2), turn}, .density = density}));
      joints.push_back(world.add(BallJoint{.a = bodies.back(), .b = last, .anchor = top}));
      last = bodies.back();
    };
    for (int i = 0; i < links; ++i)
      add(Capsule{.radius = Real(0.05), .half_height = Real(0.12)}, 1, kPitch,
          way * (kPitch * Real(i)));
    add(Sphere{.radius = Real(0.3)}, weight, Real(0.8), way * (kPitch * Real(links)));
  }

  static Real volume_of(const Shape& shape) {
    const double pi = 3.14159265358979;
    if (const Sphere* ball = std::get_if<Sphere>(&shape))
      return Real(4 * pi / 3 * std::pow(double(ball->radius), 3));
    const Capsule& c = std::get<Capsule>(shape);
    return Real(pi * c.radius * c.radius * (2 * c.half_height + 4.0 / 3 * c.radius));
  }
  // Between the ends that each joint holds together, of poses alone.
  double opening(const World& world) const {
    double worst = 0;
    Vec3 before{};
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const Pose pose = world.pose(bodies[i]);
      const Real half = i + 1 < bodies.size() ? kPitch / 2 : Real(0.4);
      const Vec3 arm = pose.orientation.rotate({0, half, 0});
      worst = std::max(worst, double(length(pose.position - arm - before)));
      before = pose.position + arm;
    }
    return worst;
  }
};

double worst_opening(JointSolver solver, int links, double weight, double seconds) {
  World world(settings(solver));
  const Chain chain(world, links, weight, {Real(0.6), Real(-0.8), 0});
  double worst = 0;
  for (int i = 0; i < std::lround(seconds * 60); ++i) {
    world.step(kDt);
    const double now = chain.opening(world);
    worst = now <= worst ? worst : now;
  }
  return worst;
}

TEST(DirectJoints, HoldAChainUnderAThousandLinks) {
  EXPECT_LT(worst_opening(JointSolver::kAutomatic, 20, 1000, 10), 0.01 * kPitch);
  // The same that sweeps do not hold.
  EXPECT_GT(worst_opening(JointSolver::kIterative, 20, 1000, 3), 0.5 * kPitch);
}

// Links that weigh next to nothing beside what they hold: what is wrong by rounding must not be
// mended by throwing them to the sides.
TEST(DirectJoints, HoldAChainUnderAMillionLinks) {
  for (const double weight : {1e4, 1e5, 1e6}) {
    World world(settings(JointSolver::kAutomatic));
    const Chain chain(world, 50, weight, {Real(0.6), Real(-0.8), 0});
    const Real start = world.pose(chain.bodies.back()).position.y;
    Real lowest = start, highest = -100;
    for (int i = 0; i < 600; ++i) {  // there and back in 4.7 s
      world.step(kDt);
      ASSERT_LT(chain.opening(world), 0.001 * kPitch) << weight << " step " << i;
      const Real y = world.pose(chain.bodies.back()).position.y;
      lowest = std::min(lowest, y);
      if (i > 180) highest = std::max(highest, y);
    }
    EXPECT_TRUE(world.finite()) << weight;
    EXPECT_NEAR(lowest, -50 * kPitch - Real(0.4), 0.02) << weight;
    EXPECT_NEAR(highest, start, 0.02) << weight;
  }
}

// The weight is pushed across the chain, which runs up along it as a wave.
TEST(DirectJoints, HoldAHeavyChainThatIsPushedSideways) {
  for (const double weight : {1e3, 1e4}) {
    World world(settings(JointSolver::kAutomatic));
    const Chain chain(world, 50, weight, {Real(0.6), Real(-0.8), 0});
    world.set_velocity(chain.bodies.back(), {0, 0, 5}, {});
    for (int i = 0; i < 600; ++i) {
      world.step(kDt);
      ASSERT_LT(chain.opening(world), 0.01 * kPitch) << weight << " step " << i;
    }
    EXPECT_TRUE(world.finite()) << weight;
  }
}

// A chain that falls slack and is caught by its weight may come apart, but nothing flies off or
// freezes.
TEST(DirectJoints, StayBoundedWhereAChainSnapsTaut) {
  World world(settings(JointSolver::kAutomatic));
  const Chain chain(world, 20, 1e5, normalized(Vec3{1, Real(0.05), 0}));
  world.set_velocity(chain.bodies.back(), {0, 0, 10}, {});
  for (int i = 0; i < 600; ++i) {
    world.step(kDt);
    for (const RigidId id : chain.bodies) ASSERT_LT(length(world.pose(id).position), 1e3) << i;
  }
  EXPECT_TRUE(world.finite());
}

TEST(DirectJoints, KeepTheEnergyOfASwingingWeight) {
  World world(settings(JointSolver::kAutomatic));
  const Chain chain(world, 20, 1000, {Real(0.6), Real(-0.8), 0});
  const Real start = world.pose(chain.bodies.back()).position.y;
  Real lowest = start, highest = -100;
  for (int i = 0; i < 900; ++i) {
    world.step(kDt);
    const Real y = world.pose(chain.bodies.back()).position.y;
    lowest = std::min(lowest, y);
    if (i > 300) highest = std::max(highest, y);
  }
  EXPECT_LT(lowest, start - Real(1.5));
  EXPECT_NEAR(highest, start, 0.02);
}

TEST(DirectJoints, CarryTheWholeWeight) {
  World world(settings(JointSolver::kAutomatic));
  const Chain chain(world, 12, 500, {Real(1e-4), -1, 0});
  for (int i = 0; i < 30; ++i) world.step(kDt);
  const Vec3 g = world.settings().gravity;
  for (int i = 0; i < 13; ++i)  // 12 − i links and the ball hang on it
    EXPECT_NEAR(length(world.state(chain.joints[i]).force), -g.y * (512 - i), 30) << i;
}

TEST(DirectJoints, AgreeWithManySweeps) {
  const auto run = [](JointSolver solver, int iterations) {
    WorldSettings fine = settings(solver, iterations);
    fine.rigid.substeps = 32;
    World world(fine);
    const auto limb = [&](const Vec3& at, const Vec3& size) {
      return world.add(RigidBody{.shape = Box{.size = size}, .pose = {at}, .mask = 0});
    };
    const Real l = Real(0.3), w = Real(0.1);
    std::vector<RigidId> ids{limb({}, {w, 2 * l, w})};
    world.add(NailJoint{.a = ids[0], .anchor = {w / 2, l, 0}});
    for (const Real side : {Real(-1), Real(1)})
      for (const Real y : {l, -l}) {
        const Real x = side * (w / 2 + l / 2);
        ids.push_back(limb({x, y, 0}, {l, w, w}));
        world.add(BallJoint{.a = ids.back(), .b = ids[0], .anchor = {side * w / 2, y, 0}});
        ids.push_back(limb({x + side * l, y, 0}, {l, w, w}));
        world.add(HingeJoint{.a = ids.back(),
                             .b = ids[ids.size() - 2],
                             .anchor = {x + side * l / 2, y, 0},
                             .axis = {0, Real(0.6), Real(0.8)}});
      }
    for (int i = 0; i < 20; ++i) world.step(kDt);
    std::vector<Vec3> places;
    for (const RigidId id : ids) places.push_back(world.pose(id).position);
    return places;
  };
  const std::vector<Vec3> direct = run(JointSolver::kDirect, 2);
  const std::vector<Vec3> swept = run(JointSolver::kIterative, 200);
  Real fallen = 0;
  for (std::size_t i = 0; i < direct.size(); ++i) {
    EXPECT_LT(length(direct[i] - swept[i]), 2e-3) << i;
    fallen = std::max(fallen, -direct[i].y);
  }
  EXPECT_GT(fallen, 0.5);
}

// A rigid body held at two of its points by nails that are farther apart than these.
TEST(DirectJoints, StayBoundedWhereNailsContradict) {
  for (const Real apart : {Real(0.01), Real(0.5), Real(20)}) {
    World world(settings(JointSolver::kDirect));
    const RigidId box = world.add(RigidBody{.shape = Box{.size = {1, Real(0.1), Real(0.1)}}});
    world.add(NailJoint{.a = box, .anchor = {Real(-0.5), 0, 0}, .offset = {-apart, 0, 0}});
    world.add(NailJoint{.a = box, .anchor = {Real(0.5), 0, 0}, .offset = {apart, Real(0.1), 0}});
    for (int i = 0; i < 300; ++i) world.step(kDt);
    const Pose pose = world.pose(box);
    EXPECT_LT(length(pose.position), apart + Real(0.6)) << apart;
    EXPECT_LT(length(world.state(box).velocity), 1) << apart;
  }
}

// A chain between nails that are farther apart than it is long.
TEST(DirectJoints, StayCalmWhereAChainIsTooShort) {
  World world(settings(JointSolver::kDirect));
  const Chain chain(world, 10, 1, {1, 0, 0});
  const Vec3 end{kPitch * 10 + Real(0.8), 0, 0};
  world.add(NailJoint{.a = chain.bodies.back(), .anchor = end, .offset = {Real(0.3), 0, 0}});
  for (int i = 0; i < 300; ++i) {
    world.step(kDt);
    for (const RigidId id : chain.bodies) {
      const Vec3 p = world.pose(id).position;
      ASSERT_LT(std::abs(p.y) + std::abs(p.z), 0.1) << i;
      ASSERT_LT(length(world.state(id).velocity), 1) << i;
    }
  }
}

// Four bars on hinges with parallel axes: 24 − 4·5 + 3 redundant equations.
TEST(DirectJoints, SolveAFourBarLoop) {
  World world(settings(JointSolver::kDirect));
  const auto bar = [&](const Vec3& at, const Vec3& size) {
    return world.add(RigidBody{.shape = Box{.size = size}, .pose = {at}, .mask = 0});
  };
  const Real w = Real(0.05);
  const RigidId left = bar({0, Real(-0.5), 0}, {w, 1, w}), top = bar({Real(0.5), -1, 0}, {1, w, w});
  const RigidId right = bar({1, Real(-0.5), 0}, {w, 1, w});
  const auto hinge = [&](RigidId a, RigidId b, const Vec3& at) {
    return world.add(HingeJoint{.a = a, .b = b, .anchor = at, .axis = {0, 0, 1}});
  };
  const JointId joints[] = {hinge(left, {}, {}), hinge(top, left, {0, -1, 0}),
                            hinge(top, right, {1, -1, 0}), hinge(right, {}, {1, 0, 0})};
  world.set_velocity(top, {2, 0, 0}, {});
  world.set_velocity(left, {1, 0, 0}, {0, 0, 2});
  world.set_velocity(right, {1, 0, 0}, {0, 0, 2});
  Real farthest = 0;
  for (int i = 0; i < 300; ++i) {
    world.step(kDt);
    for (const JointId joint : joints) {
      ASSERT_LT(world.state(joint).linear_error, 2e-4) << i;
      ASSERT_LT(world.state(joint).angular_error, 2e-4) << i;
    }
    const Vec3 p = world.pose(top).position;
    EXPECT_NEAR(std::hypot(p.x - Real(0.5), p.y), 1, 1e-3);
    EXPECT_NEAR(p.z, 0, 1e-4);
    farthest = std::max(farthest, p.x - Real(0.5));
  }
  EXPECT_GT(farthest, 0.3);  // it swings
}

// Held twice is held: the forces of both add up to the weight.
// Rods that are there twice: as equations of a length, and as light bodies with a ball at each end.
TEST(DirectJoints, DoNotWindUpWhereRodsAreDoubled) {
  for (const JointSolver solver : {JointSolver::kAutomatic, JointSolver::kDirect}) {
    World world(settings(solver));
    const Vec3 place[3] = {
        {0, Real(1.6), 0}, {Real(0.5), Real(1.2), Real(0.1)}, {Real(0.95), Real(1.4), Real(-0.1)}};
    RigidId last = {};
    for (int i = 0; i < 2; ++i) {
      const Vec3 way = place[i + 1] - place[i];
      const RigidId ball = world.add(
          RigidBody{.shape = Sphere{.radius = Real(0.14)}, .pose = {place[i + 1]}, .mask = 0});
      const Quat turn = Quat::from_axis_angle(cross(Vec3{0, 1, 0}, way),
                                              Real(std::acos(double(way.y / length(way)))));
      const RigidId rod = world.add(
          RigidBody{.shape = Cylinder{.radius = Real(0.016), .half_height = length(way) / 2},
                    .pose = {(place[i] + place[i + 1]) * Real(0.5), turn},
                    .density = 100,
                    .mask = 0});
      world.add(
          DistanceJoint{.a = ball, .b = last, .anchor_a = place[i + 1], .anchor_b = place[i]});
      world.add(BallJoint{.a = rod, .b = last, .anchor = place[i]});
      world.add(BallJoint{.a = rod, .b = ball, .anchor = place[i + 1]});
      last = ball;
    }
    for (int i = 0; i < 600; ++i) {
      world.step(kDt);
      for (JointId id : world.joints()) ASSERT_LT(world.state(id).linear_error, 0.02) << i;
    }
    EXPECT_TRUE(world.finite());
  }
}

TEST(DirectJoints, ShareTheLoadOfDoubledJoints) {
  World world(settings(JointSolver::kDirect));
  RigidId last = {};
  std::vector<JointId> joints;
  for (int i = 0; i < 6; ++i) {
    const RigidId box = world.add(
        RigidBody{.shape = Box{.size = {1, Real(0.2), Real(0.2)}}, .pose = {{Real(i), 0, 0}}});
    for (int twice = 0; twice < 2; ++twice)
      joints.push_back(world.add(FixedJoint{.a = box, .b = last}));
    last = box;
  }
  for (int i = 0; i < 120; ++i) world.step(kDt);
  EXPECT_LT(length(world.pose(last).position - Vec3{5, 0, 0}), 1e-3);
  const Vec3 sum = world.state(joints[0]).force + world.state(joints[1]).force;
  const double weight = 6 * 1000 * 0.04 * -double(world.settings().gravity.y);
  EXPECT_NEAR(length(sum), weight, 0.01 * weight);
}

// The last joint of a world, solved directly, once held its body when it was gone.
TEST(DirectJoints, WhatHungOnTheLastJointFalls) {
  for (const JointSolver solver : {JointSolver::kAutomatic, JointSolver::kDirect}) {
    WorldSettings settings;
    settings.rigid.joint_solver = solver;
    World world(settings);
    const RigidId crate = world.add(RigidBody{.shape = Box{}});
    const JointId nail =
        world.add(NailJoint{.a = crate, .spring = Spring{.frequency = 4, .damping_ratio = 1}});
    world.move_nail(nail, {0, 3, 0});
    for (int i = 0; i < 90; ++i) world.step(Real(0.01));
    const Real hung = world.pose(crate).position.y;
    world.remove(nail);
    for (int i = 0; i < 50; ++i) world.step(Real(0.01));
    EXPECT_NEAR(hung - world.pose(crate).position.y, 9.81 / 8, 0.05);
  }
}

}  // namespace
}  // namespace sinew
