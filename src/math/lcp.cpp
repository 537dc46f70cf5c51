// Checks, residuals and scaling of box LCPs (lcp.h).
#include <sinew/error.h>
#include <sinew/lcp.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/format.h"
#include "math/dense_lu.h"
#include "math/lcp_scaled.h"

namespace sinew {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kUnreachable = 1e20;  // in a scaled problem

double clamped(const BoxLcp& p, std::size_t i, double x) {
  return std::max(p.lower[i], std::min(p.upper[i], x));
}

std::vector<double> nearest_to_zero(const BoxLcp& p) {
  std::vector<double> x(p.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = clamped(p, i, 0);
  return x;
}

// How strongly row i answers to its own unknown; 1 if it does not.
double diagonal(const BoxLcp& p, std::size_t i) { return p.at(i, i) > 0 ? p.at(i, i) : 1; }

double largest(std::span<const double> v) {
  double most = 0;
  for (const double e : v) most = std::max(most, std::abs(e));
  return most;
}

double norm(std::span<const double> v) {
  const double scale = largest(v);
  if (scale == 0) return 0;
  double sum = 0;
  for (const double e : v) sum += e / scale * (e / scale);
  return scale * std::sqrt(sum);
}

// One more solution for the unknowns between their bounds, by A's own entries: takes away what many
// pivots have rounded. Kept if it is better.
bool refine(const BoxLcp& p, std::vector<double>& x, double& residual) {
  std::vector<std::size_t> between;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (p.lower[i] < x[i] && x[i] < p.upper[i]) between.push_back(i);
  const std::vector<double> w = lcp_velocity(p, x);
  std::vector<double> block, rhs, scale;
  for (const std::size_t i : between) scale.push_back(1 / std::sqrt(diagonal(p, i)));
  for (std::size_t k = 0; k < between.size(); ++k) {
    rhs.push_back(-w[between[k]] * scale[k]);
    for (std::size_t l = 0; l < between.size(); ++l)
      block.push_back(p.at(between[k], between[l]) * scale[k] * scale[l]);
  }
  const std::vector<double> way =
      DenseLu(std::move(block), between.size(), lcp::kSingular).solve(rhs);
  std::vector<double> better = x;
  for (std::size_t k = 0; k < between.size(); ++k)
    better[between[k]] = clamped(p, between[k], x[between[k]] + way[k] * scale[k]);
  const double now = lcp_residual(p, better);
  if (!(now < residual)) return false;
  residual = now;
  x = std::move(better);
  return true;
}

}  // namespace

BoxLcp BoxLcp::free_of(std::size_t n) {
  return {.a = std::vector<double>(n * n),
          .b = std::vector<double>(n),
          .lower = std::vector<double>(n, -kInfinity),
          .upper = std::vector<double>(n, kInfinity)};
}

const char* name_of(LcpStatus status) {
  switch (status) {
    case LcpStatus::kSolved:
      return "solved";
    case LcpStatus::kNoSolution:
      return "no solution";
    case LcpStatus::kIterationLimit:
      return "iteration limit";
    case LcpStatus::kFailed:
      return "failed";
  }
  return "";
}

void check(const BoxLcp& p) {
  const std::size_t n = p.size();
  if (p.a.size() != n * n || p.lower.size() != n || p.upper.size() != n)
    throw Error(
        formatted("LCP: b has {} numbers, A {}, lower {}, upper {}; A must have the square of "
                  "b's, the bounds as many",
                  n, p.a.size(), p.lower.size(), p.upper.size()));
  for (std::size_t k = 0; k < p.a.size(); ++k)
    if (!std::isfinite(p.a[k]))
      throw Error(formatted("LCP: A({}, {}) is {}; it must be finite", k / n, k % n, p.a[k]));
  for (std::size_t i = 0; i < n; ++i) {
    if (!std::isfinite(p.b[i]))
      throw Error(formatted("LCP: b[{}] is {}; it must be finite", i, p.b[i]));
    if (!(p.lower[i] <= p.upper[i]) || p.lower[i] == kInfinity || p.upper[i] == -kInfinity)
      throw Error(
          formatted("LCP: unknown {} is bounded by {} from below and {} from above; "
                    "there must be a finite number between",
                    i, p.lower[i], p.upper[i]));
  }
}

std::vector<double> lcp_velocity(const BoxLcp& p, std::span<const double> x) {
  std::vector<double> w = p.b;
  for (std::size_t i = 0; i < w.size(); ++i)
    for (std::size_t j = 0; j < w.size(); ++j) w[i] += p.at(i, j) * x[j];
  return w;
}

double lcp_residual(const BoxLcp& p, std::span<const double> x) {
  const std::vector<double> w = lcp_velocity(p, x);
  double most = 0;
  for (std::size_t i = 0; i < w.size(); ++i) {
    const double s = diagonal(p, i);
    // Not by x − clamp(x − w/s): near a bound of −1e9 that would round w away.
    const double r = std::max(s * (x[i] - p.upper[i]), std::min(s * (x[i] - p.lower[i]), w[i]));
    if (!(std::abs(r) <= most)) most = std::abs(r);
    if (std::isnan(most)) return kInfinity;
  }
  const double scale = std::max(largest(p.b), largest(lcp_velocity(p, nearest_to_zero(p))));
  return scale > 0 ? most / scale : most;
}

double linear_residual(const BoxLcp& p, std::span<const double> x) {
  const double rest = norm(lcp_velocity(p, x));
  return rest == 0 ? 0 : rest / norm(p.b);
}

namespace lcp {

Scaled scaled(const BoxLcp& p) {
  const std::size_t n = p.size();
  Scaled s{p, nearest_to_zero(p), std::vector<double>(n)};
  s.problem.b = lcp_velocity(p, s.origin);
  for (std::size_t i = 0; i < n; ++i) s.factor[i] = 1 / std::sqrt(diagonal(p, i));
  for (std::size_t i = 0; i < n; ++i) {
    s.problem.b[i] *= s.factor[i];
    for (std::size_t j = 0; j < n; ++j) s.problem.at(i, j) *= s.factor[i] * s.factor[j];
  }
  const double size = largest(s.problem.b);
  for (std::size_t i = 0; i < n; ++i) {
    if (size > 0) {
      s.problem.b[i] /= size;
      s.factor[i] *= size;
    }
    s.problem.lower[i] = (p.lower[i] - s.origin[i]) / s.factor[i];
    s.problem.upper[i] = (p.upper[i] - s.origin[i]) / s.factor[i];
    // Some write 1e30 for ∞; counting from there would leave no digits.
    if (s.problem.lower[i] < -kUnreachable) s.problem.lower[i] = -kInfinity;
    if (s.problem.upper[i] > kUnreachable) s.problem.upper[i] = kInfinity;
  }
  return s;
}

LcpSolution finish(const BoxLcp& p, const Scaled& s, std::span<const double> y, LcpStatus status,
                   int pivots) {
  constexpr int kRefinements = 3;
  LcpSolution solution{.x = s.origin, .status = status, .iterations = pivots};
  for (std::size_t i = 0; i < y.size(); ++i) {
    // At the scaled bound is at the bound itself, whatever the factor rounds.
    const double x = y[i] == s.problem.lower[i]   ? p.lower[i]
                     : y[i] == s.problem.upper[i] ? p.upper[i]
                                                  : clamped(p, i, s.origin[i] + s.factor[i] * y[i]);
    if (std::isfinite(x)) solution.x[i] = x;
  }
  solution.residual = lcp_residual(p, solution.x);
  for (int k = 0; k < kRefinements && refine(p, solution.x, solution.residual);) ++k;
  if (solution.residual <= kLcpTolerance)
    solution.status = LcpStatus::kSolved;
  else if (status == LcpStatus::kSolved)
    solution.status = LcpStatus::kFailed;
  return solution;
}

}  // namespace lcp
}  // namespace sinew
