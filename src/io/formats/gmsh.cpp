// Gmsh .msh, versions 2.x and 4.1, ASCII and binary in either byte order. Nodes carry tags, which
// need be neither in order nor without gaps; elements refer to tags.
// https://gmsh.info/doc/texinfo/gmsh.html, chapter "Gmsh file formats".
#include <fmt/format.h>
#include <sinew/error.h>

#include <algorithm>

#include "io/cell_sink.h"
#include "io/mixed_cursor.h"

namespace sinew {
namespace gmsh {

using enum CellKind;
constexpr CellType kElementTypes[] = {
    {1, "line", kIgnored, 2},
    {2, "triangle", kTriangle, 3},
    {3, "quadrilateral", kPolygon, 4},
    {4, "tetrahedron", kTetrahedron, 4},
    {5, "hexahedron", kHexahedron, 8},
    {6, "prism", kSkipped, 6},
    {7, "pyramid", kSkipped, 5},
    {8, "3-node line", kIgnored, 3},
    {9, "6-node triangle", kTriangle, 6},
    {10, "9-node quadrilateral", kPolygon, 9, 4},
    {11, "10-node tetrahedron", kTetrahedron, 10},
    {12, "27-node hexahedron", kHexahedron, 27},
    {13, "18-node prism", kSkipped, 18},
    {14, "14-node pyramid", kSkipped, 14},
    {15, "point", kIgnored, 1},
    {16, "8-node quadrilateral", kPolygon, 8, 4},
    {17, "20-node hexahedron", kHexahedron, 20},
    {18, "15-node prism", kSkipped, 15},
    {19, "13-node pyramid", kSkipped, 13},
    {20, "9-node triangle", kTriangle, 9},
    {21, "10-node triangle", kTriangle, 10},
    {22, "12-node triangle", kTriangle, 12},
    {23, "15-node triangle", kTriangle, 15},
    {24, "15-node triangle", kTriangle, 15},
    {25, "21-node triangle", kTriangle, 21},
    {26, "4-node line", kIgnored, 4},
    {27, "5-node line", kIgnored, 5},
    {28, "6-node line", kIgnored, 6},
    {29, "20-node tetrahedron", kTetrahedron, 20},
    {30, "35-node tetrahedron", kTetrahedron, 35},
    {31, "56-node tetrahedron", kTetrahedron, 56},
    {36, "16-node quadrilateral", kPolygon, 16, 4},
    {37, "25-node quadrilateral", kPolygon, 25, 4},
    {90, "40-node prism", kSkipped, 40},
    {91, "75-node prism", kSkipped, 75},
    {92, "64-node hexahedron", kHexahedron, 64},
    {93, "125-node hexahedron", kHexahedron, 125},
    {118, "30-node pyramid", kSkipped, 30},
    {119, "55-node pyramid", kSkipped, 55},
};

// Which vertex has which tag. Looks first where a tag is when tags have no gaps.
class NodeTags {
 public:
  void add(std::int64_t tag, std::size_t vertex) {
    sorted_ = sorted_ && (tags_.empty() || tags_.back().first < tag);
    tags_.emplace_back(tag, static_cast<Index>(vertex));
  }
  const Index* find(std::int64_t tag) {
    if (!sorted_) std::stable_sort(tags_.begin(), tags_.end(), by_tag);
    sorted_ = true;
    if (tags_.empty() || tag < tags_.front().first) return nullptr;
    const auto guess = static_cast<std::uint64_t>(tag) - static_cast<std::uint64_t>(tags_[0].first);
    if (guess < tags_.size() && tags_[guess].first == tag) return &tags_[guess].second;
    const auto it = std::lower_bound(tags_.begin(), tags_.end(), std::pair(tag, Index(0)), by_tag);
    return it != tags_.end() && it->first == tag ? &it->second : nullptr;
  }

 private:
  static bool by_tag(const std::pair<std::int64_t, Index>& a,
                     const std::pair<std::int64_t, Index>& b) {
    return a.first < b.first;
  }
  std::vector<std::pair<std::int64_t, Index>> tags_;
  bool sorted_ = true;
};

class GmshReader {
 public:
  explicit GmshReader(const MeshSource& source) : in_(source), sink_(file_) {}

  MeshFile read() {
    read_header();
    for (std::string_view name = in_.text.token(); !name.empty(); name = in_.text.token()) {
      if (name == "$Nodes") {
        version_ < 4 ? read_nodes_2(false) : read_nodes_4();
        in_.text.expect("$EndNodes");
      } else if (name == "$ParametricNodes" && version_ < 4) {
        read_nodes_2(true);
        in_.text.expect("$EndParametricNodes");
      } else if (name == "$Elements") {
        version_ < 4 ? read_elements_2() : read_elements_4();
        in_.text.expect("$EndElements");
      } else {
        skip_section(name);
      }
    }
    sink_.finish();
    return std::move(file_);
  }

 private:
  void read_header() {
    in_.text.expect("$MeshFormat");
    const std::string_view version = in_.text.token();
    version_ = in_.text.real(version, "a version");
    if (!(version_ >= 2 && version_ < 3) && version != "4.1")
      in_.text.fail(
          fmt::format("MSH version {} is not read; save it as 4.1 or 2.2 "
                      "(gmsh -save -format msh41)",
                      quote_token(version)));
    in_.binary = in_.text.integer(in_.text.token(), "0 (ASCII) or 1 (binary)") != 0;
    size_bytes_ = in_.text.integer(in_.text.token(), "a data size");
    if (size_bytes_ != 8 && (size_bytes_ != 4 || version_ < 4))
      in_.text.fail(fmt::format("the data size is {}; only 8 is read", size_bytes_));
    if (in_.binary) {
      in_.begin_bytes();
      if (in_.bytes.get<std::int32_t>("the number 1") != 1) in_.bytes.set_order(std::endian::big);
      in_.end_bytes();
    }
    in_.text.expect("$EndMeshFormat");
    file_.format = fmt::format("Gmsh {}{}", version, in_.binary ? " (binary)" : "");
  }

  // MSH 2: [count] then [tag x y z (dim entity, and u on curves, u v on surfaces)]…; the count is
  // text in binary files too.
  void read_nodes_2(bool parametric) {
    const std::size_t nodes = in_.text.count("nodes", in_.binary ? 28 : 8);
    in_.begin_bytes();
    for (std::size_t i = 0; i < nodes; ++i) {
      tags_.add(integer("a node tag"), file_.vertices.size());
      read_vertex();
      if (!parametric) continue;
      const std::int64_t dimension = integer("a dimension");
      integer("an entity tag");
      if (dimension == 1 || dimension == 2)
        for (std::int64_t k = 0; k < dimension; ++k) real("a parameter");
    }
    in_.end_bytes();
  }

  // MSH 2 ASCII: [tag type tag-count tags… nodes…]…; binary: blocks of [type count tag-count] and
  // then [tag tags… nodes…]….
  void read_elements_2() {
    const std::size_t elements = in_.text.count("elements", 2);
    in_.begin_bytes();
    for (std::size_t done = 0; done < elements;) {
      std::int64_t block = 1;
      if (!in_.binary) integer("an element tag");
      const CellType& type = element_type(integer("an element type"));
      if (in_.binary) block = integer("a number of elements");
      const std::int64_t tags = integer("a number of tags");
      if (block < 0 || tags < 0) in_.fail("a negative count");
      for (std::int64_t i = 0; i < block; ++i) {
        if (in_.binary) integer("an element tag");
        for (std::int64_t k = 0; k < tags; ++k) integer("a tag");
        read_element(type, &GmshReader::integer);
      }
      done += static_cast<std::size_t>(block);
    }
    in_.end_bytes();
  }

  // MSH 4.1: [blocks nodes min max], then blocks of [dim entity parametric count] [tag]…
  // [x y z (u v w: as many as dim, if parametric)]….
  void read_nodes_4() {
    in_.begin_bytes();
    const std::int64_t blocks = size("a number of blocks");
    for (int i = 0; i < 3; ++i) size("a number");
    for (std::int64_t b = 0; b < blocks; ++b) {
      const std::int64_t dimension = integer("a dimension");
      integer("an entity tag");
      const bool parametric = integer("0 or 1") != 0;
      if (dimension < 0 || dimension > 3)
        in_.fail(fmt::format("dimension {}, not 0..3", dimension));
      const std::size_t nodes = count("nodes", 4, static_cast<std::size_t>(size_bytes_) + 24);
      for (std::size_t i = 0; i < nodes; ++i)
        tags_.add(size("a node tag"), file_.vertices.size() + i);
      for (std::size_t i = 0; i < nodes; ++i) {
        read_vertex();
        for (std::int64_t k = 0; parametric && k < dimension; ++k) real("a parameter");
      }
    }
    in_.end_bytes();
  }

  // MSH 4.1: [blocks elements min max], then blocks of [dim entity type count] [tag nodes…]….
  void read_elements_4() {
    in_.begin_bytes();
    const std::int64_t blocks = size("a number of blocks");
    for (int i = 0; i < 3; ++i) size("a number");
    for (std::int64_t b = 0; b < blocks; ++b) {
      for (int i = 0; i < 2; ++i) integer("an entity");
      const CellType& type = element_type(integer("an element type"));
      const std::size_t numbers = type.nodes + 1;
      const std::size_t elements =
          count("elements", numbers, numbers * static_cast<std::size_t>(size_bytes_));
      for (std::size_t i = 0; i < elements; ++i) {
        size("an element tag");
        read_element(type, &GmshReader::size);
      }
    }
    in_.end_bytes();
  }

  void read_vertex() {
    Vec3& v = file_.vertices.emplace_back();
    for (int axis = 0; axis < 3; ++axis) v[axis] = static_cast<Real>(real("a coordinate"));
  }

  void read_element(const CellType& type, std::int64_t (GmshReader::*next)(const char*)) {
    nodes_.resize(type.nodes);
    for (Index& node : nodes_) {
      const std::int64_t tag = (this->*next)("a node tag");
      const Index* vertex = tags_.find(tag);
      if (vertex == nullptr) in_.fail(fmt::format("node {} is not among the nodes before it", tag));
      node = *vertex;
    }
    sink_.add(type, nodes_);
  }

  const CellType& element_type(std::int64_t code) {
    const CellType* type = find_cell_type(kElementTypes, code);
    if (type == nullptr) in_.fail(fmt::format("element type {} is not known", code));
    return *type;
  }

  void skip_section(std::string_view name) {
    if (!name.starts_with('$'))
      in_.text.fail(
          fmt::format("expected a section such as '$Nodes', found {}", quote_token(name)));
    const std::string end = fmt::format("$End{}", name.substr(1));
    while (!in_.text.at_end()) {
      std::string_view line = in_.text.raw_line();
      while (!line.empty() && line.back() == ' ') line.remove_suffix(1);
      if (line.ends_with(end)) return;  // behind bytes that may hold anything
    }
    in_.text.fail(fmt::format("the file ends before {}", quote_token(end)));
  }

  std::int64_t integer(const char* what) {
    return in_.binary ? in_.bytes.get<std::int32_t>(what)
                      : in_.text.integer(in_.text.token(), what);
  }
  std::int64_t size(const char* what) {
    if (!in_.binary) return in_.text.integer(in_.text.token(), what);
    return size_bytes_ == 4 ? in_.bytes.get<std::uint32_t>(what)
                            : in_.bytes.get<std::int64_t>(what);
  }
  double real(const char* what) {
    return in_.binary ? in_.bytes.get<double>(what) : in_.text.real(in_.text.token(), what);
  }
  // A count of things that each take so many numbers in text and so many bytes in binary.
  std::size_t count(const char* what, std::size_t numbers_each, std::size_t bytes_each) {
    if (!in_.binary) return in_.text.count(what, 2 * numbers_each);
    const std::int64_t n = size(what);
    if (n < 0) in_.fail(fmt::format("{} {}: a count cannot be negative", n, what));
    in_.bytes.require(static_cast<std::size_t>(n), bytes_each, what);
    return static_cast<std::size_t>(n);
  }
  MixedCursor in_;
  MeshFile file_;
  CellSink sink_;
  NodeTags tags_;
  std::vector<Index> nodes_;
  double version_ = 0;
  std::int64_t size_bytes_ = 8;  // of a size_t in the file
};

bool recognises(std::string_view bytes) {
  const std::filesystem::path no_path;
  return TextCursor(no_path, bytes.substr(0, 4096)).token() == "$MeshFormat";
}

MeshFile read(const MeshSource& source) { return GmshReader(source).read(); }

constexpr const char* kExtensions[] = {".msh"};

}  // namespace gmsh

extern const MeshFormat k_gmsh;
const MeshFormat k_gmsh{"Gmsh",  gmsh::kExtensions, gmsh::recognises, gmsh::read,
                        nullptr, nullptr,           nullptr};

}  // namespace sinew
