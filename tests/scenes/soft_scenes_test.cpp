// The scenes of soft bodies, run to their end: what a person would notice.
#include <gtest/gtest.h>
#include <sinew/scene.h>

#include <algorithm>
#include <cmath>

#include "math/rotation.h"
#include "soft_support.h"
#include "source_dir.h"

namespace sinew {
namespace {

struct RunningScene {
  explicit RunningScene(const char* name)
      : scene(load_scene(std::filesystem::path(SINEW_SOURCE_DIR) / "scenes" / name)),
        world(make_world(scene)) {}

  void run_to(double seconds) {
    while (world.time() < seconds - 1e-6) world.step(scene.dt);
  }
  // The end, at which all must be sound.
  void finish() {
    run_to(double(scene.seconds));
    EXPECT_TRUE(world.finite());
    for (SoftId id : world.soft_bodies()) EXPECT_EQ(world.state(id).inverted, 0) << world.name(id);
  }
  SoftId body(const std::string& name) const {
    for (SoftId id : world.soft_bodies())
      if (world.name(id) == name) return id;
    ADD_FAILURE() << "no body " << name;
    return {};
  }

  Scene scene;
  World world;
};

double top(const World& world, SoftId id) {
  double highest = -INFINITY;
  for (const Vec3& x : world.positions(id)) highest = std::max(highest, double(x.y));
  return highest;
}
double bottom(const World& world, SoftId id) {
  double lowest = INFINITY;
  for (const Vec3& x : world.positions(id)) lowest = std::min(lowest, double(x.y));
  return lowest;
}

// Sag under its own weight is ρ g H²/2E as long as it is small; friction on the step makes it a
// little less.
TEST(Scenes, JellySteps) {
  RunningScene s("jelly_steps.json");
  s.finish();
  const double height = 0.25;
  double last = height;
  const std::pair<const char*, double> jellies[] = {
      {"5 kPa", 5e3}, {"10 kPa", 1e4}, {"20 kPa", 2e4}, {"40 kPa", 4e4}, {"100 kPa", 1e5}};
  for (int i = 0; i < 5; ++i) {
    const auto [name, young] = jellies[i];
    const SoftId id = s.body(name);
    EXPECT_NEAR(bottom(s.world, id), 0.1 + 0.15 * i, 1e-3) << name;  // on its step
    const double sag = height - (top(s.world, id) - bottom(s.world, id));
    EXPECT_LT(sag, 0.75 * last) << name;  // each less than the one before
    last = sag;
    const double theory = 1000 * kGravity * height * height / (2 * young);
    EXPECT_GT(sag, 0.6 * theory) << name;
    EXPECT_LT(sag, 1.15 * theory) << name;
    EXPECT_NEAR(s.world.state(id).volume_ratio, 1, 0.06) << name;
  }
  EXPECT_LT(s.world.energy().kinetic, 0.05);  // they have come to rest
}

TEST(Scenes, ClothOnSphere) {
  RunningScene s("cloth_on_sphere.json");
  s.finish();
  const SoftId id = s.body("blanket");
  const auto& ball = std::get<StaticBody>(s.scene.bodies[1]);
  const double radius = std::get<Sphere>(ball.shape).radius;
  const double thickness = s.world.thickness(id);
  int lying = 0, corners_down = 0;
  for (const Vec3& x : s.world.positions(id)) {
    const double distance = length(to_double(x) - to_double(ball.pose.position));
    EXPECT_GT(distance, radius + thickness / 2 - 1e-4);  // it never dips in
    lying += distance < radius + thickness;
  }
  // A cap of the ball is covered: at least the upper third of its surface, 0.67 m² of 2.25 m².
  EXPECT_GT(lying, 0.3 * 51 * 51);
  EXPECT_NEAR(top(s.world, id), double(ball.pose.position.y) + radius + thickness / 2, 2e-3);
  // The four corners hang lower than the ball's middle.
  const std::span<const Vec3> rest = vertices_of(s.world.rest_mesh(id));
  for (std::size_t i = 0; i < rest.size(); ++i)
    if (std::abs(rest[i].x) > Real(0.749) && std::abs(rest[i].z) > Real(0.749))
      corners_down += s.world.positions(id)[i].y < ball.pose.position.y;
  EXPECT_EQ(corners_down, 4);
  // Cloth keeps its area: it folds rather than stretches.
  EXPECT_NEAR(s.world.state(id).volume_ratio, 1, 0.05);
  EXPECT_LT(s.world.energy().kinetic, 0.05);
}

// How far each vertex is from where it would be, were the body rigid [m].
std::vector<double> dents(const World& world, SoftId id) {
  const std::span<const Vec3> rest = vertices_of(world.rest_mesh(id));
  const std::vector<Vec3> now = world.positions(id);
  Vec3T<double> rest_middle{}, middle{};
  for (std::size_t i = 0; i < now.size(); ++i) {
    rest_middle += to_double(rest[i]) * (1.0 / double(now.size()));
    middle += to_double(now[i]) * (1.0 / double(now.size()));
  }
  Mat3T<double> spread{};
  for (std::size_t i = 0; i < now.size(); ++i)
    for (int k = 0; k < 3; ++k)
      spread.c[k] += (to_double(now[i]) - middle) * (to_double(rest[i]) - rest_middle)[k];
  const Mat3T<double> turn = rotation_of(spread).matrix();
  std::vector<double> dents;
  for (std::size_t i = 0; i < now.size(); ++i)
    dents.push_back(length(to_double(now[i]) - middle - turn * (to_double(rest[i]) - rest_middle)));
  return dents;
}

double deepest_dent(const World& world, SoftId id) {
  const std::vector<double> all = dents(world, id);
  return *std::max_element(all.begin(), all.end());
}

TEST(Scenes, DentedCar) {
  RunningScene s("dented_car.json");
  const SoftId id = s.body("car");
  EXPECT_LT(deepest_dent(s.world, id), 1e-5);  // whole at the start
  const Energy start = s.world.energy();
  s.run_to(double(s.scene.seconds) - 1);
  const std::vector<double> earlier = dents(s.world, id);
  s.finish();
  const std::vector<double> now = dents(s.world, id);
  const auto deepest = std::max_element(now.begin(), now.end()) - now.begin();
  EXPECT_GT(now[deepest], 0.05);  // [m]
  EXPECT_LT(now[deepest], 0.6);
  // It is the nose, on which it fell.
  EXPECT_GT(vertices_of(s.world.rest_mesh(id))[deepest].x, Real(1));
  // It lasts: the car is at rest, its stress gone, and the dents are what they were a second ago.
  for (std::size_t i = 0; i < now.size(); ++i) EXPECT_NEAR(now[i], earlier[i], 2e-3);
  EXPECT_NEAR(s.world.state(id).volume_ratio, 1, 0.02);
  const Energy end = s.world.energy();
  EXPECT_LT(end.elastic, 0.05 * (start.total() - end.gravity));
  EXPECT_LT(end.kinetic, 1);

  // Without plasticity it springs back.
  RunningScene elastic("dented_car.json");
  std::get<SoftBody>(elastic.scene.bodies[1]).plasticity.reset();
  elastic.world = make_world(elastic.scene);
  elastic.finish();
  EXPECT_LT(deepest_dent(elastic.world, elastic.body("car")), 0.3 * now[deepest]);
}

// Amplitude [m] and phase [rad] of what was seen at a frequency, over whole periods.
struct Swing {
  double amplitude, phase;
};
Swing swing_of(const std::vector<double>& samples, double frequency, double dt, double start) {
  double mean = 0, sine = 0, cosine = 0;
  for (double x : samples) mean += x / double(samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double angle = 2 * M_PI * frequency * (start + dt * double(i));
    sine += (samples[i] - mean) * std::sin(angle) * 2 / double(samples.size());
    cosine += (samples[i] - mean) * std::cos(angle) * 2 / double(samples.size());
  }
  return {std::hypot(sine, cosine), std::atan2(cosine, sine)};
}

TEST(Scenes, Belly) {
  RunningScene s("belly.json");
  const SoftId id = s.body("belly");
  const auto& body = std::get<SoftBody>(s.scene.bodies[1]);
  const AnchorMotion motion = *body.anchor_motion;
  const BodyMesh& rest = s.world.rest_mesh(id);
  const std::vector<Index> navel =
      vertices_where(rest, [](const Vec3& v) { return v.z > Real(0.24); });
  ASSERT_FALSE(navel.empty());
  const double period = 1 / double(motion.frequency), start = double(s.scene.seconds) - 4 * period;
  s.run_to(start);
  std::vector<double> trunk, tip;
  const double first = s.world.time() + double(s.scene.dt);
  while (s.world.time() < double(s.scene.seconds) - 1e-6) {
    s.world.step(s.scene.dt);
    trunk.push_back(s.world.particles(id)[body.pins.front()].position.y);
    tip.push_back(mean_position(s.world, id, navel).y);
  }
  s.finish();
  const Swing held = swing_of(trunk, motion.frequency, double(s.scene.dt), first);
  const Swing free = swing_of(tip, motion.frequency, double(s.scene.dt), first);
  EXPECT_NEAR(held.amplitude, motion.swing.y, 1e-3);
  EXPECT_NEAR(held.phase, 0, 0.02);
  // It swings further than the trunk does, and later.
  EXPECT_GT(free.amplitude, 1.3 * held.amplitude);
  EXPECT_LT(free.amplitude, 6 * held.amplitude);
  EXPECT_LT(free.phase, -0.2);
  EXPECT_GT(free.phase, -2.8);
  EXPECT_NEAR(s.world.state(id).volume_ratio, 1, 0.03);
}

TEST(Scenes, GummyBears) {
  RunningScene s("gummy_bears.json");
  const std::vector<SoftId> bears = s.world.soft_bodies();
  ASSERT_EQ(bears.size(), 5u);
  double squash = INFINITY, apart = INFINITY;
  while (s.world.time() < double(s.scene.seconds) - 1e-6) {
    s.world.step(s.scene.dt);
    std::vector<Bounds> boxes;
    for (SoftId id : bears) boxes.push_back(bounds(s.world.skin_positions(id)));
    for (const Bounds& box : boxes) {
      EXPECT_GT(box.lower.y, Real(-0.012));  // what is seen hardly dips into the floor
      squash = std::min(squash, double(box.upper.y - box.lower.y));
    }
    // Soft bodies do not feel each other yet, so that they must not meet.
    for (std::size_t i = 0; i < boxes.size(); ++i)
      for (std::size_t k = 0; k < i; ++k)
        apart = std::min(apart, double(max(boxes[i].lower.x - boxes[k].upper.x,
                                           boxes[k].lower.x - boxes[i].upper.x)));
  }
  s.finish();
  EXPECT_GT(apart, 0.02);
  EXPECT_LT(squash, 0.45);  // of the 0.52 m of a bear
  const std::pair<const char*, double> places[] = {{"red", 0.22}, {"teal", 0.36}, {"amber", 0.12}};
  for (const auto& [name, height] : places) {
    const Bounds box = bounds(s.world.skin_positions(s.body(name)));
    EXPECT_NEAR(box.lower.y, height, 0.01) << name;      // on its place
    EXPECT_GT(box.upper.y - box.lower.y, 0.42) << name;  // upright
  }
  for (SoftId id : bears) {
    EXPECT_EQ(s.world.skin(id).vertices.size(), s.world.skin_positions(id).size());
    EXPECT_NEAR(s.world.state(id).volume_ratio, 1, 0.03) << s.world.name(id);
  }
  // Down the slide, onto the floor.
  EXPECT_GT(mean_position(s.world, s.body("indigo")).z, 0.3);
  EXPECT_LT(s.world.energy().kinetic, 0.2);
}

TEST(Scenes, Flag) {
  RunningScene s("flag.json");
  const SoftId id = s.body("flag");
  const auto& body = std::get<SoftBody>(s.scene.bodies[2]);
  const BodyMesh& rest = s.world.rest_mesh(id);
  const std::vector<Index> fly =
      vertices_where(rest, [](const Vec3& v) { return v.x > Real(0.749); });
  s.run_to(2);
  double forth = -INFINITY, back = INFINITY, hoist_forth = -INFINITY;
  while (s.world.time() < double(s.scene.seconds) - 1e-6) {
    s.world.step(s.scene.dt);
    const double z = mean_position(s.world, id, fly).z;
    forth = std::max(forth, z), back = std::min(back, z);
    hoist_forth = std::max(hoist_forth, mean_position(s.world, id, body.pins).z);
    EXPECT_GT(bottom(s.world, id), 0.05);  // it never touches the ground
    // The pole goes along.
    EXPECT_NEAR(mean_position(s.world, s.body("pole")).z, mean_position(s.world, id, body.pins).z,
                1e-3);
  }
  s.finish();
  EXPECT_NEAR(hoist_forth, body.anchor_motion->swing.z, 5e-3);
  EXPECT_GT(forth, 0.2);  // the free edge swings, too
  EXPECT_LT(back, -0.2);
  // It flies, and keeps its area.
  EXPECT_GT(mean_position(s.world, id, fly).x, mean_position(s.world, id, body.pins).x + 1);
  EXPECT_NEAR(s.world.state(id).volume_ratio, 1, 0.05);
}

// The stiffer, the less they bend; that of 1 MPa as the theory of beams says.
TEST(Scenes, SoftBars) {
  RunningScene s("soft_bars.json");
  s.finish();
  double last = INFINITY;
  for (const char* name : {"30 kPa", "100 kPa", "30 kPa with fibres", "1 MPa"}) {
    const SoftId id = s.body(name);
    const BodyMesh& rest = s.world.rest_mesh(id);
    const std::vector<Index> end =
        vertices_where(rest, [](const Vec3& v) { return v.x > Real(0.899); });
    const double sag = 1 - mean_position(s.world, id, end).y;
    EXPECT_LT(sag, 0.85 * last) << name;
    last = sag;
  }
  const double length = 0.9, height = 0.18;
  EXPECT_NEAR(last, 1.5 * 300 * kGravity * std::pow(length, 4) / (1e6 * height * height), 0.012);
  EXPECT_LT(s.world.energy().kinetic, 0.05);
}

}  // namespace
}  // namespace sinew
