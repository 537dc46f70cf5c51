#include "elements/tetrahedron.h"
#include "solvers/element_batches.h"
#include "solvers/simplex_batch.h"

namespace sinew {

std::unique_ptr<ElementBatch> make_tetrahedra(const TetMesh& mesh, const SoftBody& body) {
  return with_bounded_solid(body.material,
                            [&]<class M>(const M& material) -> std::unique_ptr<ElementBatch> {
                              return std::make_unique<SimplexBatch<TetrahedronElement, M, Wide>>(
                                  mesh, material, Real(1), body.plasticity);
                            });
}

}  // namespace sinew
