// The one entry to all mesh formats: choosing, checking, wanting one kind of cell, writing.
#include <gtest/gtest.h>
#include <sinew/error.h>
#include <sinew/mesh_io.h>

#include <limits>

#include "core/atomic_file.h"
#include "support.h"
#include "unit/temp_dir.h"

namespace sinew {
namespace {

const char* const kTriangleObj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
const char* const kTrianglePly =
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
    "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
    "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
const TriMesh kTriangle{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};

TEST(MeshIo, ContentDecidesWhereTheExtensionLies) {
  const TempDir dir;
  EXPECT_EQ(read_mesh(dir.file("a.OBJ", kTriangleObj)).format, "OBJ");
  EXPECT_EQ(read_mesh(dir.file("a.data", kTriangleObj)).format, "OBJ");
  EXPECT_EQ(read_mesh(dir.file("ply_of_no_name", kTrianglePly)).format, "PLY (text)");
  EXPECT_EQ(read_mesh(dir.file("ply_named.obj", kTrianglePly)).format, "PLY (text)");
  EXPECT_EQ(read_mesh(dir.file("obj_named.stl", kTriangleObj)).format, "OBJ");
  expect_error([&] { read_mesh(dir.file("a.txt", "hello")); },
               {"a.txt: no known mesh format", ".obj", ".ply", ".stl"});
}

TEST(MeshIo, FilesThatAreNotThere) {
  const TempDir dir;
  expect_error([&] { read_mesh(dir.path() / "none.obj"); }, {"none.obj: cannot read"});
  expect_error([&] { read_mesh(dir.path()); }, {"is a directory"});
  expect_error([&] { read_mesh(dir.file("a.obj", "")); }, {"a.obj: the file is empty"});
  expect_error([&] { read_mesh(dir.file("a.obj", "# nothing\n")); },
               {"a.obj: no triangles, tetrahedra or hexahedra"});
}

TEST(MeshIo, NumbersTooLargeForRealAreNotFinite) {
  const TempDir dir;
  const std::string huge = std::is_same_v<Real, double> ? "1e309" : "1e39";
  expect_error([&] { read_mesh(dir.file("a.obj", "v 0 0 " + huge + "\n" + kTriangleObj)); },
               {"a.obj", "not finite"});
}

TEST(MeshIo, WantedCellsMayBeMissing) {
  const TempDir dir;
  const auto path = dir.file("a.obj", kTriangleObj);
  expect_error([&] { read_tetrahedra(path); }, {"a.obj: no tetrahedra; it has 1 triangles"});
  expect_error([&] { read_hexahedra(path); }, {"a.obj: no hexahedra; it has 1 triangles"});
}

TEST(MeshIo, ReadTrianglesMends) {
  const TempDir dir;
  MendReport report;
  const TriMesh mesh = read_triangles(
      dir.file("a.obj", std::string(kTriangleObj) + "v 1 0 0\nv 1 1 0\nv 0 1 0\nv 9 9 9\n"
                                                    "f 4 5 6\nf 1 1 2\n"),
      &report);
  EXPECT_EQ(mesh.vertices.size(), 4u);
  EXPECT_EQ(mesh.cells.size(), 2u);
  EXPECT_EQ(report.welded, 2u);
  EXPECT_EQ(report.degenerate, 1u);
  EXPECT_EQ(report.unused, 1u);
}

TEST(MeshIo, MendingErrorsNameTheFile) {
  const TempDir dir;
  expect_error([&] { read_triangles(dir.file("a.obj", "v 0 0 0\nf 1 1 1\n")); }, {"a.obj: "});
}

TEST(MeshIo, WritesOnlyWhatIsPossible) {
  const TempDir dir;
  expect_error([&] { write_mesh(dir.path() / "a.stl", kTriangle); },
               {"a.stl: cannot write triangles as '.stl'", ".obj", ".ply"});
  expect_error([&] { write_mesh(dir.path() / "a", kTriangle); }, {"as ''", ".obj"});
  const TetMesh tet{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2, 3}}};
  expect_error([&] { write_mesh(dir.path() / "a.obj", tet); },
               {"a.obj: cannot write tetrahedra as '.obj'"});
  expect_error([&] { write_mesh(dir.path() / "no" / "a.obj", kTriangle); }, {"cannot write"});
  EXPECT_TRUE(std::filesystem::is_empty(dir.path()));
}

TEST(MeshIo, RefusesToWriteBrokenMeshesAndKeepsTheOldFile) {
  const TempDir dir;
  const auto path = dir.file("a.obj", "old");
  TriMesh bad = kTriangle;
  bad.cells[0][2] = 3;
  expect_error([&] { write_mesh(path, bad); }, {"triangle 0 has vertex 3, but there are 3"});
  bad = kTriangle;
  bad.vertices[1].y = std::numeric_limits<Real>::infinity();
  expect_error([&] { write_mesh(path, bad); }, {"vertex 1", "not finite"});
  expect_error([&] { write_mesh(path, TriMesh{}); }, {"no triangles to write"});
  EXPECT_EQ(read_file(path), "old");
  write_mesh(path, kTriangle);
  EXPECT_EQ(read_file(path), kTriangleObj);
}

}  // namespace
}  // namespace sinew
