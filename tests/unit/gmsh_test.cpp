// Gmsh .msh files, 2.2 and 4.1, ASCII and binary.
#include "unit/format_testing.h"

namespace sinew {
namespace {

// Tags with gaps and out of order; every node is at (tag, 2·tag, 0).
const char* const kAscii2 = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
1
3 1 "flesh # $Nodes"
$EndPhysicalNames
$Nodes
5
10 10 20 0
1000000 1000000 2000000 0
3 3 6 0
4 4 8 0
7 7 14 0
$EndNodes
$Elements
7
1 15 2 0 1 3
2 1 2 0 1 3 4
3 4 2 0 1 3 4 7 10
4 2 0 3 4 1000000
5 3 3 0 1 9 3 4 7 10
6 7 2 0 1 3 4 7 10 1000000
7 9 2 0 1 3 4 7 10 10 10
$EndElements
$NodeData
1
whatever
$EndNodeData
)";

const char* const kAscii4 = R"($MeshFormat
4.1 0 8
$EndMeshFormat
$Entities
0 0 0 1
1 0 0 0 1 1 1 0 0
$EndEntities
$Nodes
2 5 3 1000000
2 1 1 2
3
4
3 6 0 0.5 0.5
4 8 0 0.25 0.75
3 1 0 3
7
10
1000000
7 14 0
10 20 0
1000000 2000000 0
$EndNodes
$Elements
3 4 1 4
1 1 1 1
1 3 4
2 1 3 1
2 3 4 7 10
3 1 4 2
3 3 4 7 10
4 4 7 10 1000000
$EndElements
)";

// One tetrahedron and one triangle over nodes 5 6 7 8, in either byte order.
std::string binary_2(bool swapped) {
  std::string s = "$MeshFormat\n2.2 1 8\n";
  put(s, 1, swapped);
  s += "\n$EndMeshFormat\n$Nodes\n4\n";
  for (int tag = 5; tag < 9; ++tag) {
    put(s, tag, swapped);
    for (const double x : {double(tag), 2.0 * tag, 0.0}) put(s, x, swapped);
  }
  s += "\n$EndNodes\n$Elements\n2\n";
  for (const int i : {2, 1, 2, 1, 0, 1, 5, 6, 7}) put(s, i, swapped);
  for (const int i : {4, 1, 2, 2, 0, 1, 5, 6, 7, 8}) put(s, i, swapped);
  return s + "\n$EndElements\n";
}

std::string binary_4(bool swapped) {
  std::string s = "$MeshFormat\n4.1 1 8\n";
  put(s, 1, swapped);
  s += "\n$EndMeshFormat\n$Entities\n";
  s.append("\0\0#\n\0 bytes", 10).append("\n$EndEntities\n$Nodes\n");
  const auto sizes = [&](std::initializer_list<std::uint64_t> list) {
    for (const std::uint64_t i : list) put(s, i, swapped);
  };
  const auto ints = [&](std::initializer_list<int> list) {
    for (const int i : list) put(s, i, swapped);
  };
  sizes({1, 4, 5, 8});
  ints({3, 1, 0});
  sizes({4, 5, 6, 7, 8});
  for (int tag = 5; tag < 9; ++tag)
    for (const double x : {double(tag), 2.0 * tag, 0.0}) put(s, x, swapped);
  s += "\n$EndNodes\n$Elements\n";
  sizes({2, 2, 1, 2});
  ints({2, 1, 2});
  sizes({1, 1, 5, 6, 7});
  ints({3, 1, 4});
  sizes({1, 2, 5, 6, 7, 8});
  return s + "\n$EndElements\n";
}

TEST(Gmsh, ReadsAscii2WithSparseTags) {
  const MeshFile file = read_as(k_gmsh, kAscii2);
  EXPECT_EQ(file.format, "Gmsh 2.2");
  ASSERT_EQ(file.vertices.size(), 5u);
  EXPECT_EQ(file.vertices[1], (Vec3{1000000, 2000000, 0}));
  EXPECT_EQ(file.tetrahedra, (std::vector<Tetrahedron>{{2, 3, 4, 0}}));
  EXPECT_EQ(file.triangles, (std::vector<Triangle>{{2, 3, 1}, {2, 3, 4}, {2, 4, 0}, {2, 3, 4}}));
  EXPECT_EQ(file.warnings,
            (std::vector<std::string>{"1 pyramid skipped",
                                      "1 6-node triangle: only the corners are used"}));
}

TEST(Gmsh, ReadsAscii4WithParameters) {
  const MeshFile file = read_as(k_gmsh, kAscii4);
  EXPECT_EQ(file.format, "Gmsh 4.1");
  ASSERT_EQ(file.vertices.size(), 5u);
  EXPECT_EQ(file.vertices[1], (Vec3{4, 8, 0}));
  EXPECT_EQ(file.vertices[4], (Vec3{1000000, 2000000, 0}));
  EXPECT_EQ(file.tetrahedra, (std::vector<Tetrahedron>{{0, 1, 2, 3}, {1, 2, 3, 4}}));
  EXPECT_EQ(file.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}}));
  EXPECT_TRUE(file.warnings.empty());
}

TEST(Gmsh, ReadsBinaryInEitherByteOrder) {
  for (const bool swapped : {false, true})
    for (const std::string& bytes : {binary_2(swapped), binary_4(swapped)}) {
      const MeshFile file = read_as(k_gmsh, bytes);
      ASSERT_EQ(file.vertices.size(), 4u);
      EXPECT_EQ(file.vertices[3], (Vec3{8, 16, 0}));
      EXPECT_EQ(file.tetrahedra, (std::vector<Tetrahedron>{{0, 1, 2, 3}}));
      EXPECT_EQ(file.triangles, (std::vector<Triangle>{{0, 1, 2}}));
    }
}

TEST(Gmsh, ReadsParametricNodes) {
  const MeshFile file = read_as(k_gmsh,
                                "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$ParametricNodes\n3\n"
                                "1 0 0 0 0 1\n2 1 0 0 1 1 0.5\n3 0 1 0 2 1 0.5 0.5\n"
                                "$EndParametricNodes\n$Elements\n1\n1 2 2 0 1 1 2 3\n"
                                "$EndElements\n");
  EXPECT_EQ(file.vertices, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}));
  EXPECT_EQ(file.triangles, (std::vector<Triangle>{{0, 1, 2}}));
}

TEST(Gmsh, SaysWhereItIsWrong) {
  const std::string head = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n";
  const std::string nodes = head + "$Nodes\n1\n1 0 0 0\n$EndNodes\n";
  EXPECT_PRED2(contains, error_of(k_gmsh, nodes + "$Elements\n1\n1 2 0 1 1 2\n$EndElements\n"),
               "file:10: node 2");
  EXPECT_PRED2(contains, error_of(k_gmsh, nodes + "$Elements\n1\n1 99 0 1 1 2\n$EndElements\n"),
               "file:10: element type 99");
  EXPECT_PRED2(contains, error_of(k_gmsh, nodes + "$Elements\n999999999\n1 2 0 1 1 1\n"),
               "file:9:");
  EXPECT_PRED2(contains, error_of(k_gmsh, head + "$Nodes\n2\n1 0 0 0\n$EndNodes\n"), "file:7:");
  EXPECT_PRED2(contains, error_of(k_gmsh, head + "$Nodes\n0\n1 0 0 0\n$EndNodes\n"), "$EndNodes");
  EXPECT_PRED2(contains, error_of(k_gmsh, head + "$Periodic\n1\n"), "'$EndPeriodic'");
  EXPECT_PRED2(contains, error_of(k_gmsh, "$MeshFormat\n4 0 8\n$EndMeshFormat\n"), "msh41");
  EXPECT_PRED2(contains, error_of(k_gmsh, "$MeshFormat\n2.2 1 4\n"), "data size is 4");
  const std::string binary = binary_4(false);
  EXPECT_PRED2(contains, error_of(k_gmsh, binary.substr(0, binary.size() - 40)), "byte ");
  std::string lying = binary;  // the number of nodes in the block
  const std::size_t count = lying.find("$Nodes\n") + 7 + 4 * 8 + 3 * 4;
  lying[count + 6] = 1;
  EXPECT_PRED2(contains, error_of(k_gmsh, lying), "the count wrong");
}

TEST(Gmsh, SurvivesDamage) {
  expect_survives_damage(k_gmsh, kAscii2, "file", 1500);
  expect_survives_damage(k_gmsh, kAscii4, "file", 1500);
  expect_survives_damage(k_gmsh, binary_2(true), "file", 1500);
  expect_survives_damage(k_gmsh, binary_4(false), "file", 1500);
}

}  // namespace
}  // namespace sinew
