// Legacy VTK files.
#include <bit>

#include "unit/format_testing.h"

namespace sinew {
namespace {

const std::string kHead = "# vtk DataFile Version 4.2\na # title\nASCII\n";
const std::string kPoints = "POINTS 8 float\n0 0 0 1 0 0 1 1 0 0 1 0\n0 0 1 1 0 1 1 1 1 0 1 1\n";

const std::string kGrid = kHead + "DATASET UNSTRUCTURED_GRID\n" +
                          "FIELD FieldData 1\nTIME 1 1 double\n0.5\n" + kPoints +
                          "METADATA\nINFORMATION 0\n\n" + R"(CELLS 8 47
4 0 1 2 4
8 0 1 2 3 4 5 6 7
8 0 1 3 2 4 5 7 6
3 0 1 2
4 0 1 2 3
5 0 1 2 3 4
2 0 1
5 0 1 2 3 4
CELL_TYPES 8
10 12 11 5
9 7 3 14
CELL_DATA 8
SCALARS whatever float
)";

const std::string kGrid51 = "# vtk DataFile Version 5.1\nt\nASCII\nDATASET UNSTRUCTURED_GRID\n" +
                            kPoints +
                            "CELLS 3 7\nOFFSETS vtktypeint64\n0 4 7\n"
                            "CONNECTIVITY vtktypeint64\n0 1 2 4\n5 6 7\nCELL_TYPES 2\n10\n5\n";

// A tetrahedron and a triangle, in the style before and after 5.1.
std::string binary_grid(bool offsets) {
  constexpr bool kSwap = std::endian::native == std::endian::little;
  std::string s = "# vtk DataFile Version 5.1\nt\nBINARY\nDATASET UNSTRUCTURED_GRID\n";
  s += "POINTS 4 double\n";
  for (const double x : {0., 0., 0., 1., 0., 0., 0., 1., 0., 0., 0., 1.}) put(s, x, kSwap);
  if (offsets) {
    s += "\nCELLS 3 7\nOFFSETS vtktypeint64\n";
    for (const std::int64_t i : {0, 4, 7}) put(s, i, kSwap);
    s += "\nCONNECTIVITY vtktypeint64\n";
    for (const std::int64_t i : {0, 1, 2, 3, 1, 2, 3}) put(s, i, kSwap);
  } else {
    s += "\nCELLS 2 9\n";
    for (const int i : {4, 0, 1, 2, 3, 3, 1, 2, 3}) put(s, i, kSwap);
  }
  s += "\nCELL_TYPES 2\n";
  for (const int i : {10, 5}) put(s, i, kSwap);
  return s + "\n";
}

TEST(Vtk, ReadsEveryKindOfCell) {
  const MeshFile file = read_as(k_vtk, kGrid);
  ASSERT_EQ(file.vertices.size(), 8u);
  EXPECT_EQ(file.vertices[6], (Vec3{1, 1, 1}));
  EXPECT_EQ(file.tetrahedra, (std::vector<Tetrahedron>{{0, 1, 2, 4}}));
  EXPECT_EQ(file.hexahedra, (std::vector<Hexahedron>(2, {0, 1, 2, 3, 4, 5, 6, 7})));
  EXPECT_EQ(file.triangles, (std::vector<Triangle>{
                                {0, 1, 2}, {0, 1, 2}, {0, 2, 3}, {0, 1, 2}, {0, 2, 3}, {0, 3, 4}}));
  EXPECT_EQ(file.warnings, (std::vector<std::string>{"1 pyramid skipped"}));
}

TEST(Vtk, ReadsOffsetsAndConnectivity) {
  const MeshFile file = read_as(k_vtk, kGrid51);
  EXPECT_EQ(file.tetrahedra, (std::vector<Tetrahedron>{{0, 1, 2, 4}}));
  EXPECT_EQ(file.triangles, (std::vector<Triangle>{{5, 6, 7}}));
}

TEST(Vtk, ReadsBinary) {
  for (const bool offsets : {false, true}) {
    const MeshFile file = read_as(k_vtk, binary_grid(offsets));
    EXPECT_EQ(file.format, "VTK (binary)");
    EXPECT_EQ(file.vertices, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}));
    EXPECT_EQ(file.tetrahedra, (std::vector<Tetrahedron>{{0, 1, 2, 3}}));
    EXPECT_EQ(file.triangles, (std::vector<Triangle>{{1, 2, 3}}));
  }
}

TEST(Vtk, ReadsPolygonsAndStrips) {
  const MeshFile file = read_as(k_vtk, kHead + "DATASET POLYDATA\n" + kPoints +
                                           "LINES 1 3\n2 0 1\nPOLYGONS 1 5\n4 0 1 2 3\n"
                                           "TRIANGLE_STRIPS 1 5\n4 0 1 2 3\n");
  EXPECT_EQ(file.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}, {0, 1, 2}, {2, 1, 3}}));
}

TEST(Vtk, UsesTheCornersOfQuadraticCells) {
  const MeshFile file = read_as(
      k_vtk, kHead + "DATASET UNSTRUCTURED_GRID\n" + kPoints +
                 "CELLS 2 18\n10 0 1 2 4 3 3 3 3 3 3\n6 0 1 2 3 3 3\nCELL_TYPES 2\n24 22\n");
  EXPECT_EQ(file.tetrahedra, (std::vector<Tetrahedron>{{0, 1, 2, 4}}));
  EXPECT_EQ(file.triangles, (std::vector<Triangle>{{0, 1, 2}}));
  EXPECT_EQ(file.warnings,
            (std::vector<std::string>{"1 quadratic tetrahedron: only the corners are used",
                                      "1 quadratic triangle: only the corners are used"}));
}

TEST(Vtk, SaysWhereItIsWrong) {
  const std::string grid = kHead + "DATASET UNSTRUCTURED_GRID\n";
  const auto cells_error = [&](const char* text) { return error_of(k_vtk, grid + kPoints + text); };
  EXPECT_PRED2(contains, cells_error("CELLS 1 5\n4 0 1 2 8\nCELL_TYPES 1\n10\n"),
               "file:9: vertex 8");
  EXPECT_PRED2(contains, cells_error("CELLS 1 4\n3 0 1 2\nCELL_TYPES 1\n10\n"),
               "a tetrahedron cannot have 3 nodes");
  EXPECT_PRED2(contains, cells_error("CELLS 1 5\n4 0 1 2 3\n"), "1 cells, but 0 cell types");
  EXPECT_PRED2(contains, cells_error("CELLS 1 5\n7 0 1 2 3\n"), "file:9: cell 0: 7 nodes");
  EXPECT_PRED2(contains, cells_error("CELLS 1 6\n4 0 1 2 3\n"), "take 5 numbers, not 6");
  EXPECT_PRED2(contains, cells_error("CELLS 999999999 5\n"), "file:8:");
  EXPECT_PRED2(contains, cells_error("9\n"), "file:8: expected a section");
  EXPECT_PRED2(contains,
               cells_error("CELLS 2 3\nOFFSETS vtktypeint64\n0 9\n"
                           "CONNECTIVITY vtktypeint64\n0 1 2\nCELL_TYPES 1\n5\n"),
               "its nodes 0..9");
  EXPECT_PRED2(contains, error_of(k_vtk, grid + "POINTS 1 floats\n0 0 0\n"), "'floats'");
  EXPECT_PRED2(contains, error_of(k_vtk, grid + "POINTS 99999999 float\n0 0 0\n"), "file:5:");
  EXPECT_PRED2(contains, error_of(k_vtk, kHead + "DATASET STRUCTURED_POINTS\n"), "file:4:");
  EXPECT_PRED2(contains, error_of(k_vtk, "nothing\n"), "# vtk DataFile");
  const std::string binary = binary_grid(true);
  EXPECT_PRED2(contains, error_of(k_vtk, binary.substr(0, 150)), "byte ");
}

TEST(Vtk, SurvivesDamage) {
  expect_survives_damage(k_vtk, kGrid, "file", 1500);
  expect_survives_damage(k_vtk, kGrid51, "file", 1500);
  expect_survives_damage(k_vtk, binary_grid(false), "file", 1500);
  expect_survives_damage(k_vtk, binary_grid(true), "file", 1500);
}

}  // namespace
}  // namespace sinew
