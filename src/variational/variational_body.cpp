#include "variational/variational_body.h"

namespace sinew {
namespace {

struct Make {
  const SoftBody& body;
  const StretchInterval& stretches;
  using Result = std::unique_ptr<ElementsEnergy>;

  Result operator()(const TetMesh& mesh) const {
    return make_tetrahedra_energy(mesh, body, stretches);
  }
  Result operator()(const TriMesh& mesh) const {
    return make_triangles_energy(mesh, body, stretches);
  }
  Result operator()(const HexMesh&) const { return nullptr; }
  Result operator()(const LineMesh&) const { return nullptr; }
};

}  // namespace

std::unique_ptr<ElementsEnergy> make_elements_energy(const SoftBody& body,
                                                     const StretchInterval& stretches) {
  return std::visit(Make{body, stretches}, body.mesh);
}

}  // namespace sinew
