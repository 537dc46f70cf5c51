#include "variational/elements_energy.h"
#include "variational/simplex_energy.h"

namespace sinew {

std::unique_ptr<ElementsEnergy> make_tetrahedra_energy(const TetMesh& mesh, const SoftBody& body,
                                                       const StretchInterval& stretches) {
  return std::visit(
      [&]<class M>(const M& material) -> std::unique_ptr<ElementsEnergy> {
        using Prepared = decltype(prepared(material));
        return std::make_unique<SimplexEnergy<TetrahedronElement, Prepared, Wide>>(
            mesh, prepared(material), stretches);
      },
      body.material);
}

}  // namespace sinew
