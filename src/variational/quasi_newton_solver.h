// L-BFGS from a constant matrix, with a backtracking line search (seed 001, Algorithms 3 and 4).
//
// A trial is accepted when it lowers g enough (Armijo), g(x + αd) ≤ g(x) + γ α ∇g·d. In float, g
// near its minimum differs by less than it is rounded to; there, the slope at the trial decides,
// which has no such trouble: ∇g(x + αd)·d ≤ (2γ − 1) ∇g·d, which for a parabola is the same (Hager
// and Zhang, "A new conjugate gradient method with guaranteed descent", 2005, eq. 4.1). So every
// trial costs an energy and a gradient together; most are accepted, and then the gradient is needed
// anyway. A trial that is not finite is rejected like any other.
#pragma once

#include <sinew/solvers/quasi_newton.h>

#include "math/lbfgs.h"
#include "variational/constant_metric.h"

namespace sinew {

struct MinimisationReport {
  int iterations = 0;
  int evaluations = 0;                   // of the objective with its gradient
  double objective = 0;                  // at the end [J]
  double first_drop = 0, last_drop = 0;  // of the objective in an iteration [J]
};

class QuasiNewtonSolver {
 public:
  explicit QuasiNewtonSolver(const QuasiNewton& settings) : settings_(settings) {}

  // `scale` is that of the objective.
  void resize(std::size_t rows, double scale);
  // Lowers the objective from x, the free motion, or from as much of it since `previous` as does
  // not raise it: where a body is torn apart or inside out, going on as before can be far worse
  // than standing still. Leaves x where it is lowest.
  MinimisationReport minimise(Objective& objective, ConstantMetric& metric, ConstRows previous,
                              Rows x, Executor& executor);

 private:
  double start(Objective& objective, ConstRows previous, Rows x, Executor& executor,
               MinimisationReport& report);
  void find_direction(ConstantMetric& metric);
  bool line_search(Objective& objective, ConstRows x, double slope, Executor& executor,
                   MinimisationReport& report);

  QuasiNewton settings_;
  double scale_ = 0;
  Lbfgs history_;
  std::vector<Row4<Real>> gradient_, direction_, trial_, trial_gradient_;
};

}  // namespace sinew
