// Directions by L-BFGS from the constant matrix (seed 001, Algorithm 4); without a history, by the
// matrix alone (Algorithm 3).
#pragma once

#include "math/lbfgs.h"
#include "variational/constant_metric.h"
#include "variational/descent.h"

namespace sinew {

class QuasiNewtonDirection final : public DirectionFinder {
 public:
  QuasiNewtonDirection(std::size_t rows, int history) { history_.resize(rows, history); }

  bool begin(const Objective& objective, ConstRows target, Real h) override {
    history_.forget();
    return metric_.prepare(objective, target, h);
  }
  bool find(Objective&, ConstRows, ConstRows gradient, Rows direction, Executor&) override {
    for (std::size_t i = 0; i < gradient.size(); ++i)
      direction[i] = {-gradient[i].x, -gradient[i].y, -gradient[i].z, 0};
    history_.before(direction);
    metric_.solve(direction);
    history_.after(direction);
    return true;
  }
  void learn(ConstRows x_before, ConstRows x, ConstRows gradient_before,
             ConstRows gradient) override {
    history_.learn(x_before, x, gradient_before, gradient);
  }
  bool forget() override {
    const bool learnt = history_.count() > 0;
    history_.forget();
    return learnt;
  }

 private:
  ConstantMetric metric_;
  Lbfgs history_;
};

}  // namespace sinew
