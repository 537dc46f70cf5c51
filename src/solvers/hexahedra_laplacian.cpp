#include "solvers/element_batches.h"
#include "solvers/hex_batch.h"

namespace sinew {

std::unique_ptr<ElementBatch> make_laplacian_hexahedra(const HexMesh& mesh, const HexRests& rest,
                                                       const SoftBody& body) {
  return with_bounded_solid(body.material,
                            [&]<class M>(const M& m) -> std::unique_ptr<ElementBatch> {
                              return std::make_unique<HexBatch<M, LaplacianControl, true, Wide>>(
                                  mesh, rest, m, body.plasticity);
                            });
}

}  // namespace sinew
