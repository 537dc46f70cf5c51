// The batch of a body's elements, for every kind of mesh and material. One file each, because the
// kernels take long to compile.
#pragma once

#include <sinew/bodies.h>
#include <sinew/error.h>
#include <sinew/tangent_bound.h>

#include <memory>
#include <string>

#include "elements/hexahedron.h"
#include "solvers/batch.h"
#include "solvers/guarded_st_venant_kirchhoff.h"

namespace sinew {

std::unique_ptr<ElementBatch> make_element_batch(const SoftBody& body);

std::unique_ptr<ElementBatch> make_tetrahedra(const TetMesh& mesh, const SoftBody& body);
// By nodal strains (elements/nodal_points.h).
std::unique_ptr<ElementBatch> make_averaged_tetrahedra(const TetMesh& mesh, const SoftBody& body);
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

// make(material). Kernels are made only for materials that can bound their tangent, which one
// Newton step of an element needs; Error for others.
template <class Make>
std::unique_ptr<ElementBatch> with_bounded_material(const Material& material, Make&& make) {
  return std::visit(
      [&]<class M>(const M& m) -> std::unique_ptr<ElementBatch> {
        if constexpr (HasTangentBound<M>)
          return make(m);
        else
          throw Error(std::string("the solver \"position\" does not know its material, \"") +
                      M::kName +
                      "\"; take the solver \"quasi_newton\" or \"newton\", or another material");
      },
      material);
}

// The same for solids, of which some materials take care not to stay flat.
template <class Make>
std::unique_ptr<ElementBatch> with_bounded_solid(const Material& material, Make&& make) {
  return with_bounded_material(material, [&]<class M>(const M& m) -> std::unique_ptr<ElementBatch> {
    if constexpr (std::is_same_v<M, StVenantKirchhoff>)
      return make(GuardedStVenantKirchhoff{m});
    else
      return make(m);
  });
}

// With the Laplacian of the hourglass modes that an integration has; as it is by default.
// `factor` is SoftBody::hourglass.
HexRests rests_of(const HexMesh& mesh, HexIntegration integration = HexIntegration::kSelective,
                  Real factor = 1);
// Whether some cell is no parallelepiped.
bool any_skewed(const HexRests& rest);

}  // namespace sinew
