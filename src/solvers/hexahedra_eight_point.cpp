#include "solvers/element_batches.h"
#include "solvers/hex_gauss_batch.h"

namespace sinew {

std::unique_ptr<ElementBatch> make_eight_point_hexahedra(const HexMesh& mesh, const HexRests& rest,
                                                         const SoftBody& body) {
  return with_bounded_solid(
      body.material, [&]<class M>(const M& material) -> std::unique_ptr<ElementBatch> {
        return std::make_unique<HexGaussBatch<M, Wide>>(mesh, rest, material, body.plasticity);
      });
}

}  // namespace sinew
