// Medit .mesh files.
#include <sstream>

#include "unit/format_testing.h"

namespace sinew {
namespace {

const char* const kTwoCells = R"(MeshVersionFormatted 2
# a comment
Dimension
3
Vertices 8
0 0 0 7
1 0 0 7
1 1 0 7
0 1 0 7
0 0 1 7
1 0 1 7
1 1 1 7   # the last
0 1 1 7
Edges 2
1 2 0  2 3 0
RequiredVertices
1
5
Tetrahedra
1
1 2 3 5 0
Hexahedra
1
1 2 3 4 5 6 7 8 0
Quadrilaterals
1
1 4 3 2 0
Triangles
1
6 7 8 0
Pyramids
2
1 2 3 4 5 0
5 6 7 8 1 0
End
)";

TEST(Medit, ReadsEveryKindOfCell) {
  const MeshFile file = read_as(k_medit, kTwoCells);
  ASSERT_EQ(file.vertices.size(), 8u);
  EXPECT_EQ(file.vertices[6], (Vec3{1, 1, 1}));
  EXPECT_EQ(file.tetrahedra, (std::vector<Tetrahedron>{{0, 1, 2, 4}}));
  EXPECT_EQ(file.hexahedra, (std::vector<Hexahedron>{{0, 1, 2, 3, 4, 5, 6, 7}}));
  EXPECT_EQ(file.triangles, (std::vector<Triangle>{{0, 3, 2}, {0, 2, 1}, {5, 6, 7}}));
  EXPECT_EQ(file.warnings, (std::vector<std::string>{"2 pyramids skipped"}));
}

TEST(Medit, TakesCellsBeforeVerticesAndTwoDimensions) {
  const MeshFile file = read_as(k_medit,
                                "MeshVersionFormatted 1\nDimension 2\nTriangles 1\n1 2 3 0\n"
                                "Vertices 3\n0 0 0\n2 0 0\n0 3 0\n");
  EXPECT_EQ(file.vertices, (std::vector<Vec3>{{0, 0, 0}, {2, 0, 0}, {0, 3, 0}}));
  EXPECT_EQ(file.triangles, (std::vector<Triangle>{{0, 1, 2}}));
}

TEST(Medit, SaysWhereItIsWrong) {
  const std::string head = "MeshVersionFormatted 1\nDimension 3\nVertices\n2\n0 0 0 0\n1 0 0 0\n";
  EXPECT_PRED2(contains, error_of(k_medit, head + "Tetrahedra\n1\n1 2 3 1 0\n"),
               "file:9: vertex 3");
  EXPECT_PRED2(contains, error_of(k_medit, head + "Tetrahedra\n1\n0 1 2 1 0\n"),
               "file:9: vertex 0");
  EXPECT_PRED2(contains, error_of(k_medit, head + "Tetrahedra\n4000000000\n"), "file:8:");
  EXPECT_PRED2(contains, error_of(k_medit, head + "1 1 1 0\n"), "file:7: expected a section");
  EXPECT_PRED2(contains, error_of(k_medit, head + "Vertices\n1\n0 0 0 0\n"), "second");
  EXPECT_PRED2(contains, error_of(k_medit, "MeshVersionFormatted 1\nDimension 4\n"), "2 or 3");
  EXPECT_PRED2(contains, error_of(k_medit, "MeshVersionFormatted 1\nVertices\n9999999999\n"),
               "file:3:");
  EXPECT_PRED2(contains, error_of(k_medit, std::string("\1\0\0\0\3\0\0\0", 8)), "ASCII .mesh");
  EXPECT_PRED2(contains, error_of(k_medit, "v 0 0 0\n"), "MeshVersionFormatted");
}

TEST(Medit, RecognisesItsContent) {
  EXPECT_TRUE(k_medit.recognises("# made by hand\n\n MeshVersionFormatted 1\n"));
  EXPECT_FALSE(k_medit.recognises("v 0 0 0\n"));
}

TEST(Medit, WritesWhatItReads) {
  const std::vector<Vec3> vertices{{0, 0, 0},  {1, 0, 0}, {Real(1) / 3, 1, 0}, {0, 1, Real(1e-7)},
                                   {-1, 0, 1}, {1, 0, 1}, {1, 1, 1},           {0, 1, 1}};
  std::ostringstream triangles, tetrahedra, hexahedra;
  k_medit.write_triangles(triangles, {vertices, {{0, 1, 2}, {5, 6, 7}}});
  k_medit.write_tetrahedra(tetrahedra, {vertices, {{0, 1, 2, 4}}});
  k_medit.write_hexahedra(hexahedra, {vertices, {{0, 1, 2, 3, 4, 5, 6, 7}}});
  EXPECT_EQ(read_as(k_medit, tetrahedra.str()).vertices, vertices);
  EXPECT_EQ(read_as(k_medit, triangles.str()).triangles,
            (std::vector<Triangle>{{0, 1, 2}, {5, 6, 7}}));
  EXPECT_EQ(read_as(k_medit, tetrahedra.str()).tetrahedra,
            (std::vector<Tetrahedron>{{0, 1, 2, 4}}));
  EXPECT_EQ(read_as(k_medit, hexahedra.str()).hexahedra,
            (std::vector<Hexahedron>{{0, 1, 2, 3, 4, 5, 6, 7}}));
}

TEST(Medit, SurvivesDamage) { expect_survives_damage(k_medit, kTwoCells); }

}  // namespace
}  // namespace sinew
