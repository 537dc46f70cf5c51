// Heavy balls on nets of light knots and rods: contacts that are solved with the joints.
#include <gtest/gtest.h>
#include <sinew/joints.h>
#include <sinew/world.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace sinew {
namespace {

constexpr Real kDt = Real(1.0 / 60), kSpacing = Real(0.2), kKnot = Real(0.05), kBall = Real(0.5);
constexpr double kBallMass = 523.6, kKnotMass = 0.5236;

// A net that sags between borders that are held, and a ball of a thousand times a knot above it.
struct Net {
  World world{{.rigid = {.sleeping = false}}};
  std::vector<RigidId> knots;
  std::vector<int> free_knots;
  std::vector<Vec3> places;
  std::vector<std::array<int, 2>> rods;
  RigidId ball;

  Net(int side, Real fall) {
    const Real half = kSpacing * Real(side - 1) / 2, sag = half / 3;
    const auto on_border = [=](int i) { return i == 0 || i + 1 == side; };
    for (int i = 0; i < side * side; ++i) {
      const Real x = kSpacing * Real(i / side) - half, z = kSpacing * Real(i % side) - half;
      const Real u = x / half, v = z / half;
      places.push_back({x, -sag * (1 - u * u) * (1 - v * v), z});
      const Sphere knot{.radius = kKnot};
      if (on_border(i / side) || on_border(i % side)) {
        knots.push_back(world.add(StaticBody{.shape = knot, .pose = {places.back()}}));
      } else {
        knots.push_back(world.add(RigidBody{.shape = knot, .pose = {places.back()}}));
        free_knots.push_back(i);
      }
    }
    for (int i = 0; i < side * side; ++i) {
      if (i % side + 1 < side) join(side, i, i + 1);
      if (i / side + 1 < side) join(side, i, i + side);
    }
    ball = world.add(
        RigidBody{.shape = Sphere{.radius = kBall}, .pose = {{0, -sag + kKnot + kBall + fall, 0}}});
  }
  void join(int side, int a, int b) {
    const auto is_free = [=](int i) {
      return i / side > 0 && i % side > 0 && i / side + 1 < side && i % side + 1 < side;
    };
    if (!is_free(a)) std::swap(a, b);
    if (!is_free(a)) return;
    rods.push_back({a, b});
    world.add(
        DistanceJoint{.a = knots[a], .b = knots[b], .anchor_a = places[a], .anchor_b = places[b]});
  }
  Vec3 place(int knot) const { return world.state(knots[knot]).pose.position; }

  // Largest share by which a rod is longer or shorter.
  double stretch() const {
    double most = 0;
    for (const auto& [a, b] : rods) {
      const double rest = length(places[a] - places[b]);
      most = std::max(most, std::abs(length(place(a) - place(b)) / rest - 1));
    }
    return most;
  }
  double overlap() const {
    const Vec3 middle = world.state(ball).pose.position;
    double most = 0;
    for (std::size_t i = 0; i < knots.size(); ++i)
      most = std::max(most, double(kBall + kKnot - length(place(int(i)) - middle)));
    return most;
  }
  double energy() const {
    double sum = 0;
    const auto add = [&](RigidId id, double mass) {
      const auto state = world.state(id);
      sum += mass * (0.5 * dot(state.velocity, state.velocity) + 9.81 * state.pose.position.y);
    };
    add(ball, kBallMass);
    for (const int knot : free_knots) add(knots[knot], kKnotMass);
    return sum;
  }
};

TEST(HeldContacts, ABallLiesInItsNet) {
  Net net(16, 0);
  const double start = net.energy();
  double stretch = 0, overlap = 0;
  for (int i = 0; i < 180; ++i) {
    net.world.step(kDt);
    EXPECT_LT(net.energy(), start + 1) << "step " << i;
    stretch = std::max(stretch, net.stretch());
    overlap = std::max(overlap, net.overlap());
  }
  EXPECT_LT(stretch, 0.01);
  EXPECT_LT(overlap, 2e-3);
}

// The direct solution of the rods took back what a sweep had done to the knots: the ball went
// through by 60 mm, and rods stretched by a quarter.
TEST(HeldContacts, ABallFallsOnANet) {
  for (const Real fall : {Real(1), Real(2), Real(3)}) {
    Net net(12, fall);
    const double start = net.energy();
    double stretch = 0;
    int overlaps = 0;
    for (int i = 0; i < 180; ++i) {
      net.world.step(kDt);
      stretch = std::max(stretch, net.stretch());
      overlaps += net.overlap() > 5e-3;
      EXPECT_LT(net.energy(), start + 1) << "step " << i;
    }
    EXPECT_LT(stretch, 0.12) << fall;
    EXPECT_LE(overlaps, 2) << fall;
    EXPECT_GT(net.world.state(net.ball).pose.position.y, -1) << fall;
  }
}

}  // namespace
}  // namespace sinew
