#include "collision/collide.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "collision/gjk.h"

namespace sinew {
namespace {

using Vec = Vec3T<double>;

constexpr Real kPi = std::numbers::pi_v<Real>;

Convex sphere(Real radius) { return {.kind = ConvexKind::kSphere, .radius = radius}; }
Convex capsule(Real radius, Real half_height) {
  return {.kind = ConvexKind::kCapsule, .radius = radius, .half = {0, half_height, 0}};
}
Convex box(const Vec3& half) { return {.kind = ConvexKind::kBox, .half = half}; }
Convex cylinder(Real radius, Real half_height) {
  return {.kind = ConvexKind::kCylinder, .half = {radius, half_height, 0}};
}
Convex triangle(const Vec3& a, const Vec3& b, const Vec3& c) {
  return {.kind = ConvexKind::kTriangle, .corner = {a, b, c}};
}
Convex hull(const Hull& h) { return {.kind = ConvexKind::kHull, .hull = &h}; }

class Random {
 public:
  Real number(Real from, Real to) {
    return std::uniform_real_distribution<Real>(from, to)(generator_);
  }
  Vec3 vector(Real size) { return {number(-size, size), number(-size, size), number(-size, size)}; }
  Vec3 direction() {
    for (;;) {
      const Vec3 v = vector(1);
      if (dot(v, v) > Real(0.01) && dot(v, v) < 1) return normalized(v);
    }
  }
  Quat rotation() { return Quat::from_axis_angle(direction(), number(0, kPi)); }

 private:
  std::mt19937 generator_{7};
};

Hull random_hull(Random& random, int points) {
  std::vector<Vec3> p;
  for (int i = 0; i < points; ++i) p.push_back(random.direction() * random.number(Real(0.9), 1));
  return make_hull(p);
}

Manifold collided(const Convex& a, const Convex& b, const Pose& pose, Real margin) {
  Manifold m;
  collide(a, b, pose, margin, m);
  return m;
}

Real deepest(const Manifold& m) { return *std::min_element(m.separation, m.separation + m.count); }

// A capsule that is tilted against a face touches it with both ends up to this angle, and the
// lower side of the upper end is a little inside it.
double inside(const Convex& c) {
  return c.kind == ConvexKind::kCapsule ? c.radius * (1 - std::cos(0.21)) : 0;
}

// What holds for every manifold. `tolerance` is a length.
void expect_sound(const Convex& a, const Convex& b, const Pose& pose, Real margin,
                  const Manifold& m, Real tolerance) {
  if (m.count == 0) return;
  ASSERT_LE(m.count, 4);
  EXPECT_NEAR(length(m.normal), 1, 1e-5);
  for (int k = 0; k < m.count; ++k) {
    const Vec3 gap = pose.to_world(m.on_b[k]) - m.on_a[k];
    EXPECT_NEAR(dot(m.normal, gap), m.separation[k], 0.1 * tolerance);
    // Nearly parallel segments are not quite over each other at their ends.
    EXPECT_LE(length(gap - m.normal * m.separation[k]), Real(0.01) + tolerance);
    EXPECT_LE(m.separation[k], margin + Real(0.1) * tolerance);
    EXPECT_NEAR(closest_to_point(a, m.on_a[k]).distance, 0, tolerance + inside(a));
    EXPECT_NEAR(closest_to_point(b, m.on_b[k]).distance, 0, tolerance + inside(b));
    for (int l = 0; l < k; ++l) EXPECT_NE(m.feature[k], m.feature[l]);
  }
}

// How much deeper a preferred face may be than the shortest way out, for shapes of size 1.
Real preference(double distance) { return Real(3e-3 - 0.06 * std::min(distance, 0.0)); }

void expect_distance(const Manifold& m, double truth, Real margin, double tolerance) {
  if (m.count == 0) {
    EXPECT_GT(truth, static_cast<double>(margin) - tolerance);
    EXPECT_LE(m.distance, truth + tolerance);
  } else if (truth > 0) {
    EXPECT_NEAR(deepest(m), truth, tolerance);
  } else {
    EXPECT_LE(deepest(m), truth + tolerance);
    EXPECT_GE(deepest(m), truth - preference(truth) - tolerance);
  }
}

// ---- Boxes against brute force in double
// ---------------------------------------------------------

struct DoubleBoxes {
  Vec a, b, t;
  Mat3T<double> r;

  DoubleBoxes(const Vec3& half_a, const Vec3& half_b, const Pose& pose)
      : a(to_double(half_a)), b(to_double(half_b)), t(to_double(pose.position)) {
    const Quat& q = pose.orientation;
    r = QuatT<double>{q.x, q.y, q.z, q.w}.matrix();
  }
  double separation(const Vec& n) const {
    double reach = 0;
    for (int k = 0; k < 3; ++k) reach += std::abs(n[k]) * a[k] + std::abs(dot(n, r.c[k])) * b[k];
    return std::abs(dot(n, t)) - reach;
  }
  // Largest separation of all axes: minus the depth of an overlap.
  double sat() const {
    double most = -1e300;
    const Mat3T<double> one = Mat3T<double>::identity();
    for (int i = 0; i < 3; ++i) {
      most = std::max({most, separation(one.c[i]), separation(r.c[i])});
      for (int j = 0; j < 3; ++j) {
        const Vec n = cross(one.c[i], r.c[j]);
        if (length(n) > 1e-9) most = std::max(most, separation(normalized(n)));
      }
    }
    return most;
  }
  // Of boxes that are apart: corners to boxes, and edges to edges.
  double distance() const {
    double least = 1e300;
    for (int k = 0; k < 8; ++k) {
      const Vec pa = corner(a, k), pb = t + r * corner(b, k);
      least = std::min({least, to_box(b, transpose(r) * (pa - t)), to_box(a, pb)});
    }
    for (int i = 0; i < 12; ++i)
      for (int j = 0; j < 12; ++j) least = std::min(least, edges(i, j));
    return least;
  }

 private:
  static Vec corner(const Vec& h, int k) {
    return {k & 1 ? h.x : -h.x, k & 2 ? h.y : -h.y, k & 4 ? h.z : -h.z};
  }
  static double to_box(const Vec& h, const Vec& p) {
    Vec out;
    for (int k = 0; k < 3; ++k) out[k] = std::max(std::abs(p[k]) - h[k], 0.0);
    return length(out);
  }
  double edges(int i, int j) const {
    const auto ends = [](const Vec& h, int e, Vec(&p)[2]) {
      const int axis = e / 4, bits = e % 4;
      int k = 0;
      k |= (bits & 1) << ((axis + 1) % 3);
      k |= (bits >> 1) << ((axis + 2) % 3);
      p[0] = corner(h, k);
      p[1] = corner(h, k | 1 << axis);
    };
    Vec p[2], q[2];
    ends(a, i, p);
    ends(b, j, q);
    for (Vec& end : q) end = t + r * end;
    const Vec u = p[1] - p[0], v = q[1] - q[0], w = q[0] - p[0];
    const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v);
    const double d = uu * vv - uv * uv;
    double s = d > 1e-12 * uu * vv ? (dot(w, u) * vv - dot(w, v) * uv) / d : 0;
    s = std::clamp(s, 0.0, 1.0);
    const double z = std::clamp((uv * s - dot(w, v)) / vv, 0.0, 1.0);
    s = std::clamp((dot(w, u) + uv * z) / uu, 0.0, 1.0);
    return length(w + v * z - u * s);
  }
};

TEST(Collide, RandomBoxesAgreeWithBruteForce) {
  Random random;
  int faces = 0, edges = 0, apart = 0;
  for (int n = 0; n < 20000; ++n) {
    const auto side = [&] { return random.number(Real(0.2), 1); };
    const Vec3 a{side(), side(), side()}, b{side(), side(), side()};
    const Pose pose{random.direction() * random.number(0, Real(2.6)), random.rotation()};
    const Real margin = n % 2 ? Real(0.3) : Real(0.01);
    const Manifold m = collided(box(a), box(b), pose, margin);
    const DoubleBoxes truth(a, b, pose);
    const double sat = truth.sat();
    expect_distance(m, sat > 0 ? truth.distance() : sat, margin, 1e-4);
    expect_sound(box(a), box(b), pose, margin, m, Real(2e-3));
    faces += m.count > 2, edges += m.count == 1, apart += m.count == 0;
    if (HasFailure()) FAIL() << "case " << n;
  }
  EXPECT_GT(faces, 2000);
  EXPECT_GT(edges, 500);
  EXPECT_GT(apart, 2000);
}

// ---- Resting boxes
// -------------------------------------------------------------------------------

Real spanned_area(const Manifold& m) {
  Real most = 0;
  for (int i = 0; i < m.count; ++i)
    for (int j = 0; j < m.count; ++j)
      for (int k = 0; k < m.count; ++k)
        for (int l = 0; l < m.count; ++l)
          most = max(most, length(cross(m.on_a[k] - m.on_a[i], m.on_a[l] - m.on_a[j])) / 2);
  return most;
}

void expect_resting(const Manifold& m, double area, double tolerance = 2e-3) {
  EXPECT_EQ(m.count, 4);
  EXPECT_NEAR(m.normal.y, 1, 1e-6);
  for (int k = 0; k < m.count; ++k) EXPECT_NEAR(m.separation[k], -0.001, 1e-5);
  EXPECT_NEAR(spanned_area(m), area, tolerance * area + 1e-9);
}

TEST(Collide, BoxRestsOnBox) {
  const Convex a = box({1, Real(0.5), 1}), b = box({Real(0.5), Real(0.5), Real(0.5)});
  const Real y = Real(0.999);
  const auto turned = [](Real angle) { return Quat::from_axis_angle({0, 1, 0}, angle); };
  expect_resting(collided(a, b, {{0, y, 0}, {}}, 0), 1);
  expect_resting(collided(a, b, {{Real(0.2), y, Real(0.1)}, turned(kPi / 4)}, 0), 1);
  // Half of it over the edge, and a quarter over the corner.
  expect_resting(collided(a, b, {{1, y, 0}, {}}, 0), 0.5, 5e-3);
  expect_resting(collided(a, b, {{1, y, 1}, {}}, 0), 0.25, 1e-2);
  // Of equal size, and turned by 45°: an octagon, and the largest square in it.
  expect_resting(collided(b, b, {{0, y, 0}, {}}, 0), 1);
  const double octagon_radius2 = 0.25 / std::pow(std::cos(std::numbers::pi / 8), 2);
  expect_resting(collided(b, b, {{0, y, 0}, turned(kPi / 4)}, 0), 2 * octagon_radius2, 5e-3);
  // The small one below.
  const Manifold below = collided(a, b, {{0, -y, 0}, turned(Real(0.3))}, 0);
  EXPECT_NEAR(below.normal.y, -1, 1e-6);
  EXPECT_EQ(below.count, 4);
}

std::vector<std::uint32_t> sorted_features(const Manifold& m) {
  std::vector<std::uint32_t> ids(m.feature, m.feature + m.count);
  std::sort(ids.begin(), ids.end());
  return ids;
}

void expect_lasting_features(const Convex& a, const Convex& b, const Pose& pose) {
  Random random;
  const auto ids = sorted_features(collided(a, b, pose, Real(0.01)));
  EXPECT_EQ(ids.size(), 4U);
  for (int n = 0; n < 200; ++n) {
    const Pose moved{pose.position + random.vector(Real(1e-4)),
                     Quat::from_axis_angle(random.direction(), Real(1e-4)) * pose.orientation};
    EXPECT_EQ(sorted_features(collided(a, b, moved, Real(0.01))), ids);
  }
}

TEST(Collide, FeaturesLastThroughSmallMotions) {
  const Convex big = box({1, Real(0.5), 1}), cube = box({Real(0.5), Real(0.5), Real(0.5)});
  const Real y = Real(0.9999);
  const auto turned = [](Real angle) { return Quat::from_axis_angle({0, 1, 0}, angle); };
  expect_lasting_features(big, cube, {{0, y, 0}, {}});
  expect_lasting_features(big, cube, {{Real(0.2), y, 0}, turned(kPi / 4)});
  expect_lasting_features(cube, cube, {{0, y, 0}, {}});
  expect_lasting_features(big, cube, {{Real(0.8), y, Real(0.7)}, turned(Real(0.1))});
  expect_lasting_features(cube, cube, {{0, y, 0}, turned(Real(0.6))});
  std::vector<Vec3> prism;
  for (int k = 0; k < 10; ++k)
    prism.push_back({std::cos(kPi * Real(k / 2) / Real(2.5)), k % 2 ? Real(0.5) : Real(-0.5),
                     std::sin(kPi * Real(k / 2) / Real(2.5))});
  const Hull five = make_hull(prism);
  expect_lasting_features(big, hull(five), {{Real(0.3), y, Real(0.1)}, turned(Real(0.2))});
  expect_lasting_features(cylinder(Real(0.6), Real(0.5)), big, {{Real(0.1), y, 0}, {}});
}

// ---- Degenerate boxes
// ----------------------------------------------------------------------------

TEST(Collide, SameBoxAtTheSamePlace) {
  const Convex a = box({1, Real(0.3), 2});
  const Manifold m = collided(a, a, {}, 0);
  EXPECT_EQ(m.count, 4);
  EXPECT_NEAR(abs(m.normal.y), 1, 1e-6);
  EXPECT_NEAR(deepest(m), -0.6, 1e-6);
}

TEST(Collide, CornersAndEdgesThatJustTouch) {
  const Convex a = box({1, 1, 1});
  const Quat tip = Quat::from_axis_angle({1, 0, -1}, std::acos(1 / std::sqrt(Real(3))));
  for (const Real gap : {Real(-1e-2), Real(0), Real(1e-2)}) {
    // Corner on corner, face on face, at one edge and at one corner; each along x, y, z.
    const Manifold corner = collided(a, a, {Vec3{1, 1, 1} * (2 + gap), {}}, Real(0.1));
    EXPECT_GE(corner.count, 1);
    EXPECT_NEAR(deepest(corner), gap > 0 ? gap * std::sqrt(Real(3)) : gap, 2e-4);
    const Manifold edge = collided(a, a, {Vec3{1, 1, 0} * (2 + gap), {}}, Real(0.1));
    EXPECT_GE(edge.count, 1);
    EXPECT_NEAR(deepest(edge), gap > 0 ? gap * std::sqrt(Real(2)) : gap, 2e-4);
    // A corner on a face, and on the corner of a face.
    const Real height = 1 + std::sqrt(Real(3)) + gap;
    const Manifold on_face = collided(a, a, {{0, height, 0}, tip}, Real(0.02));
    EXPECT_EQ(on_face.count, 1);
    EXPECT_NEAR(on_face.normal.y, 1, 1e-4);
    EXPECT_NEAR(deepest(on_face), gap, 1e-5);
    const Manifold at_corner = collided(a, a, {{1, height, 1}, tip}, Real(0.02));
    EXPECT_GE(at_corner.count, 1);
    const DoubleBoxes truth({1, 1, 1}, {1, 1, 1}, {{1, height, 1}, tip});
    EXPECT_NEAR(deepest(at_corner), gap > 0 ? truth.distance() : truth.sat(), 2e-4);
  }
}

TEST(Collide, ParallelEdges) {
  const Convex a = box({1, 1, 1});
  // Edge down on a face, edge down on an edge, and both with angles where products vanish.
  for (const Real angle : {Real(0), Real(1e-7), Real(1e-5), Real(1e-3), Real(-1e-4)}) {
    const Quat q =
        Quat::from_axis_angle({0, 1, 0}, angle) * Quat::from_axis_angle({0, 0, 1}, kPi / 4);
    const Pose on_face{{0, 1 + std::sqrt(Real(2)) - Real(1e-3), 0}, q};
    const Manifold m = collided(a, a, on_face, Real(1e-3));
    EXPECT_EQ(m.count, 2);
    EXPECT_NEAR(m.normal.y, 1, 1e-5);
    EXPECT_NEAR(deepest(m), -1e-3, 1e-4);
    expect_sound(a, a, on_face, Real(1e-3), m, Real(3e-3));
    const Pose beside{{0, 3, 0}, q};
    expect_sound(a, a, beside, 2, collided(a, a, beside, 2), Real(3e-3));
  }
}

TEST(Collide, SizesFromMillimetresToHundredsOfMetres) {
  for (const Real size : {Real(1e-3), Real(0.1), Real(100)}) {
    const Convex a = box({size, size, size}), b = box({size / 2, size / 2, size / 2});
    const Manifold m = collided(a, b, {{size / 5, size * Real(1.499), 0}, {}}, 0);
    EXPECT_EQ(m.count, 4);
    EXPECT_NEAR(deepest(m) / size, -0.001, 1e-5);
    // On something a thousand times its size.
    const Convex floor = box({size * 1000, size * 1000, size * 1000});
    const Pose pose{{size * 300, size * Real(1001.01), size * -800},
                    Quat::from_axis_angle({0, 1, 0}, Real(0.4))};
    const Manifold far = collided(floor, a, pose, size / 10);
    EXPECT_EQ(far.count, 4);
    EXPECT_NEAR(deepest(far) / size, 0.01, 1e-3);
    EXPECT_NEAR(spanned_area(far) / (size * size), 4, 1e-2);
    const Manifold mirrored = collided(a, floor, pose.inverse(), size / 10);
    EXPECT_EQ(mirrored.count, 4);
    EXPECT_NEAR(deepest(mirrored) / size, 0.01, 1e-3);
  }
}

// ---- All pairs
// -----------------------------------------------------------------------------------

struct Named {
  std::string name;
  Convex convex;
};

class AllShapes : public ::testing::Test {
 protected:
  AllShapes() {
    shapes_ = {{"sphere", sphere(Real(0.7))},
               {"capsule", capsule(Real(0.4), Real(0.6))},
               {"box", box({Real(0.5), Real(0.8), Real(0.6)})},
               {"few-sided hull", hull(few_)},
               {"many-sided hull", hull(many_)},
               {"cylinder", cylinder(Real(0.6), Real(0.7))},
               {"triangle", triangle({Real(-0.8), Real(0.1), Real(-0.5)},
                                     {Real(0.9), 0, Real(-0.4)}, {0, Real(-0.1), Real(0.9)})}};
  }
  Random random_;
  Hull few_ = random_hull(random_, 8), many_ = random_hull(random_, 60);
  std::vector<Named> shapes_;
};

TEST_F(AllShapes, AgreeWithTheNearestPoints) {
  for (const Named& a : shapes_)
    for (const Named& b : shapes_) {
      int touching = 0;
      for (int n = 0; n < 400; ++n) {
        const Pose pose{random_.direction() * random_.number(Real(0.2), Real(2.2)),
                        random_.rotation()};
        const Real margin = n % 2 ? Real(0.2) : Real(0.01);
        const Manifold m = collided(a.convex, b.convex, pose, margin);
        const double truth = closest(a.convex, b.convex, pose).distance;
        touching += m.count > 0;
        expect_distance(m, truth, margin, 2e-4);
        expect_sound(a.convex, b.convex, pose, margin, m, Real(5e-3));
        if (HasFailure()) FAIL() << a.name << " with " << b.name << ", case " << n;
      }
      EXPECT_GT(touching, 50) << a.name << " with " << b.name;
    }
}

TEST_F(AllShapes, SwappedShapesTouchAlike) {
  for (const Named& a : shapes_)
    for (const Named& b : shapes_)
      for (int n = 0; n < 200; ++n) {
        const Pose pose{random_.direction() * random_.number(Real(0.4), 2), random_.rotation()};
        const Manifold m = collided(a.convex, b.convex, pose, Real(0.05));
        const Manifold w = collided(b.convex, a.convex, pose.inverse(), Real(0.05));
        ASSERT_EQ(m.count > 0, w.count > 0) << a.name << " with " << b.name;
        if (m.count == 0) continue;
        const double slack = preference(static_cast<double>(deepest(m)));
        ASSERT_NEAR(deepest(m), deepest(w), slack) << a.name << " with " << b.name;
        if (a.convex.kind == b.convex.kind) continue;
        // Different kinds share one function, so that it is the same manifold.
        const Vec3 back = -pose.orientation.rotate(w.normal);
        if (length(back - m.normal) > Real(1e-3)) continue;
        ASSERT_EQ(m.count, w.count) << a.name << " with " << b.name;
      }
}

TEST_F(AllShapes, CoincidentShapesPart) {
  for (const Named& a : shapes_)
    for (const Named& b : shapes_) {
      const Manifold m = collided(a.convex, b.convex, {}, 0);
      ASSERT_GE(m.count, 1) << a.name << " with " << b.name;
      EXPECT_NEAR(length(m.normal), 1, 1e-5) << a.name << " with " << b.name;
      for (int k = 0; k < m.count; ++k)
        EXPECT_TRUE(std::isfinite(m.separation[k])) << a.name << " with " << b.name;
    }
}

TEST_F(AllShapes, PlaneAgreesWithTheLowestPoint) {
  for (const Named& b : shapes_)
    for (int n = 0; n < 500; ++n) {
      const Pose pose{random_.vector(1), random_.rotation()};
      Manifold m;
      collide_plane(b.convex, pose, Real(0.1), m);
      const Real lowest = pose.position.y + extent(b.convex, pose.orientation.matrix()).lower.y;
      ASSERT_EQ(m.count > 0, lowest <= Real(0.1)) << b.name;
      if (m.count == 0) {
        ASSERT_NEAR(m.distance, lowest, 1e-5) << b.name;
        continue;
      }
      ASSERT_NEAR(deepest(m), lowest, 1e-4) << b.name;
      for (int k = 0; k < m.count; ++k) {
        const Vec3 at = pose.to_world(m.on_b[k]);
        ASSERT_NEAR(at.y, m.separation[k], 1e-5) << b.name;
        ASSERT_NEAR(length(Vec3{at.x, 0, at.z} - m.on_a[k]), 0, 1e-5) << b.name;
        ASSERT_NEAR(closest_to_point(b.convex, m.on_b[k]).distance, 0, 1e-4 + inside(b.convex))
            << b.name;
      }
    }
}

// ---- Particular contacts
// -------------------------------------------------------------------------

TEST(Collide, CylinderOnBox) {
  const Convex floor = box({2, 1, 2}), can = cylinder(Real(0.5), 1);
  const Manifold upright = collided(floor, can, {{Real(0.3), Real(1.999), 0}, {}}, 0);
  EXPECT_EQ(upright.count, 4);
  Vec3 middle = {};
  for (int k = 0; k < upright.count; ++k) {
    EXPECT_NEAR(upright.separation[k], -0.001, 1e-5);
    middle += upright.on_a[k] / Real(4);
  }
  EXPECT_NEAR(length(middle - Vec3{Real(0.3), 1, 0}), 0, 1e-3);
  EXPECT_NEAR(spanned_area(upright), 0.5, 1e-3);

  const Quat lying = Quat::from_axis_angle({0, 0, 1}, kPi / 2);
  const Manifold on_side = collided(floor, can, {{0, Real(1.499), 0}, lying}, 0);
  EXPECT_EQ(on_side.count, 2);
  EXPECT_NEAR(on_side.normal.y, 1, 1e-4);
  EXPECT_NEAR(length(on_side.on_a[0] - on_side.on_a[1]), 2, 1e-3);
  // Half over the edge.
  const Manifold over = collided(floor, can, {{2, Real(1.499), 0}, lying}, 0);
  EXPECT_EQ(over.count, 2);
  EXPECT_NEAR(length(over.on_a[0] - over.on_a[1]), 1, 5e-3);
  // Stacked on its like, and side by side.
  EXPECT_EQ(collided(can, can, {{Real(0.1), Real(1.999), 0}, {}}, 0).count, 4);
  const Manifold beside = collided(can, can, {{Real(0.999), Real(0.5), 0}, {}}, 0);
  EXPECT_EQ(beside.count, 2);
  EXPECT_NEAR(length(beside.on_a[0] - beside.on_a[1]), 1.5, 1e-3);
}

TEST(Collide, CapsuleOnBoxAndOnCapsule) {
  const Convex floor = box({2, 1, 2}), pill = capsule(Real(0.25), 1);
  const Quat lying = Quat::from_axis_angle({1, 0, 0}, kPi / 2);
  const Manifold m = collided(floor, pill, {{0, Real(1.249), 0}, lying}, 0);
  EXPECT_EQ(m.count, 2);
  EXPECT_NEAR(m.normal.y, 1, 1e-5);
  for (int k = 0; k < m.count; ++k) {
    EXPECT_NEAR(m.separation[k], -0.001, 1e-5);
    EXPECT_NEAR(abs(m.on_a[k].z), 1, 1e-3);
  }
  const Manifold standing = collided(floor, pill, {{0, Real(2.249), 0}, {}}, 0);
  EXPECT_EQ(standing.count, 1);
  EXPECT_NEAR(standing.separation[0], -0.001, 1e-5);

  const Manifold beside = collided(pill, pill, {{Real(0.499), 1, 0}, {}}, 0);
  EXPECT_EQ(beside.count, 2);
  EXPECT_NEAR(length(beside.on_a[0] - beside.on_a[1]), 1, 1e-4);
  const Manifold crossed = collided(pill, pill, {{Real(0.499), 0, 0}, lying}, 0);
  EXPECT_EQ(crossed.count, 1);
  EXPECT_NEAR(crossed.normal.x, 1, 1e-5);
  EXPECT_NEAR(crossed.separation[0], -0.001, 1e-5);
  EXPECT_EQ(collided(pill, pill, {{0, Real(2.499), 0}, {}}, 0).count, 1);
}

TEST(Collide, TriangleIsSolidFromBothSides) {
  const Convex ground = triangle({-3, 0, -3}, {0, 0, 4}, {4, 0, -3});
  const Convex cube = box({Real(0.5), Real(0.5), Real(0.5)});
  for (const Real side : {Real(1), Real(-1)}) {
    const Manifold m = collided(ground, cube, {{0, side * Real(0.49), 0}, {}}, Real(0.01));
    EXPECT_EQ(m.count, 4);
    EXPECT_NEAR(m.normal.y, side, 1e-5);
    EXPECT_NEAR(deepest(m), -0.01, 1e-5);
    // Tilted a little, the triangle's normal stays the normal.
    const Manifold tilted =
        collided(ground, cube,
                 {{0, side * Real(0.49), 0}, Quat::from_axis_angle({1, 0, Real(0.3)}, Real(0.02))},
                 Real(0.01));
    EXPECT_NEAR(tilted.normal.y, side, 1e-6);
    const Manifold swapped = collided(cube, ground, {{0, side * Real(-0.49), 0}, {}}, Real(0.01));
    EXPECT_EQ(swapped.count, 4);
    EXPECT_NEAR(swapped.normal.y, -side, 1e-5);
  }
}

TEST(Collide, RoundedBoxesTouchAtTheirSurfaces) {
  Convex a = box({1, 1, 1}), b = box({Real(0.4), Real(0.4), Real(0.4)});
  a.radius = Real(0.05);
  b.radius = Real(0.1);
  const Pose pose{{0, Real(1.54), 0}, {}};
  const Manifold m = collided(a, b, pose, 0);
  EXPECT_EQ(m.count, 4);
  EXPECT_NEAR(deepest(m), -0.01, 1e-5);
  expect_sound(a, b, pose, 0, m, Real(2e-3));
  Manifold on_plane;
  collide_plane(b, {{0, Real(0.49), 0}, {}}, 0, on_plane);
  EXPECT_EQ(on_plane.count, 4);
  EXPECT_NEAR(on_plane.separation[0], -0.01, 1e-6);
  EXPECT_NEAR(on_plane.on_b[0].y, -0.5, 1e-6);
}

}  // namespace
}  // namespace sinew
