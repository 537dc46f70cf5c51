#include "variational/newton.h"

namespace sinew {

NewtonDirection::NewtonDirection(std::size_t rows, const Newton& settings) : settings_(settings) {
  if (settings.linear_solver == LinearSolver::kConjugateGradients)
    gradients_.resize(rows), inverse_diagonal_.resize(rows);
}

bool NewtonDirection::begin(const Objective& objective, ConstRows target, Real h) {
  target_ = target;
  if (hessian_.size() == 0) hessian_ = BlockSymmetric(objective.metric(target, h));
  if (!constant_preconditioner()) return true;
  if (!metric_.prepare(objective, target, h)) return false;
  grabs_.prepare(objective.grabs(), target, metric_);
  return true;
}

bool NewtonDirection::find(Objective& objective, ConstRows x, ConstRows gradient, Rows direction,
                           Executor&) {
  objective.hessian(x, settings_.definiteness == Definiteness::kProjection, hessian_);
  if (settings_.linear_solver == LinearSolver::kDirect) {
    if (!factor_.factor(hessian_)) return false;
    rank_one_.prepare(objective, x, target_, true, [&](Rows r) { factor_.solve(r); });
    std::copy(gradient.begin(), gradient.end(), direction.begin());
    factor_.solve(direction);
    rank_one_.correct(direction);
  } else {
    rank_one_.find(objective, x, target_, true);
    if (constant_preconditioner()) grabs_.weigh(x);
    solve_by_gradients(gradient, direction);
  }
  for (Row4<Real>& d : direction) d = {-d.x, -d.y, -d.z, 0};
  return true;
}

void NewtonDirection::solve_by_gradients(ConstRows gradient, Rows direction) {
  const auto solve = [&](auto&& precondition) {
    gradients_.solve(
        gradient, direction, settings_.linear_tolerance, settings_.linear_iterations,
        [&](ConstRows p, Rows out) {
          hessian_.multiply(p, out);
          rank_one_.multiply(p, out);
        },
        precondition);
  };
  Preconditioner preconditioner = settings_.preconditioner;
  if (preconditioner == Preconditioner::kIncomplete && !incomplete_.factor(hessian_))
    preconditioner = Preconditioner::kJacobi;
  switch (preconditioner) {
    case Preconditioner::kConstant:
      solve([&](ConstRows r, Rows out) {
        std::copy(r.begin(), r.end(), out.begin());
        metric_.solve(out);
        grabs_.correct(out);
      });
      break;
    case Preconditioner::kIncomplete:
      solve([&](ConstRows r, Rows out) { incomplete_.solve(r, out); });
      break;
    case Preconditioner::kJacobi:
      for (int i = 0; i < hessian_.size(); ++i)
        inverse_diagonal_[i] = inverse(hessian_.diagonal(i));
      solve([&](ConstRows r, Rows out) {
        for (std::size_t i = 0; i < r.size(); ++i) {
          const Vec3 v = inverse_diagonal_[i] * Vec3{r[i].x, r[i].y, r[i].z};
          out[i] = {v.x, v.y, v.z, 0};
        }
      });
      break;
  }
}

}  // namespace sinew
