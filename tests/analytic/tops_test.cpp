// Tops: a cone of height h and radius r on its tip, with moments I₃ = 3/10 m r² about its axis and
// I₁ = 3/20 m r² + 3/5 m h² about the tip, and its middle 3/4 h above that.
#include <gtest/gtest.h>
#include <sinew/world.h>

#include <cmath>
#include <numbers>

namespace sinew {
namespace {

constexpr Real kDt = Real(1.0 / 60);
constexpr double kGravity = 9.81, kRadius = 0.03;

ConvexHull cone(Real height) {
  constexpr int kRim = 16;
  ConvexHull hull{.points = {{0, 0, 0}}};
  for (int i = 0; i < kRim; ++i) {
    const double angle = 2 * std::numbers::pi * i / kRim;
    hull.points.push_back(
        {Real(kRadius * std::cos(angle)), height, Real(kRadius * std::sin(angle))});
  }
  return hull;
}

Vec3 axis_of(const World& world, RigidId id) {
  return world.pose(id).orientation.rotate({0, 1, 0});
}

// Upright, a top stays so if it is faster than 2 √(m g l I₁)/I₃, and nothing brakes it on a sharp
// tip: points of it near the ground bear nothing. A slower one falls.
TEST(Tops, StandWhileTheyAreFast) {
  for (const Real height : {Real(0.03), Real(0.05)})
    for (const Real friction : {Real(0.2), Real(0.8)})
      for (const double ratio : {0.6, 1.5}) {
        const double moment = 0.3 * kRadius * kRadius, l = 0.75 * height;
        const double about_tip = 0.15 * kRadius * kRadius + 0.6 * height * height;
        const Real spin = Real(ratio * 2 * std::sqrt(kGravity * l * about_tip) / moment);
        World world;
        world.add(StaticBody{.friction = friction});
        const Real lean = Real(1e-3);
        const RigidId top = world.add(RigidBody{.shape = cone(height),
                                                .pose = {{}, Quat{lean / 2, 0, 0, 1}},
                                                .angular_velocity = {0, spin, 0},
                                                .friction = friction});
        for (int i = 0; i < 180; ++i) world.step(kDt);
        const Real up = axis_of(world, top).y;
        if (ratio < 1) {
          EXPECT_LT(up, 0.9) << height << ", " << friction;
        } else {
          EXPECT_GT(up, 0.99) << height << ", " << friction;
          EXPECT_NEAR(world.state(top).angular_velocity.y, spin, 0.02 * spin) << height;
        }
      }
}

// On a nail, leaning by θ, it goes round with the slower root of I₁ cos θ Ω² − I₃ ω Ω + m g l = 0,
// and keeps its energy and the spin about its axis, which no force acts on.
TEST(Tops, PrecessOnANail) {
  constexpr double kLean = 0.3, kHeight = 0.03;
  for (const Real spin : {Real(150), Real(200)}) {
    World world;
    const Quat turn{0, 0, Real(-std::sin(kLean / 2)), Real(std::cos(kLean / 2))};
    const RigidId top = world.add(RigidBody{.shape = cone(Real(kHeight)),
                                            .pose = {{}, turn},
                                            .angular_velocity = turn.rotate({0, spin, 0})});
    world.add(NailJoint{.a = top});
    // As the hull has it, which has corners where a cone is round.
    const double l = world.state(top).center_of_mass.y / std::cos(kLean);
    const double sides = 16, share = 1 - 2.0 / 3 * std::pow(std::sin(std::numbers::pi / sides), 2);
    const double moment = 0.3 * kRadius * kRadius * share;
    const double about_tip = moment / 2 + 0.6 * kHeight * kHeight;
    const double momentum = moment * spin;
    const double rate = (momentum - std::sqrt(momentum * momentum -
                                              4 * about_tip * std::cos(kLean) * kGravity * l)) /
                        (2 * about_tip * std::cos(kLean));
    const double energy = world.energy().total();
    double angle = 0, last = 0;
    constexpr int kSteps = 600;
    for (int i = 0; i < kSteps; ++i) {
      world.step(kDt);
      const Vec3 axis = axis_of(world, top);
      const double now = std::atan2(-axis.z, axis.x);
      angle += std::remainder(now - last, 2 * std::numbers::pi);
      last = now;
      EXPECT_NEAR(std::acos(axis.y), kLean, 0.1);
    }
    EXPECT_NEAR(angle / (kSteps * kDt), rate, 0.05 * rate);
    EXPECT_NEAR(world.energy().total(), energy, 2e-3 * energy);
    EXPECT_NEAR(dot(world.state(top).angular_velocity, axis_of(world, top)), spin, 5e-3 * spin);
  }
}

}  // namespace
}  // namespace sinew
