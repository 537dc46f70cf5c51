// What implicit integration minimises in a step of length h (Liu, eq. 3.30):
//   g(x) = 1/(2h²) (x − y)ᵀ M (x − y) + E(x)
// y is where the body would be without its energy. All variational solvers minimise and report this
// same function. Held vertices do not count: they stay where x has them, and feel nothing.
#pragma once

#include <sinew/mesh.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "math/rows.h"
#include "variational/energy_term.h"
#include "variational/grab_spring.h"

namespace sinew {

class Objective {
 public:
  std::vector<std::unique_ptr<EnergyTerm>> terms;
  std::vector<Real> mass;  // of each vertex [kg]

  // What is to be minimised next: the free motion y with inverse masses in its fourth numbers (0:
  // held), and what is there for this step alone: a term, or none, and grabs.
  void begin(ConstRows target, Real h, EnergyTerm* passing = nullptr,
             std::span<const GrabSpring> grabs = {}) {
    target_ = target;
    h_ = h;
    gravity_.reset();
    passing_ = passing;
    grabs_ = grabs;
    pushed_ = !grabs.empty();
    held_.clear();
    for (std::size_t i = 0; i < target.size(); ++i)
      if (!(target[i].w > 0)) held_.push_back(static_cast<Index>(i));
  }
  // A balance of forces instead: g(x) = E(x) − Σ m gravity·(x − y), y where the body is now. Where
  // matrices are asked for, masses count as in steps of length h.
  void begin_static(ConstRows start, Real h, const Vec3& gravity, EnergyTerm* passing = nullptr) {
    begin(start, h, passing);
    gravity_ = gravity;
  }

  // Whether there is a term for this step alone, of which the metric knows nothing.
  bool has_passing() const { return passing_ != nullptr; }
  // Whether that, or a grab, acted anywhere where g was asked for.
  bool is_pushed() const { return pushed_; }

  // Of which finders know: directions count with them as with the rest.
  std::span<const GrabSpring> grabs() const { return grabs_; }

  void begin_step(ConstRows x, Real h) {
    for (const auto& term : terms) term->begin_step(x.data(), h);
  }

  // g [J], and its gradient [N].
  double evaluate(ConstRows x, Rows gradient, Executor& executor) {
    double total = gravity_ ? add_weight(x, gradient) : add_inertia(x, gradient);
    total += add_potential(x, gradient, executor);
    if (passing_) total += add_passing(x, gradient, executor);
    for (const GrabSpring& grab : grabs_) total += grab.add_gradient(x.data(), gradient.data());
    for (Index i : held_) gradient[i] = {};
    return total;
  }

  // ‖x − y‖²/2h² by masses [J], the first part of g; 0 in a balance of forces.
  double inertia(ConstRows x) const;

  // Of what is kept and not lost to heat: E [J], and its gradient [N], which held vertices feel,
  // too.
  double potential(ConstRows x, Rows gradient, Executor& executor) {
    std::fill(gradient.begin(), gradient.end(), Row4<Real>{});
    double total = 0;
    for (const auto& term : terms)
      if (term->stores()) total += term->add_gradient(x.data(), gradient.data(), executor);
    return total;
  }
  // Whether it may give energy that nobody had before.
  bool gives() const {
    return std::any_of(terms.begin(), terms.end(), [](const auto& term) { return term->gives(); });
  }
  // Whether E is the same function of x in the next step.
  bool steady() const {
    return grabs_.empty() &&
           std::all_of(terms.begin(), terms.end(), [](const auto& term) { return term->steady(); });
  }
  // gradient ← gradient + s M/h² (x − y) of all that is not held.
  void add_inertial_force(Real s, ConstRows x, Rows gradient) const;

  // Of the size of its elastic part at a strain of one [J].
  double scale() const {
    double sum = 0;
    for (const auto& term : terms) sum += term->scale();
    return sum;
  }

  // Norm of the forces that the rounding of x alone makes [N]: balance cannot be better in Real.
  double resolution(ConstRows x) const;

  // No small vibration about rest is faster [rad/s]: by Gershgorin's circles about M⁻¹L.
  double highest_frequency() const;

  // The second derivative of g at x, in a matrix that has the pattern of the metric.
  void hessian(ConstRows x, bool projected, BlockSymmetric& hessian) const;

  // A = M/h² + L, in which held vertices have a one on the diagonal and nothing else.
  SparseSymmetric<double> metric(ConstRows target, Real h) const;

 private:
  double add_inertia(ConstRows x, Rows gradient) const;
  double add_weight(ConstRows x, Rows gradient) const;
  double add_passing(ConstRows x, Rows gradient, Executor& executor) {
    const double energy = passing_->add_gradient(x.data(), gradient.data(), executor);
    pushed_ = pushed_ || energy > 0;
    return energy;
  }
  double add_potential(ConstRows x, Rows gradient, Executor& executor) {
    double total = 0;
    for (const auto& term : terms) total += term->add_gradient(x.data(), gradient.data(), executor);
    return total;
  }

  ConstRows target_;
  Real h_ = 1;
  std::vector<Index> held_;
  std::optional<Vec3> gravity_;  // [m/s²]
  EnergyTerm* passing_ = nullptr;
  bool pushed_ = false;
  std::span<const GrabSpring> grabs_;
};

}  // namespace sinew
