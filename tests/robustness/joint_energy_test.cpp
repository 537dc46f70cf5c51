// No energy out of nothing in worlds of bodies on random joints, with motors and springs, anchors
// far from their bodies and velocities that contradict the joints. The budget is that of the chaos
// test (chaos_world.h).
//   SINEW_JOINT_WORLDS=1000  so many worlds of each kind; 200 otherwise
#include <gtest/gtest.h>
#include <sinew/error.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "chaos_bodies.h"

namespace sinew::chaos {
namespace {

constexpr Real kDt = Real(1.0 / 60);

int worlds() {
  const char* const text = std::getenv("SINEW_JOINT_WORLDS");
  return text ? std::atoi(text) : 200;
}

// What the motors of a joint can do [W].
double power_of(const Joint& joint) {
  double power = 0;
  const auto add = [&](const std::optional<Motor>& m) {
    if (m) power += double(m->max_force) * std::abs(double(m->target));
  };
  std::visit(
      [&](const auto& j) {
        if constexpr (requires { j.motor; }) add(j.motor);
        if constexpr (requires { j.motor_a; }) add(j.motor_a);
        if constexpr (requires { j.turn_x; })
          if (j.turn_x) add(j.turn_x->motor);
      },
      joint);
  return power;
}

// How far the energy exceeds twice what the world was given, at its worst; at most 1 is sound.
double worst_excess(World& world, double power, int steps) {
  const Energy start = world.energy();
  double mass = 0, given = start.kinetic, fall = 0, worst = 0;
  for (RigidId id : world.rigid_bodies()) mass += world.state(id).mass;
  const double slack = 1e-9 + mass * 9.81 * 0.01;
  for (int i = 0; i < steps; ++i) {
    given += power * kDt;
    world.step(kDt);
    const Energy e = world.energy();
    fall = std::max(fall, start.gravity - e.gravity);
    worst = std::max(worst, (e.kinetic + e.gravity - start.gravity) / (2 * (given + fall) + slack));
  }
  return worst;
}

std::vector<RigidId> add_bodies(World& world, Random& r) {
  std::vector<RigidId> ids;
  const int count = r.whole(2, 7);
  Real height = 0;
  for (int i = 0; i < count; ++i) {
    const Real radius = r.real(0.1, 0.5);
    RigidBody body = rigid_body(r, radius);
    body.motion = Motion::kDynamic;
    body.pose.position = {Real(i % 3) * Real(1.1), height + radius * Real(1.05),
                          r.real(-0.05, 0.05)};
    if (i % 3 == 2) height += Real(1.1);
    if (r.chance(0.6)) body.velocity = r.vector(4);
    if (r.chance(0.3)) body.angular_velocity = r.vector(10);
    ids.push_back(world.add(body));
  }
  return ids;
}

// World 366 is one of those in which springs on joints that contradict them used to give more than
// they had taken: their stiffness follows the mass that they feel.
TEST(JointEnergy, RandomJointsAndMotorsMakeNone) {
  int exceed = 0;
  std::vector<int> numbers(static_cast<std::size_t>(worlds()));
  std::iota(numbers.begin(), numbers.end(), 0);
  if (worlds() <= 366) numbers.push_back(366);
  for (const int n : numbers) {
    Random r{unsigned(n)};
    World world;
    world.add(StaticBody{.friction = r.real(0, 1)});
    const std::vector<RigidId> ids = add_bodies(world, r);
    double power = 0;
    for (int i = r.whole(1, 5); i > 0; --i) {
      const RigidId a = r.of(ids);
      RigidId b = r.chance(0.3) ? RigidId{} : r.of(ids);
      if (b == a) b = {};
      const RigidState s = world.state(a);
      const double force = double(s.mass) * r.number(1, 50);
      const Real reach = Real(0.5) * r.real(0.1, r.chance(0.2) ? 10 : 1);
      const Joint made = joint(r, a, s.center_of_mass, b, reach, force);
      try {
        world.add(made);
        power += power_of(made);
      } catch (const Error&) {  // such a joint cannot be
      }
    }
    const double excess = worst_excess(world, power, 240);
    exceed += excess > 1;
    EXPECT_LE(excess, 1) << "world " << n;
  }
  EXPECT_EQ(exceed, 0) << "of " << worlds();
}

// A small box and a larger one, held together by a joint that is 20 to 160 times as far away as the
// small one is large, dropped onto the floor.
TEST(JointEnergy, BoxesOnFarAnchorsMakeNoneOnTheFloor) {
  for (int n = 0; n < worlds(); ++n) {
    Random r{unsigned(n)};
    World world;
    world.add(StaticBody{.friction = r.real(0, 1)});
    const Real size = r.real(0.05, 0.2), lever = size * r.log(20, 160), big = size * r.real(2, 8),
               height = r.real(0.02, 1.5) + big;
    const auto box = [&](Real s, const Vec3& at) {
      return world.add(
          RigidBody{.shape = Box{{s, s, s}}, .pose = {at, r.chance(0.5) ? r.turn() : Quat{}}});
    };
    const RigidId a = box(size, {0, height, 0}), b = box(big, {lever, height, 0});
    const Vec3 anchor{lever * r.real(0.2, 1), height + (r.chance(0.5) ? 0 : r.real(0, 1)), 0};
    switch (r.whole(0, 4)) {
      case 0:
        world.add(BallJoint{.a = a, .b = b, .anchor = anchor});
        break;
      case 1:
        world.add(HingeJoint{.a = a, .b = b, .anchor = anchor, .axis = {0, 0, 1}});
        break;
      case 2:
        world.add(FixedJoint{.a = a, .b = b, .anchor = anchor});
        break;
      case 3:
        world.add(UniversalJoint{.a = a, .b = b, .anchor = anchor});
        break;
      default:
        world.add(ConeJoint{.a = a, .b = b, .anchor = anchor, .axis = {1, 0, 0}});
        break;
    }
    EXPECT_LE(worst_excess(world, 0, 240), 1) << "world " << n;
  }
}

}  // namespace
}  // namespace sinew::chaos
