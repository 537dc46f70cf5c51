#include <gtest/gtest.h>
#include <sinew/generators.h>

#include <set>

#include "geometry_support.h"

namespace sinew {
namespace {

template <class Cell>
std::vector<int> colours_of(const Mesh<Cell>& mesh) {
  return colour_cells(std::span<const Cell>(mesh.cells), mesh.vertices.size());
}

// No two cells of one colour at a vertex, no colour left out. Returns the number of colours.
template <class Cell>
int expect_valid(const Mesh<Cell>& mesh, const std::vector<int>& colours) {
  EXPECT_EQ(colours.size(), mesh.cells.size());
  std::set<std::pair<Index, int>> seen;
  std::set<int> used;
  for (std::size_t c = 0; c < colours.size(); ++c) {
    used.insert(colours[c]);
    for (const Index v : mesh.cells[c])
      EXPECT_TRUE(seen.insert({v, colours[c]}).second) << "cell " << c << " vertex " << v;
  }
  EXPECT_EQ(*used.begin(), 0);
  EXPECT_EQ(*used.rbegin(), static_cast<int>(used.size()) - 1);
  return static_cast<int>(used.size());
}

TEST(Colouring, FewAndBalanced) {
  const TetMesh tets = box_tets({1, 1, 1}, {12, 12, 12});
  const std::vector<int> colours = colours_of(tets);
  const int count = expect_valid(tets, colours);
  EXPECT_LE(count, 40);  // 32 cells meet at a vertex
  std::vector<std::size_t> sizes(count, 0);
  for (const int colour : colours) ++sizes[colour];
  const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
  EXPECT_LT(*most, 2 * *least);
}

TEST(Colouring, GridsNeedNoMoreThanTheirDegree) {
  const HexMesh hexes = box_hexes({1, 1, 1}, {5, 6, 7});
  EXPECT_EQ(expect_valid(hexes, colours_of(hexes)), 8);
  const LineMesh line = rope(1, 9);
  EXPECT_EQ(expect_valid(line, colours_of(line)), 2);
  const TriMesh sheet = cloth(1, 1, 9, 9);
  EXPECT_LE(expect_valid(sheet, colours_of(sheet)), 12);  // 8 triangles meet at a vertex
}

TEST(Colouring, MoreThan64Colours) {
  LineMesh star;
  star.vertices.resize(301);
  for (Index i = 1; i <= 300; ++i) star.cells.push_back({0, i});
  EXPECT_EQ(expect_valid(star, colours_of(star)), 300);
  const TriMesh fan = cylinder_surface(1, 1, 150, 2);
  EXPECT_LE(expect_valid(fan, colours_of(fan)), 160);
}

TEST(Colouring, OddInput) {
  EXPECT_TRUE(colours_of(TetMesh{}).empty());
  const TriMesh repeated{std::vector<Vec3>(3), {{0, 0, 1}, {0, 1, 2}, {2, 2, 2}}};
  const std::vector<int> colours = colours_of(repeated);
  EXPECT_NE(colours[0], colours[1]);
  EXPECT_NE(colours[1], colours[2]);
  TriMesh wild = repeated;
  wild.cells[1][1] = 3;
  EXPECT_TRUE(contains(error_of([&] { colours_of(wild); }), "triangle 1: corner 1 is vertex 3"));
}

TEST(Colouring, SameTwice) {
  const TetMesh mesh = sphere_tets(1, 6);
  EXPECT_EQ(colours_of(mesh), colours_of(mesh));
}

}  // namespace
}  // namespace sinew
