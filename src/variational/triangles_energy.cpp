#include "variational/elements_energy.h"
#include "variational/simplex_energy.h"

namespace sinew {

std::unique_ptr<ElementsEnergy> make_triangles_energy(const TriMesh& mesh, const SoftBody& body,
                                                      const StretchInterval& stretches) {
  return std::visit(
      [&]<class M>(const M& material) -> std::unique_ptr<ElementsEnergy> {
        using Prepared = decltype(prepared(material));
        return std::make_unique<SimplexEnergy<TriangleElement, Prepared, Wide>>(
            mesh, prepared(plane_stress(material)), stretches, body.thickness);
      },
      body.material);
}

}  // namespace sinew
