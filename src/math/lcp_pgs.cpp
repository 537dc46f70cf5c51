// Projected Gauss–Seidel for box LCPs (lcp.h): row by row
//   x ← clamp(x − ω w / a, lower, upper),   w = A x + b with what is newest of x,
// or, for Jacobi, with x of the last sweep.
#include <sinew/error.h>
#include <sinew/lcp.h>

#include <algorithm>
#include <cmath>

#include "core/format.h"

namespace sinew {
namespace {

void check(const PgsOptions& options, const BoxLcp& p, std::span<const double> start) {
  check(p);
  if (!(options.relaxation > 0 && options.relaxation < 2))
    throw Error(formatted("solve_pgs: relaxation is {}; it must be in (0, 2)", options.relaxation));
  if (!start.empty() && start.size() != p.size())
    throw Error(
        formatted("solve_pgs: {} numbers to start from for {} unknowns", start.size(), p.size()));
  for (std::size_t i = 0; i < start.size(); ++i)
    if (!std::isfinite(start[i]))
      throw Error(formatted("solve_pgs: start[{}] is {}; it must be finite", i, start[i]));
}

double clamped_row(const BoxLcp& p, std::size_t i, double x) {
  return std::max(p.lower[i], std::min(p.upper[i], x));
}

void sweep(const BoxLcp& p, const PgsOptions& options, std::vector<double>& x) {
  const bool each_row = options.projection == PgsProjection::kEachRow;
  const bool jacobi = options.order == PgsOrder::kJacobi;
  const std::vector<double> before = jacobi ? x : std::vector<double>();
  const std::vector<double>& seen = jacobi ? before : x;
  for (std::size_t i = 0; i < x.size(); ++i) {
    double w = p.b[i];
    for (std::size_t j = 0; j < x.size(); ++j) w += p.at(i, j) * seen[j];
    const double a = p.at(i, i);
    if (a > 0) {
      x[i] -= options.relaxation * w / a;
    } else if (w != 0) {
      const double bound = w > 0 ? p.lower[i] : p.upper[i];
      if (std::isfinite(bound)) x[i] = bound;
    }
    if (each_row) x[i] = clamped_row(p, i, x[i]);
  }
  if (!each_row)
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = clamped_row(p, i, x[i]);
}

}  // namespace

LcpSolution solve_pgs(const BoxLcp& p, const PgsOptions& options, std::span<const double> start) {
  check(options, p, start);
  const auto rest = [&](const std::vector<double>& x) {
    return options.stop == PgsStop::kNatural ? lcp_residual(p, x) : linear_residual(p, x);
  };
  LcpSolution solution{.x = std::vector<double>(p.size()), .status = LcpStatus::kIterationLimit};
  for (std::size_t i = 0; i < p.size(); ++i)
    solution.x[i] = clamped_row(p, i, start.empty() ? 0.0 : start[i]);

  std::vector<double> x = solution.x;
  while (!(rest(solution.x) <= options.tolerance)) {
    if (solution.iterations == options.sweeps) break;
    sweep(p, options, x);
    ++solution.iterations;
    if (!std::ranges::all_of(x, [](double e) { return std::isfinite(e); })) {
      solution.status = LcpStatus::kFailed;  // it diverges, as for indefinite matrices
      break;
    }
    solution.x = x;
  }
  solution.residual = lcp_residual(p, solution.x);
  if (solution.status != LcpStatus::kFailed && rest(solution.x) <= options.tolerance)
    solution.status = LcpStatus::kSolved;
  return solution;
}

}  // namespace sinew
