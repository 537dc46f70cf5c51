// Jacobi sweeps, and the Chebyshev semi-iterative method that accelerates them (the fitting thesis
// §3.4; Wang, "A Chebyshev semi-iterative approach for accelerating projective and position-based
// dynamics", 2015). All corrections are computed at the same positions, summed with a relaxation α
// (eq. 3.11), and each new iterate is extrapolated from the one before the last,
//   y⁽ᵏ⁺¹⁾ = ω (x⁽ᵏ⁺¹⁾ − y⁽ᵏ⁻¹⁾) + y⁽ᵏ⁻¹⁾,   ω₁ = 1, ω₂ = 2/(2 − ρ²), ω ← 4/(4 − ρ²ω),
// multipliers as well as positions. α and the spectral radius ρ depend on the mesh, the stiffness
// and the substep. They are measured once, on the body at rest: α is the largest for which a
// disturbance dies out, ρ the rate at which it does. Should corrections grow all the same (large
// deformations change the matrix), the recurrence starts again with a smaller ρ.
//
// What converges within a substep can still grow from one to the next. Of a vibration with
// s = h²ω², let forces −θ s x be predicted, and then a share g of what is missing be corrected.
// From substep to substep its motion has the determinant 1 − g and the trace (1 − g)(2 − θs) + gθ,
// and does not grow if 0 ≤ g ≤ 1 and θ s ≤ 4. Therefore:
// - Sweeps without acceleration take α/2, since g goes up to 2 for α.
// - Sweeps with it take a little less than α, for what is stiffer when it is deformed, and come in
//   two equal rows: each leaves a polynomial q of the error, which may change its sign, both leave
//   q², and g = 1 − q². One that is left over is done without.
// - Elements predict no more than α/2 of what they may for Gauss–Seidel, so that θ s ≤ 4.
// Elements become stiffer when they are deformed, and α is for those at rest. Therefore they share
// the masses of their vertices with their neighbours (Tonge, Benevolenski and Voroshilov, "Mass
// splitting for jitter-free parallel rigid body simulation", 2012), among as many as 1/α would be
// if they were infinitely stiff.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "solvers/batch.h"

namespace sinew {

class ChebyshevSolver {
 public:
  using Batches = std::span<const std::shared_ptr<Batch>>;

  // Measures α and ρ for this substep's length and iterations, if that has not been done. `rest`
  // holds the particles at rest with their inverse masses.
  void prepare(Batches batches, const Substep& substep, std::span<const Row4<Real>> rest);
  // Starts a substep, after predict() of all batches.
  void begin(Batches batches, const Substep& substep, bool accelerated);
  // One sweep over all batches.
  void sweep(Batches batches, const Substep& substep);

  Real prediction() const { return largest_relaxation_ / 2; }  // for Substep::prediction
  Real sharing() const { return sharing_; }                    // for Substep::sharing
  Real spectral_radius() const { return spectral_radius_; }

 private:
  // One Jacobi sweep; returns the size of the correction, Σ m|Δx|².
  double jacobi(Batches batches, Substep substep, int count);
  Real find_relaxation(Batches batches, const Substep& substep, std::span<const Row4<Real>> rest);
  void follow_contacts(const Row4<Real>* displacement);
  double decay(Batches batches, const Substep& substep, std::span<const Row4<Real>> rest);

  Real prepared_h_ = 0;
  int prepared_iterations_ = 0;  // which plain constraints share their stiffness among
  Real sharing_ = 1;             // Substep::sharing
  Real largest_relaxation_ = 1;  // α
  Real relaxation_ = 1;          // of the sweep under way
  Real spectral_radius_ = 0;     // with acceleration
  Real radius_ = 0, omega_ = 1;  // of the substep under way
  double size_ = 0;              // of the last correction
  int done_ = 0;                 // sweeps of the substep
  int sweeps_ = 0;               // since the recurrence started
  bool accelerated_ = false;
  std::vector<Row4<Real>> correction_, last_, before_;
};

}  // namespace sinew
