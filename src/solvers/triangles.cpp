#include "elements/triangle.h"
#include "solvers/element_batches.h"
#include "solvers/simplex_batch.h"

namespace sinew {

std::unique_ptr<ElementBatch> make_triangles(const TriMesh& mesh, const SoftBody& body) {
  return with_bounded_material(body.material,
                               [&]<class M>(const M& material) -> std::unique_ptr<ElementBatch> {
                                 return std::make_unique<SimplexBatch<TriangleElement, M, Wide>>(
                                     mesh, plane_stress(material), body.thickness);
                               });
}

}  // namespace sinew
