// Directions by L-BFGS from the constant matrix (Liu, Algorithm 4); without a history, by the
// matrix alone (Algorithm 3). If all energies are projective, that is to alternate local and global
// steps (eq. 7.11): x − A⁻¹∇g = A⁻¹(M/h² y + J p).
#pragma once

#include "math/lbfgs.h"
#include "variational/constant_metric.h"
#include "variational/descent.h"
#include "variational/grab_metric.h"
#include "variational/rank_one.h"

namespace sinew {

class QuasiNewtonDirection final : public DirectionFinder {
 public:
  // `only_passing`: remembers only in steps with a passing term, as contact is.
  QuasiNewtonDirection(std::size_t rows, int history, bool only_passing = false)
      : only_passing_(only_passing) {
    history_.resize(rows, history);
  }

  bool begin(const Objective& objective, ConstRows target, Real h) override {
    history_.forget();
    target_ = target;
    learns_ = !only_passing_ || objective.has_passing();
    if (!metric_.prepare(objective, target, h)) return false;
    grabs_.prepare(objective.grabs(), target, metric_);
    return true;
  }
  bool find(Objective& objective, ConstRows x, ConstRows gradient, Rows direction,
            Executor&) override {
    grabs_.weigh(x);
    const auto solve = [&](Rows r) {
      metric_.solve(r);
      grabs_.correct(r);
    };
    rank_one_.prepare(objective, x, target_, false, solve);
    history_.before(gradient, direction);
    solve(direction);
    rank_one_.correct(direction);
    history_.after(direction);
    return true;
  }
  void learn(ConstRows x_before, ConstRows x, ConstRows gradient_before,
             ConstRows gradient) override {
    if (learns_) history_.learn(x_before, x, gradient_before, gradient);
  }
  bool forget() override {
    const bool learnt = history_.count() > 0;
    history_.forget();
    return learnt;
  }

 private:
  ConstRows target_;
  ConstantMetric metric_;
  GrabMetric grabs_;
  RankOneParts rank_one_;
  Lbfgs history_;
  bool only_passing_, learns_ = true;
};

}  // namespace sinew
