// The scenes of rigid bodies, run to their end: what a person would notice.
#include <gtest/gtest.h>
#include <sinew/scene.h>

#include <algorithm>
#include <cmath>

#include "source_dir.h"

namespace sinew {
namespace {

using Wide = Vec3T<double>;

struct RigidScene {
  explicit RigidScene(const std::string& name, std::shared_ptr<Executor> executor = nullptr)
      : scene(load_scene(std::filesystem::path(SINEW_SOURCE_DIR) / "scenes" / (name + ".json"))),
        world(make_world(scene, std::move(executor))) {}

  RigidId body(const std::string& name) const {
    for (RigidId id : world.rigid_bodies())
      if (world.name(id) == name) return id;
    ADD_FAILURE() << "no body " << name;
    return {};
  }
  // All whose names start so, in their order.
  std::vector<RigidId> bodies(const std::string& start) const {
    std::vector<RigidId> found;
    for (RigidId id : world.rigid_bodies())
      if (world.name(id).rfind(start, 0) == 0) found.push_back(id);
    return found;
  }
  // The joint of that number in the file.
  JointId joint(std::size_t i) const { return world.joints().at(i); }
  // The first joint of a kind in the file.
  template <class Kind>
  std::size_t first() const {
    std::size_t i = 0;
    while (!std::holds_alternative<Kind>(scene.joints.at(i).joint)) ++i;
    return i;
  }

  void step() {
    world.step(scene.dt);
    for (JointId id : world.joints()) {
      const JointState state = world.state(id);
      linear_error = std::max(linear_error, double(state.linear_error));
      angular_error = std::max(angular_error, double(state.angular_error));
    }
    penetration = std::max(penetration, world.contacts().penetration_max);
    for (RigidId id : world.rigid_bodies())
      lowest = std::min(lowest, double(world.state(id).center_of_mass.y));
  }
  void run_to(double seconds) {
    while (world.time() < seconds - 1e-6) step();
  }
  // The end, at which all must be sound.
  void finish() {
    run_to(double(scene.seconds));
    EXPECT_TRUE(world.finite());
    EXPECT_GT(lowest, -1e-3);  // nothing has fallen through the floor
    EXPECT_TRUE(world.events().empty());
  }

  Scene scene;
  World world;
  // Greatest or least after any step so far.
  double linear_error = 0, angular_error = 0, penetration = 0;  // [m], [rad], [m]
  double lowest = INFINITY;                                     // centre of mass [m]
};

Wide place(const World& world, RigidId id) { return to_double(world.pose(id).position); }
// Where a direction of the body points.
Wide direction(const World& world, RigidId id, const Vec3& local) {
  return to_double(world.pose(id).orientation.rotate(local));
}

TEST(RigidScenes, TheStackStandsUntilItIsHit) {
  RigidScene s("stack");
  const std::vector<RigidId> crates = s.bodies("crate");
  ASSERT_EQ(crates.size(), 10u);
  std::vector<Wide> start;
  for (RigidId id : crates) start.push_back(place(s.world, id));
  s.run_to(0.5);  // the ball is still in the air
  for (std::size_t i = 0; i < crates.size(); ++i) {
    EXPECT_LT(length(place(s.world, crates[i]) - start[i]), 2e-3) << s.world.name(crates[i]);
    EXPECT_GT(direction(s.world, crates[i], {0, 1, 0}).y, 0.9999) << s.world.name(crates[i]);
  }
  s.finish();
  int moved = 0;
  for (std::size_t i = 0; i < crates.size(); ++i)
    moved += length(place(s.world, crates[i]) - start[i]) > 0.2;
  EXPECT_GE(moved, 3);
  EXPECT_LT(place(s.world, s.body("crate 4.1")).y, 1.3);  // the top has come down
  for (RigidId id : crates) EXPECT_LT(length(s.world.state(id).velocity), 0.05);  // at rest again
}

TEST(RigidScenes, DominoesFallOneAfterTheOther) {
  RigidScene s("dominoes");
  const std::vector<RigidId> dominoes = s.bodies("domino");
  ASSERT_EQ(dominoes.size(), 22u);
  const auto standing = [&](RigidId id) { return direction(s.world, id, {0, 1, 0}).y > 0.98; };
  std::vector<double> fallen(dominoes.size(), INFINITY);  // when [s]
  while (s.world.time() < double(s.scene.seconds) - 1e-6) {
    s.step();
    for (std::size_t i = 0; i < dominoes.size(); ++i)
      if (!standing(dominoes[i])) fallen[i] = std::min(fallen[i], s.world.time());
  }
  s.finish();
  for (std::size_t i = 0; i < dominoes.size(); ++i) {
    EXPECT_LT(fallen[i], double(s.scene.seconds)) << "domino " << i + 1;
    EXPECT_LT(direction(s.world, dominoes[i], {0, 1, 0}).y, 0.8) << "domino " << i + 1;
    EXPECT_GE(fallen[i], fallen[i > 0 ? i - 1 : 0]) << "domino " << i + 1;
  }
  EXPECT_GT(fallen.back(), fallen.front() + 0.8);  // a wave, not all at once
}

// One ball in, one ball out: the last swings as far as the first did, and those between stay.
TEST(RigidScenes, TheCradleSwingsOneBallForOne) {
  RigidScene s("newton_cradle");
  const std::vector<RigidId> balls = s.bodies("ball");
  ASSERT_EQ(balls.size(), 5u);
  std::vector<double> start;
  for (RigidId id : balls) start.push_back(place(s.world, id).x);
  const double radius = 0.1, lifted = 0.8 * std::sin(40 * M_PI / 180);
  const double energy = s.world.energy().total();
  double furthest = -INFINITY, stray = 0;
  while (s.world.time() < 1.4) {  // the first ball arrives after half a second
    s.step();
    furthest = std::max(furthest, place(s.world, balls[4]).x - start[4]);
    for (int i : {1, 2, 3})
      stray = std::max(stray, std::abs(place(s.world, balls[i]).x - start[i]));
  }
  EXPECT_GT(furthest, 0.9 * lifted);
  EXPECT_LT(furthest, 1.02 * lifted);
  EXPECT_LT(stray, 0.3 * radius);
  s.finish();
  EXPECT_LT(s.linear_error, 2e-3);  // the strings keep their length
  EXPECT_LT(s.world.energy().total(), energy + 0.01 * std::abs(energy));
}

TEST(RigidScenes, TheWreckingBallBreaksTheWall) {
  RigidScene s("wrecking_ball");
  const std::vector<RigidId> bricks = s.bodies("brick");
  ASSERT_EQ(bricks.size(), 21u);
  std::vector<Wide> start;
  for (RigidId id : bricks) start.push_back(place(s.world, id));
  s.run_to(0.7);  // the ball is on its way
  for (std::size_t i = 0; i < bricks.size(); ++i)
    EXPECT_LT(length(place(s.world, bricks[i]) - start[i]), 3e-3) << s.world.name(bricks[i]);
  const RigidId ball = s.body("ball");
  const Wide top{0, 4.2, 0};
  double length_max = 0;
  while (s.world.time() < double(s.scene.seconds) - 1e-6) {
    s.step();
    length_max = std::max(length_max, length(place(s.world, ball) - top));
  }
  s.finish();
  EXPECT_LT(length_max, 3.15 * 1.01);  // the chain holds
  EXPECT_LT(s.linear_error, 0.03);
  int moved = 0;
  for (std::size_t i = 0; i < bricks.size(); ++i)
    moved += length(place(s.world, bricks[i]) - start[i]) > 0.3;
  EXPECT_GE(moved, 8);
}

TEST(RigidScenes, TheRagDollFallsDownTheStairsWhole) {
  RigidScene s("ragdoll");
  s.finish();
  EXPECT_LT(s.linear_error, 0.03);
  // Hinges stay in their ranges.
  for (std::size_t i = 0; i < s.scene.joints.size(); ++i)
    if (const auto* hinge = std::get_if<HingeJoint>(&s.scene.joints[i].joint)) {
      const double angle = s.world.state(s.joint(i)).position;
      EXPECT_GT(angle, double(hinge->range->lower) - 0.1) << s.scene.joints[i].a;
      EXPECT_LT(angle, double(hinge->range->upper) + 0.1) << s.scene.joints[i].a;
    }
  const Wide torso = place(s.world, s.body("torso"));
  EXPECT_LT(torso.y, 1.6);  // it lies: standing on the top step it would be at 2.3 m
  EXPECT_GT(torso.x, 0.4);  // and has come down
  EXPECT_LT(s.world.energy().kinetic, 40);
}

TEST(RigidScenes, NothingFallsThroughTheTerrain) {
  RigidScene s("terrain");
  const auto& ground = std::get<HeightField>(std::get<StaticBody>(s.scene.bodies[0]).shape);
  double deepest = INFINITY;
  while (s.world.time() < double(s.scene.seconds) - 1e-6) {
    s.step();
    for (RigidId id : s.world.rigid_bodies())
      if (const RigidState state = s.world.state(id); !state.is_static)
        deepest = std::min(deepest, double(ground.distance_at(state.center_of_mass).distance));
  }
  EXPECT_TRUE(s.world.finite());
  EXPECT_GT(deepest, 0.03);  // the thinnest, a coin, is 8 cm thick
  for (RigidId id : s.world.rigid_bodies()) {
    const Wide x = place(s.world, id);
    EXPECT_LT(std::hypot(x.x, x.z), 3.8) << s.world.name(id);  // none has left the valley
  }
  EXPECT_LT(s.world.energy().kinetic, 60);  // of the 1.5 kJ they came down with
}

TEST(RigidScenes, EveryJointDoesItsThing) {
  RigidScene s("joints");
  const JointId door = s.joint(s.first<HingeJoint>());
  const RigidId arm = s.body("arm"), small = s.body("small wheel"), large = s.body("large wheel");
  const RigidId tray = s.body("tray"), swing = s.body("swing"), light = s.body("light weight");
  const std::vector<RigidId> beads = s.bodies("bead");
  const double light_start = place(s.world, light).y;
  double door_least = 0, cone_most = 0, rope_most = 0, stray = 0, tilt = 0, way_most = 0;
  const JointId slider = s.joint(s.first<SliderJoint>());
  const Wide pivot = place(s.world, s.body("pendulum"));
  while (s.world.time() < double(s.scene.seconds) - 1e-6) {
    s.step();
    door_least = std::min(door_least, double(s.world.state(door).position));
    cone_most = std::max(cone_most, std::acos(std::min(1.0, direction(s.world, arm, {0, 1, 0}).y)));
    Wide last{0.6, 2.2, -0.9};
    for (RigidId bead : beads) {
      rope_most = std::max(rope_most, length(place(s.world, bead) - last));
      last = place(s.world, bead);
    }
    stray = std::max(stray, length(place(s.world, s.body("pendulum")) - pivot));
    tilt = std::max(tilt, std::acos(std::min(1.0, direction(s.world, tray, {0, 1, 0}).y)));
    const Pose hung = s.world.pose(swing);
    EXPECT_NEAR(hung.to_world({0, Real(0.4), 0}).y, 1.6, 5e-3);  // it slides along x only
    way_most = std::max(way_most, double(s.world.state(slider).position));
  }
  s.finish();
  EXPECT_GT(door_least, -1.2 - 0.02);  // the door meets its limit, and stays within it
  EXPECT_LT(door_least, -1.1);
  const Wide leaf = direction(s.world, s.body("door"), {1, 0, 0});
  EXPECT_NEAR(std::atan2(-leaf.z, leaf.x), -1.2, 0.02);
  EXPECT_LT(cone_most, 0.5 + 0.05);
  EXPECT_GT(cone_most, 0.4);
  EXPECT_LT(rope_most, 0.2263 + 5e-3);
  EXPECT_LT(stray, 2e-3);  // the pendulum keeps its length
  EXPECT_LT(tilt, 0.02);   // the tray stays level, though only one end is held up
  EXPECT_NEAR(place(s.world, tray).y, 0.43, 0.01);
  EXPECT_GT(way_most, 0.8);  // the carriage overshoots its target
  EXPECT_LT(way_most, 1.01);
  EXPECT_GT(place(s.world, light).y, light_start + 0.5);  // the heavy weight pulls it up
  // The motor turns the small wheel, and the large one goes half as fast the other way.
  const double turn_small = s.world.state(small).angular_velocity.z;
  const double turn_large = s.world.state(large).angular_velocity.z;
  EXPECT_NEAR(turn_small, 4, 0.1);
  EXPECT_NEAR(turn_large, -2, 0.1);
  // A cardan shaft turns once for each turn of what drives it.
  const Wide shaft = direction(s.world, s.body("cardan"), {1, 0, 0});
  EXPECT_NEAR(shaft.x, std::cos(35 * M_PI / 180), 0.02);
  EXPECT_NEAR(shaft.y, std::sin(35 * M_PI / 180), 0.02);
  EXPECT_GT(length(to_double(s.world.state(s.body("cardan")).angular_velocity)), 1.5);
  EXPECT_LT(s.linear_error, 0.02);  // when what is glued together hits the floor
  EXPECT_LT(s.angular_error, 0.05);
}

TEST(RigidScenes, TheTowerStandsUntilTheBallComes) {
  RigidScene s("tower");
  const std::vector<RigidId> blocks = s.bodies("block");
  ASSERT_EQ(blocks.size(), 300u);
  std::vector<Wide> start;
  for (RigidId id : blocks) start.push_back(place(s.world, id));
  s.run_to(1.2);  // the ball is in the air
  for (std::size_t i = 0; i < blocks.size(); ++i)
    EXPECT_LT(length(place(s.world, blocks[i]) - start[i]), 5e-3) << s.world.name(blocks[i]);
  s.finish();
  int fallen = 0, standing = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const Wide way = place(s.world, blocks[i]) - start[i];
    fallen += way.y < -0.3;
    standing += length(way) < 0.05;
  }
  EXPECT_GT(fallen, 20);    // a breach
  EXPECT_GT(standing, 30);  // but what is below it stands
}

TEST(RigidScenes, TheRopeBridgeBearsItsCrates) {
  RigidScene s("rope_bridge");
  const std::vector<RigidId> planks = s.bodies("plank"), crates = s.bodies("crate");
  ASSERT_EQ(planks.size(), 18u);
  ASSERT_EQ(crates.size(), 5u);
  const RigidId middle = s.body("plank 9");
  const double before = place(s.world, middle).y;
  s.run_to(0.4);  // nothing has fallen on it yet
  EXPECT_NEAR(place(s.world, middle).y, before, 0.05);
  double lowest = INFINITY;
  while (s.world.time() < double(s.scene.seconds) - 1e-6) {
    s.step();
    for (RigidId id : planks) lowest = std::min(lowest, place(s.world, id).y);
  }
  s.finish();
  EXPECT_LT(s.linear_error, 0.03);   // it holds together
  EXPECT_LT(lowest, before - 0.01);  // it gives way
  EXPECT_GT(lowest, before - 0.5);   // but not much: its ropes do not stretch
  int borne = 0;
  for (RigidId id : crates) borne += place(s.world, id).y > before - 0.3;
  EXPECT_GE(borne, 3);
}

TEST(RigidScenes, MarblesGatherInTheBasin) {
  RigidScene s("marbles");
  const auto& ground = std::get<HeightField>(std::get<StaticBody>(s.scene.bodies[1]).shape);
  std::vector<RigidId> all = s.bodies("marble");
  EXPECT_EQ(all.size(), 100u);
  for (RigidId id : s.bodies("capsule")) all.push_back(id);
  ASSERT_EQ(all.size(), 150u);
  double deepest = INFINITY;
  while (s.world.time() < double(s.scene.seconds) - 1e-6) {
    s.step();
    for (RigidId id : all)
      deepest = std::min(deepest, double(ground.distance_at(s.world.pose(id).position).distance));
  }
  s.finish();
  EXPECT_GT(deepest, 0.05);  // a capsule's radius is 7 cm
  int gathered = 0;
  for (RigidId id : all) {
    const Wide x = place(s.world, id);
    EXPECT_LT(std::abs(x.x), 2.0) << s.world.name(id);  // none has left the hillside
    EXPECT_LT(std::abs(x.z), 3.25) << s.world.name(id);
    gathered += x.z > 0;  // below most of the pegs
  }
  EXPECT_GT(gathered, 90);
}

class EveryRigidScene : public testing::TestWithParam<const char*> {};

TEST_P(EveryRigidScene, IsTheSameForAnyNumberOfThreads) {
  const auto hash_with = [&](int threads) {
    RigidScene s(GetParam(), threads > 1 ? make_thread_pool(threads) : nullptr);
    while (s.world.time() < 2 - 1e-6) s.world.step(s.scene.dt);
    EXPECT_TRUE(s.world.finite());
    return s.world.state_hash();
  };
  const std::uint64_t alone = hash_with(1);
  EXPECT_EQ(hash_with(2), alone);
  EXPECT_EQ(hash_with(4), alone);
}

TEST_P(EveryRigidScene, NeverOverlapsDeeply) {
  RigidScene s(GetParam());
  s.run_to(double(s.scene.seconds));
  EXPECT_LT(s.penetration, 0.03);                       // in the worst impact [m]
  EXPECT_LT(s.world.contacts().penetration_max, 3e-3);  // and at the end
}

INSTANTIATE_TEST_SUITE_P(Scenes, EveryRigidScene,
                         testing::Values("stack", "dominoes", "newton_cradle", "wrecking_ball",
                                         "terrain", "ragdoll", "joints", "tower", "rope_bridge",
                                         "marbles"));

}  // namespace
}  // namespace sinew
