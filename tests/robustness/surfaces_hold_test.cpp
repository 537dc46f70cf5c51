// Triangle meshes and height fields hold everything: what is thin stays on them, and what has got
// into the solid behind them comes out.
#include <gtest/gtest.h>
#include <sinew/generators.h>
#include <sinew/world.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace sinew {
namespace {

constexpr Real kDt = Real(1.0 / 60);

HeightField hills(Real height) {
  HeightField field{.columns = 41, .rows = 41, .cell = Real(0.05)};
  for (int row = 0; row < field.rows; ++row)
    for (int column = 0; column < field.columns; ++column)
      field.heights.push_back(height * std::sin(Real(0.7) * Real(column)) *
                              std::cos(Real(0.5) * Real(row)));
  return field;
}

TriMesh turned_inside_out(TriMesh mesh) {
  for (Triangle& t : mesh.cells) std::swap(t[1], t[2]);
  return mesh;
}

Real fastest(const World& world) {
  Real most = 0;
  for (RigidId id : world.rigid_bodies()) most = std::max(most, length(world.state(id).velocity));
  return most;
}

// Below grounds of 2 m by 2 m, not beside them.
bool is_below(const Vec3& at, Real level) {
  return at.y < level && std::max(std::abs(at.x), std::abs(at.z)) < Real(0.99);
}

// How many of forty that fall from a metre, turned anyhow, are below the ground at any time.
int fallen_through(const Shape& thing, const StaticBody& ground) {
  std::mt19937 random(7);
  const auto uniform = [&](double from, double to) {
    return Real(from + (to - from) * double(random() % 100000) / 100000);
  };
  World world({.rigid = {.sleeping = false}});
  world.add(ground);
  std::vector<RigidId> fall;
  for (int n = 0; n < 40; ++n) {
    const Quat turn =
        normalized(Quat{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)});
    const Vec3 at{uniform(-0.6, 0.6), uniform(0.8, 1.2), uniform(-0.6, 0.6)};
    // They do not meet each other.
    fall.push_back(world.add(RigidBody{.shape = thing, .pose = {at, turn}, .group = 1, .mask = 1}));
  }
  std::vector<bool> below(fall.size());
  for (int i = 0; i < 150; ++i) {
    world.step(kDt);
    for (std::size_t n = 0; n < fall.size(); ++n)
      if (is_below(world.pose(fall[n]).position, Real(-0.06))) below[n] = true;
  }
  return static_cast<int>(std::count(below.begin(), below.end(), true));
}

TEST(SurfacesHold, WhatIsThin) {
  const Shape things[] = {
      Box{.size = {Real(0.01), Real(0.0005), Real(0.01)}},
      Box{.size = {Real(0.1), Real(0.0005), Real(0.1)}},
      Box{.size = {Real(0.09), Real(0.0003), Real(0.06)}},
      Cylinder{.radius = Real(0.01), .half_height = Real(0.0005)},
      Capsule{.radius = Real(0.0015), .half_height = Real(0.025)},
  };
  const StaticBody grounds[] = {
      {},
      {.shape = Box{.size = {2, 1, 2}}, .pose = {{0, Real(-0.5), 0}}},
      {.shape = TriangleMesh{.mesh = cloth(2, 2, 4, 4)}},
      {.shape = TriangleMesh{.mesh = cloth(2, 2, 40, 40)}},
      {.shape = TriangleMesh{.mesh = box_surface({2, 1, 2}, {8, 4, 8})},
       .pose = {{0, Real(-0.5), 0}}},
      {.shape = hills(0)},
      {.shape = hills(Real(0.05))},
  };
  for (const Shape& thing : things)
    for (const StaticBody& ground : grounds)
      EXPECT_EQ(fallen_through(thing, ground), 0)
          << "thing " << &thing - things << " on ground " << &ground - grounds;
}

// Pressed down slowly by those above them: a heap of coins.
TEST(SurfacesHold, WhatIsPressedAgainstThem) {
  const StaticBody grounds[] = {
      {},
      {.shape = TriangleMesh{.mesh = cloth(2, 2, 4, 4)}},
      {.shape = TriangleMesh{.mesh = cloth(2, 2, 40, 40)}},
      {.shape = TriangleMesh{.mesh = box_surface({2, Real(0.001), 2}, {8, 1, 8})}},
      {.shape = hills(0)},
  };
  for (const StaticBody& ground : grounds) {
    std::mt19937 random(5);
    const auto uniform = [&](double from, double to) {
      return Real(from + (to - from) * double(random() % 100000) / 100000);
    };
    World world;
    world.add(ground);
    std::vector<RigidId> coins;
    for (int i = 0; i < 200; ++i) {
      const Vec3 at{uniform(-0.05, 0.05), Real(0.1 + i * 0.01), uniform(-0.05, 0.05)};
      const Quat turn =
          normalized(Quat{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)});
      const Cylinder coin{.radius = Real(0.012), .half_height = Real(0.001)};
      coins.push_back(world.add(RigidBody{.shape = coin, .pose = {at, turn}}));
    }
    std::size_t below = 0;
    for (int i = 0; i < 120; ++i) {
      world.step(kDt);
      for (RigidId id : coins) below += is_below(world.pose(id).position, Real(-0.01));
    }
    EXPECT_EQ(below, 0) << "ground " << &ground - grounds;
  }
}

// The middle of what is fast does not even get behind for a step.
TEST(SurfacesHold, WhatIsFastAndThin) {
  const StaticBody grounds[] = {
      {}, {.shape = TriangleMesh{.mesh = cloth(2, 2, 40, 40)}}, {.shape = hills(0)}};
  for (const StaticBody& ground : grounds)
    for (int n = 0; n < 60; ++n) {
      std::mt19937 random(static_cast<unsigned>(n));
      const auto uniform = [&](double from, double to) {
        return Real(from + (to - from) * double(random() % 100000) / 100000);
      };
      World world;
      world.add(ground);
      const Quat turn =
          normalized(Quat{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)});
      const RigidId plate =
          world.add(RigidBody{.shape = Box{.size = {Real(0.05), Real(0.001), Real(0.05)}},
                              .pose = {{uniform(-0.3, 0.3), uniform(0.5, 5), 0}, turn},
                              .velocity = {uniform(-3, 3), uniform(-100, -5), 0}});
      for (int i = 0; i < 60; ++i) {
        world.step(kDt);
        ASSERT_FALSE(is_below(world.pose(plate).position, Real(-0.001)))
            << "ground " << &ground - grounds << ", throw " << n << ", step " << i;
      }
    }
}

// A field that leans, too: below is where its own y goes down. From too deep below that, balls
// would roll out beside it.
TEST(SurfacesHold, WhatIsBelowAHeightFieldComesUp) {
  const Shape things[] = {Sphere{.radius = Real(0.1)}, Box{.size = {Real(0.2), Real(0.1), 1}},
                          Box{.size = {Real(0.01), Real(0.0005), Real(0.01)}}};
  for (const Shape& thing : things)
    for (const Real depth : {Real(0.02), Real(0.3), Real(3), Real(50)})
      for (const Real lean : {Real(0), Real(0.2)}) {
        if (lean > 0 && depth > 1) continue;
        const Pose pose{{3, -4, 5}, Quat::from_axis_angle({0, 0, 1}, lean)};
        World world;
        world.add(StaticBody{.shape = hills(Real(0.01)), .pose = pose, .friction = 5});
        world.step(kDt);  // so that the field is not new when the body is
        const RigidId body =
            world.add(RigidBody{.shape = thing,
                                .pose = {pose.to_world({Real(0.03), -depth, Real(0.04)})},
                                .velocity = {0, -3, 0},
                                .friction = 5});
        Real most = 0;
        for (int i = 0; i < 60 + int(depth * 25); ++i) {
          world.step(kDt);
          most = std::max(most, fastest(world));
        }
        EXPECT_GT(pose.to_local(world.pose(body).position).y, Real(-0.015))
            << &thing - things << ", from " << depth << ", leaning by " << lean;
        EXPECT_LT(most, 5);
      }
}

TEST(SurfacesHold, WhatIsInAClosedMeshLeavesByTheNearestWay) {
  const Shape things[] = {Sphere{.radius = Real(0.1)}, Box{.size = {Real(0.1), Real(0.2), 1}}};
  for (const Shape& thing : things)
    for (const Vec3 way : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, -1}}) {
      World world({.gravity = {}});
      world.add(StaticBody{.shape = TriangleMesh{.mesh = box_surface({6, 6, 6}, {6, 6, 6})}});
      const RigidId body = world.add(RigidBody{.shape = thing, .pose = {way * Real(1.3)}});
      Real most = 0;
      for (int i = 0; i < 60; ++i) {
        world.step(kDt);
        most = std::max(most, fastest(world));
      }
      EXPECT_GT(dot(world.pose(body).position, way), Real(3.04)) << &thing - things;
      EXPECT_LT(most, 1);
    }
}

// A room is a closed mesh with its front inside: what is in it stays, what is outside passes by.
TEST(SurfacesHold, RoomsHoldWhatIsInside) {
  World world;
  world.add(StaticBody{
      .shape = TriangleMesh{.mesh = turned_inside_out(box_surface({4, 4, 4}, {4, 4, 4}))},
      .restitution = Real(0.9)});
  std::vector<RigidId> inside;
  for (int i = 0; i < 20; ++i)
    inside.push_back(world.add(RigidBody{
        .shape = Box{.size = {Real(0.1), Real(0.01), Real(0.2)}},
        .pose = {{Real(i) * Real(0.15) - Real(1.5), 0, Real(0.3)}},
        .velocity = {Real(7 * i % 23) - 11, Real(5 * i % 19) - 9, Real(3 * i % 17) - 8}}));
  const RigidId outside =
      world.add(RigidBody{.shape = Sphere{.radius = Real(0.2)}, .pose = {{Real(2.25), 0, 0}}});
  for (int i = 0; i < 240; ++i) {
    world.step(kDt);
    for (RigidId id : inside) {
      const Vec3 at = world.pose(id).position;
      ASSERT_LT(std::max({std::abs(at.x), std::abs(at.y), std::abs(at.z)}), 2) << "step " << i;
    }
  }
  EXPECT_LT(world.pose(outside).position.y, -20);
}

// Balls whose centres are behind an open mesh, but not all of them: out to the front again.
TEST(SurfacesHold, ABallSunkBeyondItsMiddleComesOut) {
  for (const Real radius : {Real(0.005), Real(0.05), Real(0.5)})
    for (const Real depth : {Real(0.02), Real(0.5), Real(0.9)}) {
      World world;
      world.add(StaticBody{.shape = TriangleMesh{.mesh = cloth(4, 4, 8, 8)}});
      const RigidId ball = world.add(RigidBody{.shape = Sphere{.radius = radius},
                                               .pose = {{Real(0.1), -depth * radius, Real(0.2)}}});
      for (int i = 0; i < 60; ++i) world.step(kDt);
      EXPECT_NEAR(world.pose(ball).position.y, radius, Real(0.02) * radius + Real(2e-4))
          << radius << ", by " << depth;
    }
}

}  // namespace
}  // namespace sinew
