// TetGen: NAME.node holds the vertices, NAME.ele the tetrahedra, NAME.face (optional) triangles;
// any of them may be given, the others are looked for beside it. One line per item, numbered from 0
// or 1, whichever the first vertex has; attributes and boundary markers follow and are not used. H.
// Si, "TetGen, a Delaunay-based quality tetrahedral mesh generator", user's manual, section 5.2.
#include <fmt/format.h>
#include <sinew/error.h>

#include "core/atomic_file.h"
#include "io/cell_sink.h"
#include "io/mesh_format.h"
#include "io/text_cursor.h"

namespace sinew {
namespace tetgen {

constexpr CellType kTriangle{0, "triangle", CellKind::kTriangle, 3};
constexpr CellType kTetrahedron{0, "tetrahedron", CellKind::kTetrahedron, 4};
constexpr CellType kTetrahedron10{0, "10-node tetrahedron", CellKind::kTetrahedron, 10};

// One of the files that make up a mesh: the one that was given, or one beside it.
class Part {
 public:
  Part(const MeshSource& source, const char* extension) : path_(source.path) {
    given_ = lower_case(path_.extension().string()) == extension;
    if (given_)
      bytes_ = source.bytes;
    else
      path_.replace_extension(extension);
  }
  const std::filesystem::path& path() const { return path_; }
  bool exists() const {
    std::error_code ignored;
    return given_ || std::filesystem::exists(path_, ignored);
  }
  std::string_view bytes() {
    if (!given_) bytes_ = content_ = read_file(path_);
    return bytes_;
  }

 private:
  std::filesystem::path path_;
  bool given_ = false;
  std::string content_;
  std::string_view bytes_;
};

void next_row(TextCursor& in, const char* what) {
  if (!in.next_line())
    in.fail(
        fmt::format("the file ends before the last {}: it is cut short or the count wrong", what));
}

// Returns the number of the first vertex, 0 or 1.
std::int64_t read_vertices(Part& part, std::vector<Vec3>& vertices) {
  TextCursor in(part.path(), part.bytes());
  next_row(in, "vertex");
  vertices.resize(in.count(in.word(), "vertices", 8));
  if (const std::string_view dimension = in.word();
      !dimension.empty() && in.integer(dimension) != 3)
    in.fail(fmt::format("the dimension is {}; only 3 is read", dimension));
  std::int64_t first = 0;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    next_row(in, "vertex");
    const std::int64_t number = in.integer(in.word(), "a vertex number");
    if (i == 0) first = number;
    if (first != 0 && first != 1)
      in.fail(fmt::format("the first vertex has number {}; it must be 0 or 1", first));
    if (number != first + static_cast<std::int64_t>(i))
      in.fail(fmt::format("vertex {} comes where {} should; vertices must be numbered in order",
                          number, first + static_cast<std::int64_t>(i)));
    vertices[i] = in.vec3_on_line();
  }
  return first;
}

// The rows of an .ele or .face file, behind its first line.
void read_cells(TextCursor& in, const CellType& type, std::size_t cells, std::int64_t first_vertex,
                std::size_t vertex_count, CellSink& sink) {
  std::vector<Index> nodes(type.nodes);
  for (std::size_t i = 0; i < cells; ++i) {
    next_row(in, type.name);
    in.integer(in.word(), "the number of a cell");
    for (Index& node : nodes) node = in.index(in.word(), vertex_count, first_vertex);
    sink.add(type, nodes);
  }
}

MeshFile read(const MeshSource& source) {
  Part node(source, ".node"), ele(source, ".ele"), face(source, ".face");
  if (!node.exists())
    throw Error(fmt::format("{}: its vertices are missing: no file {} beside it",
                            source.path.string(), node.path().filename().string()));
  if (!ele.exists() && !face.exists())
    throw Error(fmt::format("{}: it holds vertices only, and there is no file {} or {} beside it",
                            source.path.string(), ele.path().filename().string(),
                            face.path().filename().string()));
  MeshFile file;
  file.format = "TetGen";
  CellSink sink(file);
  const std::int64_t first = read_vertices(node, file.vertices);
  if (ele.exists()) {
    TextCursor in(ele.path(), ele.bytes());
    next_row(in, kTetrahedron.name);
    const std::size_t cells = in.count(in.word(), "tetrahedra", 10);
    const std::string_view word = in.word();
    const std::int64_t nodes = word.empty() ? 4 : in.integer(word);
    if (nodes != 4 && nodes != 10)
      in.fail(fmt::format("{} nodes per tetrahedron; it must be 4 or 10", nodes));
    read_cells(in, nodes == 4 ? kTetrahedron : kTetrahedron10, cells, first, file.vertices.size(),
               sink);
  }
  if (face.exists()) {
    TextCursor in(face.path(), face.bytes());
    next_row(in, kTriangle.name);
    const std::size_t cells = in.count(in.word(), "triangles", 8);
    read_cells(in, kTriangle, cells, first, file.vertices.size(), sink);
  }
  sink.finish();
  return file;
}

constexpr const char* kExtensions[] = {".node", ".ele", ".face"};

}  // namespace tetgen

extern const MeshFormat k_tetgen;
const MeshFormat k_tetgen{"TetGen", tetgen::kExtensions, nullptr, tetgen::read, nullptr, nullptr,
                          nullptr};

}  // namespace sinew
