// Where a cell of plain position-based dynamics comes to rest under a constant load, for any number
// of iterations, and how far that is from the finite element.
//
// One step predicts p = x + Δt v + Δt² M⁻¹ f and iterates n times on p. For small displacements u
// one iteration is u ← S u, S = I − Σ k ĉĉᵀ. Held particles have no mobility (w = 0): ĉ is the
// gradient of the others, of length 1, as in Algorithm 1 and in World. At rest
//   u = Sⁿ (u + g),  g = Δt² M⁻¹ f,   so   u = (I − Sⁿ)⁻¹ Sⁿ g.
// A step changes a mode with Sⁿ = s by z² − 2 s z + s = 0 (velocities are (x − x_before)/Δt), which
// dies away if and only if −1/3 < s < 1: stiffnesses beyond that are not considered.
#pragma once

#include <sinew/fit.h>

#include <optional>

#include "fit/cell.h"

namespace sinew::fit {

// A load on the particles that are not held, and the displacement of the finite element under it.
// Both are in the units of the fit: forces by ‖K_FEM‖ × length, so that u = (K/‖K‖)⁻¹ f.
struct LoadCase {
  Vector load, displacement;
};

class DisplacementProblem {
 public:
  // `element` is K_FEM/‖K_FEM‖; `projections` are of the whole cell, one for each class.
  DisplacementProblem(const Cell& cell, const Matrix& element, std::vector<Matrix> projections,
                      int iterations);

  // Root mean square of |u − u_FEM|/|u_FEM| over loads; infinite when steps with these stiffnesses
  // (one for each class) do not come to rest. `stretch` is Δt² ‖K_FEM‖/m, 1 for eq. 4.5.
  double training_error(const Vector& k, double stretch) const;
  double test_error(const Vector& k, double stretch) const;

  // Displacements of the free particles under a load on them; none when they do not come to rest.
  std::optional<Vector> displacement(const Vector& k, double stretch, const Vector& load) const;

 private:
  // (I − Sⁿ)⁻¹ and Sⁿ on the free particles.
  struct Response {
    Cholesky stiffness;
    Matrix steps;
    Vector displacement(double stretch, const Vector& load) const;
  };
  std::optional<Response> response(const Vector& k) const;
  double error(const std::vector<LoadCase>& cases, const Vector& k, double stretch) const;

  std::vector<Matrix> projections_, free_projections_;
  int iterations_;
  double projection_max_;  // eigenvalues of Σ k ĉĉᵀ must be less than this
  std::vector<LoadCase> training_, test_;
};

}  // namespace sinew::fit
