// STL, stereolithography: triangles without shared vertices, as text or binary. Each triangle comes
// with three vertices of its own; mend() welds them. Normals are not read: they follow from the
// order of the corners. Binary: 80 bytes of header, a count n, then n × 50 bytes (normal, corners,
// 2 bytes of attributes), little endian; the header may begin with "solid" like a text file, so the
// size decides.
#include <fmt/format.h>

#include <algorithm>

#include "io/byte_cursor.h"
#include "io/mesh_format.h"
#include "io/text_cursor.h"

namespace sinew {

namespace stl {

constexpr std::size_t kHeaderBytes = 80, kTriangleBytes = 50;

bool has_binary_size(std::string_view bytes) {
  if (bytes.size() < kHeaderBytes + 4) return false;
  const std::filesystem::path none;
  const auto n = ByteCursor(none, bytes, std::endian::little, kHeaderBytes).get<std::uint32_t>();
  return bytes.size() == kHeaderBytes + 4 + std::uint64_t{n} * kTriangleBytes;
}

// "solid NAME" and then a facet, or the end of an empty solid.
bool looks_like_text(std::string_view bytes) {
  const std::string head = lower_case(bytes.substr(0, 1024));
  const std::filesystem::path none;
  return TextCursor(none, head).token() == "solid" &&
         (head.find("facet") != std::string::npos || head.find("endsolid") != std::string::npos);
}

bool recognises(std::string_view bytes) { return has_binary_size(bytes) || looks_like_text(bytes); }

MeshFile read_binary(const MeshSource& source) {
  ByteCursor in(source.path, source.bytes);
  in.take(kHeaderBytes, 1, "bytes of header");
  const std::size_t count = in.get<std::uint32_t>("the number of triangles");
  in.require(count, kTriangleBytes, "triangles");

  MeshFile file;
  file.format = "STL (binary)";
  file.vertices.reserve(3 * count);
  file.triangles.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    float numbers[12];  // normal, then the corners
    in.get<float>(numbers);
    in.take(2, 1, "bytes of attributes");
    const auto first = static_cast<Index>(file.vertices.size());
    for (int corner = 3; corner < 12; corner += 3)
      file.vertices.push_back(
          {Real(numbers[corner]), Real(numbers[corner + 1]), Real(numbers[corner + 2])});
    file.triangles.push_back({first, first + 1, first + 2});
  }
  warn_skipped(file, in.remaining(), "bytes behind the last triangle");
  return file;
}

MeshFile read_text(const MeshSource& source) {
  static constexpr std::string_view kPassed[] = {"facet", "outer", "endfacet"};
  MeshFile file;
  file.format = "STL (text)";
  TextCursor in(source.path, source.bytes);
  std::vector<Index> corners;  // of the current facet
  bool open = false;           // inside a solid
  while (in.next_line()) {
    const std::string word = lower_case(in.word());
    if (word == "vertex") {
      corners.push_back(static_cast<Index>(file.vertices.size()));
      file.vertices.push_back(in.vec3_on_line());
    } else if (word == "endloop") {
      if (corners.size() < 3) in.fail(fmt::format("a facet of {} vertices", corners.size()));
      add_polygon(file.triangles, corners);
      corners.clear();
    } else if (word == "solid" || word == "endsolid") {
      open = word == "solid";
    } else if (std::find(std::begin(kPassed), std::end(kPassed), word) == std::end(kPassed)) {
      in.fail(fmt::format("unknown statement {}", quote_token(word)));
    }
  }
  if (!corners.empty()) in.fail("the file is cut short, in the middle of a facet");
  if (open) file.warnings.push_back("no endsolid: the file may be cut short");
  return file;
}

MeshFile read(const MeshSource& source) {
  const bool text = !has_binary_size(source.bytes) && looks_like_text(source.bytes);
  return text ? read_text(source) : read_binary(source);
}

constexpr const char* kExtensions[] = {".stl"};

}  // namespace stl

extern const MeshFormat k_stl;
const MeshFormat k_stl{"STL",   stl::kExtensions, stl::recognises, stl::read,
                       nullptr, nullptr,          nullptr};

}  // namespace sinew
