// Lemke's algorithm for box LCPs (lcp.h). The box is turned into the standard problem
//   w = M z + q ≥ 0,  z ≥ 0,  wᵀz = 0:
// free unknowns are eliminated (a Schur complement), the others counted from their nearer bound,
// and a second bound z ≤ u becomes a row of its own with a multiplier v,
//   [ M  1 ] [ z ]   [ q ]
//   [ −1 0 ] [ v ] + [ u ],
// which stays positive semidefinite if M is. Then the covering column z₀ is brought in and
// complements are exchanged until it leaves. The ratio test is lexicographic over [q | B⁻¹], so
// that degenerate problems cannot cycle (Cottle, Pang, Stone 1992, §4.9).
#include <algorithm>
#include <cmath>

#include "math/dense_lu.h"
#include "math/lcp_scaled.h"

namespace sinew {
namespace {

using lcp::kSingular;
using lcp::kZero;

struct StandardResult {
  std::vector<double> z;
  LcpStatus status;
  int pivots;
};

// The tableau of w − M z − e z₀ = q, all of it updated with every pivot. Columns: w, z, z₀, q.
class Tableau {
 public:
  Tableau(std::size_t m, std::span<const double> matrix, std::span<const double> q)
      : m_(m), width_(2 * m + 2), t_(m * width_), basis_(m) {
    for (std::size_t i = 0; i < m; ++i) {
      basis_[i] = i;
      at(i, i) = 1;
      for (std::size_t j = 0; j < m; ++j) at(i, m + j) = -matrix[i * m + j];
      at(i, cover()) = -1;
      at(i, rhs()) = q[i];
    }
  }

  StandardResult solve(int most) {
    const std::size_t row = first_row();
    if (row == m_ || at(row, rhs()) >= -kZero)
      return {std::vector<double>(m_), LcpStatus::kSolved, 0};
    std::size_t leaving = exchange(row, cover());
    for (int pivots = 1;; ++pivots) {
      if (leaving == cover()) return {z(), LcpStatus::kSolved, pivots};
      if (pivots >= most) return {z(), LcpStatus::kIterationLimit, pivots};
      const std::size_t entering = leaving < m_ ? leaving + m_ : leaving - m_;
      const std::size_t limit = leaving_row(entering);
      if (limit == m_) return {z(), LcpStatus::kNoSolution, pivots};  // a ray
      leaving = exchange(limit, entering);
    }
  }

 private:
  std::size_t cover() const { return 2 * m_; }
  std::size_t rhs() const { return 2 * m_ + 1; }
  double& at(std::size_t i, std::size_t j) { return t_[i * width_ + j]; }
  double at(std::size_t i, std::size_t j) const { return t_[i * width_ + j]; }

  // With z₀ still there it solves the problem with q + z₀ in place of q.
  std::vector<double> z() const {
    std::vector<double> values(m_);
    for (std::size_t i = 0; i < m_; ++i)
      if (basis_[i] >= m_ && basis_[i] != cover())
        values[basis_[i] - m_] = std::max(0.0, at(i, rhs()));
    return values;
  }

  // Where q is least; of several the last, which is the least of the rows [q | I].
  std::size_t first_row() const {
    std::size_t best = m_;
    for (std::size_t i = 0; i < m_; ++i)
      if (best == m_ || at(i, rhs()) <= at(best, rhs())) best = i;
    return best;
  }

  // Of the rows that limit the entering column, the lexicographically least of [q | B⁻¹] over its
  // entry; z₀'s whenever it is among the least in q. m_: none, a ray.
  std::size_t leaving_row(std::size_t entering) const {
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < m_; ++i)
      if (at(i, entering) > kSmallPivot) rows.push_back(i);
    keep_least(rows, entering, rhs());
    for (const std::size_t i : rows)
      if (basis_[i] == cover()) return i;
    for (std::size_t j = 0; j < m_ && rows.size() > 1; ++j) keep_least(rows, entering, j);
    return rows.empty() ? m_ : rows.front();
  }

  void keep_least(std::vector<std::size_t>& rows, std::size_t entering, std::size_t column) const {
    if (rows.size() < 2) return;
    const auto ratio = [&](std::size_t i) { return at(i, column) / at(i, entering); };
    double least = ratio(rows.front());
    for (const std::size_t i : rows) least = std::min(least, ratio(i));
    const double tie = kZero * std::max(1.0, std::abs(least));
    std::erase_if(rows, [&](std::size_t i) { return ratio(i) > least + tie; });
  }

  // Returns what leaves the basis.
  std::size_t exchange(std::size_t row, std::size_t entering) {
    const double pivot = at(row, entering);
    for (std::size_t j = 0; j < width_; ++j) at(row, j) /= pivot;
    at(row, entering) = 1;
    for (std::size_t i = 0; i < m_; ++i) {
      const double factor = at(i, entering);
      if (i == row || factor == 0) continue;
      for (std::size_t j = 0; j < width_; ++j) at(i, j) -= factor * at(row, j);
      at(i, entering) = 0;
    }
    return std::exchange(basis_[row], entering);
  }

  static constexpr double kSmallPivot = 1e-11;

  std::size_t m_, width_;
  std::vector<double> t_;
  std::vector<std::size_t> basis_;  // which column belongs to a row: 0 … m: w, then z, then z₀
};

// Entries of A, row by row.
std::vector<double> block(const BoxLcp& p, std::span<const std::size_t> rows,
                          std::span<const std::size_t> columns) {
  std::vector<double> entries;
  for (const std::size_t i : rows)
    for (const std::size_t j : columns) entries.push_back(p.at(i, j));
  return entries;
}

// y of the free unknowns as a function of the bounded ones: y_F = constant + Σ column_j y_j.
struct Elimination {
  std::vector<std::size_t> free, bounded;
  std::vector<double> constant;
  std::vector<std::vector<double>> column;
  LcpStatus status = LcpStatus::kSolved;
};

Elimination eliminate_free(const BoxLcp& p) {
  constexpr double kInconsistent = 1e-9;
  Elimination e;
  for (std::size_t i = 0; i < p.size(); ++i)
    if (std::isinf(p.lower[i]) && std::isinf(p.upper[i]))
      e.free.push_back(i);
    else if (p.lower[i] < p.upper[i])
      e.bounded.push_back(i);
  const std::vector<double> matrix = block(p, e.free, e.free);
  const std::size_t n = e.free.size();
  const DenseLu lu(matrix, n, kSingular);
  // Solves for one column; rows that depend on others must agree with them.
  const auto solve = [&](auto entry, LcpStatus otherwise) {
    std::vector<double> rhs;
    for (const std::size_t i : e.free) rhs.push_back(-entry(i));
    std::vector<double> y = lu.solve(rhs);
    for (std::size_t k = 0; k < n && lu.rank() < n; ++k) {
      double rest = -rhs[k];
      for (std::size_t l = 0; l < n; ++l) rest += matrix[k * n + l] * y[l];
      if (std::abs(rest) > kInconsistent && e.status == LcpStatus::kSolved) e.status = otherwise;
    }
    return y;
  };
  for (const std::size_t j : e.bounded)
    e.column.push_back(solve([&](std::size_t i) { return p.at(i, j); }, LcpStatus::kFailed));
  e.constant = solve([&](std::size_t i) { return p.b[i]; }, LcpStatus::kNoSolution);
  return e;
}

// The standard problem of the bounded unknowns: y = side (z − nearest), and multipliers behind.
struct Standard {
  std::vector<double> matrix, q, side, nearest;
  std::vector<std::size_t> two_sided;  // of the bounded ones; multipliers in this order
  std::size_t size = 0;
};

// An entry of row i with what comes of it through the free unknowns. If they are enough to rule the
// row all of it cancels, and what is left is rounding.
double with_free(const BoxLcp& p, const Elimination& e, std::size_t i, double entry,
                 std::span<const double> free) {
  double sum = entry, size = std::abs(entry);
  for (std::size_t f = 0; f < free.size(); ++f) {
    sum += p.at(i, e.free[f]) * free[f];
    size += std::abs(p.at(i, e.free[f]) * free[f]);
  }
  return std::abs(sum) <= kZero * size ? 0 : sum;
}

Standard standard_form(const BoxLcp& p, const Elimination& e) {
  const std::size_t n = e.bounded.size();
  Standard s;
  for (std::size_t k = 0; k < n; ++k) {
    const double lower = p.lower[e.bounded[k]], upper = p.upper[e.bounded[k]];
    s.side.push_back(-lower <= upper ? 1 : -1);
    s.nearest.push_back(std::min(-lower, upper));
    if (std::isfinite(upper - lower)) s.two_sided.push_back(k);
  }
  const std::size_t m = s.size = n + s.two_sided.size();
  s.matrix.resize(m * m);
  s.q.resize(m);
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t i = e.bounded[k];
    double q = with_free(p, e, i, p.b[i], e.constant);
    for (std::size_t l = 0; l < n; ++l) {
      const double entry = with_free(p, e, i, p.at(i, e.bounded[l]), e.column[l]);
      s.matrix[k * m + l] = s.side[k] * s.side[l] * entry;
      q -= entry * s.side[l] * s.nearest[l];
    }
    s.q[k] = s.side[k] * q;
  }
  for (std::size_t t = 0; t < s.two_sided.size(); ++t) {
    const std::size_t k = s.two_sided[t];
    s.matrix[k * m + n + t] = 1;
    s.matrix[(n + t) * m + k] = -1;
    s.q[n + t] = p.upper[e.bounded[k]] - p.lower[e.bounded[k]];
  }
  return s;
}

// Back to y. At a bound it is exactly there.
std::vector<double> back(const BoxLcp& p, const Elimination& e, const Standard& s,
                         std::span<const double> z) {
  std::vector<double> y(p.size());
  const std::size_t n = e.bounded.size();
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t i = e.bounded[k];
    y[i] =
        z[k] == 0 ? (s.side[k] > 0 ? p.lower[i] : p.upper[i]) : s.side[k] * (z[k] - s.nearest[k]);
  }
  for (std::size_t t = 0; t < s.two_sided.size(); ++t) {
    const std::size_t k = s.two_sided[t], i = e.bounded[k];
    if (z[n + t] > 0) y[i] = s.side[k] > 0 ? p.upper[i] : p.lower[i];
  }
  for (std::size_t f = 0; f < e.free.size(); ++f) {
    y[e.free[f]] = e.constant[f];
    for (std::size_t k = 0; k < n; ++k) y[e.free[f]] += e.column[k][f] * y[e.bounded[k]];
  }
  return y;
}

}  // namespace

LcpSolution solve_lemke(const BoxLcp& problem, const PivotOptions& options) {
  check(problem);
  const lcp::Scaled scaled = lcp::scaled(problem);
  const BoxLcp& p = scaled.problem;
  const Elimination e = eliminate_free(p);
  if (e.status != LcpStatus::kSolved) return lcp::finish(problem, scaled, {}, e.status, 0);
  const Standard s = standard_form(p, e);
  const StandardResult result =
      Tableau(s.size, s.matrix, s.q).solve(lcp::most_pivots(options, s.size));
  return lcp::finish(problem, scaled, back(p, e, s, result.z), result.status, result.pivots);
}

}  // namespace sinew
