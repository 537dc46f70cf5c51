// A mesh file format: one file in src/io/formats/ that defines `const MeshFormat k_<file name>`.
// read_mesh() picks the format by extension, or by `recognises` when the extension is shared or
// unknown.
#pragma once

#include <sinew/mesh_io.h>

#include <string_view>

namespace sinew {

// The whole file in memory, with its name for messages.
struct MeshSource {
  std::filesystem::path path;
  std::string_view bytes;
};

struct MeshFormat {
  const char* name;                          // "OBJ"
  std::span<const char* const> extensions;   // lower case, with the dot
  bool (*recognises)(std::string_view bytes);  // null: by extension only
  MeshFile (*read)(const MeshSource& source);
  // Any of these may be null: the format is then not written for that kind.
  void (*write_triangles)(std::ostream& out, const TriMesh& mesh);
  void (*write_tetrahedra)(std::ostream& out, const TetMesh& mesh);
  void (*write_hexahedra)(std::ostream& out, const HexMesh& mesh);
};

}  // namespace sinew
