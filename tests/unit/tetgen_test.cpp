// TetGen .node, .ele and .face files.
#include "core/atomic_file.h"
#include "unit/format_testing.h"
#include "unit/temp_dir.h"

namespace sinew {
namespace {

const char* const kNode = R"(# vertices
5 3 1 1   # count, dimension, attributes, markers
1  0 0 0  9.5 1
2  1 0 0  9.5 1

3  0 1 0  9.5 0  # inside
4  0 0 1  9.5 1
5  1 1 1  9.5 1
)";
const char* const kEle = "2 4 1\n1 1 2 3 4 17\n2 2 3 4 5 17\n# end\n";
const char* const kFace = "1 1\n1 1 2 3 -1\n";

MeshFile read_file_as_tetgen(const std::filesystem::path& path) {
  return read_as(k_tetgen, read_file(path), path);
}

TEST(TetGen, FindsTheOtherFileWhicheverIsGiven) {
  const TempDir dir;
  dir.file("a.1.node", kNode);
  dir.file("a.1.ele", kEle);
  for (const char* given : {"a.1.node", "a.1.ele"}) {
    const MeshFile file = read_file_as_tetgen(dir.path() / given);
    ASSERT_EQ(file.vertices.size(), 5u);
    EXPECT_EQ(file.vertices[4], (Vec3{1, 1, 1}));
    EXPECT_EQ(file.tetrahedra, (std::vector<Tetrahedron>{{0, 1, 2, 3}, {1, 2, 3, 4}}));
    EXPECT_TRUE(file.triangles.empty());
  }
  dir.file("a.1.face", kFace);
  EXPECT_EQ(read_file_as_tetgen(dir.path() / "a.1.ele").triangles,
            (std::vector<Triangle>{{0, 1, 2}}));
}

TEST(TetGen, CountsFromZeroIfTheFileDoes) {
  const TempDir dir;
  dir.file("a.node", "4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n");
  const auto ele = dir.file("a.ele", "1 4 0\n0 0 1 2 3\n");
  EXPECT_EQ(read_file_as_tetgen(ele).tetrahedra, (std::vector<Tetrahedron>{{0, 1, 2, 3}}));
}

TEST(TetGen, TakesAnExtensionInCapitals) {
  const TempDir dir;
  dir.file("a.node", kNode);
  EXPECT_EQ(read_as(k_tetgen, kEle, dir.path() / "a.ELE").tetrahedra.size(), 2u);
}

TEST(TetGen, UsesTheCornersOfTenNodeTetrahedra) {
  const TempDir dir;
  dir.file("a.node", kNode);
  const auto ele = dir.file("a.ele", "1 10 0\n1  1 2 3 4  5 5 5 5 5 5\n");
  const MeshFile file = read_file_as_tetgen(ele);
  EXPECT_EQ(file.tetrahedra, (std::vector<Tetrahedron>{{0, 1, 2, 3}}));
  EXPECT_EQ(file.warnings,
            (std::vector<std::string>{"1 10-node tetrahedron: only the corners are used"}));
}

TEST(TetGen, SaysWhichFileIsMissing) {
  const TempDir dir;
  EXPECT_PRED2(contains, error_of(k_tetgen, kEle, dir.path() / "a.ele"), "no file a.node");
  EXPECT_PRED2(contains, error_of(k_tetgen, kNode, dir.path() / "a.node"), "no file a.ele");
}

TEST(TetGen, SaysWhereItIsWrong) {
  const TempDir dir;
  const auto node = dir.file("a.node", kNode);
  const auto ele = dir.path() / "a.ele";
  const auto ele_error = [&](const char* text) { return error_of(k_tetgen, text, ele); };
  EXPECT_PRED2(contains, ele_error("1 4 0\n1 1 2 3 6\n"), "a.ele:2: vertex 6");
  EXPECT_PRED2(contains, ele_error("1 4 0\n1 0 1 2 3\n"), "a.ele:2: vertex 0");
  EXPECT_PRED2(contains, ele_error("1 4 0\n1 1 2 3\n4\n"), "a.ele:2:");
  EXPECT_PRED2(contains, ele_error("2 4 0\n1 1 2 3 4\n"), "cut short");
  EXPECT_PRED2(contains, ele_error("9000000000 4 0\n1 1 2 3 4\n"), "a.ele:1:");
  EXPECT_PRED2(contains, ele_error("1 5 0\n1 1 2 3 4 5\n"), "4 or 10");
  EXPECT_PRED2(contains, ele_error(""), "cut short");

  dir.file("a.ele", kEle);
  const auto node_error = [&](const char* text) { return error_of(k_tetgen, text, node); };
  EXPECT_PRED2(contains, node_error("1 2 0 0\n1 0 0\n"), "dimension is 2");
  EXPECT_PRED2(contains, node_error("1 3 0 0\n5 0 0 0\n"), "must be 0 or 1");
  EXPECT_PRED2(contains, node_error("2 3 0 0\n1 0 0 0\n3 0 0 0\n"), "a.node:3: vertex 3");
  EXPECT_PRED2(contains, node_error("1 3 0 0\n1 0 zero 0\n"), "a.node:2:");
}

TEST(TetGen, SurvivesDamage) {
  const TempDir dir;
  dir.file("a.node", kNode);
  dir.file("a.ele", kEle);
  expect_survives_damage(k_tetgen, kEle, dir.path() / "a.ele", 1500);
  expect_survives_damage(k_tetgen, kNode, dir.path() / "a.node", 1500);
}

}  // namespace
}  // namespace sinew
