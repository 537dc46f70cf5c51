#include "solvers/element_batches.h"
#include "solvers/nodal_batch.h"

namespace sinew {

std::unique_ptr<ElementBatch> make_averaged_tetrahedra(const TetMesh& mesh, const SoftBody& body) {
  return with_bounded_solid(body.material,
                            [&]<class M>(const M& material) -> std::unique_ptr<ElementBatch> {
                              if constexpr (M::kElastic)
                                return std::make_unique<NodalBatch<M, Wide>>(mesh, material);
                              else
                                return make_tetrahedra(mesh, body);
                            });
}

}  // namespace sinew
