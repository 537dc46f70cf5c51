// Tetrahedra of every material on the list.
#include "elements/tetrahedron.h"
#include "math/rotation.h"
#include "solvers/position_batch.h"

namespace sinew {
namespace {

// A material that needs the rotation of F, and finds it anew each time.
template <class M>
struct Rotated : M {
  template <class T>
  T energy(const Mat3T<T>& f) const {
    return M::energy(f, rotation_of(f).matrix());
  }
  template <class T>
  TangentBound<T> tangent_bound(const Mat3T<T>& f) const {
    return M::tangent_bound(f, rotation_of(f).matrix());
  }
};

}  // namespace

std::unique_ptr<ElementBatch> make_tetrahedron_batch(const TetMesh& mesh,
                                                     const Material& material) {
  return std::visit(
      [&]<class M>(const M& m) -> std::unique_ptr<ElementBatch> {
        using Used = std::conditional_t<M::kNeedsRotation, Rotated<M>, M>;
        return std::make_unique<PositionBatch<TetrahedronElement, Used, Wide>>(mesh, Used{m});
      },
      material);
}

}  // namespace sinew
