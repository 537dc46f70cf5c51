#include "variational/newton.h"

namespace sinew {
namespace {

// Of the largest diagonal: where regularisation begins, and by how much it grows.
constexpr Real kLeastShift = sizeof(Real) == 4 ? Real(1e-6) : Real(1e-12), kShiftGrowth = 10;

}  // namespace

NewtonDirection::NewtonDirection(std::size_t rows, const Newton& settings) : settings_(settings) {
  if (settings.linear_solver == LinearSolver::kDirect)
    expanded_.resize(3 * rows);
  else
    gradients_.resize(rows), inverse_diagonal_.resize(rows);
}

bool NewtonDirection::begin(const Objective& objective, ConstRows target, Real h) {
  target_ = target;
  if (hessian_.size() == 0) hessian_ = BlockSymmetric(objective.metric(target, h));
  const bool preconditioned = settings_.linear_solver == LinearSolver::kConjugateGradients &&
                              settings_.preconditioner == Preconditioner::kConstant;
  return !preconditioned || metric_.prepare(objective, target, h);
}

bool NewtonDirection::find(Objective& objective, ConstRows x, ConstRows gradient, Rows direction,
                           Executor&) {
  objective.hessian(x, settings_.definiteness == Definiteness::kProjection, hessian_);
  for (std::size_t i = 0; i < direction.size(); ++i)
    direction[i] = {-gradient[i].x, -gradient[i].y, -gradient[i].z, 0};
  if (settings_.linear_solver == LinearSolver::kDirect)
    return solve_directly(objective, x, direction);
  rank_one_.find(objective, x, target_);
  solve_by_gradients(gradient, direction);
  return true;
}

bool NewtonDirection::solve_directly(const Objective& objective, ConstRows x, Rows direction) {
  SparseSymmetric<Real> a = hessian_.expanded();
  if (!analysed_) factor_.analyse(a);
  analysed_ = true;
  Real largest = 0;
  for (int i = 0; i < a.size(); ++i) largest = std::max(largest, a.value[a.begin[i]]);
  Real shift = 0;
  while (factor_.factor(a)) {
    const Real next = shift == 0 ? kLeastShift * largest : shift * kShiftGrowth;
    if (!(next < 1e3 * largest)) return false;
    for (int i = 0; i < a.size(); ++i) a.value[a.begin[i]] += next - shift;
    shift = next;
  }
  rank_one_.prepare(objective, x, target_, [&](Rows r) { substitute(r); });
  substitute(direction);
  rank_one_.correct(direction);
  return true;
}

void NewtonDirection::substitute(Rows r) {
  for (std::size_t i = 0; i < r.size(); ++i)
    for (int k = 0; k < 3; ++k)
      expanded_[3 * i + k] = {k == 0 ? r[i].x : k == 1 ? r[i].y : r[i].z, 0, 0, 0};
  factor_.solve(expanded_.data(), expanded_.data());
  for (std::size_t i = 0; i < r.size(); ++i)
    r[i] = {expanded_[3 * i].x, expanded_[3 * i + 1].x, expanded_[3 * i + 2].x, 0};
}

void NewtonDirection::solve_by_gradients(ConstRows gradient, Rows direction) {
  const auto multiply = [&](ConstRows p, Rows out) {
    hessian_.multiply(p, out);
    rank_one_.multiply(p, out);
  };
  if (settings_.preconditioner == Preconditioner::kConstant) {
    gradients_.solve(gradient, direction, settings_.linear_tolerance, settings_.linear_iterations,
                     multiply, [&](ConstRows r, Rows out) {
                       std::copy(r.begin(), r.end(), out.begin());
                       metric_.solve(out);
                     });
  } else {
    for (int i = 0; i < hessian_.size(); ++i) inverse_diagonal_[i] = inverse(hessian_.diagonal(i));
    gradients_.solve(gradient, direction, settings_.linear_tolerance, settings_.linear_iterations,
                     multiply, [&](ConstRows r, Rows out) {
                       for (std::size_t i = 0; i < r.size(); ++i) {
                         const Vec3 v = inverse_diagonal_[i] * Vec3{r[i].x, r[i].y, r[i].z};
                         out[i] = {v.x, v.y, v.z, 0};
                       }
                     });
  }
  for (Row4<Real>& d : direction) d = {-d.x, -d.y, -d.z, 0};
}

}  // namespace sinew
