// Grabs against what a mass on a damped spring does, for every solver.
#include <sinew/grab.h>

#include <limits>

#include "grab_support.h"
#include "soft_support.h"
#include "support.h"

namespace sinew {
namespace {

constexpr Real kTop = Real(0.2);
constexpr Real kStep = Real(1.0 / 60);

struct Whole {
  double mass = 0;
  Vec3T<double> center{}, velocity{};
};
Whole whole(const World& world, SoftId id) {
  Whole sum;
  const std::vector<Vec3> velocities = world.velocities(id);
  const std::span<const Particle> particles = world.particles(id);
  for (std::size_t i = 0; i < particles.size(); ++i) {
    if (!(particles[i].inverse_mass > 0)) continue;
    const double mass = 1 / double(particles[i].inverse_mass);
    sum.mass += mass;
    sum.center += to_double(particles[i].position) * mass;
    sum.velocity += to_double(velocities[i]) * mass;
  }
  sum.center *= 1 / sum.mass;
  sum.velocity *= 1 / sum.mass;
  return sum;
}

void expect_hangs(const std::string& what, const World& world, GrabId hand, double mass) {
  const GrabState state = world.state(hand);
  const double weight = mass * kGravity, k = stiffness_of(Spring{.frequency = 3}, mass);
  const Vec3T<double> force = to_double(state.force);
  const Vec3T<double> stretch = to_double(state.place) - to_double(state.point);
  EXPECT_NEAR(force.y, weight, 0.02 * weight) << what;
  EXPECT_NEAR(std::hypot(force.x, force.z), 0, 0.02 * weight) << what;
  EXPECT_NEAR(stretch.y, weight / k, 0.02 * weight / k) << what;
  EXPECT_TRUE(world.finite()) << what;
}

TEST(Grab, ABodyHangsByItsWeight) {
  for (const AnySolver& s : every_solver()) {
    World world;
    SoftBody body = cube(s.solver);
    body.drag = 1;
    const SoftId id = world.add(body);
    const GrabId hand = world.add(Grab{.body = id, .point = {0, kTop, 0}, .radius = Real(0.15)});
    run(world, 4);
    expect_hangs(s.name, world, hand, kCubeMass);
  }
}

// Solids, sheets and lines, by a single vertex and by many.
TEST(Grab, BodiesOfEveryKindHangByTheirWeight) {
  const Solver solvers[] = {Position{}, QuasiNewton{}, Newton{}, Explicit{}};
  for (const Solver& solver : solvers)
    for (const NamedBody& b : bodies_of_every_kind()) {
      // Whose hourglass modes nothing resists: they run out of a hand at a corner.
      if (b.body.integration == HexIntegration::kOnePoint) continue;
      if (std::holds_alternative<Newton>(solver) && b.name.find("hex") != std::string::npos)
        continue;  // takes long
      World world;
      SoftBody body = b.body;
      body.solver = solver;
      body.drag = 3;
      const SoftId id = world.add(body);
      const GrabId hand = world.add(Grab{.body = id,
                                         .point = world.positions(id)[0],
                                         .radius = b.name == "lines" ? Real(0) : Real(0.2)});
      run(world, 4);
      expect_hangs(b.name + ", solver " + std::to_string(solver.index()), world, hand,
                   whole(world, id).mass);
    }
}

TEST(Grab, TwoHandsShareTheWeight) {
  for (const AnySolver& s : every_solver()) {
    World world;
    SoftBody body = cube(s.solver);
    body.drag = 1;
    const SoftId id = world.add(body);
    const GrabId left = world.add(
        Grab{.body = id, .point = {-kTop, kTop, 0}, .radius = Real(0.15), .spring = {2, 1}});
    const GrabId right = world.add(
        Grab{.body = id, .point = {kTop, kTop, 0}, .radius = Real(0.15), .spring = {4, 1}});
    run(world, 4);
    const double weight = kCubeMass * kGravity;
    // The softer one gives way more, and the middle, which is below both, swings to the other.
    EXPECT_NEAR(double(world.state(left).force.y), 0.467 * weight, 0.01 * weight) << s.name;
    EXPECT_NEAR(double(world.state(left).force.y + world.state(right).force.y), weight,
                0.01 * weight)
        << s.name;
  }
}

// Held in the middle, and pushed: the whole body swings as often as told.
TEST(Grab, SwingsAsOftenAsTold) {
  constexpr double kFrequency = 1.5;
  for (const AnySolver& s : every_solver()) {
    World world({.gravity = {0, 0, 0}});
    SoftBody body = cube(s.solver, Real(1e6));
    body.velocity = {1, 0, 0};
    const SoftId id = world.add(body);
    const Spring spring{.frequency = Real(kFrequency), .damping_ratio = 0};
    world.add(Grab{.body = id, .point = {0, 0, 0}, .radius = Real(0.25), .spring = spring});
    std::vector<double> turns;  // when it passes the middle
    double before = 0;
    while (turns.size() < 3 && world.time() < 5) {
      world.step(Real(1.0 / 240));
      const double now = whole(world, id).center.x;
      if ((before > 0 && now <= 0) || (before < 0 && now >= 0))
        turns.push_back(world.time() - now / (now - before) / 240);
      before = now;
    }
    ASSERT_EQ(turns.size(), 3u) << s.name;
    EXPECT_NEAR(1 / (turns[2] - turns[0]), kFrequency, 0.04 * kFrequency) << s.name;
  }
}

// What is told of the force is what the body feels: its momentum changes by that and by its weight.
TEST(Grab, ForceIsWhatChangesTheMomentum) {
  for (const AnySolver& s : every_solver()) {
    if (s.name == "quasi_newton, bdf2") continue;  // whose velocities are those of two steps
    World world;
    const SoftId id = world.add(cube(s.solver));
    const GrabId hand = world.add(Grab{.body = id, .point = {kTop, kTop, 0}, .radius = Real(0.15)});
    double most = 0;
    for (int i = 0; i < 60; ++i) {
      const double phase = 0.1 * i;
      world.move_grab(hand, {Real(0.3 * std::sin(phase) + 0.2), Real(0.2 + 0.01 * i),
                             Real(0.2 * std::sin(2 * phase))});
      const Vec3T<double> before = whole(world, id).velocity;
      world.step(kStep);
      const Vec3T<double> gained =
          (whole(world, id).velocity - before) * (kCubeMass / double(kStep));
      const Vec3T<double> force = to_double(world.state(hand).force);
      const Vec3T<double> expected = force + Vec3T<double>{0, -kCubeMass * kGravity, 0};
      EXPECT_NEAR(length(gained - expected), 0, 0.02 * length(force) + 0.01 * kCubeMass * kGravity)
          << s.name << ", step " << i;
      most = std::max(most, length(force));
    }
    EXPECT_GT(most, 1.5 * kCubeMass * kGravity) << s.name;  // it was pulled about
  }
}

TEST(Grab, AWeakHandCannotLift) {
  const double weight = kCubeMass * kGravity;
  for (const AnySolver& s : every_solver())
    for (double strength : {0.7, 1.6}) {
      World world;
      world.add(StaticBody{.pose = {{0, Real(-0.2), 0}}});
      SoftBody body = cube(s.solver);
      body.drag = 1;
      const SoftId id = world.add(body);
      const GrabId hand = world.add(Grab{.body = id,
                                         .point = {0, kTop, 0},
                                         .radius = Real(0.15),
                                         .max_force = Real(strength * weight)});
      world.move_grab(hand, {0, Real(2.2), 0});
      double most = 0;
      for (int i = 0; i < 90; ++i) {
        world.step(kStep);
        most = std::max(most, length(to_double(world.state(hand).force)));
      }
      const double height = whole(world, id).center.y;
      EXPECT_LE(most, strength * weight * 1.0001) << s.name;
      EXPECT_GT(most, strength * weight * 0.99) << s.name;  // it did pull
      EXPECT_EQ(height > 0.5, strength > 1) << s.name << ": " << height;
    }
}

// Pinned vertices in the patch do not move; others do.
TEST(Grab, PinsHold) {
  for (const AnySolver& s : every_solver()) {
    World world({.gravity = {0, 0, 0}});
    SoftBody body = cube(s.solver);
    body.pins = vertices_where(body.mesh, [](const Vec3& v) { return v.x < Real(0.01); });
    const SoftId id = world.add(body);
    const std::vector<Vec3> before = world.positions(id);
    const GrabId hand = world.add(
        Grab{.body = id, .point = {Real(0.05), kTop, 0}, .radius = Real(0.2), .spring = {10, 1}});
    world.move_grab(hand, {Real(0.3), Real(0.3), 0});
    run(world, 1);
    const std::vector<Vec3> after = world.positions(id);
    double most = 0;
    for (Index i = 0; i < after.size(); ++i) {
      if (std::find(body.pins.begin(), body.pins.end(), i) != body.pins.end()) {
        EXPECT_EQ(after[i], before[i]) << s.name;
      }
      most = std::max(most, double(length(after[i] - before[i])));
    }
    EXPECT_GT(most, 0.02) << s.name;
  }
}

TEST(Grab, ReleasedItFallsFreely) {
  for (const AnySolver& s : every_solver()) {
    World world;
    const SoftId id = world.add(cube(s.solver));
    const GrabId hand = world.add(Grab{.body = id, .point = {kTop, kTop, 0}, .radius = Real(0.15)});
    for (int i = 0; i < 30; ++i) {
      world.move_grab(hand, {Real(0.2 + 0.02 * i), Real(0.2 + 0.02 * i), 0});
      world.step(kStep);
    }
    world.remove(hand);
    const Vec3T<double> before = whole(world, id).velocity;
    run(world, 0.5);
    const Vec3T<double> after = whole(world, id).velocity;
    EXPECT_NEAR(length(after - before - Vec3T<double>{0, -kGravity / 2, 0}), 0, 2e-3) << s.name;
  }
}

// A body whose energy is quadratic takes one step with the right matrix, grabs and all; with a
// wrong one it takes many.
TEST(Grab, OneStepWithTheMatrixIsEnough) {
  const auto end = [](int iterations, bool held) {
    World world;
    SoftBody body = cube(Projective{.iterations = iterations});
    body.material = None{};
    Attachment springs{.stiffness = 200};
    for (Index i = 0; i < vertices_of(body.mesh).size(); ++i) springs.vertices.push_back(i);
    body.constraints = {springs};
    body.pins = {3};
    const SoftId id = world.add(body);
    for (Real x : {Real(-0.2), Real(0), Real(0.05)}) {
      const Grab grab{
          .body = id, .point = {x, kTop, 0}, .radius = Real(0.2), .max_force = Real(1e6)};
      if (held) world.move_grab(world.add(grab), {x, Real(0.3), Real(0.1)});
    }
    world.step(kStep);
    return world.positions(id);
  };
  const std::vector<Vec3> once = end(1, true), often = end(30, true), free = end(30, false);
  double most = 0, moved = 0;
  for (std::size_t i = 0; i < once.size(); ++i) {
    most = std::max(most, double(length(once[i] - often[i])));
    moved = std::max(moved, double(length(free[i] - often[i])));
  }
  EXPECT_GT(moved, 0.01);
  EXPECT_LT(most, 1e-5);
}

TEST(Grab, IsToldAndChecked) {
  World world;
  const SoftId id = world.add(cube(Position{}));
  const SoftId other = world.add(cube(Position{}));
  const GrabId hand = world.add(Grab{.body = id, .point = {1, kTop, 0}});  // the nearest vertex
  EXPECT_TRUE(world.contains(hand));
  EXPECT_EQ(world.grabs(), std::vector<GrabId>{hand});
  EXPECT_EQ(world.state(hand).body, id);
  EXPECT_NEAR(double(length(world.state(hand).point - Vec3{kTop, kTop, 0})), 0, 1e-6);
  EXPECT_EQ(world.state(hand).place, world.state(hand).point);
  EXPECT_EQ(world.state(hand).force, Vec3{});
  world.move_grab(hand, {1, 2, 3});
  world.step(kStep);
  EXPECT_EQ(world.state(hand).place, (Vec3{1, 2, 3}));

  const Real nan = std::numeric_limits<Real>::quiet_NaN(),
             inf = std::numeric_limits<Real>::infinity();
  expect_error([&] { world.add(Grab{}); }, {"soft body", "not alive"});
  expect_error([&] { world.add(Grab{.body = id, .point = {nan, 0, 0}}); }, {"grab.point[0]"});
  expect_error([&] { world.add(Grab{.body = id, .radius = -1}); }, {"grab.radius", "at least 0"});
  expect_error([&] { world.add(Grab{.body = id, .radius = inf}); }, {"grab.radius"});
  expect_error([&] { world.add(Grab{.body = id, .spring = {0, 1}}); }, {"grab.spring.frequency"});
  expect_error([&] { world.add(Grab{.body = id, .spring = {1, -1}}); }, {"damping_ratio"});
  expect_error([&] { world.add(Grab{.body = id, .max_force = -1}); }, {"grab.max_force"});
  expect_error([&] { world.move_grab(hand, {0, inf, 0}); }, {"place", "finite"});
  EXPECT_EQ(world.grabs().size(), 1u);

  const GrabId second = world.add(Grab{.body = other});
  world.remove(id);
  EXPECT_FALSE(world.contains(hand));
  EXPECT_TRUE(world.contains(second));
  world.step(kStep);  // the particles of the other have moved up
  EXPECT_NEAR(double(length(world.state(second).point - world.state(second).place)), 0, 0.1);
  expect_error([&] { world.state(hand); }, {"grab", "not alive"});
  expect_error([&] { world.move_grab(hand, {}); }, {"grab", "not alive"});
  expect_error([&] { world.remove(hand); }, {"grab", "not alive"});
  world.remove(second);
  EXPECT_TRUE(world.grabs().empty());
  world.step(kStep);
}

}  // namespace
}  // namespace sinew
