// Takes cells of whatever type a file lists and keeps what a MeshFile holds: faces become
// triangles, second-order cells are reduced to their corners, the rest is skipped. What was reduced
// or skipped is counted and told as warnings, one for each type.
#pragma once

#include <sinew/mesh_io.h>

#include <map>
#include <string_view>

namespace sinew {

enum class CellKind {
  kIgnored,  // points and lines: no warning, they only mark things
  kSkipped,  // a warning counts them
  kTriangle,
  kPolygon,  // any number of corners, in order round the face
  kPixel,    // a quadrilateral whose corners are in raster order
  kStrip,    // triangles 012, 213, 234, …
  kTetrahedron,
  kHexahedron,
  kVoxel,  // a hexahedron whose corners are in raster order
};

// A row of a format's table of cell types. Corners come first among a cell's nodes.
struct CellType {
  int code;          // the format's own number
  const char* name;  // "pyramid"
  CellKind kind;
  std::size_t nodes;        // 0: any number
  std::size_t corners = 0;  // where a face has more nodes than corners; 0: as the kind has
};

// Null when the table has no such code.
const CellType* find_cell_type(std::span<const CellType> table, std::int64_t code);

// Whether a cell of this type can have that many nodes.
bool fits(const CellType& type, std::size_t nodes);

class CellSink {
 public:
  explicit CellSink(MeshFile& file) : file_(file) {}

  // `nodes` are vertices of the file, checked by the caller, and their number fits the type.
  void add(const CellType& type, std::span<const Index> nodes);
  void skip(std::string_view name, std::size_t count = 1);

  // Adds the warnings to the file.
  void finish();

 private:
  MeshFile& file_;
  std::map<std::string, std::size_t, std::less<>> skipped_, reduced_;
};

// "1 pyramid", "12 pyramids", "3 tetrahedra"
std::string counted(std::size_t count, std::string_view noun);

}  // namespace sinew
