// Preconditioned conjugate gradients (Hestenes and Stiefel 1952; Shewchuk, "An introduction to the
// conjugate gradient method without the agonizing pain", 1994), for three-vectors of particles.
#pragma once

#include <vector>

#include "math/rows.h"

namespace sinew {

class ConjugateGradients {
 public:
  void resize(std::size_t rows) {
    for (auto* v : {&residual_, &preconditioned_, &direction_, &product_}) v->assign(rows, {});
  }
  // A x = b from x = 0: `multiply(p, out)` is out ← A p, `precondition(r, out)` out ← C⁻¹ r. Ends
  // when the residual is `tolerance` of what it was, in the norm of C⁻¹, or where A curves the
  // wrong way; x is then a direction of descent all the same. Returns the iterations.
  template <class Multiply, class Precondition>
  int solve(ConstRows b, Rows x, double tolerance, int iterations, Multiply&& multiply,
            Precondition&& precondition) {
    std::fill(x.begin(), x.end(), Row4<Real>{});
    std::copy(b.begin(), b.end(), residual_.begin());
    precondition(residual_, preconditioned_);
    std::copy(preconditioned_.begin(), preconditioned_.end(), direction_.begin());
    double size = dot(residual_, preconditioned_);
    const double enough = size * tolerance * tolerance;
    int i = 0;
    for (; i < iterations && size > enough; ++i) {
      multiply(direction_, product_);
      const double curvature = dot(direction_, product_);
      if (!(curvature > 0)) {
        if (i == 0) std::copy(direction_.begin(), direction_.end(), x.begin());
        break;
      }
      const Real length = Real(size / curvature);
      add(length, direction_, x);
      add(-length, product_, residual_);
      precondition(residual_, preconditioned_);
      const double next = dot(residual_, preconditioned_);
      sum_of(preconditioned_, Real(next / size), direction_, direction_);
      size = next;
    }
    return i;
  }

 private:
  std::vector<Row4<Real>> residual_, preconditioned_, direction_, product_;
};

}  // namespace sinew
