#include "solvers/element_batches.h"
#include "solvers/hex_batch.h"

namespace sinew {

std::unique_ptr<ElementBatch> make_assumed_strain_hexahedra(const HexMesh& mesh,
                                                            const HexRests& rest,
                                                            const SoftBody& body) {
  return with_bounded_solid(
      body.material, [&]<class M>(const M& m) -> std::unique_ptr<ElementBatch> {
        if (any_skewed(rest))
          return std::make_unique<HexBatch<M, AssumedStrainControl, true, Wide>>(mesh, rest, m,
                                                                                 body.plasticity);
        return std::make_unique<HexBatch<M, AssumedStrainControl, false, Wide>>(mesh, rest, m,
                                                                                body.plasticity);
      });
}

}  // namespace sinew
