// Jacobi sweeps, and the Chebyshev semi-iterative method that accelerates them (seed 003 §3.4;
// Wang, "A Chebyshev semi-iterative approach for accelerating projective and position-based
// dynamics", 2015). All corrections are computed at the same positions, summed with a relaxation α
// (eq. 3.11), and each new iterate is extrapolated from the one before the last,
//   y⁽ᵏ⁺¹⁾ = ω (x⁽ᵏ⁺¹⁾ − y⁽ᵏ⁻¹⁾) + y⁽ᵏ⁻¹⁾,   ω₁ = 1, ω₂ = 2/(2 − ρ²), ω ← 4/(4 − ρ²ω),
// multipliers as well as positions. α and the spectral radius ρ depend on the mesh, the stiffness
// and the substep. They are measured once, on the body at rest: α is the largest for which a
// disturbance dies out, ρ the rate at which it does. Should corrections grow all the same (large
// deformations change the matrix), the recurrence starts again with a smaller ρ.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "solvers/batch.h"

namespace sinew {

class ChebyshevSolver {
 public:
  using Batches = std::span<const std::unique_ptr<Batch>>;

  // Measures α and ρ for this substep length, if that has not been done. `rest` holds the particles
  // at rest with their inverse masses.
  void prepare(Batches batches, const Substep& substep, std::span<const Row4<Real>> rest);
  // Starts a substep, after predict() of all batches.
  void begin(Batches batches, const Substep& substep, bool accelerated);
  // One sweep over all batches.
  void sweep(Batches batches, const Substep& substep);

  Real relaxation() const { return relaxation_; }
  Real spectral_radius() const { return spectral_radius_; }

 private:
  // One Jacobi sweep; returns the size of the correction, Σ m|Δx|².
  double jacobi(Batches batches, Substep substep, int count);
  double decay(Batches batches, const Substep& substep, std::span<const Row4<Real>> rest);

  Real prepared_h_ = 0;
  Real relaxation_ = 1, spectral_radius_ = 0;
  Real radius_ = 0, omega_ = 1;  // of the substep under way
  double size_ = 0;              // of the last correction
  int sweeps_ = 0;               // since the recurrence started
  bool accelerated_ = false;
  std::vector<Row4<Real>> correction_, last_, before_;
};

}  // namespace sinew
