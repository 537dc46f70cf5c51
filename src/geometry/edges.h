// The edges of a mesh, each once.
#pragma once

#include <sinew/mesh.h>

#include <vector>

namespace sinew {

// Sorted, the smaller vertex first.
std::vector<Segment> edges_of(const BodyMesh& mesh);

}  // namespace sinew
