// The batch of a body's elements, for every kind of mesh and material. One file each, because the
// kernels take long to compile.
#pragma once

#include <sinew/bodies.h>

#include <memory>

#include "elements/hexahedron.h"
#include "solvers/batch.h"

namespace sinew {

std::unique_ptr<ElementBatch> make_element_batch(const SoftBody& body);

std::unique_ptr<ElementBatch> make_tetrahedra(const TetMesh& mesh, const SoftBody& body);
std::unique_ptr<ElementBatch> make_triangles(const TriMesh& mesh, const SoftBody& body);
std::unique_ptr<ElementBatch> make_lines(const LineMesh& mesh, const SoftBody& body);
// Hexahedra by their integration; `rest` has one entry per cell.
using HexRests = std::vector<HexRest>;
std::unique_ptr<ElementBatch> make_assumed_strain_hexahedra(const HexMesh& mesh,
                                                            const HexRests& rest,
                                                            const SoftBody& body);
std::unique_ptr<ElementBatch> make_laplacian_hexahedra(const HexMesh& mesh, const HexRests& rest,
                                                       const SoftBody& body);
std::unique_ptr<ElementBatch> make_eight_point_hexahedra(const HexMesh& mesh, const HexRests& rest,
                                                         const SoftBody& body);

// With the Laplacian of the hourglass modes that an integration has; as it is by default.
HexRests rests_of(const HexMesh& mesh, HexIntegration integration = HexIntegration::kSelective);
// Whether some cell is no parallelepiped.
bool any_skewed(const HexRests& rest);

}  // namespace sinew
