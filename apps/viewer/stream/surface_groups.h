// Which group of cells, solved at the same time, a triangle of a surface belongs to.
#pragma once

#include <sinew/mesh.h>

#include <cstdint>
#include <span>
#include <vector>

namespace sinew::viewer {

// `group` has one value for every cell of the mesh. The triangles are those of its boundary, or of
// the sheet itself.
std::vector<std::uint8_t> surface_groups(const BodyMesh& mesh, std::span<const Triangle> triangles,
                                         std::span<const Real> group);

}  // namespace sinew::viewer
