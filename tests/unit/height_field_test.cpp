#include <sinew/error.h>

#include "collision/height_field_data.h"
#include "geometry_support.h"
#include "surface_support.h"

namespace sinew {
namespace {

HeightFieldData hills(int columns, int rows, double rough) {
  RandomPoints random(2);
  std::vector<Real> heights;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column)
      heights.push_back(
          Real(std::sin(0.5 * column) * std::cos(0.3 * row) + random.number(-rough, rough)));
  return HeightFieldData(columns, rows, Real(0.3), Real(0.4), heights);
}

TEST(HeightField, TrianglesLieWhereTheyAreSaidTo) {
  const std::vector<Real> heights = {1, 2, 3, 4, 5, 6};
  const HeightFieldData field(3, 2, 2, 10, heights);
  EXPECT_EQ(field.triangle_count(), 4u);
  EXPECT_EQ(field.bounds(), (Aabb{{-2, 1, -5}, {2, 6, 5}}));
  Vec3 c[3];
  field.triangle(0, c);
  EXPECT_EQ(c[0], (Vec3{-2, 1, -5}));
  EXPECT_EQ(c[1], (Vec3{-2, 4, 5}));
  EXPECT_EQ(c[2], (Vec3{0, 5, 5}));
  field.triangle(3, c);
  EXPECT_EQ(c[0], (Vec3{0, 2, -5}));
  EXPECT_EQ(c[1], (Vec3{2, 6, 5}));
  EXPECT_EQ(c[2], (Vec3{2, 3, -5}));
}

TEST(HeightField, QueriesAgreeWithPlainLoops) {
  check_queries(hills(17, 23, 0.1), {4, 2, 6}, {1, 1, 1}, 1);
  check_queries(hills(2, 2, 0.1), {1, 1, 1}, {1, 1, 1}, 2);
}

TEST(HeightField, RaysAgreeWithPlainLoops) {
  check_rays(hills(17, 23, 0.1), {4, 2, 6}, 1);
  check_rays(hills(30, 2, 0.3), {6, 2, 1}, 2);
}

TEST(HeightField, ClosestPointsAgreeWithPlainLoops) {
  check_nearest(hills(17, 23, 0.1), {4, 2, 6}, 1);
}

TEST(HeightField, EdgesKnowTheirNeighbours) {
  check_edges(hills(9, 6, 0.3), 2 * (8 + 5));
  check_edges(hills(2, 2, 0.3), 4);
  check_edges(HeightFieldData(5, 5, 1, 1, std::vector<Real>(25, Real(3))), 16);
}

TEST(HeightField, NoRaySlipsThroughBetweenCells) {
  const HeightFieldData field(17, 17, Real(0.1), Real(0.1), std::vector<Real>(289, Real(0.7)));
  for (int x = 0; x < 17; ++x)
    for (int z = 0; z < 17; ++z) {
      const Vec3 from{Real(x - 8) * Real(0.1), 3, Real(z - 8) * Real(0.1)};
      const auto hit = field.cast_ray(from, {0, -5, 0}, 1);
      ASSERT_TRUE(hit.has_value()) << x << ", " << z;
      EXPECT_NEAR(double(hit->fraction), 2.3 / 5, 1e-6);
    }
  EXPECT_FALSE(field.cast_ray({Real(0.81), 3, 0}, {0, -5, 0}, 1));
}

TEST(HeightField, CliffsHaveNormals) {
  const std::vector<Real> heights = {0, Real(1e30), 0, Real(1e30)};
  const HeightFieldData field(2, 2, Real(1e-3), 1, heights);
  EXPECT_NEAR(double(length(field.normal(0))), 1, 1e-6);
  EXPECT_NEAR(double(field.normal(1).x), -1, 1e-6);
}

TEST(HeightField, BadGridsAreRefused) {
  const auto message = [](int columns, int rows, Real spacing, std::vector<Real> heights) {
    return error_of([&] { HeightFieldData field(columns, rows, spacing, 1, heights); });
  };
  EXPECT_TRUE(contains(message(1, 5, 1, std::vector<Real>(5)), "1 columns"));
  EXPECT_TRUE(contains(message(3, 3, 1, std::vector<Real>(8)), "there must be 9"));
  EXPECT_TRUE(contains(message(3, 3, 0, std::vector<Real>(9)), "spacing is 0"));
  std::vector<Real> bad(9);
  bad[5] = std::numeric_limits<Real>::quiet_NaN();
  EXPECT_TRUE(contains(message(3, 3, 1, bad), "column 2, row 1"));
}

}  // namespace
}  // namespace sinew
