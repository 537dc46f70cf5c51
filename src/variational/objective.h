// What implicit integration minimises in a step of length h (seed 001, eq. 3.10):
//   g(x) = 1/(2h²) (x − y)ᵀ M (x − y) + E(x)
// y is where the body would be without its energy. All variational solvers minimise and report this
// same function. Held vertices do not count: they stay where x has them, and feel nothing.
#pragma once

#include <memory>
#include <vector>

#include "math/rows.h"
#include "variational/energy_term.h"

namespace sinew {

class Objective {
 public:
  std::vector<std::unique_ptr<EnergyTerm>> terms;
  std::vector<Real> mass;  // of each vertex [kg]

  // What is to be minimised next: the free motion y with inverse masses in its fourth numbers (0:
  // held), and a term for this step alone, or none.
  void begin(ConstRows target, Real h, EnergyTerm* passing = nullptr) {
    target_ = target;
    h_ = h;
    passing_ = passing;
  }

  // Whether there is a term for this step alone, of which the metric knows nothing.
  bool has_passing() const { return passing_ != nullptr; }

  void begin_step(ConstRows x, Real h) {
    for (const auto& term : terms) term->begin_step(x.data(), h);
  }

  // g [J], and its gradient [N].
  double evaluate(ConstRows x, Rows gradient, Executor& executor) {
    double total = add_inertia(x, gradient);
    for (const auto& term : terms) total += term->add_gradient(x.data(), gradient.data(), executor);
    if (passing_) total += passing_->add_gradient(x.data(), gradient.data(), executor);
    for (std::size_t i = 0; i < x.size(); ++i)
      if (!(target_[i].w > 0)) gradient[i] = {};
    return total;
  }

  // Of the size of its elastic part at a strain of one [J].
  double scale() const {
    double sum = 0;
    for (const auto& term : terms) sum += term->scale();
    return sum;
  }

  // The second derivative of g at x, in a matrix that has the pattern of the metric.
  void hessian(ConstRows x, bool projected, BlockSymmetric& hessian) const;

  // A = M/h² + L, in which held vertices have a one on the diagonal and nothing else.
  SparseSymmetric<double> metric(ConstRows target, Real h) const;

 private:
  double add_inertia(ConstRows x, Rows gradient) const;

  ConstRows target_;
  Real h_ = 1;
  EnergyTerm* passing_ = nullptr;
};

}  // namespace sinew
