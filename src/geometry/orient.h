// Turning cells right side out; part of mend(). Each returns how many cells it turned.
#pragma once

#include <sinew/mesh.h>

namespace sinew {

// Tetrahedra and hexahedra of negative volume are mirrored.
std::size_t orient(TetMesh& mesh);
std::size_t orient(HexMesh& mesh);

// Triangles joined by edges of exactly two triangles are made to face the same side: outwards when
// they enclose a volume, else the side that most of them face already.
std::size_t orient(TriMesh& mesh);

// Segments have no sides.
inline std::size_t orient(LineMesh&) { return 0; }

}  // namespace sinew
