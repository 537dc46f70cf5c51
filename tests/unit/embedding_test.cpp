#include <gtest/gtest.h>
#include <sinew/embedding.h>
#include <sinew/generators.h>

#include <cmath>
#include <random>

#include "geometry_support.h"

namespace sinew {
namespace {

constexpr double kTolerance = sizeof(Real) == 4 ? 1e-6 : 1e-12;  // by the size of things, 1 m

class Random {
 public:
  Real number(double low, double high) {
    return Real(std::uniform_real_distribution<double>(low, high)(generator_));
  }
  Vec3 point(double low, double high) {
    const Real x = number(low, high), y = number(low, high);
    return {x, y, number(low, high)};
  }
  std::vector<Vec3> points(int count, double low, double high) {
    std::vector<Vec3> all;
    for (int i = 0; i < count; ++i) all.push_back(point(low, high));
    return all;
  }

 private:
  std::mt19937 generator_{7};
};

// Every inner and outer vertex moved about: no face of a hexahedron is flat any more.
template <class Cell>
Mesh<Cell> shaken(Mesh<Cell> mesh, double by) {
  Random random;
  for (Vec3& v : mesh.vertices) v += random.point(-by, by);
  return mesh;
}

HexMesh skewed_hexes() { return shaken(box_hexes({1, 1, 1}, {5, 4, 3}), 0.05); }
TetMesh skewed_tets() { return shaken(box_tets({1, 1, 1}, {5, 4, 3}), 0.04); }

double farthest(std::span<const Vec3> a, std::span<const Vec3> b) {
  double most = a.size() == b.size() ? 0 : INFINITY;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    most = std::max(most, double(length(a[i] - b[i])));
  return most;
}

Real weight_sum(const Embedding& e, std::size_t point) {
  Real sum = 0;
  for (int k = 0; k < e.corners; ++k) sum += e.weights[point * e.corners + k];
  return sum;
}

template <class Cell>
void expect_back_at_rest(const Mesh<Cell>& mesh, const std::vector<Vec3>& points) {
  const Embedding e = embed(points, mesh);
  ASSERT_EQ(e.size(), points.size());
  ASSERT_EQ(e.corners, int(std::tuple_size_v<Cell>));
  EXPECT_LT(farthest(interpolate(e, mesh.vertices), points), kTolerance);
  EXPECT_TRUE(e.outside.empty()) << e.outside.size();
  EXPECT_TRUE(e.unconverged.empty()) << e.unconverged.size();
  for (std::size_t i = 0; i < e.size(); ++i) {
    EXPECT_NEAR(weight_sum(e, i), 1, kTolerance);
    for (int k = 0; k < e.corners; ++k) {
      EXPECT_GE(e.weights[i * e.corners + k], -kTolerance * 100);
      EXPECT_EQ(e.vertices[i * e.corners + k], mesh.cells[e.cells[i]][k]);
    }
  }
}

TEST(Embedding, PointsInsideComeBackAtRest) {
  const std::vector<Vec3> points = Random().points(2000, -0.42, 0.42);
  expect_back_at_rest(box_tets({1, 1, 1}, {5, 4, 3}), points);
  expect_back_at_rest(box_hexes({1, 1, 1}, {5, 4, 3}), points);
  expect_back_at_rest(skewed_tets(), points);
  expect_back_at_rest(skewed_hexes(), points);
}

template <class Cell>
void expect_affine(Mesh<Cell> mesh, const std::vector<Vec3>& points) {
  const Mat3 a{{{2, Real(0.3), 0}, {Real(-0.5), 1, Real(0.2)}, {Real(0.1), 0, Real(0.7)}}};
  const Embedding e = embed(points, mesh);
  EXPECT_TRUE(e.clamped.empty());
  std::vector<Vec3> expected;
  for (const Vec3& p : points) expected.push_back(a * p + Vec3{1, 2, 3});
  for (Vec3& v : mesh.vertices) v = a * v + Vec3{1, 2, 3};
  EXPECT_LT(farthest(interpolate(e, mesh.vertices), expected), 10 * kTolerance);
}

TEST(Embedding, AffineDeformationIsExactInsideAndOut) {
  const std::vector<Vec3> points = Random().points(1000, -0.7, 0.7);
  expect_affine(skewed_tets(), points);
  expect_affine(skewed_hexes(), points);
}

// The weights of a hexahedron are trilinear, not merely affine: moving one corner moves a point by
// the product of its coordinates.
TEST(Embedding, HexahedraAreTrilinear) {
  HexMesh cube = box_hexes({1, 1, 1}, {1, 1, 1});
  const Vec3 point{Real(0.25), Real(-0.125), Real(0.375)};
  const Embedding e = embed(std::vector<Vec3>{point}, cube);
  cube.vertices[cube.cells[0][6]] += Vec3{1, 0, 0};  // the corner (½, ½, ½)
  EXPECT_NEAR(interpolate(e, cube.vertices)[0].x, 0.25 + 0.75 * 0.375 * 0.875, kTolerance);
}

TEST(Embedding, PointsOnVerticesEdgesAndFacesAreInside) {
  const auto on_borders = []<class Cell>(const Mesh<Cell>& mesh, int face_corners) {
    std::vector<Vec3> points = mesh.vertices;
    for (const Cell& cell : mesh.cells) {
      points.push_back((mesh.vertices[cell[0]] + mesh.vertices[cell[1]]) * Real(0.5));
      Vec3 middle;
      for (int k = 0; k < face_corners; ++k) middle += mesh.vertices[cell[k]];
      points.push_back(middle * (Real(1) / Real(face_corners)));
    }
    return points;
  };
  for (double by : {0.0, 0.04}) {
    const TetMesh tets = shaken(box_tets({1, 1, 1}, {3, 3, 3}), by);
    const HexMesh hexes = shaken(box_hexes({1, 1, 1}, {3, 3, 3}), by);
    expect_back_at_rest(tets, on_borders(tets, 3));
    expect_back_at_rest(hexes, on_borders(hexes, 4));
  }
}

TEST(Embedding, PointsOutsideGoToTheNearestCellAndComeBack) {
  const TetMesh tets = box_tets({1, 1, 1}, {4, 4, 4});
  const HexMesh hexes = box_hexes({1, 1, 1}, {4, 4, 4});
  // Beside a face, an edge and a corner; the last is inside.
  const std::vector<Vec3> points{{Real(0.6), Real(0.1), Real(0.1)},
                                 {Real(0.55), Real(0.6), Real(0.1)},
                                 {Real(0.55), Real(0.6), Real(-0.6)},
                                 {Real(0.4), Real(0.4), Real(0.4)}};
  const std::vector<Index> expected{0, 1, 2};
  for (const Embedding& e : {embed(points, tets), embed(points, hexes)}) {
    EXPECT_EQ(e.outside, expected);
    EXPECT_TRUE(e.clamped.empty());
    EXPECT_TRUE(e.unconverged.empty());
    EXPECT_LT(farthest(interpolate(e, e.corners == 4 ? tets.vertices : hexes.vertices), points),
              kTolerance);
  }
  // The hexahedra of a box are cubes: the nearest is where the clamped point is.
  const Embedding e = embed(points, hexes);
  for (std::size_t i = 0; i < points.size(); ++i) {
    Vec3 centre;
    for (const Index v : hexes.cells[e.cells[i]]) centre += hexes.vertices[v] * Real(0.125);
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_LE(std::abs(centre[axis] - std::clamp(points[i][axis], Real(-0.5), Real(0.5))),
                0.125 + kTolerance);
  }
}

TEST(Embedding, PointsFarOutsideArePutAtTheNearestPlace) {
  const std::vector<Vec3> points{{30, 0, Real(0.1)}};
  const TetMesh tets = box_tets({1, 1, 1}, {4, 4, 4});
  const HexMesh hexes = box_hexes({1, 1, 1}, {4, 4, 4});
  for (const Embedding& e : {embed(points, tets), embed(points, hexes)}) {
    EXPECT_EQ(e.outside, std::vector<Index>{0});
    EXPECT_EQ(e.clamped, std::vector<Index>{0});
    const Vec3 back = interpolate(e, e.corners == 4 ? tets.vertices : hexes.vertices)[0];
    EXPECT_LT(length(back - Vec3{Real(0.5), 0, Real(0.1)}), kTolerance);
  }
}

// No point of a fine grid in any cell is nearer.
TEST(Embedding, ClampedPlaceIsTheNearestOfAll) {
  const TetMesh tets = shaken(box_tets({1, 1, 1}, {2, 2, 2}), 0.08);
  std::vector<Vec3> grid;
  constexpr int kParts = 8;
  for (const Tetrahedron& t : tets.cells)
    for (int i = 0; i <= kParts; ++i)
      for (int j = 0; i + j <= kParts; ++j)
        for (int k = 0; i + j + k <= kParts; ++k)
          grid.push_back((tets.vertices[t[0]] * Real(i) + tets.vertices[t[1]] * Real(j) +
                          tets.vertices[t[2]] * Real(k) +
                          tets.vertices[t[3]] * Real(kParts - i - j - k)) *
                         (Real(1) / kParts));
  Random random;
  for (int i = 0; i < 30; ++i) {
    Vec3 p = random.point(-1, 1);
    p = p * (Real(20) / length(p));
    const Embedding e = embed(std::vector<Vec3>{p}, tets);
    ASSERT_EQ(e.clamped.size(), 1u);
    double nearest = INFINITY;
    for (const Vec3& v : grid) nearest = std::min(nearest, double(length(v - p)));
    EXPECT_LE(double(length(interpolate(e, tets.vertices)[0] - p)), nearest + 20 * kTolerance);
    for (const Real w : e.weights) EXPECT_GE(w, 0);
  }
}

TEST(Embedding, FlatCellsAreUsedOnlyWithoutOthers) {
  TetMesh tets = box_tets({1, 1, 1}, {1, 1, 1});
  const Index solid = Index(tets.cells.size());
  // A cell with a corner twice, and one within a face of the box.
  const Index a = tets.cells[0][0], b = tets.cells[0][1], c = tets.cells[0][2];
  tets.vertices.push_back((tets.vertices[a] + tets.vertices[b]) * Real(0.5));
  tets.cells.insert(tets.cells.end(), {{a, b, c, c}, {a, b, c, Index(tets.vertices.size() - 1)}});
  const std::vector<Vec3> points{tets.vertices[a],
                                 (tets.vertices[a] + tets.vertices[b]) * Real(0.5),
                                 {Real(0.1), Real(0.2), Real(0.3)}};
  const Embedding e = embed(points, tets);
  for (const Index cell : e.cells) EXPECT_LT(cell, solid);
  EXPECT_LT(farthest(interpolate(e, tets.vertices), points), kTolerance);

  const TetMesh flat{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, {{0, 1, 2, 3}}};
  const TetMesh line{{{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {{0, 1, 2, 3}}};
  const TetMesh dot{{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}}, {{0, 1, 2, 3}}};
  const std::vector<Vec3> above{{Real(0.5), Real(0.25), 1}};
  const auto where = [&](const auto& mesh) {
    const Embedding one = embed(above, mesh);
    EXPECT_EQ(one.clamped.size(), 1u);
    return interpolate(one, mesh.vertices)[0];
  };
  EXPECT_LT(length(where(flat) - Vec3{Real(0.5), Real(0.25), 0}), kTolerance);
  EXPECT_LT(length(where(line) - Vec3{Real(0.5), 0, 0}), kTolerance);
  EXPECT_EQ(where(dot), (Vec3{1, 1, 1}));

  HexMesh pressed = box_hexes({1, 1, 1}, {1, 1, 1});
  for (Vec3& v : pressed.vertices) v.z = 0;
  EXPECT_LT(length(where(pressed) - Vec3{Real(0.5), Real(0.25), 0}), 1e-5);
}

TEST(Embedding, WedgesAndInvertedHexahedraAreSolvedToo) {
  // Two corners of top and bottom fall together: the map is singular along an edge.
  HexMesh wedge = box_hexes({1, 1, 1}, {1, 1, 1});
  const Hexahedron& h = wedge.cells[0];
  wedge.vertices[h[2]] = wedge.vertices[h[3]];
  wedge.vertices[h[6]] = wedge.vertices[h[7]];
  const std::vector<Vec3> points{{Real(-0.4), Real(-0.2), Real(0.3)},
                                 {Real(-0.45), Real(0.4), Real(-0.2)},
                                 wedge.vertices[h[3]]};
  const Embedding e = embed(points, wedge);
  EXPECT_TRUE(e.outside.empty());
  EXPECT_LT(farthest(interpolate(e, wedge.vertices), points), kTolerance);

  HexMesh inverted = skewed_hexes();
  for (Hexahedron& cell : inverted.cells)
    cell = {cell[4], cell[5], cell[6], cell[7], cell[0], cell[1], cell[2], cell[3]};
  expect_back_at_rest(inverted, Random().points(200, -0.4, 0.4));
}

TEST(Embedding, FarFromTheOriginTheRoundingOfCoordinatesIsNotOutside) {
  HexMesh mesh = box_hexes({1, 1, 1}, {10, 10, 10});
  std::vector<Vec3> points = box_surface({1, 1, 1}, {7, 7, 7}).vertices;
  for (Vec3& v : mesh.vertices) v += Vec3{1000, 0, 0};
  for (Vec3& p : points) p += Vec3{1000, 0, 0};
  const Embedding e = embed(points, mesh);
  EXPECT_TRUE(e.outside.empty()) << e.outside.size();
  EXPECT_LT(farthest(interpolate(e, mesh.vertices), points), 1000 * kTolerance);
}

TEST(Embedding, IsTheSameEachTime) {
  const std::vector<Vec3> points = Random().points(500, -0.8, 0.8);
  const Embedding a = embed(points, skewed_hexes()), b = embed(points, skewed_hexes());
  EXPECT_EQ(a.cells, b.cells);
  EXPECT_EQ(a.weights, b.weights);
}

TEST(Embedding, RefusesWhatItCannotUse) {
  const TetMesh tets = box_tets({1, 1, 1}, {1, 1, 1});
  const std::vector<Vec3> none, one{{0, 0, 0}}, broken{{0, 0, 0}, {0, Real(NAN), 0}};
  EXPECT_EQ(embed(none, tets).size(), 0u);
  EXPECT_TRUE(interpolate(embed(none, tets), tets.vertices).empty());
  expect_error([&] { embed(one, TetMesh{}); }, {"embed", "tetrahedron"});
  expect_error([&] { embed(one, HexMesh{}); }, {"embed", "hexahedron"});
  expect_error([&] { embed(broken, tets); }, {"embed", "point 1", "nan", "finite"});
  TetMesh bad = tets;
  bad.cells[0][2] = 99;
  expect_error([&] { embed(one, bad); }, {"99"});
  bad = tets;
  bad.vertices[3].x = Real(INFINITY);
  expect_error([&] { embed(one, bad); }, {"vertex 3", "not finite"});
  expect_error([&] { interpolate(embed(one, tets), std::span(tets.vertices).first(2)); },
               {"interpolate", "only 2"});
}

}  // namespace
}  // namespace sinew
