#include "collision/convex.h"

#include <cmath>
#include <set>

#include "convex_testing.h"

namespace sinew {
namespace {

using namespace convex_testing;

constexpr double kTolerance = kFloat ? 1e-6 : 1e-12;

TEST(Convex, SupportIsFarthestInItsDirection) {
  Random random(31);
  for (const Sample& s : samples(1, 32)) {
    Convex core = s.convex;
    core.radius = 0;
    for (int i = 0; i < 300; ++i) {
      const Vec3 d = random.direction() * Real(std::pow(10, random.number(-3, 3)));
      const Vec n = normalized(to_double(d));
      const Vec p = to_double(support(s.convex, d));
      EXPECT_NEAR(dot(p, n), reach(core, n), kTolerance) << s.name;
      EXPECT_LE(outside(core, p, directions(10)), kTolerance) << s.name;
      EXPECT_NEAR(dot(core_support(s.convex, n), n), reach(core, n), kTolerance) << s.name;
    }
  }
}

TEST(Convex, SupportVertexIsFoundAmongAnyNumber) {
  Random random(33);
  for (int count = 1; count < 40; ++count) {
    Hull hull;
    for (int i = 0; i < count; ++i) hull.vertices.push_back(random.direction());
    for (int i = 0; i < 50; ++i) {
      const Vec3 d = random.direction();
      Real most = -2;
      for (const Vec3& v : hull.vertices) most = std::max(most, dot(v, d));
      const int found = support_vertex(hull, d);
      ASSERT_TRUE(found >= 0 && found < count);
      EXPECT_NEAR(dot(hull.vertices[found], d), most, kTolerance);
    }
  }
}

TEST(Convex, FeaturesFaceTheDirectionCounterClockwise) {
  Random random(34);
  for (const Sample& s : samples(1, 35)) {
    for (int i = 0; i < 300; ++i) {
      const Vec3 d = random.direction();
      Feature f;
      supporting_feature(s.convex, d, f);
      ASSERT_GE(f.count, 1) << s.name;
      std::set<int> ids(f.id, f.id + f.count);
      EXPECT_EQ(static_cast<int>(ids.size()), f.count) << s.name;
      Convex core = s.convex;
      core.radius = 0;
      for (int k = 0; k < f.count; ++k)
        EXPECT_LE(outside(core, to_double(f.corner[k]), directions(30)), 2e-6) << s.name;
      if (f.count < 3 || s.name == "needle") continue;
      // All corners turn the same way, the outer side towards the direction, in the plane of a
      // face.
      const Vec3 n = normalized(cross(f.corner[1] - f.corner[0], f.corner[2] - f.corner[0]));
      EXPECT_GT(dot(n, d), 0) << s.name;
      EXPECT_NEAR(reach(core, to_double(n)), double(dot(n, f.corner[0])), 1e-5) << s.name;
      for (int k = 0; k < f.count; ++k) {
        const Vec3 &p = f.corner[k], &q = f.corner[(k + 1) % f.count];
        EXPECT_GT(dot(cross(q - p, f.corner[(k + 2) % f.count] - q), n), 0) << s.name;
        EXPECT_NEAR(dot(p - f.corner[0], n), 0, 1e-5) << s.name;
      }
    }
  }
}

TEST(Convex, FeaturesOfBoxesAndHullsAreTheFacesMostAligned) {
  const Convex box{.kind = ConvexKind::kBox, .half = {1, 2, 3}};
  const auto cube = cube_hull(1);
  const Convex hull{.kind = ConvexKind::kHull, .hull = cube.get()};
  Random random(36);
  for (int i = 0; i < 100; ++i) {
    const Vec3 d = random.direction();
    int axis = 0;
    for (int k = 1; k < 3; ++k)
      if (abs(d[k]) > abs(d[axis])) axis = k;
    Feature f;
    for (const Convex& c : {box, hull}) {
      supporting_feature(c, d, f);
      ASSERT_EQ(f.count, 4);
      const Real half = c.kind == ConvexKind::kBox ? c.half[axis] : Real(1);
      for (int k = 0; k < 4; ++k) {
        EXPECT_EQ(f.corner[k][axis], std::copysign(half, d[axis]));
        // The id says which corner it is, whatever the face.
        for (int j = 0; j < 3; ++j) EXPECT_EQ(f.id[k] >> j & 1, f.corner[k][j] > 0);
      }
    }
  }
}

TEST(Convex, RoundShapesShowSidesAndEnds) {
  const Convex capsule{.kind = ConvexKind::kCapsule, .radius = Real(0.3), .half = {0, 1, 0}};
  const Convex cylinder{.kind = ConvexKind::kCylinder, .half = {Real(0.5), 1, 0}};
  Feature f;
  supporting_feature(capsule, {1, 0, 0}, f);
  EXPECT_EQ(f.count, 2);
  supporting_feature(capsule, normalized(Vec3{1, 1, 0}), f);
  ASSERT_EQ(f.count, 1);
  EXPECT_EQ(f.corner[0], (Vec3{0, 1, 0}));
  supporting_feature(cylinder, normalized(Vec3{0, Real(0.3), 1}), f);
  ASSERT_EQ(f.count, 2);
  EXPECT_NEAR(f.corner[0].z, 0.5, 1e-6);
  supporting_feature(cylinder, {0, -1, 0}, f);
  ASSERT_EQ(f.count, 8);
  EXPECT_EQ(f.corner[3].y, -1);
  // Tilted, the lowest point of the rim is among the corners.
  const Vec3 d = normalized(Vec3{Real(0.1), -1, Real(-0.2)});
  supporting_feature(cylinder, d, f);
  ASSERT_EQ(f.count, 8);
  Real lowest = -10;
  for (int k = 0; k < 8; ++k) lowest = std::max(lowest, dot(f.corner[k], d));
  EXPECT_NEAR(lowest, dot(support(cylinder, d), d), 1e-6);
}

TEST(Convex, FacesWithManyCornersAreThinnedOut) {
  Hull disc;
  constexpr int kCorners = 100;
  for (int i = 0; i < kCorners; ++i) {
    const double angle = 2 * std::numbers::pi * i / kCorners;
    disc.vertices.push_back({Real(std::cos(angle)), 0, -Real(std::sin(angle))});
    disc.face_vertices.push_back(static_cast<std::uint16_t>(i));
  }
  disc.faces.push_back({{0, 1, 0}, 0, 0, kCorners});
  Feature f;
  supporting_feature({.kind = ConvexKind::kHull, .hull = &disc}, {0, 1, 0}, f);
  EXPECT_EQ(f.count, Feature::kMost);
  for (int k = 0; k < f.count; ++k)  // spread over the whole rim
    EXPECT_NEAR(length(f.corner[(k + 1) % f.count] - f.corner[k]), 2 * std::numbers::pi / 32, 0.07);
}

TEST(Convex, ExtentAndRadiusAreTight) {
  Random random(37);
  for (const Sample& s : samples(1, 38)) {
    for (int i = 0; i < 30; ++i) {
      const Quat turn = random.turn();
      const Extent e = extent(s.convex, turn.matrix());
      for (int axis = 0; axis < 3; ++axis) {
        Vec n{};
        n[axis] = 1;
        EXPECT_NEAR(e.upper[axis], reach(s.convex, {{}, turn}, n), 3e-6) << s.name;
        EXPECT_NEAR(e.lower[axis], -reach(s.convex, {{}, turn}, -n), 3e-6) << s.name;
      }
    }
    // The farthest point from the center, among support points in many directions.
    const Vec3 center = random.vector(0.5);
    double farthest = 0;
    for (const Vec& n : directions(4000)) {
      const Vec3 narrow{Real(n.x), Real(n.y), Real(n.z)};
      farthest = std::max(farthest, double(length(support(s.convex, narrow) - center)));
    }
    const double radius = radius_about(s.convex, center);
    EXPECT_GE(radius, farthest + s.convex.radius - 1e-6) << s.name;
    EXPECT_LE(radius, farthest + s.convex.radius + 5e-3) << s.name;
  }
}

}  // namespace
}  // namespace sinew
