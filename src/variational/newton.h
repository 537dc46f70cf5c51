// Directions by Newton's method (Liu, Algorithm 2): H d = −∇g with H = M/h² + ∂²E, made
// positive definite element by element, or by a diagonal.
#pragma once

#include <sinew/solvers/newton.h>

#include "math/block_cholesky.h"
#include "math/conjugate_gradients.h"
#include "math/incomplete_cholesky.h"
#include "variational/constant_metric.h"
#include "variational/descent.h"
#include "variational/grab_metric.h"
#include "variational/rank_one.h"

namespace sinew {

class NewtonDirection final : public DirectionFinder {
 public:
  NewtonDirection(std::size_t rows, const Newton& settings);

  bool begin(const Objective& objective, ConstRows target, Real h) override;
  bool find(Objective& objective, ConstRows x, ConstRows gradient, Rows direction,
            Executor& executor) override;

 private:
  bool constant_preconditioner() const {
    return settings_.linear_solver == LinearSolver::kConjugateGradients &&
           settings_.preconditioner == Preconditioner::kConstant;
  }
  void solve_by_gradients(ConstRows gradient, Rows direction);

  Newton settings_;
  ConstRows target_;
  BlockSymmetric hessian_;
  BlockCholesky factor_;
  ConstantMetric metric_;  // as a preconditioner
  GrabMetric grabs_;       // beside it
  IncompleteCholesky incomplete_;
  ConjugateGradients gradients_;
  RankOneParts rank_one_;
  std::vector<Mat3> inverse_diagonal_;
};

}  // namespace sinew
