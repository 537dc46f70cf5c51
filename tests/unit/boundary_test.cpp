#include <gtest/gtest.h>
#include <sinew/generators.h>

#include "geometry_support.h"

namespace sinew {
namespace {

template <class Cell>
void expect_boundary_encloses(const Mesh<Cell>& solid, double tolerance) {
  const TriMesh surface = boundary(solid);
  EXPECT_EQ(surface.vertices.size(), solid.vertices.size());
  EXPECT_TRUE(is_closed_manifold(surface));
  EXPECT_NEAR(mass_properties(surface, 1).volume, total_measure(solid), tolerance);
}

TEST(Boundary, OfBoxesIsClosedAndOutward) {
  const TriMesh tets = boundary(box_tets({1, 2, 3}, {2, 3, 4}));
  EXPECT_EQ(tets.cells.size(), 2u * 2 * (2 * 3 + 3 * 4 + 4 * 2));
  expect_boundary_encloses(box_tets({1, 2, 3}, {2, 3, 4}), 1e-5);
  expect_boundary_encloses(box_tets({1, 2, 3}, {2, 3, 4}, Split::kSix), 1e-5);
  expect_boundary_encloses(box_hexes({1, 2, 3}, {2, 3, 4}), 1e-5);
}

TEST(Boundary, OfRoundSolids) {
  expect_boundary_encloses(torus_tets(1, Real(0.3), 12, 3), 1e-6);
  expect_boundary_encloses(sphere_tets(1, 5, Split::kSix), 1e-6);
  // The diagonals cut warped faces a little differently from the trilinear patches.
  expect_boundary_encloses(sphere_hexes(1, 6), 0.05);
}

TEST(Boundary, LeavesOutInnerVertices) {
  const HexMesh solid = box_hexes({1, 1, 1}, {2, 2, 2});
  const TriMesh surface = boundary(solid);
  for (const Triangle& t : surface.cells)
    for (const Index v : t) EXPECT_NE(v, 13u);  // the middle of 3×3×3
  EXPECT_EQ(surface.cells.size(), 48u);
}

TEST(Boundary, BadIndexIsNamed) {
  HexMesh mesh = box_hexes({1, 1, 1}, {1, 1, 2});
  mesh.cells[1][7] = 12;
  const std::string message = error_of([&] { boundary(mesh); });
  EXPECT_TRUE(contains(message, "hexahedron 1")) << message;
  EXPECT_TRUE(contains(message, "corner 7")) << message;
}

}  // namespace
}  // namespace sinew
