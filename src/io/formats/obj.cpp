// Wavefront OBJ. Read: v and f, with v/vt/vn corners and indices that count back from the end;
// polygons become fans, lines and points are counted, everything else is passed over.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>

#include "io/mesh_format.h"
#include "io/text_cursor.h"

namespace sinew {

namespace obj {

bool recognises(std::string_view bytes) {
  static constexpr std::string_view kStatements[] = {"v", "vt", "vn", "vp", "f",      "l",
                                                     "p", "o",  "g",  "s",  "mtllib", "usemtl"};
  const std::filesystem::path none;
  const std::string_view first = TextCursor(none, bytes).token();
  return std::find(std::begin(kStatements), std::end(kStatements), first) != std::end(kStatements);
}

struct ObjReader {
  TextCursor in;
  MeshFile file{};
  std::vector<Index> corners{};  // of the current face
  std::size_t lines = 0, points = 0, thin_faces = 0;
  // Faces may come before their vertices: the highest index is checked at the end.
  std::int64_t highest = 0;
  std::size_t highest_line = 0;

  // "7", "7/1", "7/1/3" or "7//3"; only the first counts.
  Index read_corner(std::string_view word) {
    const std::int64_t written = in.integer(word.substr(0, word.find('/')), "a vertex index");
    const auto count = static_cast<std::int64_t>(file.vertices.size());
    const std::int64_t index = written < 0 ? written + count + 1 : written;
    if (written == 0) in.fail("vertex 0: OBJ counts vertices from 1");
    if (index < 1)
      in.fail(fmt::format("vertex {}, but there are only {} before this line", written, count));
    if (index > std::numeric_limits<Index>::max())
      in.fail(fmt::format("vertex {} is out of range", written));
    if (index > highest) {
      highest = index;
      highest_line = in.line();
    }
    return static_cast<Index>(index - 1);
  }

  void read_face() {
    corners.clear();
    for (std::string_view w = in.word(); !w.empty(); w = in.word())
      corners.push_back(read_corner(w));
    if (corners.size() < 3) ++thin_faces;
    add_polygon(file.triangles, corners);
  }

  void read(const MeshSource& source) {
    file.format = "OBJ";
    while (in.next_line()) {
      const std::string_view statement = in.word();
      if (statement == "v") file.vertices.push_back(in.vec3_on_line());
      if (statement == "f") read_face();
      if (statement == "l") ++lines;
      if (statement == "p") ++points;
    }
    if (highest > static_cast<std::int64_t>(file.vertices.size()))
      TextCursor(source.path, {}, highest_line)
          .fail(fmt::format("vertex {}, but the file has only {}", highest, file.vertices.size()));
    warn_skipped(file, lines, "lines");
    warn_skipped(file, points, "points");
    warn_skipped(file, thin_faces, "faces of fewer than three corners");
  }
};

MeshFile read(const MeshSource& source) {
  ObjReader reader{.in = TextCursor(source.path, source.bytes)};
  reader.read(source);
  return std::move(reader.file);
}

// The shortest digits that read back to the same numbers.
void write(std::ostream& out, const TriMesh& mesh) {
  fmt::memory_buffer text;
  const auto end = std::back_inserter(text);
  for (const Vec3& v : mesh.vertices) fmt::format_to(end, "v {} {} {}\n", v.x, v.y, v.z);
  for (const Triangle& t : mesh.cells)
    fmt::format_to(end, "f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
}

constexpr const char* kExtensions[] = {".obj"};

}  // namespace obj

extern const MeshFormat k_obj;
const MeshFormat k_obj{"OBJ",      obj::kExtensions, obj::recognises, obj::read,
                       obj::write, nullptr,          nullptr};

}  // namespace sinew
