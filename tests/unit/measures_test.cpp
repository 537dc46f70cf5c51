#include <gtest/gtest.h>
#include <sinew/generators.h>

#include <numeric>

#include "geometry_support.h"

namespace sinew {
namespace {

const TetMesh kUnitTet{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2, 3}}};

TEST(Measures, SimpleCells) {
  EXPECT_DOUBLE_EQ(measure(LineMesh{{{1, 2, 3}, {1, 5, 7}}, {{0, 1}}}, 0), 5);
  EXPECT_DOUBLE_EQ(measure(TriMesh{{{0, 0, 0}, {2, 0, 0}, {0, 0, 3}}, {{0, 1, 2}}}, 0), 3);
  EXPECT_DOUBLE_EQ(measure(kUnitTet, 0), 1.0 / 6);
  TetMesh inverted = kUnitTet;
  std::swap(inverted.cells[0][0], inverted.cells[0][1]);
  EXPECT_DOUBLE_EQ(measure(inverted, 0), -1.0 / 6);
}

TEST(Measures, HexahedronIsTheTrilinearVolume) {
  HexMesh box = box_hexes({2, 3, 4}, {1, 1, 1});
  EXPECT_NEAR(measure(box, 0), 24, 1e-12);

  // A unit cube with corner 6 moved by (a, b, c): the map gains ξηζ (a, b, c), and
  // det J = 1 + a ηζ + b ξζ + c ξη integrates to 1 + (a + b + c)/4.
  HexMesh pulled = box_hexes({1, 1, 1}, {1, 1, 1});
  pulled.vertices[pulled.cells[0][6]] += Vec3{0.5, 0.25, -0.125};
  EXPECT_NEAR(measure(pulled, 0), 1 + (0.5 + 0.25 - 0.125) / 4, 1e-12);

  // Turning the top by 90° gives a saddle-sided solid: ∫ det J = ∫ ((1-ζ)² + ζ²) = 2/3.
  HexMesh twisted = box_hexes({1, 1, 1}, {1, 1, 1});
  Hexahedron& h = twisted.cells[0];
  h = {h[0], h[1], h[2], h[3], h[5], h[6], h[7], h[4]};
  EXPECT_NEAR(measure(twisted, 0), 2.0 / 3, 1e-12);
}

TEST(Measures, QualityIsOneWhenRegularAndSigned) {
  const TetMesh regular{{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}, {{0, 2, 1, 3}}};
  EXPECT_NEAR(std::abs(quality(regular, 0)), 1, 1e-12);
  TetMesh other = regular;
  std::swap(other.cells[0][0], other.cells[0][1]);
  EXPECT_NEAR(quality(other, 0), -quality(regular, 0), 1e-12);
  // The corner of a cube: V = 1/6, edges 1 1 1 √2 √2 √2.
  EXPECT_NEAR(quality(kUnitTet, 0), 12 * std::pow(0.5, 2.0 / 3) / 9, 1e-12);
  const TetMesh flat{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, {{0, 1, 2, 3}}};
  EXPECT_EQ(quality(flat, 0), 0);
}

TEST(Measures, TotalIsExactForManySmallCells) {
  EXPECT_NEAR(total_measure(box_tets({1, 1, 1}, {20, 20, 20})), 1, 1e-6);
  EXPECT_NEAR(total_measure(rope(3, 1000)), 3, 1e-6);
  EXPECT_NEAR(total_measure(cloth(2, 3, 7, 5)), 6, 1e-5);
}

TEST(Measures, LumpedMassesShareEachCellEqually) {
  const std::vector<Real> tet = lumped_masses(kUnitTet, 24);
  EXPECT_EQ(tet, std::vector<Real>(4, 1));
  const std::vector<Real> line = lumped_masses(rope(2, 2), 3);
  EXPECT_EQ(line, (std::vector<Real>{1.5, 3, 1.5}));
  const std::vector<Real> hexes = lumped_masses(box_hexes({1, 2, 3}, {4, 4, 4}), 100);
  EXPECT_NEAR(std::accumulate(hexes.begin(), hexes.end(), 0.0), 600, 1e-3);
  TetMesh inverted = kUnitTet;
  std::swap(inverted.cells[0][0], inverted.cells[0][1]);
  EXPECT_EQ(lumped_masses(inverted, 24), tet);
}

TEST(Measures, BadInputIsNamed) {
  for (const double density : {0.0, -1.0, std::nan(""), HUGE_VAL})
    EXPECT_TRUE(contains(error_of([&] { lumped_masses(kUnitTet, Real(density)); }), "density"))
        << density;
  TetMesh wild = kUnitTet;
  wild.cells[0][2] = 9;
  EXPECT_TRUE(contains(error_of([&] { lumped_masses(wild, 1); }), "vertex 9"));
  EXPECT_TRUE(contains(error_of([&] { total_measure(wild); }), "vertex 9"));
}

TEST(Measures, BoundsOfPointsAndOfNothing) {
  const std::vector<Vec3> points{{1, -2, 3}, {-1, 5, 0}};
  const Bounds box = bounds(points);
  EXPECT_EQ(box.lower, (Vec3{-1, -2, 0}));
  EXPECT_EQ(box.upper, (Vec3{1, 5, 3}));
  const Bounds none = bounds({});
  EXPECT_GT(none.lower.x, none.upper.x);
  EXPECT_GT(none.lower.z, none.upper.z);
}

}  // namespace
}  // namespace sinew
