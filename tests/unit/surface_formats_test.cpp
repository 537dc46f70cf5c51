// OBJ, PLY and STL: what they may look like, what is wrong with broken ones, and the way back.
#include <gtest/gtest.h>
#include <sinew/error.h>
#include <sinew/mesh_io.h>

#include <cmath>
#include <limits>
#include <random>
#include <sstream>

#include "io/byte_cursor.h"
#include "mesh_format_list.h"
#include "unit/temp_dir.h"

namespace sinew {
namespace {

using Triangles = std::vector<Triangle>;

// What the file of that name and content holds, or the error it gives.
struct Reading {
  MeshFile mesh{};
  std::string error = "no error";
};
Reading reading(const std::string& name, std::string_view content) {
  const TempDir dir;
  try {
    return {read_mesh(dir.file(name, content))};
  } catch (const Error& e) {
    return {{}, e.what()};
  }
}
MeshFile mesh_of(const std::string& name, std::string_view content) {
  const Reading r = reading(name, content);
  EXPECT_EQ(r.error, "no error");
  return r.mesh;
}
void expect_error(const std::string& name, std::string_view content, const char* part) {
  const Reading r = reading(name, content);
  EXPECT_NE(r.error.find(part), std::string::npos) << r.error << "\n  lacks: " << part;
}

// --- OBJ ----------------------------------------------------------------------------------------

TEST(Obj, ReadsEveryFormOfCorner) {
  const MeshFile mesh = mesh_of("a.obj",
                                "# cube corner\r\nmtllib x.mtl\r\no thing\r\n"
                                "v 0 0 0 1 0.5 0.5\r\nv 1 0 0\r\nv 1 1 0\nv 0 1 -1.5e-1 # end\n"
                                "vt 0 0\nvn 0 0 1\ns off\nusemtl red\n"
                                "f 1 2 3\nf 1/1 2/1 3/1\nf 1//1 2//1 3//1\nf 1/1/1 3/1/1 4/1/1\n"
                                "f -4 -3 \\\n -2 -1\n\tf 4 3 1");
  EXPECT_EQ(mesh.format, "OBJ");
  ASSERT_EQ(mesh.vertices.size(), 4u);
  EXPECT_EQ(mesh.vertices[3], (Vec3{0, 1, Real(-0.15)}));
  EXPECT_EQ(
      mesh.triangles,
      (Triangles{{0, 1, 2}, {0, 1, 2}, {0, 1, 2}, {0, 2, 3}, {0, 1, 2}, {0, 2, 3}, {3, 2, 0}}));
  EXPECT_TRUE(mesh.warnings.empty());
}

TEST(Obj, FacesMayComeBeforeTheirVertices) {
  EXPECT_EQ(mesh_of("a.OBJ", "f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n").triangles,
            (Triangles{{0, 1, 2}}));
}

TEST(Obj, SaysWhatItSkips) {
  const MeshFile mesh =
      mesh_of("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nl 1 2\nl 2 3\np 1\nf 1 2\nf 1 2 3\n");
  EXPECT_EQ(mesh.triangles.size(), 1u);
  EXPECT_EQ(mesh.warnings,
            (std::vector<std::string>{"2 lines skipped", "1 points skipped",
                                      "1 faces of fewer than three corners skipped"}));
}

TEST(Obj, NamesTheLineOfWhatIsWrong) {
  const std::string points = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  expect_error("a.obj", points + "f 1 2 4\nf 1 2 3\n", "a.obj:4: vertex 4");
  expect_error("a.obj", points + "f 1 2 0\n", "a.obj:4: vertex 0");
  expect_error("a.obj", points + "f 1 2 -4\n", "a.obj:4: vertex -4");
  expect_error("a.obj", points + "f 1 2 99999999999\n", "a.obj:4: vertex 99999999999");
  expect_error("a.obj", points + "f 1 2 x\n", "a.obj:4: expected a vertex index, found 'x'");
  expect_error("a.obj", points + "f 1 2 /3\n", "a.obj:4: expected a vertex index");
  expect_error("a.obj", "\nv 0 0\n" + points, "a.obj:2: expected a coordinate, found the end");
  expect_error("a.obj", "v 0 nan 0\n" + points, "a.obj:1: ");
  expect_error("a.obj", "v 0 0 1e999\n" + points, "a.obj:1: ");
  expect_error("a.obj", points, "no triangles, tetrahedra or hexahedra");
  expect_error("a.obj", points + "l 1 2", "1 lines skipped");
}

TEST(Obj, ReadsManyFaces) {
  constexpr int kSide = 224;  // 2·223² = 99,458 triangles
  std::ostringstream text;
  for (int i = 0; i < kSide * kSide; ++i)
    text << "v " << i % kSide * 0.01 << ' ' << i / kSide * 0.01 << " 0.125\n";
  for (int y = 0; y + 1 < kSide; ++y)
    for (int x = 0; x + 1 < kSide; ++x) {
      const int a = y * kSide + x + 1;
      text << "f " << a << "//1 " << a + 1 << "//1 " << a + kSide + 1 << "//1 " << a + kSide
           << "//1\n";
    }
  const MeshFile mesh = mesh_of("a.obj", text.str());
  EXPECT_EQ(mesh.vertices.size(), 50176u);
  EXPECT_EQ(mesh.triangles.size(), 99458u);
  EXPECT_EQ(mesh.triangles.back(), (Triangle{49950, 50175, 50174}));
}

// --- PLY ----------------------------------------------------------------------------------------

// A square with everything a PLY file may have: another property order, types and elements.
const char* const kRichHeader =
    "comment made by hand\nobj_info nothing\n"
    "element camera 1\nproperty double angle\nproperty list uchar short frames\n"
    "element vertex 4\nproperty uchar red\nproperty double z\nproperty float x\n"
    "property list int int rings\nproperty short y\n"
    "element face 2\nproperty float quality\nproperty list ushort uint vertex_index\n"
    "property list uchar float texcoord\n"
    "end_header\n";

std::string rich_binary(std::endian order) {
  std::ostringstream out;
  out << "ply\nformat binary_" << (order == std::endian::big ? "big" : "little") << "_endian 1.0\n"
      << kRichHeader;
  put(out, 1.5, order);
  put(out, std::uint8_t{2});
  for (std::int16_t frame : {7, 8}) put(out, frame, order);
  for (int i = 0; i < 4; ++i) {
    put(out, std::uint8_t{255});
    put(out, 0.25, order);
    put(out, i == 1 || i == 2 ? 1.0f : 0.0f, order);
    put(out, std::int32_t{i}, order);
    for (std::int32_t k = 0; k < i; ++k) put(out, k, order);
    put(out, static_cast<std::int16_t>(i / 2), order);
  }
  for (std::uint16_t corners : {4, 3}) {
    put(out, std::numeric_limits<float>::quiet_NaN(), order);
    put(out, corners, order);
    for (std::uint32_t k = 0; k < corners; ++k) put(out, k, order);
    put(out, std::uint8_t{1});
    put(out, 0.5f, order);
  }
  return out.str();
}

void expect_rich(const MeshFile& mesh) {
  EXPECT_EQ(mesh.vertices,
            (std::vector<Vec3>{
                {0, 0, Real(0.25)}, {1, 0, Real(0.25)}, {1, 1, Real(0.25)}, {0, 1, Real(0.25)}}));
  EXPECT_EQ(mesh.triangles, (Triangles{{0, 1, 2}, {0, 2, 3}, {0, 1, 2}}));
}

TEST(Ply, ReadsBinaryOfBothByteOrders) {
  for (const std::endian order : {std::endian::little, std::endian::big}) {
    const MeshFile mesh = mesh_of("a.ply", rich_binary(order));
    EXPECT_EQ(mesh.format, "PLY (binary)");
    expect_rich(mesh);
  }
}

TEST(Ply, ReadsText) {
  const MeshFile mesh = mesh_of("a.ply", "ply\r\nformat ascii 1.0\r\n" + std::string(kRichHeader) +
                                             "1.5 2 7 8\n255 0.25 0 0 0\n255 0.25 1 1 0 0\n"
                                             "255 0.25 1 2 0 1 1\n255 .25 0 3 0 1 2 1\n"
                                             "nan 4 0 1 2 3 1 0.5\nnan 3 0 1 2 1 0.5\n");
  EXPECT_EQ(mesh.format, "PLY (text)");
  expect_rich(mesh);
}

TEST(Ply, EveryTruncationIsAnError) {
  const std::string whole = rich_binary(std::endian::little);
  for (std::size_t size = 1; size < whole.size(); ++size)
    ASSERT_THROW(k_ply.read({"a.ply", std::string_view(whole).substr(0, size)}), Error) << size;
  expect_error("a.ply", whole.substr(0, whole.size() - 1), "a.ply: byte ");
}

std::string small_ply(const std::string& vertices, const std::string& faces,
                      const std::string& body, const std::string& format = "ascii") {
  return "ply\nformat " + format + " 1.0\nelement vertex " + vertices +
         "\nproperty float x\nproperty float y\nproperty float z\nelement face " + faces +
         "\nproperty list uchar int vertex_indices\nend_header\n" + body;
}

TEST(Ply, CountsThatLieAreErrorsBeforeMemoryIsTaken) {
  for (const char* format : {"ascii", "binary_little_endian", "binary_big_endian"})
    for (const char* count : {"4000000000", "9223372036854775807"}) {
      const std::string body = "0 0 0 1 0 0 0 1 0 3 0 1 2\n";
      expect_error("a.ply", small_ply(count, "1", body, format), "bytes are left");
      expect_error("a.ply", small_ply("2", count, body, format), "bytes are left");
    }
  expect_error("a.ply", small_ply("-1", "1", ""), "a.ply:3: ");
  expect_error("a.ply", small_ply("99999999999999999999", "1", ""), "a.ply:3: ");
  // Nothing to read, however often, takes no time.
  expect_error("a.ply", "ply\nformat ascii 1.0\nelement air 9223372036854775807\nend_header\n",
               "no triangles");
  expect_error("a.ply",
               "ply\nformat binary_little_endian 1.0\nelement face 1\n"
               "property list uint int vertex_indices\nend_header\n\xff\xff\xff\xff",
               "byte ");
}

TEST(Ply, NamesThePlaceOfWhatIsWrong) {
  const std::string points = "0 0 0\n1 0 0\n0 1 0\n";
  EXPECT_EQ(mesh_of("a.ply", small_ply("3", "1", points + "3 0 1 2\n")).triangles.size(), 1u);
  expect_error("a.ply", small_ply("3", "1", points + "3 0 1 3\n"), "a.ply:13: vertex 3 is outside");
  expect_error("a.ply", small_ply("3", "1", points + "3 0 1 -1\n"), "a.ply:13: vertex -1");
  expect_error("a.ply", small_ply("3", "1", points + "-3 0 1 2\n"), "a.ply:13: a list of length");
  expect_error("a.ply", small_ply("3", "1", "0 0 x\n" + points), "a.ply:10: expected a number");
  expect_error("a.ply", small_ply("3", "1", "0 nan 0\n1 0 0\n0 1 0\n3 0 1 2"), "a.ply:10: ");
  expect_error("a.ply", small_ply("3", "0", points), "no triangles, tetrahedra or hexahedra");
  expect_error("a.ply", "ply\nformat odd 1.0\n", "a.ply:2: unknown format 'odd'");
  expect_error("a.ply", "ply\nproperty float x\n", "a.ply:2: a property before");
  expect_error("a.ply", "ply\nelement vertex 1\nproperty half x\n", "a.ply:3: unknown property");
  expect_error("a.ply", "ply\nelement vertex 1\nend_header\n", "no format line");
  expect_error("a.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty int x\nend_header\n0\n",
               "x, y and z");
  expect_error("a.ply", "plyx\n", "a.ply:1: not a PLY file");
}

TEST(Ply, BinaryCoordinatesMustBeFinite) {
  std::ostringstream out;
  for (float x : {0.f, 0.f, 0.f, 1.f, std::numeric_limits<float>::quiet_NaN(), 0.f, 0.f, 1.f, 0.f})
    put(out, x);
  out << '\3';
  for (std::int32_t i : {0, 1, 2}) put(out, i);
  expect_error("a.ply", small_ply("3", "1", out.str(), "binary_little_endian"),
               "vertex 1 (counted from 0) is at (1, nan, 0): not finite");
}

// --- STL ----------------------------------------------------------------------------------------

std::string binary_stl(const std::string& header, std::uint32_t count, std::uint32_t written) {
  std::ostringstream out;
  out << header << std::string(80 - header.size(), ' ');
  put(out, count);
  for (std::uint32_t i = 0; i < written; ++i) {
    for (float x : {0.f, 0.f, 1.f, 0.f, 0.f, float(i), 1.f, 0.f, float(i), 0.f, 1.f, float(i)})
      put(out, x);
    put(out, std::uint16_t{0});
  }
  return out.str();
}

TEST(Stl, ReadsBinaryEvenWhenItBeginsLikeText) {
  for (const char* header : {"made by hand", "solid part", "solid facet endsolid"}) {
    const MeshFile mesh = mesh_of("a.stl", binary_stl(header, 2, 2));
    EXPECT_EQ(mesh.format, "STL (binary)");
    ASSERT_EQ(mesh.vertices.size(), 6u);
    EXPECT_EQ(mesh.vertices[4], (Vec3{1, 0, 1}));
    EXPECT_EQ(mesh.triangles, (Triangles{{0, 1, 2}, {3, 4, 5}}));
  }
  EXPECT_EQ(mesh_of("a.stl", binary_stl("x", 1, 1) + "tail").warnings.size(), 1u);
}

const std::string kFacet =
    "  FACET normal 0 0 1\n outer loop\n  vertex 0 0 0\n  vertex 1e0 0 0\n  vertex 0 1 0\n"
    " endloop\n endfacet\n";

TEST(Stl, ReadsTextOfSeveralSolids) {
  const MeshFile mesh = mesh_of("a.stl", "solid a b # c\r\n" + kFacet + kFacet +
                                             "endsolid a\nSOLID\n" + kFacet + "ENDSOLID\n");
  EXPECT_EQ(mesh.format, "STL (text)");
  EXPECT_EQ(mesh.vertices.size(), 9u);
  EXPECT_EQ(mesh.triangles, (Triangles{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}}));
  EXPECT_TRUE(mesh.warnings.empty());
  EXPECT_EQ(mesh_of("a.stl", "solid\n" + kFacet).warnings.size(), 1u);
}

TEST(Stl, NamesThePlaceOfWhatIsWrong) {
  expect_error("a.stl", binary_stl("x", 3, 2), "a.stl: byte 84: 3 triangles");
  expect_error("a.stl", binary_stl("solid x", 3, 2), "a.stl: byte 84: 3 triangles");
  expect_error("a.stl", binary_stl("x", 0xffffffffu, 1), "a.stl: byte 84: 4294967295 triangles");
  expect_error("a.stl", binary_stl("x", 1, 1).substr(0, 82), "a.stl: byte 80: ");
  expect_error("a.stl", "short", "a.stl: byte 0: ");
  expect_error("a.stl", binary_stl("x", 0, 0), "no triangles, tetrahedra or hexahedra");
  expect_error("a.stl", "solid\nendsolid\n", "no triangles, tetrahedra or hexahedra");
  expect_error("a.stl", "solid\n" + kFacet.substr(0, kFacet.find("  vertex 0 1")), "cut short");
  expect_error("a.stl", "solid\nfacet\nvertex 0 0 0\nendloop\n", "a.stl:4: a facet of 1 vertices");
  expect_error("a.stl", "solid\nfacet\nvertex 0 inf 0\n", "a.stl:3: ");
  expect_error("a.stl", "solid\nfacet\nnonsense\n", "a.stl:3: unknown statement 'nonsense'");
}

// --- all of them --------------------------------------------------------------------------------

// Damaged files give a mesh or an Error, nothing else; the sanitizer builds see what this one
// cannot.
TEST(SurfaceFormats, SurviveRandomDamage) {
  const std::pair<const MeshFormat*, std::string> samples[] = {
      {&k_obj, "v 0 0 0\nv 1 0 0\nv 0 1e-1 0\nf 1/1 2/2 \\\n -1//3 # x\nl 1 2\n"},
      {&k_ply, rich_binary(std::endian::little)},
      {&k_ply, rich_binary(std::endian::big)},
      {&k_ply, small_ply("3", "1", "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")},
      {&k_stl, binary_stl("solid", 2, 2)},
      {&k_stl, "solid\n" + kFacet + "endsolid\n"}};
  std::mt19937 random(1);
  for (const auto& [format, sound] : samples) {
    int read = 0;
    for (int trial = 0; trial < 2000; ++trial) {
      std::string bytes = sound;
      for (unsigned n = random() % 4 + 1; n > 0; --n)
        bytes[random() % bytes.size()] = static_cast<char>(random());
      if (random() % 4 == 0) bytes.resize(random() % bytes.size());
      try {
        format->read({"damaged", bytes});
        ++read;
      } catch (const Error&) {
      }
    }
    EXPECT_GT(read, 0) << format->name;
    EXPECT_LT(read, 2000) << format->name;
  }
}

// --- the way back --------------------------------------------------------------------------------

TEST(SurfaceFormats, RoundTripIsExact) {
  TriMesh mesh;
  for (int i = 0; i < 1000; ++i)  // numbers that need all their digits, over many magnitudes
    mesh.vertices.push_back({std::sin(Real(i)) / 3, std::exp(Real(i % 60 - 30)),
                             -std::numeric_limits<Real>::min() * Real(i)});
  mesh.vertices.push_back({std::numeric_limits<Real>::max(),
                           std::numeric_limits<Real>::denorm_min(),
                           std::nextafter(Real(1), Real(2))});
  for (Index i = 0; i + 2 < mesh.vertices.size(); ++i) mesh.cells.push_back({i, i + 1, i + 2});
  const TempDir dir;
  for (const char* name : {"a.obj", "a.ply", "a.PLY"}) {
    write_mesh(dir.path() / name, mesh);
    const MeshFile back = read_mesh(dir.path() / name);
    EXPECT_EQ(back.vertices, mesh.vertices) << name;
    EXPECT_EQ(back.triangles, mesh.cells) << name;
  }
}

}  // namespace
}  // namespace sinew
