// Mesh files. One function reads every known format, by extension and, where that lies, by content;
// errors name the file and the line (text) or byte (binary).
// Read: OBJ, PLY, STL, glTF/GLB · Medit .mesh, TetGen .node/.ele, Gmsh .msh 2.2 and 4.1, VTK
// legacy, .vtu. Written: OBJ, PLY, GLB, Medit, .vtu.
#pragma once

#include <sinew/mesh.h>

#include <filesystem>

namespace sinew {

// What a file holds, as it is there: nothing is mended, but every index is in range and every
// coordinate finite. Polygons are split into triangles; those of STL share no vertices before
// mend() welds them.
struct MeshFile {
  std::string format;  // "OBJ", "PLY (binary)", "Gmsh 4.1", …
  std::vector<Vec3> vertices;
  std::vector<Triangle> triangles;
  std::vector<Tetrahedron> tetrahedra;
  std::vector<Hexahedron> hexahedra;
  std::vector<std::string> warnings;  // "12 pyramids skipped"
};

MeshFile read_mesh(const std::filesystem::path& path);

// The vertices of a file, in its order, whatever cells it has.
std::vector<Vec3> read_vertices(const std::filesystem::path& path);

// The cells of one kind, mended; Error when the file has none of that kind. `report` may be null.
TriMesh read_triangles(const std::filesystem::path& path, MendReport* report = nullptr);
TetMesh read_tetrahedra(const std::filesystem::path& path, MendReport* report = nullptr);
HexMesh read_hexahedra(const std::filesystem::path& path, MendReport* report = nullptr);

// The format follows from the extension: .obj .ply .glb for triangles, .mesh .vtu for any kind.
// The file appears whole or not at all.
void write_mesh(const std::filesystem::path& path, const TriMesh& mesh);
void write_mesh(const std::filesystem::path& path, const TetMesh& mesh);
void write_mesh(const std::filesystem::path& path, const HexMesh& mesh);

}  // namespace sinew
