// Soft bodies that are made anew while they run.
#include <sinew/generators.h>

#include <cmath>
#include <limits>

#include "body_kinds.h"
#include "snapshot_support.h"
#include "soft_support.h"
#include "support.h"

namespace sinew {
namespace {

const Real kStep = Real(1.0 / 60);

Material rubber(double young) {
  return StableNeoHookean{.young = Real(young), .poisson = Real(0.3)};
}

// A bar that hangs from its upper end, a metre long.
SoftBody hanging(const Solver& solver, double young = 1e5) {
  SoftBody body{.mesh = box_tets({Real(0.2), 1, Real(0.2)}, {2, 8, 2}), .material = rubber(young)};
  body.solver = solver;
  body.settling = 4;
  body.pins = vertices_where(body.mesh, [](const Vec3& v) { return v.y > Real(0.499); });
  return body;
}

double sag(const World& world, SoftId id) {
  const auto low = vertices_where(world.rest_mesh(id), [](const Vec3& v) { return v.y < -0.499f; });
  return -0.5 - mean_position(world, id, low).y;
}

struct NamedChoice {
  const char* name;
  Solver solver;
};
const NamedChoice kChoices[] = {{"position", Position{}},
                                {"jacobi", Position{.order = SweepOrder::kJacobi}},
                                {"quasi_newton", QuasiNewton{}},
                                {"newton", Newton{}}};

TEST(Replace, TenTimesAsStiffSagsATenth) {
  for (const NamedChoice& choice : {kChoices[0], kChoices[2]}) {
    World world;
    const SoftId id = world.add(hanging(choice.solver, 3e5));
    run(world, 3);
    const double soft = sag(world, id);
    EXPECT_NEAR(soft, 1000 * kGravity / (2 * 3e5), 0.15 * soft) << choice.name;  // held aside
    world.replace(id, hanging(choice.solver, 3e6));
    run(world, 3);
    EXPECT_NEAR(sag(world, id), soft / 10, 0.1 * soft / 10) << choice.name;
    world.replace(id, hanging(choice.solver, 3e5));
    run(world, 3);
    EXPECT_NEAR(sag(world, id), soft, 0.02 * soft) << choice.name;
  }
}

// Position and velocity are the same bits when the solver is another one, and it goes on from
// there.
TEST(Replace, ANewSolverTakesOverInMidMotion) {
  for (const NamedChoice& from : kChoices)
    for (const NamedChoice& to : kChoices) {
      World world;
      const SoftId id = world.add(hanging(from.solver));
      run(world, 0.2);
      const std::vector<Vec3> x = world.positions(id), v = world.velocities(id);
      world.replace(id, hanging(to.solver));
      EXPECT_EQ(world.positions(id), x);
      EXPECT_EQ(world.velocities(id), v);
      EXPECT_TRUE(world.contains(id));
      const double before = sag(world, id);
      world.step(kStep);
      EXPECT_NEAR(sag(world, id), before, 0.05) << from.name << " to " << to.name;
      run(world, 3);
      EXPECT_NEAR(sag(world, id), 1000 * kGravity / (2 * 1e5), 0.02) << from.name << to.name;
    }
}

TEST(Replace, SnapshotsFromBeforeKeepTheOldMaterial) {
  for (const NamedChoice& choice : kChoices) {
    World world;
    const SoftId id = world.add(hanging(choice.solver));
    run(world, 0.2);
    const Snapshot snapshot = world.snapshot();
    const Seen before = see(world);
    run(world, 0.2);
    const Seen after = see(world);
    world.restore(snapshot);
    for (int twice = 0; twice < 2; ++twice) {
      SoftBody other = hanging(choice.solver, 7e5);
      other.name = "other";
      other.density = 300;
      world.replace(id, other);
      run(world, 0.3);
      EXPECT_NE(world.state_hash(), after.hash);
      world.restore(snapshot);
      EXPECT_TRUE(see(world) == before) << choice.name;
      EXPECT_EQ(world.name(id), "");
      run(world, 0.2);
      EXPECT_TRUE(see(world) == after) << choice.name;
      world.restore(snapshot);
    }
  }
}

TEST(Replace, WhatIsWrongChangesNothing) {
  World world;
  const SoftId id = world.add(hanging(Position{}));
  World twin;
  twin.add(hanging(Position{}));
  run(world, 0.2);
  run(twin, 0.2);
  SoftBody larger = hanging(Position{});
  larger.name = "larger";
  larger.mesh = box_tets({1, 1, 1}, {2, 2, 2});
  larger.pins.clear();
  expect_error([&] { world.replace(id, larger); }, {"81 vertices", "27"});
  SoftBody thick = hanging(Position{});
  thick.material = StableNeoHookean{.poisson = Real(0.6)};
  expect_error([&] { world.replace(id, thick); }, {"poisson", "0.6"});
  SoftBody unknown = hanging(Position{});
  unknown.material = Spline{};  // not for this solver: found while the body is being made
  expect_error([&] { world.replace(id, unknown); }, {"spline", "quasi_newton"});
  SoftBody pinned = hanging(Position{});
  pinned.pins = {1000};
  expect_error([&] { world.replace(id, pinned); }, {"pins", "1000"});
  SoftBody stretched = hanging(Position{});
  stretched.constraints = {Attachment{.vertices = {4000}}};
  expect_error([&] { world.replace(id, stretched); }, {"constraints[0]", "4000"});
  world.remove(world.add(hanging(Position{})));
  expect_error([&] { world.replace(SoftId{7, 1}, hanging(Position{})); }, {"not alive"});
  EXPECT_TRUE(see(world) == see(twin));
  run(world, 0.2);
  run(twin, 0.2);
  EXPECT_TRUE(see(world) == see(twin));
}

// Other bodies lie where they lay, and go on to the bit.
TEST(Replace, LeavesTheOthersAlone) {
  const auto positions = [](bool change) {
    World world;
    world.add(StaticBody{});
    const SoftId first =
        world.add(SoftBody{.mesh = box_tets({1, 1, 1}, {2, 3, 2}), .pose = {{0, 1, 0}}});
    const SoftId second =
        world.add(SoftBody{.mesh = box_tets({1, 1, 1}, {3, 3, 3}), .pose = {{5, 1, 0}}});
    run(world, 0.3);
    if (change)
      world.replace(first, SoftBody{.mesh = box_tets({1, 1, 1}, {2, 3, 2}), .solver = Newton{}});
    run(world, 0.3);
    return world.positions(second);
  };
  EXPECT_EQ(positions(true), positions(false));
}

TEST(Replace, DensityChangesMassesAndPinsStayAsTheyAre) {
  World world;
  const SoftBody body = hanging(Position{});
  const SoftId id = world.add(body);
  const Index tip = vertices_where(body.mesh, [](const Vec3& v) { return v.y < -0.499f; })[0];
  world.unpin(id, body.pins[0]);
  world.pin(id, tip);
  const Vec3 aim = world.particles(id)[tip].position + Vec3{Real(0.1), 0, 0};
  world.move_pin(id, tip, aim);
  std::vector<Particle> before(world.particles(id).begin(), world.particles(id).end());
  SoftBody heavy = body;  // which names other pins than those that are held
  heavy.density = 4000;
  world.replace(id, heavy);
  for (std::size_t i = 0; i < before.size(); ++i)
    EXPECT_FLOAT_EQ(world.particles(id)[i].inverse_mass, before[i].inverse_mass / 4) << i;
  EXPECT_EQ(world.particles(id)[tip].inverse_mass, 0);
  EXPECT_GT(world.particles(id)[body.pins[0]].inverse_mass, 0);
  world.step(kStep);
  EXPECT_EQ(world.particles(id)[tip].position, aim);  // it was sent there before
  for (Index pin : body.pins) world.unpin(id, pin);
  world.unpin(id, tip);
  double mass = 0;
  for (const Particle& p : world.particles(id)) mass += 1 / double(p.inverse_mass);
  EXPECT_NEAR(mass, 4000 * 0.04, 0.01);
  run(world, 0.5);  // nothing holds it: it falls
  EXPECT_LT(mean_position(world, id).y, -0.5);
}

TEST(Replace, TheAnchorGoesOnWithItsSine) {
  const AnchorMotion motion{.swing = {Real(0.2), 0, 0}, .turn = {0, 1, 0}, .frequency = 1};
  for (const NamedChoice& choice : {kChoices[0], kChoices[2]}) {
    SoftBody body = hanging(choice.solver);
    body.anchor_motion = motion;
    World world, twin;
    const SoftId id = world.add(body), other = twin.add(body);
    run(world, 0.3);
    run(twin, 0.3);
    SoftBody stiff = body;
    stiff.material = rubber(1e6);
    world.replace(id, stiff);
    const auto pin_at = [&](const World& w, SoftId of) {
      return w.particles(of)[body.pins[0]].position;
    };
    for (int i = 0; i < 30; ++i) {
      world.step(kStep);
      twin.step(kStep);
      EXPECT_LT(length(pin_at(world, id) - pin_at(twin, other)), 1e-5) << choice.name << i;
    }
    // Twice as fast, it starts from where it is, too.
    body.anchor_motion->frequency = 2;
    const Vec3 before = pin_at(world, id);
    world.replace(id, body);
    world.step(kStep);
    const double fastest = 2 * 6.2832 * (0.2 + 0.15) / 60;
    EXPECT_LT(length(pin_at(world, id) - before), 1.2 * fastest) << choice.name;
    // Without a motion its pins stop, and with one again they start from there.
    body.anchor_motion.reset();
    world.replace(id, body);
    const Vec3 stopped = pin_at(world, id);
    run(world, 0.2);
    EXPECT_EQ(pin_at(world, id), stopped) << choice.name;
    body.anchor_motion = AnchorMotion{.swing = {0, 0, Real(0.1)}, .frequency = 1};
    world.replace(id, body);
    run(world, 0.25);
    EXPECT_LT(length(pin_at(world, id) - stopped - Vec3{0, 0, Real(0.1)}), 1e-3) << choice.name;
  }
}

TEST(Replace, AttachmentsPullToWhereTheyPulledTo) {
  for (const NamedChoice& choice : {kChoices[0], kChoices[2]}) {
    SoftBody body = hanging(choice.solver);
    body.constraints = {Attachment{.vertices = body.pins, .stiffness = 5000}};
    body.pins.clear();
    World world;
    const SoftId id = world.add(body);
    const std::vector<Index> top =
        vertices_where(body.mesh, [](const Vec3& v) { return v.y > Real(0.499); });
    for (Index v : top)
      world.move_attachment(id, v, world.particles(id)[v].position + Vec3{1, 0, 0});
    run(world, 2);
    EXPECT_NEAR(mean_position(world, id, top).x, 1, 0.02) << choice.name;
    const double energy = world.energy().elastic;
    world.replace(id, body);
    EXPECT_NEAR(world.energy().elastic, energy, 1e-3 * energy) << choice.name;
    run(world, 2);
    EXPECT_NEAR(mean_position(world, id, top).x, 1, 0.02) << choice.name;
  }
}

TEST(Replace, ThawsWhatWasFrozen) {
  World world;
  const SoftBody body{.mesh = box_tets({1, 1, 1}, {2, 2, 2})};
  const SoftId id = world.add(body);
  const Real huge = std::numeric_limits<Real>::max();
  world.set_velocities(id, std::vector<Vec3>(world.particles(id).size(), Vec3{huge, huge, 0}));
  world.step(kStep);
  ASSERT_TRUE(world.state(id).frozen);
  world.replace(id, body);
  EXPECT_FALSE(world.state(id).frozen);
  run(world, 0.5);
  EXPECT_TRUE(world.finite());
  EXPECT_NEAR(mean_position(world, id).y, -0.5 * kGravity * 0.25, 0.1);
}

// Dents belong to the old body.
TEST(Replace, PlasticDeformationBeginsAnew) {
  SoftBody body{.mesh = box_tets({1, 1, 1}, {2, 2, 2}), .material = rubber(1e5)};
  body.plasticity = Plasticity{.yield_strain = Real(0.01)};
  World world({.gravity = {}});
  const SoftId id = world.add(body);
  std::vector<Vec3> x = world.positions(id);
  for (Vec3& v : x) v.x *= Real(1.3);
  world.set_positions(id, x);
  run(world, 1);
  const auto width = [&] { return world.bounds(id).upper.x - world.bounds(id).lower.x; };
  ASSERT_GT(width(), 1.03);
  body.plasticity.reset();
  body.settling = 5;
  world.replace(id, body);
  run(world, 3);
  EXPECT_NEAR(width(), 1, 0.01);
}

std::uint64_t hash_after_replace(std::shared_ptr<Executor> executor, const Solver& solver) {
  World world({}, std::move(executor));
  world.add(StaticBody{});
  SoftBody body{.mesh = box_tets({1, 1, 1}, {12, 12, 12}), .pose = {{0, Real(0.6), 0}}};
  const SoftId id = world.add(body);
  run(world, 0.1);
  body.material = rubber(3e5);
  body.solver = solver;
  world.replace(id, body);
  run(world, 0.1);
  return world.state_hash();
}

TEST(Replace, SameBitsOnManyThreads) {
  for (const NamedChoice& choice : {kChoices[0], kChoices[2]}) {
    const std::uint64_t serial = hash_after_replace(nullptr, choice.solver);
    EXPECT_EQ(hash_after_replace(make_thread_pool(2), choice.solver), serial) << choice.name;
    EXPECT_EQ(hash_after_replace(make_thread_pool(5), choice.solver), serial) << choice.name;
  }
}

}  // namespace
}  // namespace sinew
