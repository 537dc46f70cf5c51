// VTK XML unstructured grids (.vtu), in all their encodings, and the way back.
#include <fmt/format.h>

#include <sstream>

#include "io/base64.h"
#include "unit/format_testing.h"

namespace sinew {
namespace {

// What is between the tags of the four arrays of one tetrahedron at the origin and the unit
// vectors.
struct Arrays {
  std::string points, connectivity, offsets, types;
};
const Arrays kAscii{"0 0 0 1 0 0\n0 1 0 0 0 1", "0 1 2 3", " 4 ", "10"};
// Little endian, headers of 32 bits, encoded with the data and apart from it.
const Arrays kJoint{"MAAAAAAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAAAAAAAAACAPw==",
                    "IAAAAAAAAAAAAAAAAQAAAAAAAAACAAAAAAAAAAMAAAAAAAAA", "CAAAAAQAAAAAAAAA",
                    "AQAAAAo="};
const Arrays kApart{
    "\n  MAAAAA==AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/\n",
    "IAAAAA==AAAAAAAAAAABAAAAAAAAAAIAAAAAAAAAAwAAAAAAAAA=", "CAAAAA==BAAAAAAAAAA=", "AQAAAA==Cg=="};
// zlib, big endian, headers of 64 bits; the points in two blocks.
const Arrays kZlib{
    "AAAAAAAAAAIAAAAAAAAAIAAAAAAAAAAQAAAAAAAAABIAAAAAAAAADw=="
    "eJxjYEAA+wYGFADiAwARCAF/eJxjYEAA+wYGBgACjADA",
    "AAAAAAAAAAEAAAAAAAAAIAAAAAAAAAAAAAAAAAAAABI=eJxjYEABjFCaCUozAwAARgAH",
    "AAAAAAAAAAEAAAAAAAAACAAAAAAAAAAAAAAAAAAAAAw=eJxjYAADFgAADAAF",
    "AAAAAAAAAAEAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAk=eJzjAgAACwAL"};
const char* const kZlibAttributes =
    "byte_order=\"BigEndian\" header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\"";

std::string piece(const std::string& format, const Arrays& a) {
  return fmt::format(
      "<Piece NumberOfPoints=\"4\" NumberOfCells=\"1\">\n<PointData/>\n<Points>\n"
      "<DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"{0}\">{1}</DataArray>\n"
      "</Points><Cells>\n"
      "<DataArray type=\"Int64\" Name=\"connectivity\" format=\"{0}\">{2}</DataArray>\n"
      "<DataArray type=\"Int64\" Name=\"offsets\" format=\"{0}\">{3}</DataArray>\n"
      "<DataArray type=\"UInt8\" Name=\"types\" format=\"{0}\">{4}</DataArray>\n"
      "</Cells></Piece>\n",
      format, a.points, a.connectivity, a.offsets, a.types);
}

std::string vtu(const std::string& attributes, const std::string& pieces) {
  return fmt::format(
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" {}>\n"
      "<UnstructuredGrid>\n{}</UnstructuredGrid>\n</VTKFile>\n",
      attributes, pieces);
}

// The same arrays, behind the XML in base64.
std::string appended(const std::string& attributes, const Arrays& a) {
  std::string s = vtu(attributes, piece("appended", {}));
  std::string data;
  for (const std::string& array : {a.points, a.connectivity, a.offsets, a.types}) {
    const std::size_t at = s.find("format=\"appended\">");
    s.replace(at, 18, fmt::format("format=\"appended\" offset=\"{}\" >", data.size()));
    data += array;
  }
  s.insert(s.find("</VTKFile>"),
           "<AppendedData encoding=\"base64\">\n _" + data + "\n</AppendedData>\n");
  return s;
}

void expect_tetrahedron(const MeshFile& file) {
  EXPECT_EQ(file.vertices, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}));
  EXPECT_EQ(file.tetrahedra, (std::vector<Tetrahedron>{{0, 1, 2, 3}}));
}

TEST(Vtu, ReadsEveryEncoding) {
  expect_tetrahedron(read_as(k_vtu, vtu("", piece("ascii", kAscii))));
  expect_tetrahedron(read_as(k_vtu, vtu("byte_order=\"LittleEndian\"", piece("binary", kJoint))));
  expect_tetrahedron(read_as(k_vtu, vtu("header_type=\"UInt32\"", piece("binary", kApart))));
  expect_tetrahedron(read_as(k_vtu, vtu(kZlibAttributes, piece("binary", kZlib))));
  expect_tetrahedron(read_as(k_vtu, appended("", kJoint)));
  expect_tetrahedron(read_as(k_vtu, appended(kZlibAttributes, kZlib)));
}

TEST(Vtu, PutsPiecesTogether) {
  const std::string empty = "<Piece NumberOfPoints=\"0\" NumberOfCells=\"0\"/>";
  const MeshFile file =
      read_as(k_vtu, vtu("", piece("ascii", kAscii) + empty + piece("ascii", kAscii)));
  EXPECT_EQ(file.vertices.size(), 8u);
  EXPECT_EQ(file.tetrahedra, (std::vector<Tetrahedron>{{0, 1, 2, 3}, {4, 5, 6, 7}}));
}

template <class Cell>
std::string written(void (*write)(std::ostream&, const Mesh<Cell>&), const Mesh<Cell>& mesh) {
  std::ostringstream out;
  write(out, mesh);
  return out.str();
}

TEST(Vtu, WritesWhatItReads) {
  // Enough for several compressed blocks.
  std::vector<Vec3> vertices(200000);
  for (std::size_t i = 0; i < vertices.size(); ++i) vertices[i] = {Real(i), Real(1) / 3, -Real(i)};
  const std::vector<Triangle> triangles(50000, {0, 1, 199999});
  const std::vector<Tetrahedron> tetrahedra{{0, 1, 2, 3}, {7, 6, 5, 4}};
  const std::vector<Hexahedron> hexahedra{{0, 1, 2, 3, 4, 5, 6, 7}};
  MeshFile file = read_as(k_vtu, written<Triangle>(k_vtu.write_triangles, {vertices, triangles}));
  EXPECT_EQ(file.vertices, vertices);
  EXPECT_EQ(file.triangles, triangles);
  file = read_as(k_vtu, written<Tetrahedron>(k_vtu.write_tetrahedra, {vertices, tetrahedra}));
  EXPECT_EQ(file.tetrahedra, tetrahedra);
  file = read_as(k_vtu, written<Hexahedron>(k_vtu.write_hexahedra, {vertices, hexahedra}));
  EXPECT_EQ(file.hexahedra, hexahedra);
}

TEST(Vtu, SaysWhatIsWrong) {
  const auto with = [](std::string Arrays::*member, const char* value) {
    Arrays a = kAscii;
    a.*member = value;
    return error_of(k_vtu, vtu("", piece("ascii", a)));
  };
  EXPECT_PRED2(contains, with(&Arrays::connectivity, "0 1 2 4"), "vertex 4");
  EXPECT_PRED2(contains, with(&Arrays::connectivity, "0 1 2 -1"), "vertex -1");
  EXPECT_PRED2(contains, with(&Arrays::connectivity, "0 1 2"),
               "file:10: DataArray 'connectivity': 4 numbers");
  EXPECT_PRED2(contains, with(&Arrays::connectivity, "0 1 2 3 0"), "more than the 4");
  EXPECT_PRED2(contains, with(&Arrays::offsets, "-4"), "offset");
  EXPECT_PRED2(contains, with(&Arrays::offsets, "999999999999"), "more than can be read");
  EXPECT_PRED2(contains, with(&Arrays::types, "12"), "a hexahedron cannot have 4 nodes");
  EXPECT_PRED2(contains, with(&Arrays::points, "0 0 0 1 0 0\n0 1 0 0 0 x"), "file:8: expected");

  const std::string good = vtu("", piece("ascii", kAscii));
  EXPECT_PRED2(contains, error_of(k_vtu, good.substr(0, 300)), "XML");
  EXPECT_PRED2(contains, error_of(k_vtu, "<VTKFile type=\"PolyData\"/>"), "'PolyData'");
  EXPECT_PRED2(contains, error_of(k_vtu, "<html/>"), "VTKFile");
  EXPECT_PRED2(contains, error_of(k_vtu, vtu("", "<Piece NumberOfPoints=\"4\"/>")),
               "file:4: Piece: the attribute NumberOfCells");
}

TEST(Vtu, SaysWhatIsWrongWithBinaryData) {
  const auto error = [](const std::string& attributes, Arrays a, std::string points) {
    a.points = std::move(points);
    return error_of(k_vtu, vtu(attributes, piece("binary", a)));
  };
  EXPECT_PRED2(contains, error("", kJoint, "MAAAAAA*"), "damaged");
  EXPECT_PRED2(contains, error("", kJoint, "MAAAAAAA"), "shorter");
  EXPECT_PRED2(contains, error("", kJoint, kJoint.offsets), "48 bytes, but the file says 8");
  EXPECT_PRED2(contains, error("header_type=\"UInt16\"", kJoint, ""), "UInt16");
  EXPECT_PRED2(contains, error("compressor=\"vtkLZ4DataCompressor\"", kJoint, ""), "zlib");
  std::string flipped = kZlib.points;
  flipped[flipped.size() - 6] ^= 1;
  EXPECT_PRED2(contains, error(kZlibAttributes, kZlib, flipped), "damaged");
  EXPECT_PRED2(contains, error(kZlibAttributes, kZlib, "//////////8AAAAAAAAAAAAAAAAAAAAA"),
               "too many");
  std::string bomb = vtu(kZlibAttributes, piece("binary", kZlib));
  bomb.replace(bomb.find("NumberOfPoints=\"4\""), 18, "NumberOfPoints=\"99999999\"");
  EXPECT_PRED2(contains, error_of(k_vtu, bomb), "compressed ones");
  std::string cut = written<Tetrahedron>(
      k_vtu.write_tetrahedra, {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2, 3}}});
  cut.resize(cut.find("AppendedData") + 60);
  EXPECT_PRED2(contains, error_of(k_vtu, cut), "file:");
}

TEST(Vtu, SurvivesDamage) {
  expect_survives_damage(k_vtu, vtu("", piece("ascii", kAscii)), "file", 1500);
  expect_survives_damage(k_vtu, vtu(kZlibAttributes, piece("binary", kZlib)), "file", 1500);
  expect_survives_damage(k_vtu, appended("", kJoint), "file", 1500);
  expect_survives_damage(
      k_vtu,
      written<Tetrahedron>(k_vtu.write_tetrahedra,
                           {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2, 3}}}),
      "file", 1500);
}

TEST(Base64, DecodesPiecesAndRefusesTheRest) {
  EXPECT_EQ(decode_base64("aGVsbG8=", 5), "hello");
  EXPECT_EQ(decode_base64("aGVs\n bG8=", 4), "hell");
  EXPECT_EQ(decode_base64("aA==ZWxsbw==", 5), "hello");
  EXPECT_EQ(decode_base64("", 0), "");
  EXPECT_FALSE(decode_base64("aGVsbG8=", 6));
  EXPECT_FALSE(decode_base64("aGV", 2));
  EXPECT_FALSE(decode_base64("aG.sbG8=", 5));
  EXPECT_FALSE(decode_base64("a===", 1));
  EXPECT_FALSE(decode_base64("aG=s", 3));
}

}  // namespace
}  // namespace sinew
