#include "collision/hull.h"

#include <gtest/gtest.h>
#include <sinew/generators.h>

#include <chrono>
#include <map>
#include <random>
#include <set>

#include "support.h"

namespace sinew {
namespace {

using Points = std::vector<Vec3>;

double extent_of(const Points& points) {
  const Bounds box = bounds(points);
  const Vec3 side = box.upper - box.lower;
  return double(max(side.x, max(side.y, side.z)));
}

// Everything that a hull must be, whatever the points. `slack` is what is allowed for rounding, of
// the extent.
void expect_hull_of(const Hull& hull, const Points& points, double slack = 4e-6) {
  const double tolerance = slack * extent_of(points);
  const std::size_t vertices = hull.vertices.size(), faces = hull.faces.size();
  EXPECT_EQ(vertices + faces, hull.edges.size() + 2) << "Euler";
  std::map<std::pair<int, int>, int> left_of;
  for (std::size_t f = 0; f < faces; ++f) {
    const Hull::Face& face = hull.faces[f];
    ASSERT_GE(face.count, 3);
    const Vec3T<double> n = to_double(face.normal);
    EXPECT_NEAR(length(n), 1, 1e-6);
    std::set<int> distinct;
    for (int i = 0; i < face.count; ++i) {
      const auto corner = [&](int k) {
        return int(hull.face_vertices[face.first + k % face.count]);
      };
      distinct.insert(corner(i));
      const auto [it, is_new] = left_of.insert({{corner(i), corner(i + 1)}, int(f)});
      EXPECT_TRUE(is_new) << "an edge is run through twice the same way";
      const auto at = [&](int k) { return to_double(hull.vertices[corner(k)]); };
      EXPECT_NEAR(dot(n, at(i)), double(face.offset), tolerance) << "planar";
      // Convex: no corner lies inwards of the line between its neighbours.
      const Vec3T<double> chord = at(i + 2) - at(i), out = cross(chord, n);
      EXPECT_GT(dot(at(i + 1) - at(i), out) / length(out), -tolerance) << "convex";
    }
    EXPECT_EQ(int(distinct.size()), face.count);
  }
  EXPECT_EQ(left_of.size(), 2 * hull.edges.size());
  for (const Hull::Edge& e : hull.edges) {
    ASSERT_TRUE(left_of.count({e.a, e.b}) && left_of.count({e.b, e.a}));
    EXPECT_EQ(left_of.at({e.a, e.b}), e.left);
    EXPECT_EQ(left_of.at({e.b, e.a}), e.right);
  }
  double worst = -1;
  for (const Hull::Face& face : hull.faces)
    for (const Vec3& p : points)
      worst = std::max(worst, dot(to_double(face.normal), to_double(p)) - double(face.offset));
  EXPECT_LE(worst, tolerance) << "a point is outside";
  for (const Vec3& v : hull.vertices)
    EXPECT_NE(std::find(points.begin(), points.end(), v), points.end());
  double inner = INFINITY, radius = 0;
  for (const Hull::Face& face : hull.faces)
    inner =
        std::min(inner, double(face.offset) - dot(to_double(face.normal), to_double(hull.center)));
  for (const Vec3& v : hull.vertices)
    radius = std::max(radius, length(to_double(v) - to_double(hull.center)));
  EXPECT_NEAR(hull.inner_radius, inner, tolerance);
  EXPECT_NEAR(hull.radius, radius, tolerance);
  EXPECT_GT(inner, -tolerance);
}

Hull checked_hull(const Points& points, double slack = 4e-6) {
  const Hull hull = make_hull(points);
  expect_hull_of(hull, points, slack);
  return hull;
}

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  Real operator()(double low = -1, double high = 1) {
    return Real(low + (high - low) * (engine_() / 4294967295.0));
  }
  Vec3 vector() { return {(*this)(), (*this)(), (*this)()}; }
  Vec3 on_sphere() {
    for (;;) {
      const Vec3 v = vector();
      if (const Real r = length(v); r > Real(0.1) && r < 1) return v / r;
    }
  }
  Quat turn() { return Quat::from_axis_angle(on_sphere(), (*this)(0, 6)); }

 private:
  std::mt19937 engine_;
};

Points cube_corners(Real half = Real(0.5)) {
  Points points;
  for (int i = 0; i < 8; ++i)
    points.push_back({i & 1 ? half : -half, i & 2 ? half : -half, i & 4 ? half : -half});
  return points;
}

Points turned(Points points, const Pose& pose, Real scale = 1) {
  for (Vec3& p : points) p = pose.to_world(p * scale);
  return points;
}

TEST(Hull, CubeHasSixSquares) {
  const Hull hull = checked_hull(cube_corners());
  EXPECT_EQ(hull.vertices.size(), 8u);
  EXPECT_EQ(hull.edges.size(), 12u);
  ASSERT_EQ(hull.faces.size(), 6u);
  for (const Hull::Face& face : hull.faces) {
    EXPECT_EQ(face.count, 4);
    EXPECT_NEAR(face.offset, 0.5, 1e-6);
  }
  EXPECT_NEAR(length(hull.center), 0, 1e-6);
  EXPECT_NEAR(hull.radius, std::sqrt(0.75), 1e-6);
  EXPECT_NEAR(hull.inner_radius, 0.5, 1e-6);
}

TEST(Hull, RandomClouds) {
  Random random(1);
  for (int n : {4, 5, 6, 8, 13, 40, 200, 1000})
    for (int repeat = 0; repeat < 10; ++repeat) {
      Points points;
      for (int i = 0; i < n; ++i) points.push_back(random.vector());
      checked_hull(points);
    }
}

TEST(Hull, CentreOfVolumeMatchesTheExactOne) {
  Random random(2);
  // A tetrahedron's centre is the mean of its corners.
  for (int repeat = 0; repeat < 20; ++repeat) {
    Points points;
    for (int i = 0; i < 4; ++i) points.push_back(random.vector());
    const Hull hull = make_hull(points);
    const Vec3 mean = (points[0] + points[1] + points[2] + points[3]) * Real(0.25);
    EXPECT_NEAR(length(hull.center - mean), 0, 1e-5);
  }
}

TEST(Hull, TurnedCubesWithDuplicatesAndPointsWithinRoundingStayCubes) {
  Random random(3);
  for (int repeat = 0; repeat < 50; ++repeat) {
    Points points = turned(cube_corners(), {random.vector(), random.turn()});
    const std::size_t corners = points.size();
    for (std::size_t i = 0; i < corners; ++i) {
      points.push_back(points[i]);
      for (int k = 0; k < 3; ++k) points.push_back(points[i] + random.vector() * Real(1e-7));
    }
    // On faces and on edges too.
    for (int k = 0; k < 200; ++k) {
      const Vec3 &a = points[0], &b = points[1], &c = points[2];
      const Real s = random(0, 1), t = k % 2 ? random(0, 1) : 0;
      points.push_back(a + (b - a) * s + (c - a) * t);
    }
    const Hull hull = checked_hull(points);
    EXPECT_EQ(hull.vertices.size(), 8u);
    EXPECT_EQ(hull.faces.size(), 6u);
  }
}

TEST(Hull, LatticesAreBoxes) {
  Random random(4);
  for (int n : {2, 3, 5, 10, 16}) {
    Points points;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < n; ++k) points.push_back(Vec3{Real(i), Real(j), Real(k)} * Real(0.1));
    for (const Pose& pose : {Pose{}, Pose{{1, 2, 3}, random.turn()}, Pose{{}, random.turn()}}) {
      const Hull hull = checked_hull(turned(points, pose));
      EXPECT_EQ(hull.vertices.size(), 8u) << n;
      EXPECT_EQ(hull.faces.size(), 6u) << n;
    }
  }
}

// Integer points in an octahedron: all eight faces are full of coplanar points.
TEST(Hull, LatticeInAnOctahedron) {
  Points points;
  constexpr int kN = 7;
  for (int i = -kN; i <= kN; ++i)
    for (int j = -kN; j <= kN; ++j)
      for (int k = -kN; k <= kN; ++k)
        if (std::abs(i) + std::abs(j) + std::abs(k) <= kN)
          points.push_back({Real(i), Real(j), Real(k)});
  const Hull hull = checked_hull(points);
  EXPECT_EQ(hull.vertices.size(), 6u);
  EXPECT_EQ(hull.faces.size(), 8u);
}

TEST(Hull, PointsOnASphereAreAllCorners) {
  Random random(5);
  Points points;
  for (int i = 0; i < 500; ++i) points.push_back(random.on_sphere());
  const Hull hull = checked_hull(points);
  EXPECT_EQ(hull.vertices.size(), points.size());
  EXPECT_EQ(checked_hull(sphere_surface(2, 3).vertices).vertices.size(), 642u);
}

TEST(Hull, CylinderHasTwoCapsAndItsSides) {
  Random random(6);
  for (int sides : {3, 8, 64, 360}) {
    Points points;
    for (int i = 0; i < sides; ++i)
      for (int level = 0; level <= 10; ++level) {
        const double angle = 2 * 3.14159265358979 * i / sides;
        points.push_back({Real(std::cos(angle)), Real(level * 0.1), Real(std::sin(angle))});
        points.push_back(points.back() * Real(0.5));  // inside, or on the cap below
      }
    const Hull hull = checked_hull(turned(points, {{}, random.turn()}));
    EXPECT_EQ(hull.vertices.size(), std::size_t(2 * sides));
    EXPECT_EQ(hull.faces.size(), std::size_t(sides + 2));
  }
}

TEST(Hull, Slivers) {
  Random random(7);
  for (const double thin : {1e-2, 1e-3, 1e-4, 1e-5, 3e-6})
    for (int repeat = 0; repeat < 20; ++repeat) {
      const Quat turn = random.turn();
      Points plate, needle;
      for (int i = 0; i < 100; ++i) {
        const Vec3 p = random.vector();
        plate.push_back(turn.rotate({p.x, p.y * Real(thin), p.z}));
        needle.push_back(turn.rotate({p.x * Real(thin), p.y, p.z * Real(thin)}));
      }
      checked_hull(plate, 8e-6);
      checked_hull(needle, 8e-6);
    }
}

TEST(Hull, AnySizeGivesTheSameShape) {
  Random random(8);
  Points points;
  for (int i = 0; i < 300; ++i) points.push_back(random.vector());
  const Hull usual = checked_hull(points);
  for (const double size : {1e-20, 1e-4, 1e4, 1e15}) {
    Points scaled = points;
    for (Vec3& p : scaled) p = p * Real(size);
    const Hull hull = checked_hull(scaled);
    EXPECT_NEAR(double(hull.vertices.size()), double(usual.vertices.size()), 3);
    EXPECT_NEAR(hull.inner_radius / size, usual.inner_radius, 1e-4);
  }
}

TEST(Hull, FarFromTheOrigin) {
  Random random(9);
  const Points points = turned(cube_corners(), {{1000, -2000, 3000}, random.turn()});
  const Hull hull = make_hull(points);
  EXPECT_EQ(hull.vertices.size(), 8u);
  EXPECT_NEAR(length(hull.center - Vec3{1000, -2000, 3000}), 0, 1e-3);
}

// Points pushed together into few places and planes: everything that is hard at once.
TEST(Hull, RoundedCloudsFullOfCoincidences) {
  Random random(10);
  int hulls = 0;
  for (int repeat = 0; repeat < 400; ++repeat) {
    Points points;
    const int n = 5 + repeat % 60, steps = 1 + repeat % 4;
    for (int i = 0; i < n; ++i) {
      Vec3 p = random.vector();
      for (int k = 0; k < 3; ++k)
        p[k] = std::round(p[k] * Real(steps)) / Real(steps) + (i % 3 ? 0 : random() * Real(2e-6));
      points.push_back(p);
    }
    try {
      checked_hull(points, 8e-6);
      ++hulls;
    } catch (const Error&) {
    }
    if (HasFailure()) {
      ADD_FAILURE() << "in cloud " << repeat;
      break;
    }
  }
  EXPECT_GT(hulls, 350);
}

TEST(Hull, SameInputSameHull) {
  Random random(11);
  Points points;
  for (int i = 0; i < 1000; ++i) points.push_back(random.vector());
  const Hull a = make_hull(points), b = make_hull(points);
  EXPECT_EQ(a.vertices, b.vertices);
  EXPECT_EQ(a.face_vertices, b.face_vertices);
  // Vertices are in the order of the points.
  std::size_t last = 0;
  for (const Vec3& v : a.vertices) {
    const std::size_t at = std::size_t(std::find(points.begin(), points.end(), v) - points.begin());
    EXPECT_TRUE(last == 0 || at > last);
    last = at;
  }
}

TEST(Hull, SaysWhatIsWrongWithPoints) {
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  expect_error([] { make_hull({}); }, {"no points", "at least four"});
  expect_error([] { make_hull(Points(3)); }, {"only 3 points", "at least four"});
  expect_error(
      [&] {
        make_hull(Points{{}, {1, 0, 0}, {0, nan, 0}, {0, 0, 1}});
      },
      {"point 2", "finite"});
  expect_error([] { make_hull(Points(5, Vec3{1, 2, 3})); }, {"5 points are in one place"});
  expect_error([] { make_hull(Points{{}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}}); }, {"on one line"});
  expect_error(
      [] {
        make_hull(Points{{}, {1, 0, 1}, {2, 0, 5}, {3, 0, 3}, {4, 0, 1}});
      },
      {"in one plane"});
  expect_error(
      [] {
        Random random(12);
        Points points;
        for (int i = 0; i < 12000; ++i) points.push_back(random.on_sphere());
        make_hull(points);
      },
      {"use fewer points"});
}

TEST(Hull, TenThousandPointsAreQuick) {
  Random random(13);
  Points ball, sphere;
  for (int i = 0; i < 10000; ++i) {
    sphere.push_back(random.on_sphere());
    ball.push_back(sphere.back() * random(0, 1));
  }
  const auto seconds = [](const Points& points) {
    const auto start = std::chrono::steady_clock::now();
    EXPECT_GE(make_hull(points).faces.size(), 4u);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const double of_ball = seconds(ball), of_sphere = seconds(sphere);
  RecordProperty("ball_ms", std::to_string(of_ball * 1e3));
  RecordProperty("sphere_ms", std::to_string(of_sphere * 1e3));
  if (std::getenv("SINEW_SHOW_TIMES"))
    std::printf("ball %.1f ms, sphere %.1f ms\n", of_ball * 1e3, of_sphere * 1e3);
  // Ten times what it takes: sanitizers and busy machines are slow, quadratic time is slower.
  EXPECT_LT(of_ball, 1);
  EXPECT_LT(of_sphere, 1.5);
}

}  // namespace
}  // namespace sinew
