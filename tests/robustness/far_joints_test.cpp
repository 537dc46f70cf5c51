// Joints whose anchors are far from the bodies that they hold, and bodies that become non-finite.
#include <gtest/gtest.h>
#include <sinew/world.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace sinew {
namespace {

constexpr Real kDt = Real(1.0 / 60);

// Everything that a world tells of its bodies, joints and contacts.
bool tells_finite(const World& world) {
  bool all = std::isfinite(world.energy().total());
  const auto look = [&](const Vec3& v) { all = all && std::isfinite(v.x + v.y + v.z); };
  for (RigidId id : world.rigid_bodies()) {
    const RigidState s = world.state(id);
    const Quat& q = s.pose.orientation;
    look(s.pose.position), look(s.velocity), look(s.angular_velocity), look({q.x, q.y, q.z + q.w});
  }
  for (JointId id : world.joints()) {
    const JointState s = world.state(id);
    look(s.force), look(s.torque), look({s.position, s.linear_error, s.angular_error});
  }
  for (const ContactEvent& event : world.contact_events()) look({event.impulse, 0, 0});
  return all;
}

// Velocities next to overflow, on joints of several kinds: a body breaks within a step.
TEST(RigidGate, NothingThatIsNotFiniteIsPublished) {
  int frozen = 0;
  for (int n = 0; n < 12; ++n) {
    World world;
    world.add(StaticBody{});
    const RigidId a = world.add(RigidBody{
        .shape = Box{{1, Real(0.1), Real(0.1)}}, .pose = {{0, 3, 0}}, .velocity = {540, 0, 0}});
    const RigidId b = world.add(RigidBody{.shape = Sphere{}, .pose = {{2, 3, 0}}});
    const RigidId c = world.add(RigidBody{.shape = Box{}, .pose = {{20, 3, 0}}});
    world.step(kDt);
    world.add(ConeJoint{.a = a, .b = b, .anchor = {1, 3, 0}, .axis = {1, 1, 0}});
    world.add(HingeJoint{.a = c, .b = b, .anchor = {11, 3, 0}, .range = Range{-1, 1}});
    const Real fast = std::pow(Real(10), Real(n) * Real(0.7));
    world.set_velocity(a, {540, fast, 0}, {fast, fast, -fast});
    for (int i = 0; i < 60; ++i) {
      world.step(kDt);
      for (const Event& event : world.events()) frozen += event.kind == Event::Kind::kFrozen;
      ASSERT_TRUE(tells_finite(world)) << "spin " << fast << ", step " << i;
    }
    EXPECT_TRUE(world.contains(a));
  }
  EXPECT_GT(frozen, 0) << "no body broke, so that nothing was tested";
}

// The most kinetic and potential energy of a world in a time, by that at its start.
double energy_growth(World& world, int steps) {
  const double given = world.energy().total();
  double most = 0;
  for (int i = 0; i < steps; ++i) {
    world.step(kDt);
    most = std::max(most, world.energy().total() / given);
  }
  return most;
}

// A bob of 1 to 5 cm on a joint that is metres away, dropped onto the floor.
TEST(FarJoints, BobOnTheFloorGainsNoEnergyAndStaysOnItsJoint) {
  std::mt19937 random(7);
  const auto between = [&](double a, double b) {
    return Real(a + (b - a) * double(random()) / 4294967296.0);
  };
  for (int n = 0; n < 60; ++n) {
    const Real size = between(0.01, 0.05), lever = between(1, 4), height = between(0.02, 1) + size;
    World world;
    world.add(StaticBody{});
    const Shape shape = n % 2 ? Shape(Sphere{size / 2}) : Shape(Box{{size, size, size}});
    const RigidId bob = world.add(RigidBody{.shape = shape, .pose = {{lever, height, 0}}});
    const Vec3 anchor{0, n % 4 < 2 ? height : between(0, 1.5), 0};
    const JointId joint = n % 3
                              ? world.add(HingeJoint{.a = bob, .anchor = anchor, .axis = {0, 0, 1}})
                              : world.add(BallJoint{.a = bob, .anchor = anchor});
    EXPECT_LT(energy_growth(world, 180), 1.1) << n;
    EXPECT_LT(world.state(joint).linear_error, Real(0.02) * lever) << n;
  }
}

}  // namespace
}  // namespace sinew
