// Linear finite elements on a solid mesh: K u = f with trilinear hexahedra (eight Gauss points) or
// linear tetrahedra, in double. Pins are held. A body without pins has its rigid motions taken out
// of loads and displacements, in the inner product of its masses.
#pragma once

#include <sinew/bodies.h>

#include <vector>

#include "fit/dense.h"
#include "math/sparse_cholesky.h"

namespace sinew::fit {

class MeshStiffness {
 public:
  // Throws Error for a mesh that is not solid, and for pins that let the body turn.
  MeshStiffness(const SoftBody& body, double young, double poisson);

  // Displacements under forces on the vertices; forces on pins do not count.
  Vector solve(const Vector& force);
  const std::vector<double>& mass() const { return mass_; }                  // [kg]
  const std::vector<double>& inverse_mass() const { return inverse_mass_; }  // pins: 0
  // ‖K_e‖_F of a cell, the mean over cells [N/m], and the mean mass of a vertex by its cells.
  double cell_norm() const { return cell_norm_; }
  bool held() const { return held_; }
  // Takes rigid motions out of displacements, for bodies without pins.
  void remove_rigid(Vector& u) const;

 private:
  std::vector<double> mass_, inverse_mass_;
  std::vector<Vector> rigid_;  // orthonormal in masses
  bool held_ = false;
  double cell_norm_ = 0;
  SparseCholesky<double> factor_;
};

}  // namespace sinew::fit
