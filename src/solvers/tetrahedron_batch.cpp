// Tetrahedra of every material on the list.
#include "elements/tetrahedron.h"
#include "solvers/position_batch.h"

namespace sinew {

std::unique_ptr<ElementBatch> make_tetrahedron_batch(const TetMesh& mesh,
                                                     const Material& material) {
  return std::visit(
      [&]<class M>(const M& m) -> std::unique_ptr<ElementBatch> {
        return std::make_unique<PositionBatch<TetrahedronElement, M, Wide>>(mesh, m);
      },
      material);
}

}  // namespace sinew
