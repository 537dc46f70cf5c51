// Joints that break do so by the force they carry over a step, and by no accident of the solver.
#include <gtest/gtest.h>
#include <sinew/world.h>

#include <functional>

namespace sinew {
namespace {

constexpr Real kDt = Real(1.0 / 60);
constexpr double kMass = 10, kWeight = kMass * 9.81;

RigidId hang(World& world, const Vec3& place, double mass) {
  const Real moment = Real(mass / 10);
  return world.add(
      RigidBody{.shape = Sphere{.radius = Real(0.1)},
                .pose = {place},
                .mass = Mass{.mass = Real(mass), .inertia = {moment, moment, moment}}});
}

// Steps until something breaks; −1: nothing did.
int breaks_after(World& world, int steps) {
  for (int i = 1; i <= steps; ++i) {
    world.step(kDt);
    for (const Event& event : world.events())
      if (event.kind == Event::Kind::kBroken) return i;
  }
  return -1;
}

// Puts 10 kg on a joint that bears `strength` [N].
struct Load {
  const char* name;
  std::function<void(World&, Real strength)> hang_on;
};

// Links of which the first bears all, and the last is `heavy` of the whole.
void hang_chain(World& world, Real strength, int links, double heavy) {
  RigidId last = {};
  for (int i = 0; i < links; ++i) {
    const double share = i == links - 1 ? heavy : (1 - heavy) / (links - 1);
    const RigidId link = hang(world, {0, Real(-i), 0}, kMass * share);
    world.add(BallJoint{.a = link,
                        .b = last,
                        .anchor = {0, Real(0.5) - Real(i), 0},
                        .break_force = i == 0 ? strength : 0});
    last = link;
  }
}

const Load kLoads[] = {
    {"fixed",
     [](World& world, Real strength) {
       world.add(
           FixedJoint{.a = hang(world, {}, kMass), .anchor = {0, 1, 0}, .break_force = strength});
     }},
    {"rope",
     [](World& world, Real strength) {
       world.add(DistanceJoint{.a = hang(world, {}, kMass),
                               .anchor_b = {0, 2, 0},
                               .range = Range{0, 2},
                               .break_force = strength});
     }},
    {"beam",  // 1 m out: as many N m as N
     [](World& world, Real strength) {
       world.add(FixedJoint{.a = hang(world, {1, 0, 0}, kMass), .break_torque = strength});
     }},
    {"chain of two", [](World& world, Real strength) { hang_chain(world, strength, 2, 0.5); }},
    {"chain of six", [](World& world, Real strength) { hang_chain(world, strength, 6, 1.0 / 6); }},
    {"chain with a weight",
     [](World& world, Real strength) { hang_chain(world, strength, 3, 0.8); }},
};

TEST(JointStrength, HoldsALoadBelowItAndNotOneAbove) {
  for (const Load& load : kLoads)
    for (const JointSolver solver : {JointSolver::kIterative, JointSolver::kDirect})
      for (const int substeps : {1, 2, 4, 8, 16})
        for (const double share : {0.95, 1.05}) {
          SCOPED_TRACE(testing::Message() << load.name << ", solver " << int(solver) << ", "
                                          << substeps << " substeps, " << share);
          World world({.rigid = {.substeps = substeps, .joint_solver = solver}});
          load.hang_on(world, Real(kWeight / share));
          const int after = breaks_after(world, 300);
          if (share < 1)
            EXPECT_EQ(after, -1);
          else
            EXPECT_TRUE(after > 0 && after < 10) << after;
        }
}

// A weight that falls by 1 m into its rope arrives with 4.4 m/s: within a step, that is 27 times g,
// or half of it in each of two.
TEST(JointStrength, AJerkBreaksIt) {
  for (const int substeps : {1, 4, 16})
    for (const double times : {5.0, 12.0}) {
      World world({.rigid = {.substeps = substeps}});
      world.add(DistanceJoint{.a = hang(world, {}, kMass),
                              .anchor_b = {0, 1, 0},
                              .range = Range{0, 2},
                              .break_force = Real(times * kWeight)});
      const int after = breaks_after(world, 120);
      EXPECT_TRUE(after > 25 && after < 30) << substeps << " substeps, " << times << ": " << after;
    }
}

// Half a metre a second is four times the weight in a step, and 50 times in a sixteenth of it: how
// finely a step is cut does not decide.
TEST(JointStrength, AShortPeakDoesNot) {
  for (const int substeps : {1, 4, 16}) {
    World world({.rigid = {.substeps = substeps}});
    const RigidId load = hang(world, {}, kMass);
    world.add(DistanceJoint{
        .a = load, .anchor_b = {0, 2, 0}, .range = Range{0, 2}, .break_force = Real(6 * kWeight)});
    world.set_velocity(load, {0, Real(-0.5), 0}, {});
    EXPECT_EQ(breaks_after(world, 60), -1) << substeps << " substeps";
  }
}

// It does not break by being asleep, or by waking.
TEST(JointStrength, HoldsThroughSleep) {
  World world;
  const RigidId load = hang(world, {}, kMass);
  world.add(BallJoint{.a = load, .anchor = {0, 1, 0}, .break_force = Real(kWeight / 0.95)});
  EXPECT_EQ(breaks_after(world, 120), -1);
  ASSERT_TRUE(world.state(load).asleep);
  EXPECT_EQ(breaks_after(world, 60), -1);
  world.wake(load);
  EXPECT_EQ(breaks_after(world, 60), -1);
}

}  // namespace
}  // namespace sinew
