// Convex shapes on meshes and height fields.
#include "collision/collide_surface.h"

#include <gtest/gtest.h>
#include <sinew/generators.h>

#include "collision/gjk.h"
#include "surface_support.h"

namespace sinew {
namespace {

constexpr Real kMargin = Real(0.02);
constexpr Real kPi = Real(3.14159265358979);

Convex box(Vec3 half) { return {.kind = ConvexKind::kBox, .half = half}; }
Convex sphere(Real radius) { return {.kind = ConvexKind::kSphere, .radius = radius}; }
Convex capsule(Real radius, Real half_height) {
  return {.kind = ConvexKind::kCapsule, .radius = radius, .half = {0, half_height, 0}};
}

struct Found {
  int count;
  Manifold manifold[6];
};
template <Surface S>
Found collided(const Convex& b, const Pose& pose, const S& surface) {
  Found found;
  found.count = collide_surface(b, pose, kMargin, surface, found.manifold);
  // What holds of any manifold.
  for (int i = 0; i < found.count; ++i) {
    const Manifold& m = found.manifold[i];
    EXPECT_NEAR(double(length(m.normal)), 1, 1e-5);
    EXPECT_GE(m.count, 1);
    for (int k = 0; k < m.count; ++k) {
      EXPECT_LE(m.separation[k], kMargin * Real(1.0001));
      const Vec3 apart = pose.to_world(m.on_b[k]) - m.on_a[k];
      EXPECT_NEAR(double(dot(m.normal, apart)), double(m.separation[k]), 5e-4);
      for (int j = 0; j < k; ++j) EXPECT_NE(m.feature[j], m.feature[k]);
    }
  }
  return found;
}

// Twice the area of a manifold's points, in any order: that of their hull in the xz plane.
double area_of(const Manifold& m) {
  double most = 0;
  for (int a = 0; a < m.count; ++a)
    for (int b = 0; b < m.count; ++b)
      for (int c = 0; c < m.count; ++c)
        for (int d = 0; d < m.count; ++d) {
          const V p = to_double(m.on_a[c] - m.on_a[a]), q = to_double(m.on_a[d] - m.on_a[b]);
          most = std::max(most, std::abs(p.x * q.z - p.z * q.x));
        }
  return most;
}

template <Surface S>
void rest_on_floor(const S& floor, Real level) {
  const Vec3 half{Real(0.5), Real(0.3), Real(0.4)};
  RandomPoints random(1);
  for (int i = 0; i < 300; ++i) {
    const Real yaw = Real(random.number(0, 6.3)), depth = Real(random.number(-0.015, 0.03));
    const Vec3 at{Real(random.number(-3, 3)), level + half.y - depth, Real(random.number(-3, 3))};
    const Found f = collided(box(half), {at, Quat::from_axis_angle({0, 1, 0}, yaw)}, floor);
    ASSERT_EQ(f.count, 1) << "place " << i;
    EXPECT_EQ(f.manifold[0].normal, (Vec3{0, 1, 0}));
    ASSERT_EQ(f.manifold[0].count, 4);
    for (const Real s : f.manifold[0].separation) EXPECT_NEAR(double(s), double(-depth), 1e-5);
    EXPECT_NEAR(area_of(f.manifold[0]), 2 * 1.0 * 0.8, 1e-3) << "place " << i;
  }
}

TEST(CollideSurface, BoxRestsOnItsFourCorners) {
  rest_on_floor(TriangleSoup(cloth(10, 10, 2, 2)), 0);
  rest_on_floor(TriangleSoup(cloth(10, 10, 37, 41)), 0);
  rest_on_floor(TriangleSoup(cloth(10, 10, 150, 150)), 0);
  rest_on_floor(HeightFieldData(64, 80, Real(0.15), Real(0.13), std::vector<Real>(5120, 2)), 2);
}

// Steps along the floor at all depths: nothing but up, and never nothing.
TEST(CollideSurface, NothingCatchesOnInnerEdges) {
  const TriangleSoup floor(cloth(10, 10, 40, 40));
  struct Case {
    Convex shape;
    Real height;  // of its middle over the floor when it touches
    Quat turn;
  };
  const Quat lying = Quat::from_axis_angle({0, 0, 1}, kPi / 2);
  const Quat on_edge = Quat::from_axis_angle({0, 0, 1}, kPi / 4);
  const Case cases[] = {
      {sphere(Real(0.3)), Real(0.3), {}},
      {capsule(Real(0.2), Real(0.4)), Real(0.6), {}},
      {capsule(Real(0.2), Real(0.4)), Real(0.2), lying},
      {box({Real(0.05), Real(0.05), Real(0.05)}), Real(0.05), {}},
      {box({Real(0.3), Real(0.3), Real(0.3)}), Real(0.3 * 1.41421356), on_edge},
      {{.kind = ConvexKind::kCylinder, .half = {Real(0.3), Real(0.2), 0}}, Real(0.2), {}},
      {{.kind = ConvexKind::kCylinder, .half = {Real(0.3), Real(0.2), 0}}, Real(0.3), lying},
  };
  for (std::size_t c = 0; c < std::size(cases); ++c)
    for (int i = 0; i < 400; ++i) {
      const Real depth = Real(0.04) * Real(i % 10) / 10 - Real(0.01);
      const Vec3 at{Real(-3) + Real(i) * Real(0.0157), cases[c].height - depth,
                    Real(-2) + Real(i) * Real(0.0043)};
      const Quat yaw = Quat::from_axis_angle({0, 1, 0}, Real(i / 40) * Real(0.7));
      const Found f = collided(cases[c].shape, {at, yaw * cases[c].turn}, floor);
      ASSERT_EQ(f.count, 1) << "shape " << c << ", step " << i;
      EXPECT_EQ(f.manifold[0].normal, (Vec3{0, 1, 0})) << "shape " << c << ", step " << i;
      EXPECT_NEAR(double(f.manifold[0].distance), double(-depth), 1e-4) << "shape " << c;
    }
}

// A closed mesh of a box is a box: spheres are as far from it as analysis says.
TEST(CollideSurface, SphereOnABoxMesh) {
  const Vec3 half{1, Real(0.5), Real(1.5)};
  const TriangleSoup mesh(box_surface(half * Real(2), {4, 3, 5}));
  RandomPoints random(3);
  const Real radius = Real(0.4);
  int touched = 0;
  for (int i = 0; i < 3000; ++i) {
    const Vec3 at = random.point({Real(1.5), 1, 2});
    const Vec3 nearest = most(least(at, half), -half);
    const Real distance = length(at - nearest);
    if (distance < Real(0.05)) continue;  // the middle is inside, or nearly
    const Found f = collided(sphere(radius), {at, {}}, mesh);
    if (distance > radius + kMargin) {
      EXPECT_EQ(f.count, 0) << i;
      continue;
    }
    if (distance > radius + Real(0.99) * kMargin) continue;
    ++touched;
    ASSERT_GE(f.count, 1) << i;
    EXPECT_NEAR(double(f.manifold[0].distance), double(distance - radius), 2e-4) << i;
    EXPECT_GT(double(dot(f.manifold[0].normal, (at - nearest) / distance)), 0.999) << i;
  }
  EXPECT_GT(touched, 300);
}

// Boxes that overlap the mesh of a box a little: as deep as the two solids are.
TEST(CollideSurface, BoxOnABoxMesh) {
  const Vec3 half{1, Real(0.5), Real(1.5)}, own{Real(0.3), Real(0.4), Real(0.5)};
  const TriangleSoup mesh(box_surface(half * Real(2), {3, 2, 4}));
  RandomPoints random(5);
  int touched = 0;
  for (int i = 0; i < 20000 && touched < 300; ++i) {
    const Pose pose{random.point({2, Real(1.5), Real(2.5)}),
                    Quat::from_axis_angle(random.point({1, 1, 1}), Real(random.number(0, 3)))};
    const Closest truth = closest(box(half), box(own), pose);
    if (truth.distance < Real(-0.03) || truth.distance > Real(0.015)) continue;
    ++touched;
    const Found f = collided(box(own), pose, mesh);
    ASSERT_GE(f.count, 1) << i << ": " << truth.distance;
    EXPECT_NEAR(double(f.manifold[0].distance), double(truth.distance), 3e-3) << i;
    EXPECT_GT(double(dot(f.manifold[0].normal, truth.normal)), 0.97) << i;
  }
  EXPECT_EQ(touched, 300);
}

TEST(CollideSurface, OneSided) {
  const TriangleSoup floor(cloth(4, 4, 8, 8));
  const Convex cube = box({Real(0.5), Real(0.5), Real(0.5)});
  // Sunk to beyond the middle: still up, by the whole depth.
  const Found sunk = collided(cube, {{Real(0.1), Real(-0.2), 0}, {}}, floor);
  ASSERT_EQ(sunk.count, 1);
  EXPECT_EQ(sunk.manifold[0].normal, (Vec3{0, 1, 0}));
  EXPECT_NEAR(double(sunk.manifold[0].distance), -0.7, 1e-5);
  EXPECT_EQ(sunk.manifold[0].count, 4);
  // Wholly behind, even if it touches.
  EXPECT_EQ(collided(cube, {{0, Real(-0.505), 0}, {}}, floor).count, 0);
  EXPECT_EQ(collided(sphere(Real(0.2)), {{0, Real(-0.205), 0}, {}}, floor).count, 0);
}

// Below a height field all is solid: up, by the plane of the triangle above, however deep.
TEST(CollideSurface, HeightFieldsAreSolidBelow) {
  std::vector<Real> heights(121);
  for (std::size_t i = 0; i < heights.size(); ++i) heights[i] = Real(0.1) * Real(i % 11);
  const HeightFieldData slope(11, 11, Real(0.2), Real(0.2), heights);
  const Vec3 up = normalized(Vec3{Real(-0.5), 1, 0}), on{0, Real(0.5), 0};
  const Convex cube = box({Real(0.1), Real(0.1), Real(0.1)});
  const Quat along = Quat::from_axis_angle({0, 0, 1}, std::atan(Real(0.5)));
  for (const Real depth : {Real(0.01), Real(0.09), Real(0.15), Real(0.5), Real(80)}) {
    const Vec3 at{Real(0.03), on.y + Real(0.015) - depth / up.y, Real(0.07)};
    const Found f = collided(cube, {at, along}, slope);
    ASSERT_EQ(f.count, 1) << depth;
    EXPECT_GT(double(dot(f.manifold[0].normal, up)), 0.9999) << depth;
    EXPECT_EQ(f.manifold[0].count, 4) << depth;
    EXPECT_NEAR(double(f.manifold[0].distance), -double(depth) - 0.1, 1e-4 * (1 + depth));
    const Found ball = collided(sphere(Real(0.1)), {at, {}}, slope);
    ASSERT_EQ(ball.count, 1) << depth;
    EXPECT_NEAR(double(ball.manifold[0].distance), -double(depth) - 0.1, 1e-4 * (1 + depth));
  }
  EXPECT_EQ(collided(cube, {{Real(1.5), -5, 0}, {}}, slope).count, 0);  // beside it
}

// In a closed mesh, by the nearest way; a room has nothing outside, nor has what is open.
TEST(CollideSurface, ClosedMeshesAreSolidInside) {
  TriMesh block = box_surface({2, 2, 2}, {5, 5, 5});
  const auto solid = [](const TriMesh& mesh) {
    return TriangleSoup(mesh, std::make_shared<const MeshDistance>(mesh));
  };
  const Convex cube = box({Real(0.1), Real(0.2), Real(0.1)});
  const Pose inside{{Real(0.1), Real(-0.3), Real(0.2)}, {}}, outside{{0, Real(1.25), 0}, {}};
  const Found f = collided(cube, inside, solid(block));
  ASSERT_EQ(f.count, 1);
  EXPECT_NEAR(double(f.manifold[0].normal.y), -1, 1e-5);
  EXPECT_NEAR(double(f.manifold[0].distance), -0.9, 1e-5);
  EXPECT_EQ(f.manifold[0].count, 4);

  TriMesh room = block;
  for (Triangle& t : room.cells) std::swap(t[1], t[2]);
  EXPECT_EQ(collided(cube, inside, solid(room)).count, 0);
  EXPECT_EQ(collided(cube, outside, solid(room)).count, 0);
  block.cells.pop_back();
  EXPECT_EQ(collided(cube, inside, solid(block)).count, 0);
}

// What is told of the distance to a surface that is not touched is no more than it is.
TEST(CollideSurface, DistanceIsABoundFromBelow) {
  const TriMesh block = box_surface({2, 1, 3}, {3, 2, 4});
  const TriangleSoup mesh(block, std::make_shared<const MeshDistance>(block));
  const HeightFieldData field(5, 5, 1, 1, std::vector<Real>(25, Real(0.5)));
  RandomPoints random(8);
  for (int i = 0; i < 1000; ++i) {
    const Pose pose{random.point({3, 2, 3}),
                    Quat::from_axis_angle(random.point({1, 1, 1}), Real(random.number(0, 3)))};
    const Convex own = box({Real(0.1), Real(0.2), Real(0.3)});
    const Real apart = closest(box({1, Real(0.5), Real(1.5)}), own, pose).distance;
    const Real above = pose.position.y - Real(0.5);
    const Found on_mesh = collided(own, pose, mesh), on_field = collided(own, pose, field);
    if (on_mesh.count == 0) {
      EXPECT_LE(on_mesh.manifold[0].distance, apart + Real(1e-5)) << i;
    }
    if (on_field.count == 0) {
      EXPECT_LE(on_field.manifold[0].distance, max(above, Real(0))) << i;
    }
  }
}

// A box that rests on the rim of a slab, mostly over it, must not be pushed off sideways.
TEST(CollideSurface, RimsOfSlabsDoNotPushInwardsOrOut) {
  const TriangleSoup slab(box_surface({4, Real(0.2), 4}, {9, 2, 9}));
  for (int i = 0; i < 100; ++i) {
    const Real over = Real(i) * Real(0.003);  // how far it hangs over [m]
    const Pose pose{{Real(1.5) + over, Real(0.1 + 0.5 - 0.004), Real(0.3)}, {}};
    const Found f = collided(box({Real(0.5), Real(0.5), Real(0.5)}), pose, slab);
    ASSERT_GE(f.count, 1) << i;
    for (int k = 0; k < f.count; ++k)
      EXPECT_GT(double(f.manifold[k].normal.y), 0.999) << "hangs over by " << over;
    EXPECT_NEAR(area_of(f.manifold[0]), 2 * (1.0 - double(over)), 0.01) << i;
  }
}

// In a corner of floor and wall: one manifold each.
TEST(CollideSurface, FloorAndWall) {
  TriMesh mesh = cloth(4, 4, 10, 10);
  TriMesh wall = cloth(4, 4, 10, 10);
  transform(wall, {{2, 2, 0}, Quat::from_axis_angle({0, 0, 1}, kPi / 2)});
  const auto first = static_cast<Index>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), wall.vertices.begin(), wall.vertices.end());
  for (const Triangle& t : wall.cells)
    mesh.cells.push_back({t[0] + first, t[1] + first, t[2] + first});
  for (Vec3& v : mesh.vertices)
    for (int k = 0; k < 3; ++k) v[k] = std::round(v[k] * 1000) / 1000;
  const TriangleSoup corner(mesh);
  const Found f = collided(box({Real(0.5), Real(0.5), Real(0.5)}),
                           {{Real(1.502), Real(0.496), Real(0.11)}, {}}, corner);
  ASSERT_EQ(f.count, 2);
  EXPECT_NEAR(double(f.manifold[0].normal.y), 1, 1e-5);
  EXPECT_NEAR(double(f.manifold[0].distance), -0.004, 1e-5);
  EXPECT_EQ(f.manifold[0].count, 4);
  EXPECT_NEAR(double(f.manifold[1].normal.x), -1, 1e-5);
  EXPECT_NEAR(double(f.manifold[1].distance), -0.002, 1e-5);
  EXPECT_EQ(f.manifold[1].count, 4);
}

TEST(CollideSurface, FewManifoldsKeepTheDeepest) {
  std::vector<Real> heights(400);
  RandomPoints random(6);
  for (Real& h : heights) h = Real(random.number(0, 0.3));
  const HeightFieldData rough(20, 20, Real(0.1), Real(0.1), heights);
  const Convex ball = sphere(Real(0.3));
  for (int i = 0; i < 100; ++i) {
    const Pose pose{random.point({Real(0.5), 0, Real(0.5)}) + Vec3{0, Real(0.4), 0}, {}};
    Manifold all[12], one[1];
    const int count = collide_surface(ball, pose, kMargin, rough, all);
    const int alone = collide_surface(ball, pose, kMargin, rough, one);
    ASSERT_EQ(alone, std::min(count, 1));
    for (int k = 1; k < count; ++k) EXPECT_GE(all[k].distance, all[k - 1].distance);
    if (alone == 1) {
      EXPECT_EQ(one[0].distance, all[0].distance);
    }
  }
}

}  // namespace
}  // namespace sinew
