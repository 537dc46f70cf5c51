#include <gtest/gtest.h>
#include <sinew/generators.h>

#include <numbers>

#include "geometry_support.h"

namespace sinew {
namespace {

constexpr double kPi = std::numbers::pi;

TEST(MassProperties, BoxIsExact) {
  const MassProperties p = mass_properties(box_surface({1, 2, 4}, {3, 2, 1}), 10);
  EXPECT_NEAR(p.volume, 8, 1e-5);
  EXPECT_NEAR(p.mass, 80, 1e-4);
  EXPECT_NEAR(length(p.center), 0, 1e-6);
  EXPECT_NEAR(p.inertia(0, 0), 80.0 / 12 * (4 + 16), 1e-4);
  EXPECT_NEAR(p.inertia(1, 1), 80.0 / 12 * (1 + 16), 1e-4);
  EXPECT_NEAR(p.inertia(2, 2), 80.0 / 12 * (1 + 4), 1e-4);
  EXPECT_NEAR(p.inertia(0, 1), 0, 1e-5);
  EXPECT_NEAR(p.inertia(1, 2), 0, 1e-5);
}

TEST(MassProperties, CornerTetrahedronHasProductsOfInertia) {
  const TriMesh tet{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                    {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};
  const MassProperties p = mass_properties(tet, 6);
  EXPECT_NEAR(p.mass, 1, 1e-12);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(p.center[i], 0.25, 1e-12);
    // About the corner ∫x² = 1/10 and ∫xy = 1/20; about the centre 1/16 less.
    EXPECT_NEAR(p.inertia(i, i), 2 * (0.1 - 1.0 / 16), 1e-12);
    EXPECT_NEAR(p.inertia(i, (i + 1) % 3), -(0.05 - 1.0 / 16), 1e-12);
  }
}

TEST(MassProperties, SphereConverges) {
  double last = 1;
  for (const int n : {1, 2, 3, 4}) {
    const MassProperties p = mass_properties(sphere_surface(2, n), 3);
    const double volume_error = 1 - p.volume / (4 * kPi / 3 * 8);
    EXPECT_GT(volume_error, 0);
    EXPECT_LT(volume_error, last * 0.3);
    EXPECT_NEAR(p.inertia(0, 0) / p.mass, 0.4 * 4, 3 * volume_error);
    EXPECT_NEAR(p.inertia(1, 1) / p.inertia(2, 2), 1, 1e-5);
    last = volume_error;
  }
  EXPECT_LT(last, 0.004);
}

TEST(MassProperties, MovesAndTurnsWithTheMesh) {
  const TriMesh mesh = capsule_surface(Real(0.5), 1, 12);
  TriMesh moved = mesh;
  const Pose pose{{64, -128, 32}, Quat::from_axis_angle({1, 2, 3}, Real(0.7))};
  transform(moved, pose);
  const MassProperties a = mass_properties(mesh, 1000), b = mass_properties(moved, 1000);
  EXPECT_NEAR(b.volume / a.volume, 1, 1e-4);
  EXPECT_NEAR(b.center.x, 64, 1e-4);
  EXPECT_NEAR(b.center.y, -128, 1e-4);
  const Mat3 r = pose.orientation.matrix();
  Mat3T<double> rotation;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) rotation(i, j) = static_cast<double>(r(i, j));
  const Mat3T<double> expected = rotation * a.inertia * transpose(rotation);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      EXPECT_NEAR(b.inertia(i, j), expected(i, j), 2e-4 * trace(a.inertia));
}

TEST(MassProperties, OpenSurfaceNamesTheEdge) {
  TriMesh open = box_surface({1, 1, 1}, {1, 1, 1});
  const Triangle missing = open.cells.back();
  open.cells.pop_back();
  const std::string message = error_of([&] { mass_properties(open, 1); });
  EXPECT_TRUE(contains(message, "not closed")) << message;
  bool names_edge = false;
  for (int k = 0; k < 3; ++k) {
    const auto [a, b] = std::minmax(missing[k], missing[(k + 1) % 3]);
    names_edge |= contains(message, "vertex " + std::to_string(a) + " to " + std::to_string(b));
  }
  EXPECT_TRUE(names_edge) << message;
}

TEST(MassProperties, BadSurfacesAreRefused) {
  TriMesh twisted = box_surface({1, 1, 1}, {1, 1, 1});
  std::swap(twisted.cells[4][0], twisted.cells[4][1]);
  EXPECT_TRUE(contains(error_of([&] { mass_properties(twisted, 1); }), "opposite sides"));

  TriMesh inside_out = box_surface({1, 1, 1}, {2, 2, 2});
  for (Triangle& t : inside_out.cells) std::swap(t[0], t[1]);
  EXPECT_TRUE(contains(error_of([&] { mass_properties(inside_out, 1); }), "inside out"));

  const TriMesh flat{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 1}}};
  EXPECT_TRUE(contains(error_of([&] { mass_properties(flat, 1); }), "no volume"));
  EXPECT_TRUE(contains(error_of([] { mass_properties({}, 1); }), "no volume"));

  TriMesh nan = box_surface({1, 1, 1}, {1, 1, 1});
  nan.vertices[3].y = std::numeric_limits<Real>::quiet_NaN();
  EXPECT_TRUE(contains(error_of([&] { mass_properties(nan, 1); }), "vertex 3"));
  const TriMesh box = box_surface({1, 1, 1}, {1, 1, 1});
  EXPECT_TRUE(contains(error_of([&] { mass_properties(box, -2); }), "density is -2"));
}

}  // namespace
}  // namespace sinew
