// Hexahedra into tetrahedra, without the check that neighbours agree: for meshes built to fit.
#pragma once

#include <sinew/generators.h>

namespace sinew {

TetMesh split_fitting(const HexMesh& mesh, Split split);

}  // namespace sinew
