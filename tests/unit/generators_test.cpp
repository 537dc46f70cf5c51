#include <gtest/gtest.h>
#include <sinew/generators.h>

#include <numbers>

#include "geometry_support.h"

namespace sinew {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr Split kSplits[] = {Split::kFive, Split::kSix};

void expect_bounds(const std::vector<Vec3>& vertices, Vec3 lower, Vec3 upper) {
  const Bounds box = bounds(vertices);
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_NEAR(box.lower[axis], lower[axis], 1e-6);
    EXPECT_NEAR(box.upper[axis], upper[axis], 1e-6);
  }
}

// Positive cells that fit together, and nothing to mend.
void expect_sound(TetMesh mesh, double least_quality) {
  EXPECT_GE(min_quality(mesh), least_quality);
  EXPECT_TRUE(is_closed_manifold(boundary(mesh)));
  const MendReport report = mend(mesh);
  EXPECT_FALSE(report.changed()) << report.summary();
}
void expect_sound(TriMesh mesh) {
  EXPECT_TRUE(is_closed_manifold(mesh));
  const MendReport report = mend(mesh);
  EXPECT_FALSE(report.changed()) << report.summary();
}

TEST(Generators, Box) {
  const HexMesh hexes = box_hexes({1, 2, 3}, {2, 3, 4});
  EXPECT_EQ(hexes.vertices.size(), 60u);
  EXPECT_EQ(hexes.cells.size(), 24u);
  EXPECT_NEAR(min_measure(hexes), 0.25, 1e-6);
  expect_bounds(hexes.vertices, {-0.5, -1, -1.5}, {0.5, 1, 1.5});
  EXPECT_EQ(box_tets({1, 2, 3}, {2, 3, 4}).cells.size(), 120u);
  EXPECT_EQ(box_tets({1, 2, 3}, {2, 3, 4}, Split::kSix).cells.size(), 144u);
  for (const Split split : kSplits) {
    const TetMesh tets = box_tets({2, 2, 2}, {3, 4, 5}, split);
    expect_sound(tets, 0.6);
    EXPECT_NEAR(total_measure(tets), 8, 1e-5);
  }
}

TEST(Generators, BoxSurfaceIsThatOfTheSolid) {
  const TriMesh surface = box_surface({1, 2, 3}, {2, 3, 4});
  expect_sound(surface);
  EXPECT_EQ(surface.cells.size(), boundary(box_hexes({1, 2, 3}, {2, 3, 4})).cells.size());
  EXPECT_EQ(surface.vertices.size(), 60u - 1 * 2 * 3);
  EXPECT_NEAR(total_measure(surface), 22, 1e-5);
  expect_bounds(surface.vertices, {-0.5, -1, -1.5}, {0.5, 1, 1.5});
}

TEST(Generators, BarCellsAreNearlyCubic) {
  const HexMesh bar = bar_hexes(4, 1, 2, 3);
  EXPECT_EQ(bar.cells.size(), 12u * 3 * 6);
  expect_bounds(bar.vertices, {0, -0.5, -1}, {4, 0.5, 1});
  EXPECT_EQ(bar_hexes(Real(0.1), 1, 1, 2).cells.size(), 4u);  // never less than one cell
  expect_sound(bar_tets(4, 1, 2, 3), 0.7);
  expect_sound(bar_tets(4, 1, 2, 3, Split::kSix), 0.7);
}

TEST(Generators, RoundSolidsHaveWellShapedCells) {
  for (const int n : {1, 2, 3, 4, 5, 8, 13}) {
    SCOPED_TRACE(n);
    // Six: cells stay well shaped however fine. Five: those at the corners flatten as 1/n.
    const double five = 1.0 / (n + 1);
    expect_sound(sphere_tets(2, n, Split::kSix), 0.6);
    expect_sound(sphere_tets(2, n, Split::kFive), five);
    expect_sound(cylinder_tets(1, 2, n, n, Split::kSix), 0.6);
    expect_sound(cylinder_tets(1, 2, n, n, Split::kFive), five);
    expect_sound(torus_tets(1, Real(0.3), 8 * n, n, Split::kSix), 0.5);
    expect_sound(torus_tets(1, Real(0.3), 8 * n, n, Split::kFive), five);
  }
  expect_sound(torus_tets(1, Real(0.4), 9, 3, Split::kSix), 0.1);
  expect_sound(torus_tets(1, Real(0.9), 4, 1, Split::kFive), 0.01);
}

TEST(Generators, RoundSolidsReachTheirSizeAndConvergeToTheirVolume) {
  expect_bounds(sphere_hexes(2, 6).vertices, {-2, -2, -2}, {2, 2, 2});
  expect_bounds(cylinder_hexes(1, 4, 6, 2).vertices, {-1, -2, -1}, {1, 2, 1});
  expect_bounds(torus_hexes(2, Real(0.5), 16, 4).vertices, {-2.5, -0.5, -2.5}, {2.5, 0.5, 2.5});
  double sphere = 1, cylinder = 1, torus = 1;  // relative errors
  for (const int n : {4, 8, 16}) {
    const auto error = [](double volume, double exact) { return 1 - volume / exact; };
    const double s = error(total_measure(sphere_hexes(2, n)), 4 * kPi / 3 * 8);
    const double c = error(total_measure(cylinder_hexes(1, 3, n, 2)), 3 * kPi);
    const double t =
        error(total_measure(torus_hexes(1, Real(0.3), 8 * n, n)), 2 * kPi * kPi * 0.09);
    EXPECT_LT(s, 0.3 * sphere);
    EXPECT_LT(c, 0.3 * cylinder);
    EXPECT_LT(t, 0.3 * torus);
    EXPECT_GT(std::min({s, c, t}), 0);
    sphere = s, cylinder = c, torus = t;
  }
  EXPECT_LT(sphere, 0.01);
  EXPECT_LT(cylinder, 0.01);
  EXPECT_LT(torus, 0.01);
}

TEST(Generators, HexahedraAreNowhereInverted) {
  // The corner tetrahedra of a hexahedron have the sign of its Jacobian there.
  constexpr int kCorner[8][4] = {{0, 1, 3, 4}, {1, 2, 0, 5}, {2, 3, 1, 6}, {3, 0, 2, 7},
                                 {4, 7, 5, 0}, {5, 4, 6, 1}, {6, 5, 7, 2}, {7, 6, 4, 3}};
  for (const HexMesh& mesh : {sphere_hexes(1, 1), sphere_hexes(1, 7), sphere_hexes(1, 12),
                              cylinder_hexes(1, 1, 9, 3), torus_hexes(1, Real(0.5), 21, 6)}) {
    TetMesh corners{mesh.vertices, {}};
    for (const Hexahedron& h : mesh.cells)
      for (const auto& c : kCorner) corners.cells.push_back({h[c[0]], h[c[1]], h[c[2]], h[c[3]]});
    EXPECT_GT(min_quality(corners), 0.1);
  }
}

TEST(Generators, RoundSurfaces) {
  const TriMesh ball = sphere_surface(2, 3);
  EXPECT_EQ(ball.cells.size(), 20u * 64);
  EXPECT_EQ(ball.vertices.size(), 642u);
  for (const Vec3& v : ball.vertices) EXPECT_NEAR(length(v), 2, 1e-6);
  EXPECT_EQ(sphere_surface(1, 0).cells.size(), 20u);
  for (const TriMesh& mesh :
       {ball, torus_surface(1, Real(0.3), 3, 3), torus_surface(1, Real(0.3), 20, 9),
        cylinder_surface(1, 2, 3, 1), cylinder_surface(1, 2, 16, 4),
        capsule_surface(1, Real(0.1), 3), capsule_surface(Real(0.2), 2, 13)})
    expect_sound(mesh);

  EXPECT_NEAR(mass_properties(torus_surface(1, Real(0.3), 96, 64), 1).volume, 2 * kPi * kPi * 0.09,
              0.005);
  EXPECT_NEAR(mass_properties(cylinder_surface(1, 2, 96, 2), 1).volume, 2 * kPi, 0.01);
  const TriMesh capsule = capsule_surface(Real(0.5), 1, 64);
  EXPECT_NEAR(mass_properties(capsule, 1).volume, kPi * 0.25 * 2 + 4 * kPi / 3 * 0.125, 0.01);
  expect_bounds(capsule.vertices, {-0.5, -1.5, -0.5}, {0.5, 1.5, 0.5});
}

TEST(Generators, ClothFacesUpAndAlternates) {
  const TriMesh sheet = cloth(2, 3, 4, 5);
  EXPECT_EQ(sheet.cells.size(), 40u);
  EXPECT_EQ(sheet.vertices.size(), 30u);
  expect_bounds(sheet.vertices, {-1, 0, -1.5}, {1, 0, 1.5});
  for (const auto& [a, b, c] : sheet.cells) {
    const Vec3* v = sheet.vertices.data();
    EXPECT_GT(cross(v[b] - v[a], v[c] - v[a]).y, 0);
  }
  std::vector<int> meeting(sheet.vertices.size(), 0);
  for (const Triangle& t : sheet.cells)
    for (const Index v : t) ++meeting[v];
  EXPECT_EQ(meeting[6], 8);  // neighbours in the interior: 8 and 4 in turn
  EXPECT_EQ(meeting[7], 4);
}

TEST(Generators, Rope) {
  const LineMesh line = rope(3, 6);
  EXPECT_EQ(line.cells.size(), 6u);
  EXPECT_EQ(line.vertices.back(), (Vec3{3, 0, 0}));
  EXPECT_EQ(line.cells[5], (Segment{5, 6}));
  EXPECT_NEAR(measure(line, 2), 0.5, 1e-6);
}

TEST(Generators, BadArgumentsAreNamed) {
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  const Real infinity = std::numeric_limits<Real>::infinity();
  const auto expect = [](const std::string& message, const char* part) {
    EXPECT_TRUE(contains(message, part)) << "'" << message << "' lacks '" << part << "'";
  };
  expect(error_of([] { box_hexes({1, 1, 1}, {2, 0, 2}); }), "cells[1] is 0");
  expect(error_of([] { box_surface({1, 1, 1}, {2, 2, -3}); }), "cells[2] is -3");
  expect(error_of([&] { box_tets({1, nan, 1}, {2, 2, 2}); }), "size.y is nan");
  expect(error_of([&] { bar_tets(infinity, 1, 1, 2); }), "length is inf");
  expect(error_of([] { bar_tets(1, 1, 1, 0); }), "cells_across is 0");
  expect(error_of([] { sphere_tets(-1, 2); }), "radius is -1");
  expect(error_of([] { sphere_surface(1, -1); }), "subdivisions is -1");
  expect(error_of([] { torus_hexes(1, 1, 8, 2); }), "tube_radius is 1");
  expect(error_of([] { torus_hexes(1, Real(0.5), 2, 2); }), "cells_around is 2");
  expect(error_of([] { torus_surface(1, Real(0.5), 8, 2); }), "cells_tube is 2");
  expect(error_of([] { cylinder_hexes(1, 0, 2, 2); }), "height is 0");
  expect(error_of([] { cylinder_surface(1, 1, 8, 0); }), "cells_high is 0");
  expect(error_of([] { capsule_surface(1, 0, 8); }), "half_height is 0");
  expect(error_of([] { cloth(1, 1, 3, 0); }), "cells_z is 0");
  expect(error_of([] { rope(1, 0); }), "segments is 0");
}

TEST(Generators, AbsurdCountsAreRefusedAtOnce) {
  constexpr int kHuge = std::numeric_limits<int>::max();
  EXPECT_TRUE(contains(error_of([] { box_hexes({1, 1, 1}, {kHuge, kHuge, kHuge}); }), "fewer"));
  EXPECT_TRUE(contains(error_of([] { box_surface({1, 1, 1}, {1, kHuge, 1}); }), "fewer"));
  EXPECT_TRUE(contains(error_of([] { bar_hexes(1, 1, 1, kHuge); }), "fewer"));
  EXPECT_TRUE(contains(error_of([] { bar_hexes(Real(1e30), Real(1e-6), 1, 1); }), "fewer"));
  EXPECT_TRUE(contains(error_of([] { sphere_hexes(1, kHuge); }), "fewer"));
  EXPECT_TRUE(contains(error_of([] { sphere_surface(1, kHuge); }), "fewer"));
  EXPECT_TRUE(contains(error_of([] { torus_surface(1, Real(0.1), kHuge, kHuge); }), "fewer"));
  EXPECT_TRUE(contains(error_of([] { cylinder_surface(1, 1, kHuge, kHuge); }), "fewer"));
  EXPECT_TRUE(contains(error_of([] { capsule_surface(Real(1e-9), 1, 100); }), "fewer"));
  EXPECT_TRUE(contains(error_of([] { cloth(1, 1, kHuge, kHuge); }), "fewer"));
  EXPECT_TRUE(contains(error_of([] { rope(1, kHuge); }), "fewer"));
}

TEST(Split, OddRingNeedsSix) {
  const std::string message = error_of([] { torus_tets(1, Real(0.3), 9, 2, Split::kFive); });
  EXPECT_TRUE(contains(message, "cells_around is 9")) << message;
  EXPECT_TRUE(contains(message, "even number, or split them into six")) << message;
  const HexMesh ring = torus_hexes(1, Real(0.3), 9, 2);
  EXPECT_TRUE(contains(error_of([&] { split(ring, Split::kFive); }), "odd number"));
  expect_sound(split(ring, Split::kSix), 0.1);
}

TEST(Split, KeepsVolumeAndVertices) {
  const HexMesh box = box_hexes({1, 2, 3}, {2, 3, 2});
  for (const Split how : kSplits) {
    const TetMesh tets = split(box, how);
    EXPECT_EQ(tets.vertices, box.vertices);
    EXPECT_NEAR(total_measure(tets), 6, 1e-5);
  }
}

TEST(Split, SixRefusesNeighboursThatDisagree) {
  HexMesh box = box_hexes({2, 1, 1}, {2, 1, 1});
  Hexahedron& h = box.cells[1];  // a quarter turn about x
  h = {h[3], h[2], h[6], h[7], h[0], h[1], h[5], h[4]};
  EXPECT_GT(measure(box, 1), 0);
  EXPECT_TRUE(contains(error_of([&] { split(box, Split::kSix); }), "different diagonals"));
  expect_sound(split(box, Split::kFive), 0.7);
}

}  // namespace
}  // namespace sinew
