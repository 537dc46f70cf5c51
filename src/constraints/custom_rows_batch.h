// The rows of a user's constraints, solved as those of scalar_batch.h are: a row of force f along
// its gradient is a multiplier λ = h²f, with
//   Δλ = −(C + αλ + τ/h (C − C₀)) / ((1 + τ/h) Σ wᵢ|∇ᵢC|² + α),   α = compliance/h²,
// C₀ at the start of the substep, τ the body's damping, and λ kept within h² times the limits of f.
// Rows of one constraint are gone over one by one; what earlier ones moved is told to later ones by
// their gradients.
#pragma once

#include "constraints/custom_rows.h"
#include "constraints/row_forces.h"
#include "solvers/coloured_packs.h"
#include "solvers/stress_multiplier.h"

namespace sinew {

class CustomRowsBatch final : public Batch, public RowForces {
 public:
  explicit CustomRowsBatch(CustomRowsSource source);

  void predict(const Substep& substep) override;
  void solve(const Substep& substep) override;
  void extrapolate(Real omega, bool first) override;
  double energy(const Places& at) const override;
  double stiffness(const Row4<Real>* rest) const override;
  int count() const override { return static_cast<int>(source_.count()); }
  bool external() const override { return !source_.keeps_momentum(); }
  void visit_state(StateBytes& state) override { state(lambda_, to_force_); }
  std::vector<double> row_forces(const Places& x) const override;

 private:
  using Answer = CustomRowsSource::Answer;
  using Vec = Vec3T<double>;

  void predict_one(std::size_t i, const Substep& s);
  void solve_one(std::size_t i, const Substep& s);
  // Asks where its vertices are after displacements `u`, or, without, at the start of the substep.
  void ask(std::size_t i, const Places& start, const Row4<Real>* u, Answer& answer) const;
  double mobility(std::size_t i, int row, const Row4<Real>* weights, const Answer& answer) const;
  void push(std::size_t i, int row, const Substep& s, const Answer& answer, double lambda) const;

  CustomRowsSource source_;
  Real explicit_limit_;               // of h²k/m of one row, in predict()
  Real jacobi_share_ = 1;             // of a correction, in Jacobi sweeps
  std::vector<double> lambda_;        // of every row
  std::vector<double> error_before_;  // C at the start of the substep
  double to_force_ = 0;               // 1/h² of the last substep
  MultiplierMemory<double> memory_;
};

}  // namespace sinew
