// The rows of a user's constraints as energies, ½ C²/compliance, and linear where a limit of the
// force f holds. The gradient is −f ∂C. Second derivatives leave out that of C, which nobody tells:
// ∂C ∂Cᵀ/compliance where no limit holds (Gauss and Newton). In the constant matrix, alike for x, y
// and z, stands ∂C·∂C/compliance where the body starts.
#pragma once

#include "constraints/attachment.h"
#include "constraints/custom_rows.h"
#include "constraints/row_forces.h"
#include "variational/energy_term.h"

namespace sinew {

class CustomRowsEnergy final : public EnergyTerm, public RowForces {
 public:
  // `seen_from`: the origin of the positions that it is asked at.
  CustomRowsEnergy(CustomRowsSource source, std::shared_ptr<const AttachmentTargets> seen_from)
      : source_(std::move(source)), seen_from_(std::move(seen_from)), energies_(source_.count()) {}

  double add_gradient(const Row4<Real>* x, Row4<Real>* gradient, Executor& executor) override {
    source_.for_each(executor, false, [&](std::size_t i) {
      Answer answer;
      energies_[i] = ask(i, x, answer);
      const Index* nodes = source_.nodes_of(i);
      if (!answer.finite) {  // one number is enough to stop the body
        gradient[nodes[0]].x = std::numeric_limits<Real>::quiet_NaN();
        return;
      }
      for (int r = 0; r < source_.rows(); ++r) {
        const double f = source_.force(source_.row_number(i, r), answer.error[r]);
        for (int n = 0; n < source_.nodes(); ++n) {
          const Vec pull = answer.gradient[r * source_.nodes() + n] * -f;
          Row4<Real>& row = gradient[nodes[n]];
          row.x += Real(pull.x), row.y += Real(pull.y), row.z += Real(pull.z);
        }
      }
    });
    double total = 0;
    for (const double one : energies_) total += one;
    return total;
  }

  double energy(const Row4<Real>* x) const override {
    double total = 0;
    Answer answer;
    for (std::size_t i = 0; i < source_.count(); ++i) {
      const double one = ask(i, x, answer);
      if (answer.finite) total += one;  // else the body is frozen
    }
    return total;
  }

  double scale() const override {
    double total = 0;
    for (std::size_t i = 0; i < source_.count(); ++i)
      for (int r = 0; r < source_.rows(); ++r) {
        const Answer& at = source_.start(i);
        double strained = 0;
        for (int n = 0; n < source_.nodes(); ++n)
          strained += dot(at.gradient[r * source_.nodes() + n], at.x[n] - at.x[0]);
        total += strained * strained / source_.compliance(source_.row_number(i, r));
      }
    return total;
  }

  void add_metric(MetricEntries& entries) const override {
    for (std::size_t i = 0; i < source_.count(); ++i)
      for_each_pair(i, source_.start(i), [&](int a, int b, const Vec* g, double stiffness) {
        const Index* nodes = source_.nodes_of(i);
        entries.push_back(
            {static_cast<int>(nodes[a]), static_cast<int>(nodes[b]), stiffness * dot(g[a], g[b])});
      });
  }

  void add_hessian(const Row4<Real>* x, bool, BlockSymmetric& hessian) const override {
    Answer answer;
    for (std::size_t i = 0; i < source_.count(); ++i) {
      ask(i, x, answer);
      for_each_pair(i, answer, [&](int a, int b, const Vec* g, double stiffness) {
        Mat3 block;
        for (int c = 0; c < 9; ++c)
          block(c % 3, c / 3) = Real(stiffness * g[a][c % 3] * g[b][c / 3]);
        const Index* nodes = source_.nodes_of(i);
        hessian.add(static_cast<int>(nodes[a]), static_cast<int>(nodes[b]), block);
      });
    }
  }

  bool external() const override { return !source_.keeps_momentum(); }

  std::vector<double> row_forces(const Places& at) const override {
    std::vector<double> forces;
    Answer answer;
    for (std::size_t i = 0; i < source_.count(); ++i) {
      for (int n = 0; n < source_.nodes(); ++n) answer.x[n] = at[source_.nodes_of(i)[n]];
      source_.ask(i, answer);
      for (int r = 0; r < source_.rows(); ++r)
        forces.push_back(answer.finite ? source_.force(source_.row_number(i, r), answer.error[r])
                                       : 0);
    }
    return forces;
  }

 private:
  using Vec = Vec3T<double>;
  using Answer = CustomRowsSource::Answer;

  // The energy of a constraint; not a number where its function gives none.
  double ask(std::size_t i, const Row4<Real>* x, Answer& answer) const {
    const Index* nodes = source_.nodes_of(i);
    for (int n = 0; n < source_.nodes(); ++n)
      answer.x[n] = Vec{x[nodes[n]].x, x[nodes[n]].y, x[nodes[n]].z} + seen_from_->origin;
    source_.ask(i, answer);
    if (!answer.finite) return std::numeric_limits<double>::quiet_NaN();
    double sum = 0;
    for (int r = 0; r < source_.rows(); ++r)
      sum += source_.energy(source_.row_number(i, r), answer.error[r]);
    return sum;
  }

  // f(a, b, gradients, stiffness) for all b ≤ a and all rows; without stiffness where a limit
  // holds, so that all pairs are told.
  template <class F>
  void for_each_pair(std::size_t i, const Answer& answer, F&& f) const {
    for (int r = 0; r < source_.rows(); ++r) {
      const std::size_t row = source_.row_number(i, r);
      const double stiffness = 1 / source_.compliance(row), free = -answer.error[r] * stiffness;
      const bool acts = &answer == &source_.start(i) || source_.force(row, answer.error[r]) == free;
      for (int a = 0; a < source_.nodes(); ++a)
        for (int b = 0; b <= a; ++b)
          f(a, b, &answer.gradient[r * source_.nodes()], acts ? stiffness : 0.0);
    }
  }

  CustomRowsSource source_;
  std::shared_ptr<const AttachmentTargets> seen_from_;
  std::vector<double> energies_;  // of the last gradient
};

}  // namespace sinew
