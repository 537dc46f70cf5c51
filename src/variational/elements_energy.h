// The energy of a body's elements, which also measure it; for every kind of mesh and material. One
// file each, because the kernels take long to compile.
#pragma once

#include <sinew/bodies.h>

#include <memory>
#include <span>

#include "solvers/batch.h"
#include "variational/energy_term.h"

namespace sinew {

class ElementsEnergy : public EnergyTerm, public ElementMeasure {
 public:
  using EnergyTerm::energy;
};

// What every cell's stiffness is multiplied by, SoftBody::cell_stiffness.
inline double stiffness_factor(std::span<const Real> factors, std::size_t cell) {
  return factors.empty() ? 1 : double(factors[cell]);
}

// Stretches over which the constant matrix is to be right on the whole.
struct StretchInterval {
  double min = 0.5, max = 1.5;
};

std::unique_ptr<ElementsEnergy> make_tetrahedra_energy(const TetMesh& mesh, const SoftBody& body,
                                                       const StretchInterval& stretches);
// By nodal strains (elements/nodal_points.h), TetIntegration::kAveraged.
std::unique_ptr<ElementsEnergy> make_averaged_tetrahedra_energy(const TetMesh& mesh,
                                                                const SoftBody& body,
                                                                const StretchInterval& stretches);
std::unique_ptr<ElementsEnergy> make_triangles_energy(const TriMesh& mesh, const SoftBody& body,
                                                      const StretchInterval& stretches);
std::unique_ptr<ElementsEnergy> make_hexahedra_energy(const HexMesh& mesh, const SoftBody& body,
                                                      const StretchInterval& stretches);
std::unique_ptr<ElementsEnergy> make_lines_energy(const LineMesh& mesh, const SoftBody& body);

}  // namespace sinew
