// Grabs: the same bits for any number of threads, and again after going back to a snapshot.
#include "grab_support.h"
#include "snapshot_support.h"

namespace sinew {
namespace {

const WorldSettings kFew{.substeps = 2, .substeps_max = 4, .iterations = 2};

std::vector<GrabId> fill(World& world, const Solver& solver) {
  world.add(StaticBody{.pose = {{0, Real(-0.6), 0}}});
  std::vector<GrabId> hands;
  for (int i = 0; i < 3; ++i) {
    SoftBody body = cube(solver, Real(2e4));
    body.pose.position = {Real(i), 0, 0};
    body.angular_velocity = {1, 2, Real(i)};
    const SoftId id = world.add(body);
    for (int k = 0; k < i; ++k)
      hands.push_back(world.add(Grab{.body = id,
                                     .point = {Real(i), Real(0.2), Real(0.2 * k)},
                                     .radius = Real(0.1 + 0.1 * k),
                                     .max_force = k == 1 ? Real(500) : Real(0)}));
  }
  return hands;
}

void drag(World& world, const std::vector<GrabId>& hands, int i) {
  for (std::size_t k = 0; k < hands.size(); ++k)
    if (world.contains(hands[k]))
      world.move_grab(hands[k], {Real(0.1) * Real(i), Real(0.2 * std::sin(i + k)), Real(k)});
}

TEST(Determinism, OfGrabs) {
  std::uint64_t last = 0;
  for (const AnySolver& s : every_solver()) {
    const auto hash = [&](std::shared_ptr<Executor> executor, bool held = true) {
      World world(kFew, std::move(executor));
      const std::vector<GrabId> hands = fill(world, s.solver);
      if (!held)
        for (GrabId hand : hands) world.remove(hand);
      for (int i = 0; i < 12; ++i) {
        drag(world, hands, i);
        world.step(Real(1.0 / 60));
      }
      return world.state_hash();
    };
    const std::uint64_t serial = hash(make_serial_executor());
    EXPECT_NE(serial, last) << s.name;
    EXPECT_NE(serial, hash(make_serial_executor(), false)) << s.name;  // they do something
    last = serial;
    for (int threads : {1, 2, 4})
      EXPECT_EQ(hash(make_thread_pool(threads)), serial) << s.name << ", " << threads << " threads";
  }
}

// Of more vertices than are stepped by one thread.
TEST(Determinism, OfAGrabbedLargeBody) {
  for (const Solver& solver : {Solver{Position{}}, Solver{QuasiNewton{}}}) {
    const auto hash = [&](int threads) {
      World world(kFew, make_thread_pool(threads));
      const SoftId id = world.add(SoftBody{.mesh = box_tets({1, 1, 1}, {16, 16, 16}),
                                           .material = NeoHookean{.young = Real(2e4)},
                                           .solver = solver});
      const GrabId hand =
          world.add(Grab{.body = id, .point = {0, Real(0.5), 0}, .radius = Real(0.3)});
      for (int i = 0; i < 5; ++i) {
        world.move_grab(hand, {Real(0.05) * Real(i), Real(0.5), 0});
        world.step(Real(1.0 / 60));
      }
      return world.state_hash();
    };
    const std::uint64_t one = hash(1);
    for (int threads : {2, 4}) EXPECT_EQ(hash(threads), one) << solver.index() << ", " << threads;
  }
}

// Hands that were there are back, with what they hold and where they pull; others are gone, though
// what is added next may have their handles.
TEST(Snapshot, OfGrabs) {
  for (const AnySolver& s : every_solver()) {
    World world(kFew, make_thread_pool(2));
    const std::vector<GrabId> hands = fill(world, s.solver);
    std::vector<Vec3> forces;
    expect_resumes(
        s.name, world, 10,
        [&](World& w, int i) {
          drag(w, hands, i);
          if (i == 4) w.remove(hands[1]);
          if (i == 6) w.add(Grab{.body = w.soft_bodies()[0], .radius = Real(0.2)});
        },
        [&](World& w) {
          w.remove(hands[0]);
          w.add(Grab{.body = w.soft_bodies()[1], .point = {1, 0, 0}, .radius = Real(0.1)});
          w.step(Real(1.0 / 90));
        });
    const Snapshot snapshot = world.snapshot();
    const GrabState before = world.state(hands[0]);
    ASSERT_NE(before.force, Vec3{}) << s.name;
    world.move_grab(hands[0], {9, 9, 9});
    world.step(Real(1.0 / 60));
    EXPECT_NE(world.state(hands[0]).force, before.force) << s.name;
    world.restore(snapshot);
    const GrabState after = world.state(hands[0]);
    EXPECT_EQ(after.force, before.force) << s.name;
    EXPECT_EQ(after.place, before.place) << s.name;
    EXPECT_EQ(after.point, before.point) << s.name;
  }
}

}  // namespace
}  // namespace sinew
