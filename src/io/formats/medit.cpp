// Medit .mesh, ASCII: sections of a keyword, a count and rows of numbers that end with a reference
// (a label, not used here). Indices start at 1.
// P. Frey, "MEDIT: an interactive mesh visualization software", INRIA RT-0253 (2001), appendix.
#include <fmt/format.h>
#include <sinew/error.h>

#include <iterator>

#include "io/cell_sink.h"
#include "io/mesh_format.h"
#include "io/text_cursor.h"

namespace sinew {
namespace medit {

struct CellSection {
  std::string_view keyword;
  CellType type;
};

constexpr CellSection kCellSections[] = {
    {"Triangles", {0, "triangle", CellKind::kTriangle, 3}},
    {"TrianglesP2", {0, "6-node triangle", CellKind::kTriangle, 6}},
    {"Quadrilaterals", {0, "quadrilateral", CellKind::kPolygon, 4}},
    {"QuadrilateralsQ2", {0, "9-node quadrilateral", CellKind::kPolygon, 9, 4}},
    {"Tetrahedra", {0, "tetrahedron", CellKind::kTetrahedron, 4}},
    {"TetrahedraP2", {0, "10-node tetrahedron", CellKind::kTetrahedron, 10}},
    {"Hexahedra", {0, "hexahedron", CellKind::kHexahedron, 8}},
    {"HexahedraQ2", {0, "27-node hexahedron", CellKind::kHexahedron, 27}},
    {"Prisms", {0, "prism", CellKind::kSkipped, 6}},
    {"Pentahedra", {0, "prism", CellKind::kSkipped, 6}},
    {"Pyramids", {0, "pyramid", CellKind::kSkipped, 5}},
};

const CellSection* find_section(std::string_view keyword) {
  for (const CellSection& section : kCellSections)
    if (section.keyword == keyword) return &section;
  return nullptr;
}

bool is_keyword(std::string_view token) {
  return !token.empty() && token[0] >= 'A' && token[0] <= 'Z';
}

class MeditReader {
 public:
  explicit MeditReader(const MeshSource& source) : in_(source.path, source.bytes), sink_(file_) {}

  MeshFile read() {
    file_.format = "Medit";
    in_.expect("MeshVersionFormatted");
    in_.integer();
    for (std::string_view word = in_.token(); !word.empty() && word != "End"; word = in_.token())
      read_section(word);
    for (auto& [section, bookmark] : postponed_) read_cells(*section, bookmark);
    sink_.finish();
    return std::move(file_);
  }

 private:
  void read_section(std::string_view keyword) {
    if (keyword == "Dimension") {
      dimension_ = in_.integer();
      if (dimension_ != 2 && dimension_ != 3)
        in_.fail(fmt::format("Dimension is {}; it must be 2 or 3", dimension_));
    } else if (keyword == "Vertices") {
      read_vertices();
    } else if (const CellSection* section = find_section(keyword)) {
      // The order of sections is free, but an index can only be checked once the vertices are
      // known.
      if (file_.vertices.empty()) {
        postponed_.emplace_back(section, in_);
        skip_numbers();
      } else {
        read_cells(*section, in_);
      }
    } else if (is_keyword(keyword)) {
      skip_numbers();
    } else {
      in_.fail(
          fmt::format("expected a section such as 'Tetrahedra', found {}; is the count of the "
                      "section before it too small?",
                      quote_token(keyword)));
    }
  }

  void read_vertices() {
    if (!file_.vertices.empty()) in_.fail("a second section 'Vertices'; join them into one");
    const auto numbers_each = static_cast<std::size_t>(dimension_) + 1;
    file_.vertices.resize(in_.count("vertices", 2 * numbers_each));
    for (Vec3& v : file_.vertices) {
      if (dimension_ == 3) {
        v = in_.vec3();
      } else {
        v.x = static_cast<Real>(in_.real());
        v.y = static_cast<Real>(in_.real());
      }
      in_.real();  // the reference, which some programs write as a decimal
    }
  }

  void read_cells(const CellSection& section, TextCursor& in) {
    std::vector<Index> nodes(section.type.nodes);
    const std::size_t cells = in.count(section.keyword.data(), 2 * (nodes.size() + 1));
    for (std::size_t i = 0; i < cells; ++i) {
      for (Index& node : nodes) node = in.index(file_.vertices.size());
      in.real();  // the reference
      sink_.add(section.type, nodes);
    }
  }

  // To the next keyword.
  void skip_numbers() {
    for (TextCursor ahead = in_; !ahead.at_end(); in_ = ahead)
      if (is_keyword(ahead.token())) return;
  }

  TextCursor in_;
  MeshFile file_;
  CellSink sink_;
  std::int64_t dimension_ = 3;
  std::vector<std::pair<const CellSection*, TextCursor>> postponed_;
};

// A .meshb begins with the 32-bit number 1, in the byte order of the machine that wrote it.
bool is_binary(std::string_view bytes) {
  using namespace std::string_view_literals;
  return bytes.starts_with("\1\0\0\0"sv) || bytes.starts_with("\0\0\0\1"sv);
}

bool recognises(std::string_view bytes) {
  const std::filesystem::path no_path;
  return TextCursor(no_path, bytes.substr(0, 4096)).token() == "MeshVersionFormatted";
}

MeshFile read(const MeshSource& source) {
  if (is_binary(source.bytes))
    throw Error(fmt::format("{}: binary Medit files (.meshb) are not read; save it as ASCII .mesh",
                            source.path.string()));
  return MeditReader(source).read();
}

template <class Cell>
void write(std::ostream& out, const Mesh<Cell>& mesh, std::string_view keyword) {
  std::string text;
  const auto append = std::back_inserter(text);
  fmt::format_to(append, "MeshVersionFormatted 2\nDimension 3\nVertices\n{}\n",
                 mesh.vertices.size());
  for (const Vec3& v : mesh.vertices) fmt::format_to(append, "{} {} {} 0\n", v.x, v.y, v.z);
  fmt::format_to(append, "{}\n{}\n", keyword, mesh.cells.size());
  for (const Cell& cell : mesh.cells) {
    for (const Index i : cell) fmt::format_to(append, "{} ", std::uint64_t(i) + 1);
    text += "0\n";
  }
  text += "End\n";
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
}

void write_triangles(std::ostream& out, const TriMesh& mesh) { write(out, mesh, "Triangles"); }
void write_tetrahedra(std::ostream& out, const TetMesh& mesh) { write(out, mesh, "Tetrahedra"); }
void write_hexahedra(std::ostream& out, const HexMesh& mesh) { write(out, mesh, "Hexahedra"); }

constexpr const char* kExtensions[] = {".mesh", ".meshb"};

}  // namespace medit

extern const MeshFormat k_medit;
const MeshFormat k_medit{"Medit",
                         medit::kExtensions,
                         medit::recognises,
                         medit::read,
                         medit::write_triangles,
                         medit::write_tetrahedra,
                         medit::write_hexahedra};

}  // namespace sinew
