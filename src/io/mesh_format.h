// A mesh file format: one file in src/io/formats/ that defines `const MeshFormat k_<file name>`.
// read_mesh() picks the format by extension, or by `recognises` when the extension is shared or
// unknown.
#pragma once

#include <sinew/mesh_io.h>

#include <ostream>
#include <string_view>

namespace sinew {

// The whole file in memory, with its name for messages.
struct MeshSource {
  std::filesystem::path path;
  std::string_view bytes;
};

struct MeshFormat {
  const char* name;                            // "OBJ"
  std::span<const char* const> extensions;     // lower case, with the dot
  bool (*recognises)(std::string_view bytes);  // null: by extension only
  MeshFile (*read)(const MeshSource& source);
  // Any of these may be null: the format is then not written for that kind.
  void (*write_triangles)(std::ostream& out, const TriMesh& mesh);
  void (*write_tetrahedra)(std::ostream& out, const TetMesh& mesh);
  void (*write_hexahedra)(std::ostream& out, const HexMesh& mesh);
};

// Splits a polygon into a fan of triangles round its first corner; a polygon of fewer than three
// corners gives none.
inline void add_polygon(std::vector<Triangle>& triangles, std::span<const Index> corners) {
  for (std::size_t i = 2; i < corners.size(); ++i)
    triangles.push_back({corners[0], corners[i - 1], corners[i]});
}

// "12 pyramids skipped", if there were any.
inline void warn_skipped(MeshFile& file, std::size_t count, std::string_view what) {
  if (count > 0)
    file.warnings.push_back(std::to_string(count).append(" ").append(what).append(" skipped"));
}

}  // namespace sinew
