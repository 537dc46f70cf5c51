// Whatever a hand does, the body it holds stays finite, and comes back when it is let go.
#include <gtest/gtest.h>

#include <random>

#include "grab_support.h"
#include "soft_support.h"

namespace sinew {
namespace {

constexpr Real kStep = Real(1.0 / 60);

void expect_comes_back(const std::string& what, World& world, SoftId id, double seconds = 8) {
  ASSERT_TRUE(world.finite()) << what;
  run(world, seconds);
  const SoftState state = world.state(id);
  EXPECT_FALSE(state.frozen) << what;
  EXPECT_EQ(state.inverted, 0) << what;
  EXPECT_LT(state.strain_max, 0.1) << what;
}

SoftBody calm_cube(const Solver& solver) {
  SoftBody body = cube(solver);
  if (!std::holds_alternative<Explicit>(solver) && !std::holds_alternative<Projective>(solver))
    body.damping = Real(0.005);
  body.settling = 1;
  body.drag = 1;  // or it would go on spinning, and be strained by that
  return body;
}

// A kilometre away, somewhere else in every step.
TEST(GrabAbuse, TeleportingHandsAreSurvived) {
  for (const AnySolver& s : every_solver())
    for (Real max_force : {Real(0), Real(3e3), Real(1e7)}) {
      World world({.gravity = {0, 0, 0}});
      const SoftId id = world.add(calm_cube(s.solver));
      const GrabId hand = world.add(Grab{.body = id,
                                         .point = {Real(0.2), Real(0.2), Real(0.2)},
                                         .radius = Real(0.15),
                                         .max_force = max_force});
      std::mt19937 generator(7);
      std::uniform_real_distribution<Real> anywhere(-1000, 1000);
      for (int i = 0; i < 30; ++i) {
        world.move_grab(hand, {anywhere(generator), anywhere(generator), anywhere(generator)});
        world.step(kStep);
        ASSERT_TRUE(world.finite()) << s.name << ", step " << i;
      }
      world.remove(hand);
      if (max_force < Real(1e5))  // what tears it to shreds, may
        expect_comes_back(s.name + ", " + std::to_string(max_force), world, id);
    }
}

// As far as numbers go.
TEST(GrabAbuse, PlacesOutOfThisWorldAreSurvived) {
  for (const AnySolver& s : every_solver()) {
    World world({.gravity = {0, 0, 0}});
    const SoftId id = world.add(calm_cube(s.solver));
    const GrabId hand =
        world.add(Grab{.body = id, .point = {0, Real(0.2), 0}, .radius = Real(0.15)});
    for (Real far : {Real(1e6), Real(-1e30), Real(3e38)}) {
      world.move_grab(hand, {0, far, 0});
      for (int i = 0; i < 3; ++i) world.step(kStep);
      ASSERT_TRUE(world.finite()) << s.name << ", " << far;
    }
    world.remove(hand);
    expect_comes_back(s.name, world, id);
  }
}

// Wherever it is held: the energy of a hand that is far away once drowned that of the body in its
// rounding, and the body burst.
TEST(GrabAbuse, NoPlaceIsSoFarThatBodiesBurst) {
  for (Integrator integrator : {Integrator::kImplicitEuler, Integrator::kImplicitMidpoint})
    for (const Vec3& point : {Vec3{0, Real(0.2), 0}, Vec3{Real(0.2), Real(0.2), 0},
                              Vec3{Real(0.2), Real(0.2), Real(0.2)}, Vec3{Real(0.1), 0, Real(0.2)}})
      for (Real radius : {Real(0.1), Real(0.2)}) {
        World world({.gravity = {0, 0, 0}});
        const SoftId id = world.add(calm_cube(QuasiNewton{.integrator = integrator}));
        const GrabId hand = world.add(Grab{.body = id, .point = point, .radius = radius});
        for (Real far : {Real(1e6), Real(-1e30), Real(3e38)}) {
          world.move_grab(hand, {0, far, 0});
          for (int i = 0; i < 3; ++i) world.step(kStep);
          EXPECT_LT(world.state(id).strain_max, 100) << far << ", radius " << radius;
        }
      }
}

// Two that pull apart, of which one twice, and as stiffly as can be told.
TEST(GrabAbuse, StiffHandsThatDisagreeAreSurvived) {
  for (const AnySolver& s : every_solver()) {
    World world({.gravity = {0, 0, 0}});
    const SoftId id = world.add(calm_cube(s.solver));
    std::vector<GrabId> hands;
    for (Real x : {Real(-0.2), Real(0.2), Real(0.2)})
      hands.push_back(world.add(Grab{
          .body = id, .point = {x, 0, 0}, .radius = Real(0.12), .spring = {Real(1e6), Real(1e6)}}));
    for (int i = 0; i < 60; ++i) {
      const Real way = Real(0.3 * std::sin(0.2 * i));
      world.move_grab(hands[0], {Real(-0.2) - way, 0, 0});
      world.move_grab(hands[1], {Real(0.2) + way, 0, 0});
      world.move_grab(hands[2], {Real(0.2) + way, Real(0.01) * way, 0});
      world.step(kStep);
      ASSERT_TRUE(world.finite()) << s.name << ", step " << i;
    }
    for (GrabId hand : hands) world.remove(hand);
    expect_comes_back(s.name, world, id);
  }
}

// Hands come and go in every step, in any number, while pins come and go, too.
TEST(GrabAbuse, HandsComeAndGo) {
  for (const AnySolver& s : every_solver()) {
    World world({.gravity = {0, 0, 0}});
    const SoftId id = world.add(calm_cube(s.solver));
    std::mt19937 generator(3);
    std::uniform_real_distribution<Real> about(Real(-0.4), Real(0.4));
    const auto place = [&] { return Vec3{about(generator), about(generator), about(generator)}; };
    std::vector<GrabId> hands;
    for (int i = 0; i < 90; ++i) {
      if (generator() % 2)
        hands.push_back(world.add(
            Grab{.body = id, .point = place(), .radius = Real(0.1) * Real(generator() % 4)}));
      if (!hands.empty() && generator() % 2) {
        const std::size_t which = generator() % hands.size();
        world.remove(hands[which]);
        hands.erase(hands.begin() + int(which));
      }
      if (i % 10 == 3) world.pin(id, 5);
      if (i % 10 == 8) world.unpin(id, 5);
      for (GrabId hand : hands) world.move_grab(hand, place());
      world.step(kStep);
      ASSERT_TRUE(world.finite()) << s.name << ", step " << i;
    }
    for (GrabId hand : world.grabs()) world.remove(hand);
    expect_comes_back(s.name, world, id);
  }
}

// A hand that goes down drags the body onto the floor, not through it.
TEST(GrabAbuse, FastHandsDoNotDragThroughTheFloor) {
  for (const AnySolver& s : every_solver()) {
    World world;
    world.add(StaticBody{.pose = {{0, Real(-0.2), 0}}});
    const SoftId id = world.add(calm_cube(s.solver));
    std::vector<Vec3> up = world.positions(id);
    for (Vec3& v : up) v.y += 2;
    world.set_positions(id, up);
    const GrabId hand = world.add(
        Grab{.body = id, .point = {0, 2, 0}, .radius = Real(0.3), .max_force = Real(2e3)});
    for (int i = 0; i < 60; ++i) {
      world.move_grab(hand, {0, -1, 0});
      world.step(kStep);
    }
    EXPECT_GT(mean_position(world, id).y, -0.1) << s.name;
    world.remove(hand);
    expect_comes_back(s.name, world, id);
  }
}

}  // namespace
}  // namespace sinew
