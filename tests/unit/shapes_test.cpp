// Signed distances of shapes against brute force, on plain numbers and on packs.
#include <gtest/gtest.h>
#include <sinew/generators.h>
#include <sinew/rigid_body.h>

#include <random>

#include "collision/hull.h"
#include "collision/mesh_distance.h"
#include "core/pack.h"
#include "support.h"
#include "world/validate.h"

namespace sinew {
namespace {

using Vec = Vec3T<double>;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  Real operator()(double low, double high) {
    return Real(low + (high - low) * (engine_() / 4294967295.0));
  }
  Vec3 in_box(double half) {
    return {(*this)(-half, half), (*this)(-half, half), (*this)(-half, half)};
  }

 private:
  std::mt19937 engine_;
};

// Distance from triangles, by sampling barycentric coordinates ever finer about the best: slow, and
// not the code under test.
double distance_by_search(const Vec& p, const Vec& a, const Vec& b, const Vec& c) {
  double u0 = 1.0 / 3, v0 = 1.0 / 3, span = 1, best = INFINITY;
  for (int round = 0; round < 16; ++round, span *= 0.6) {
    double best_u = u0, best_v = v0;
    for (int i = -4; i <= 4; ++i)
      for (int j = -4; j <= 4; ++j) {
        double u = std::clamp(u0 + i * span / 4, 0.0, 1.0);
        double v = std::clamp(v0 + j * span / 4, 0.0, 1.0);
        if (u + v > 1) {  // onto the third edge
          const double over = (u + v - 1) / 2;
          u = std::clamp(u - over, 0.0, 1.0);
          v = 1 - u;
        }
        const double d = length(a + (b - a) * u + (c - a) * v - p);
        if (d < best) {
          best = d;
          best_u = u;
          best_v = v;
        }
      }
    u0 = best_u;
    v0 = best_v;
  }
  return best;
}

double distance_by_search(const Vec& p, const TriMesh& mesh) {
  double best = INFINITY;
  for (const Triangle& t : mesh.cells)
    best = std::min(
        best, distance_by_search(p, to_double(mesh.vertices[t[0]]), to_double(mesh.vertices[t[1]]),
                                 to_double(mesh.vertices[t[2]])));
  return best;
}

// Along the normal the distance grows one to one, and packs say what plain numbers do.
template <class S>
void expect_consistent(const S& shape, const Vec3& p, double tolerance) {
  const SignedDistance<Real> at = shape.signed_distance(p);
  EXPECT_NEAR(length(to_double(at.normal)), 1, 1e-5);
  const Real step = Real(1e-3);
  const Real there = shape.signed_distance(p + at.normal * step).distance;
  EXPECT_NEAR(double(there - at.distance), double(step), tolerance) << at.distance;
  const auto wide = shape.signed_distance(Vec3T<Wide>{Wide(p.x), Wide(p.y), Wide(p.z)});
  for (int i = 0; i < kLanes; ++i) {
    EXPECT_NEAR(lane(wide.distance, i), at.distance, 1e-6);
    EXPECT_NEAR(length(lane(wide.normal, i) - to_double(at.normal)), 0, 1e-5);
  }
}

TEST(CylinderShape, DistanceIsThatOfItsProfile) {
  const Cylinder shape{Real(0.4), Real(0.7)};
  Random random(1);
  for (int n = 0; n < 2000; ++n) {
    const Vec3 p = random.in_box(1.5);
    const double r = std::hypot(double(p.x), double(p.z)), y = std::abs(double(p.y));
    // The nearest of many points of the outline, a rectangle in r and y.
    double nearest = INFINITY;
    for (int i = 0; i <= 1000; ++i) {
      const double s = i / 1000.0;
      nearest =
          std::min({nearest, std::hypot(r - 0.4, y - 0.7 * s), std::hypot(r - 0.4 * s, y - 0.7)});
    }
    const double expected = r < 0.4 && y < 0.7 ? -nearest : nearest;
    EXPECT_NEAR(shape.signed_distance(p).distance, expected, 1e-3);
    expect_consistent(shape, p, 1e-4 + (expected < 0 ? 3e-3 : 0));
  }
  // On the axis, in the middle and at the end.
  for (const Vec3& p : {Vec3{}, Vec3{0, Real(0.7), 0}, Vec3{0, 3, 0}})
    EXPECT_NEAR(length(shape.signed_distance(p).normal), 1, 1e-6);
}

ConvexHull random_hull(int count, unsigned seed) {
  Random random(seed);
  ConvexHull shape;
  for (int i = 0; i < count; ++i) shape.points.push_back(random.in_box(1));
  shape.prepare();
  return shape;
}

TEST(ConvexHullShape, ExactInsideAndNeverTooFarOutside) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    const ConvexHull shape = random_hull(20, seed);
    const TriMesh surface = shape.surface();
    Random random(seed + 100);
    int over_faces = 0;
    for (int n = 0; n < 60; ++n) {
      const Vec3 p = random.in_box(1.4);
      const double expected = distance_by_search(to_double(p), surface);
      const SignedDistance<Real> at = shape.signed_distance(p);
      if (at.distance <= 0) {
        EXPECT_NEAR(-at.distance, expected, 2e-3);
      } else {
        EXPECT_LE(at.distance, expected + 1e-5);
        over_faces += std::abs(at.distance - expected) < 1e-3;
      }
      expect_consistent(shape, p, 1e-5 + (at.distance < 0 ? 2e-3 : 0));
    }
    EXPECT_GT(over_faces, 4);
  }
}

TEST(ConvexHullShape, BoxOfPointsIsTheBoxInside) {
  const Box box{{1, 2, 3}};
  ConvexHull shape;
  for (int i = 0; i < 8; ++i)
    shape.points.push_back(
        {(i & 1 ? 1 : -1) * Real(0.5), Real(i & 2 ? 1 : -1), (i & 4 ? 1 : -1) * Real(1.5)});
  Random random(3);
  for (int n = 0; n < 300; ++n) {
    const Vec3 p = random.in_box(2);
    const Real expected = box.signed_distance(p).distance;
    // Not prepared: from scratch.
    const Real found = shape.signed_distance(p).distance;
    EXPECT_EQ(found > 0, expected > 0);
    if (expected < 0) {
      EXPECT_NEAR(found, expected, 1e-5);
    } else {
      EXPECT_LE(found, expected + Real(1e-5));
    }
  }
}

TEST(ConvexHullShape, CopiesShareTheHullUntilPointsChange) {
  const ConvexHull first = random_hull(30, 5);
  ConvexHull copy = first;
  copy.prepare();
  EXPECT_EQ(copy.prepared, first.prepared);
  copy.points.push_back({3, 3, 3});
  copy.prepare();
  EXPECT_NE(copy.prepared, first.prepared);
  EXPECT_GT(copy.hull().radius, first.hull().radius);
}

HeightField hills(int columns, int rows, unsigned seed, double roughness) {
  Random random(seed);
  HeightField field{.columns = columns, .rows = rows, .cell = Real(0.5)};
  for (int i = 0; i < columns * rows; ++i) field.heights.push_back(random(0, roughness));
  return field;
}

TEST(HeightFieldShape, SurfaceGoesThroughTheSamples) {
  const HeightField field = hills(4, 3, 1, 1);
  const TriMesh mesh = field.surface();
  EXPECT_EQ(mesh.cells.size(), 12u);
  EXPECT_EQ(field.sample(0, 0), (Vec3{Real(-0.75), field.heights[0], Real(-0.5)}));
  EXPECT_EQ(field.sample(3, 2), (Vec3{Real(0.75), field.heights[11], Real(0.5)}));
  for (const Triangle& t : mesh.cells) {
    const Vec3 n =
        cross(mesh.vertices[t[1]] - mesh.vertices[t[0]], mesh.vertices[t[2]] - mesh.vertices[t[0]]);
    EXPECT_GT(n.y, 0);
  }
  for (const Vec3& v : mesh.vertices) EXPECT_NEAR(field.signed_distance(v).distance, 0, 1e-6);
}

TEST(HeightFieldShape, DistanceAboveAndBelow) {
  for (const double roughness : {0.05, 0.5, 3.0}) {
    HeightField field = hills(7, 6, 2, roughness);
    const TriMesh surface = field.surface();
    Random random(7);
    for (const bool prepare : {false, true}) {
      if (prepare) field.prepare();
      int exact = 0, far = 0;
      for (int n = 0; n < 120; ++n) {
        const Vec3 p{random(-1.4, 1.4), random(-1, 2 + 2 * roughness), random(-1.2, 1.2)};
        const SignedDistance<Real> at = field.signed_distance(p);
        const double expected = distance_by_search(to_double(p), surface);
        // The triangle straight above or below, found by trying all.
        double gap = INFINITY, slope = 0;
        for (const Triangle& t : surface.cells) {
          const Vec a = to_double(surface.vertices[t[0]]), b = to_double(surface.vertices[t[1]]),
                    c = to_double(surface.vertices[t[2]]);
          const auto side = [&](const Vec& s, const Vec& e) {
            return (e.z - s.z) * (double(p.x) - s.x) - (e.x - s.x) * (double(p.z) - s.z);
          };
          if (side(a, b) < 0 || side(b, c) < 0 || side(c, a) < 0) continue;
          const Vec normal = cross(b - a, c - a) / length(cross(b - a, c - a));
          gap = dot(normal, to_double(p) - a) / normal.y;
          slope = normal.y;
        }
        ASSERT_TRUE(std::isfinite(gap));
        EXPECT_EQ(at.distance > 0, gap > 0);
        EXPECT_NEAR(length(to_double(at.normal)), 1, 1e-5);
        if (gap <= 0) {
          EXPECT_NEAR(at.distance, gap * slope, 1e-5);
          continue;
        }
        EXPECT_LE(at.distance, expected + 2e-3);
        if (expected < 0.49) {
          EXPECT_NEAR(at.distance, expected, 3e-3);
          ++exact;
        } else {
          EXPECT_GE(at.distance, Real(0.49));
          ++far;
        }
      }
      EXPECT_GT(exact, 8);
      EXPECT_GT(far, 8);
    }
    EXPECT_NEAR(field.signed_distance(Vec3{0, 100, 0}).distance, 100 - field.highest, 1e-4);
  }
}

TEST(HeightFieldShape, BesideTheGridIsNothing) {
  HeightField field{.columns = 3, .rows = 3, .cell = 1, .heights = std::vector<Real>(9, Real(2))};
  field.prepare();
  EXPECT_NEAR(field.signed_distance(Vec3{4, 0, 0}).distance, 3, 1e-5);
  EXPECT_NEAR(field.signed_distance(Vec3{4, 6, 0}).distance, 5, 1e-5);
  EXPECT_NEAR(field.signed_distance(Vec3{Real(1.5), -10, 0}).normal.x, 1, 1e-5);
  const auto nowhere = field.signed_distance(Vec3{NAN, NAN, NAN});
  EXPECT_FALSE(nowhere.distance < 0);
}

// Triangles of a plane cut at diagonals: as far as the plane everywhere.
TEST(HeightFieldShape, SlopeIsAPlane) {
  HeightField field{.columns = 5, .rows = 5, .cell = 1};
  for (int r = 0; r < 5; ++r)
    for (int c = 0; c < 5; ++c) field.heights.push_back(Real(0.5) * Real(c) + Real(0.25) * Real(r));
  field.prepare();
  const Vec n = Vec{-0.5, 1, -0.25} / length(Vec{-0.5, 1, -0.25});
  Random random(9);
  for (int i = 0; i < 200; ++i) {
    const Vec3 p{random(-1, 1), random(1, 2), random(-1, 1)};
    const double expected = dot(n, to_double(p) - to_double(field.sample(2, 2)));
    if (std::abs(expected) > 0.7) continue;
    const SignedDistance<Real> at = field.signed_distance(p);
    EXPECT_NEAR(at.distance, expected, 1e-5);
    if (std::abs(expected) > 1e-2) {
      EXPECT_NEAR(length(to_double(at.normal) - n), 0, 1e-4);
    }
  }
}

TEST(TriangleMeshShape, ClosedSurfaceIsSolid) {
  // A ring has edges that bend both ways.
  TriangleMesh shape{torus_surface(1, Real(0.4), 12, 7)};
  shape.prepare();
  EXPECT_TRUE(shape.search().closed());
  Random random(4);
  int inside = 0;
  for (int n = 0; n < 60; ++n) {
    const Vec3 p{random(-1.6, 1.6), random(-0.6, 0.6), random(-1.6, 1.6)};
    const double expected = distance_by_search(to_double(p), shape.mesh);
    const SignedDistance<Real> at = shape.signed_distance(p);
    EXPECT_NEAR(std::abs(at.distance), expected, 2e-3);
    // Inside is where the surface winds round once: its solid angles add up to 4π (van Oosterom
    // and Strackee 1983).
    double angle = 0;
    for (const Triangle& t : shape.mesh.cells) {
      const Vec a = to_double(shape.mesh.vertices[t[0]]) - to_double(p),
                b = to_double(shape.mesh.vertices[t[1]]) - to_double(p),
                c = to_double(shape.mesh.vertices[t[2]]) - to_double(p);
      angle += 2 * std::atan2(dot(a, cross(b, c)),
                              length(a) * length(b) * length(c) + dot(a, b) * length(c) +
                                  dot(b, c) * length(a) + dot(c, a) * length(b));
    }
    EXPECT_EQ(at.distance<0, angle> 6.28);
    inside += at.distance < 0;
    expect_consistent(shape, p, 1e-2);
  }
  EXPECT_GT(inside, 8);
}

TEST(TriangleMeshShape, BoxAgreesWithTheBox) {
  const Box box{{1, 2, 3}};
  TriangleMesh shape{box_surface(box.size, {2, 3, 4})};
  // As STL files have them: no triangle shares a vertex with another.
  TriMesh loose;
  for (const Triangle& t : shape.mesh.cells) {
    const Index first = Index(loose.vertices.size());
    for (const Index v : t) loose.vertices.push_back(shape.mesh.vertices[v]);
    loose.cells.push_back({first, first + 1, first + 2});
  }
  TriangleMesh loose_shape{loose};
  shape.prepare();
  loose_shape.prepare();
  EXPECT_TRUE(loose_shape.search().closed());
  Random random(6);
  for (int n = 0; n < 2000; ++n) {
    const Vec3 p = random.in_box(2);
    EXPECT_NEAR(shape.signed_distance(p).distance, box.signed_distance(p).distance, 2e-6);
    EXPECT_NEAR(loose_shape.signed_distance(p).distance, box.signed_distance(p).distance, 2e-6);
  }
}

TEST(TriangleMeshShape, OpenSurfaceIsAPlate) {
  TriangleMesh shape{cloth(2, 2, 4, 4), Real(0.25)};
  shape.prepare();
  EXPECT_FALSE(shape.search().closed());
  const Real x = Real(0.13), z = Real(0.21);
  EXPECT_NEAR(shape.signed_distance(Vec3{x, 1, z}).distance, 1, 1e-6);
  EXPECT_NEAR(shape.signed_distance(Vec3{x, Real(-0.2), z}).distance, -0.2, 1e-6);
  EXPECT_NEAR(shape.signed_distance(Vec3{x, Real(-0.2), z}).normal.y, 1, 1e-6);
  EXPECT_NEAR(shape.signed_distance(Vec3{x, -1, z}).distance, 0.75, 1e-6);
  // Beyond the border nothing is behind it.
  EXPECT_NEAR(shape.signed_distance(Vec3{2, Real(-0.1), 0}).distance, std::hypot(1, 0.1), 1e-5);
  EXPECT_NEAR(shape.signed_distance(Vec3{x, 0, z}).normal.y, 1, 1e-6);
}

template <class Body>
std::string problem_of(Body body) {
  return error_of([&] { validate("body", body); });
}
template <class Body>
void expect_problem(Body body, std::initializer_list<const char*> parts) {
  expect_error([&] { validate("body", body); }, parts);
}

TEST(ShapeProblems, NameTheField) {
  const auto expect = [](Shape shape, std::initializer_list<const char*> parts) {
    expect_problem(StaticBody{.shape = std::move(shape)}, parts);
  };
  expect(Cylinder{.radius = 0}, {"body.shape.radius", "greater than 0"});
  expect(ConvexHull{}, {"body.shape.points", "at least four"});
  expect(ConvexHull{{{}, {1, 0, 0}, {0, 0, 1}, {1, 0, 1}}}, {"body.shape.points", "in one plane"});
  expect(ConvexHull{{{}, {1, NAN, 0}, {0, 0, 1}, {1, 0, 1}}},
         {"body.shape.points[1][1]", "finite"});
  expect(HeightField{.columns = 1}, {"body.shape.columns", "at least 2"});
  expect(HeightField{.columns = 3, .rows = 4, .heights = std::vector<Real>(11)},
         {"body.shape.heights has 11", "need 12"});
  expect(HeightField{.heights = {0, 0, Real(INFINITY), 0}}, {"body.shape.heights[2]", "finite"});
  expect(TriangleMesh{}, {"body.shape.mesh", "no triangle"});
  expect(TriangleMesh{{{{}, {1, 0, 0}, {2, 0, 0}}, {{0, 1, 2}}}}, {"body.shape.mesh", "area"});
  expect(TriangleMesh{{{{}, {1, 0, 0}, {2, 0, 0}}, {{0, 1, 3}}}}, {"body.shape.mesh", "vertex 3"});
  EXPECT_EQ(problem_of(StaticBody{.shape = random_hull(10, 1)}), "");
  EXPECT_EQ(problem_of(StaticBody{.shape = hills(3, 3, 1, 1)}), "");
}

TEST(ShapeProblems, RigidBodiesAreCheckedThroughout) {
  EXPECT_EQ(problem_of(RigidBody{}), "");
  expect_problem(RigidBody{.parts = {{.shape = ConvexHull{}}}}, {"body.parts[0].shape.points"});
  expect_problem(RigidBody{.mass = Mass{.axes = {0, 0, 0, 2}}}, {"body.mass.axes has length 2"});
  expect_problem(RigidBody{.mass = Mass{.inertia = {1, 0, 1}}}, {"body.mass.inertia[1]"});
  expect_problem(RigidBody{.motion = Motion(7)}, {"body.motion"});
  expect_problem(RigidBody{.group = 32}, {"body.group"});
  RigidBody body{.shape = random_hull(12, 2)};
  std::get<ConvexHull>(body.shape).prepared.reset();
  validate("body", body);
  EXPECT_TRUE(std::get<ConvexHull>(body.shape).prepared) << "made ready by the check";
}

}  // namespace
}  // namespace sinew
