// The limited-memory BFGS method (Nocedal and Wright, "Numerical optimization", 2006, Algorithm
// 7.4; seed 001, Algorithm 4): a guess at the inverse Hessian, corrected by what the last few steps
// s did to the gradient, y. With A the first guess, −H g is found in two loops about one solution
// of A r = q:
//   before:  from the last pair to the first   αᵢ = ρᵢ sᵢ·q,  q ← q − αᵢ yᵢ
//   after:   from the first pair to the last   r ← r + (αᵢ − ρᵢ yᵢ·r) sᵢ
// with ρ = 1/(s·y). Pairs without positive curvature, s·y ≤ 0, would make H indefinite and are left
// out.
#pragma once

#include <vector>

#include "math/rows.h"

namespace sinew {

class Lbfgs {
 public:
  // For so many rows and pairs; forgets everything.
  void resize(std::size_t rows, int history) {
    pairs_.assign(history, {});
    for (Pair& pair : pairs_) {
      pair.step.resize(rows);
      pair.change.resize(rows);
    }
    forget();
  }
  void forget() { first_ = count_ = 0; }
  int count() const { return count_; }

  // What a step did to the gradient; both as differences of two vectors.
  void learn(ConstRows x_before, ConstRows x, ConstRows gradient_before, ConstRows gradient) {
    if (pairs_.empty()) return;
    const bool full = count_ == static_cast<int>(pairs_.size());
    Pair& pair = at(full ? 0 : count_);
    sum_of(x, -1, x_before, pair.step);
    sum_of(gradient, -1, gradient_before, pair.change);
    const double curvature = dot(pair.step, pair.change);
    if (!(curvature > 0) || !(1 / curvature < 1e300)) return forget_if(full);
    pair.rho = 1 / curvature;
    if (full)
      first_ = (first_ + 1) % static_cast<int>(pairs_.size());
    else
      ++count_;
  }

  void before(Rows q) {
    for (int i = count_ - 1; i >= 0; --i) {
      Pair& pair = at(i);
      pair.alpha = pair.rho * dot(pair.step, q);
      add(Real(-pair.alpha), pair.change, q);
    }
  }
  void after(Rows r) {
    for (int i = 0; i < count_; ++i) {
      Pair& pair = at(i);
      add(Real(pair.alpha - pair.rho * dot(pair.change, r)), pair.step, r);
    }
  }

 private:
  struct Pair {
    std::vector<Row4<Real>> step, change;
    double rho = 0, alpha = 0;
  };
  Pair& at(int i) { return pairs_[(first_ + i) % pairs_.size()]; }

  // A pair that is no good has overwritten the oldest one.
  void forget_if(bool overwritten) {
    if (!overwritten) return;
    first_ = (first_ + 1) % static_cast<int>(pairs_.size());
    --count_;
  }

  std::vector<Pair> pairs_;
  int first_ = 0, count_ = 0;
};

}  // namespace sinew
