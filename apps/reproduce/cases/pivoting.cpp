// Kenwright and Morgan, "Solver (LCP)": pivoting "can produce erroneous results for perfectly valid
// systems due to floating point errors" where constraints are many. Lemke's and Dantzig's methods
// as textbooks write them, without scaling and without a last solution, in float and in double; the
// solvers of sinew/lcp.h beside them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/lcp_samples.h"
#include "reproduce/experiment.h"

namespace sinew {
namespace {

template <class T>
struct Answer {
  std::vector<T> x;
  int pivots = 0;
  bool ended = false;  // by itself, whether it is right or not
};

// Lemke's method for w = A x + b ≥ 0, x ≥ 0: the tableau of w, x and the covering z₀.
template <class T>
class Lemke {
 public:
  explicit Lemke(const BoxLcp& p) : n_(p.size()), width_(2 * n_ + 2), t_(n_ * width_), basis_(n_) {
    for (std::size_t i = 0; i < n_; ++i) {
      basis_[i] = i;
      at(i, i) = 1;
      for (std::size_t j = 0; j < n_; ++j) at(i, n_ + j) = T(-p.at(i, j));
      at(i, 2 * n_) = -1;
      at(i, 2 * n_ + 1) = T(p.b[i]);
    }
  }

  Answer<T> solve() {
    Answer<T> answer{std::vector<T>(n_)};
    std::size_t row = 0;
    for (std::size_t i = 0; i < n_; ++i)
      if (at(i, 2 * n_ + 1) < at(row, 2 * n_ + 1)) row = i;
    const int most = 100 + 10 * static_cast<int>(n_);
    std::size_t left = at(row, 2 * n_ + 1) < 0 ? exchange(row, 2 * n_) : 2 * n_;
    for (; left != 2 * n_ && answer.pivots < most; ++answer.pivots) {
      const std::size_t entering = left < n_ ? left + n_ : left - n_;
      row = leaving_row(entering);
      if (row == n_) break;  // a ray
      left = exchange(row, entering);
    }
    answer.ended = left == 2 * n_;
    for (std::size_t i = 0; i < n_; ++i)
      if (basis_[i] >= n_ && basis_[i] < 2 * n_)
        answer.x[basis_[i] - n_] = std::max(T(0), at(i, 2 * n_ + 1));
    return answer;
  }

 private:
  T& at(std::size_t i, std::size_t j) { return t_[i * width_ + j]; }

  std::size_t leaving_row(std::size_t entering) {
    std::size_t best = n_;
    T least = std::numeric_limits<T>::infinity();
    for (std::size_t i = 0; i < n_; ++i) {
      if (!(at(i, entering) > 10 * std::numeric_limits<T>::epsilon())) continue;
      const T ratio = at(i, 2 * n_ + 1) / at(i, entering);
      if (ratio < least || (ratio == least && basis_[i] == 2 * n_)) least = ratio, best = i;
    }
    return best;
  }

  // Returns what leaves the basis.
  std::size_t exchange(std::size_t row, std::size_t entering) {
    const T pivot = at(row, entering);
    for (std::size_t j = 0; j < width_; ++j) at(row, j) /= pivot;
    for (std::size_t i = 0; i < n_; ++i) {
      const T factor = at(i, entering);
      if (i == row || factor == 0) continue;
      for (std::size_t j = 0; j < width_; ++j) at(i, j) -= factor * at(row, j);
    }
    return std::exchange(basis_[row], entering);
  }

  std::size_t n_, width_;
  std::vector<T> t_;
  std::vector<std::size_t> basis_;  // w, x, z₀
};

// Dantzig's method for the same, after Baraff: unknowns join one by one. `in_`: those with w = 0.
template <class T>
class Dantzig {
 public:
  explicit Dantzig(const BoxLcp& p)
      : n_(p.size()), a_(p.a.begin(), p.a.end()), w_(p.b.begin(), p.b.end()), x_(n_), in_(n_) {}

  Answer<T> solve() {
    const int most = 100 + 10 * static_cast<int>(n_);
    int pivots = 0;
    for (std::size_t i = 0; i < n_; ++i)
      while (w_[i] < 0 && !in_[i]) {
        if (++pivots > most || !drive(i)) return {x_, pivots, false};
      }
    return {x_, pivots, true};
  }

 private:
  T a(std::size_t i, std::size_t j) const { return a_[i * n_ + j]; }

  // To the first event. False: there is none.
  bool drive(std::size_t i) {
    const std::vector<T> dx = follow(i);
    std::vector<T> dw(n_);
    for (std::size_t j = 0; j < n_; ++j)
      for (std::size_t k = 0; k < n_; ++k) dw[j] += a(j, k) * dx[k];
    T way = dw[i] > 0 ? -w_[i] / dw[i] : std::numeric_limits<T>::infinity();
    std::size_t event = i;
    for (std::size_t j = 0; j < i; ++j) {
      const T limit = in_[j] && dx[j] < 0    ? -x_[j] / dx[j]
                      : !in_[j] && dw[j] < 0 ? -w_[j] / dw[j]
                                             : way;
      if (limit < way) way = std::max(T(0), limit), event = j;
    }
    if (!std::isfinite(way)) return false;
    for (std::size_t j = 0; j < n_; ++j) x_[j] += way * dx[j], w_[j] += way * dw[j];
    in_[event] = !in_[event];
    (in_[event] ? w_ : x_)[event] = 0;
    return true;
  }

  // How the others in follow x_i, by a Cholesky factorisation.
  std::vector<T> follow(std::size_t i) const {
    std::vector<std::size_t> in;
    for (std::size_t j = 0; j < n_; ++j)
      if (in_[j]) in.push_back(j);
    const std::size_t m = in.size();
    std::vector<T> l(m * m), y(m);
    for (std::size_t r = 0; r < m; ++r) {
      for (std::size_t c = 0; c <= r; ++c) {
        T sum = a(in[r], in[c]);
        for (std::size_t k = 0; k < c; ++k) sum -= l[r * m + k] * l[c * m + k];
        l[r * m + c] =
            r == c ? std::sqrt(std::max(sum, std::numeric_limits<T>::min())) : sum / l[c * m + c];
      }
      T sum = -a(in[r], i);
      for (std::size_t k = 0; k < r; ++k) sum -= l[r * m + k] * y[k];
      y[r] = sum / l[r * m + r];
    }
    for (std::size_t r = m; r-- > 0;) {
      for (std::size_t k = r + 1; k < m; ++k) y[r] -= l[k * m + r] * y[k];
      y[r] /= l[r * m + r];
    }
    std::vector<T> dx(n_);
    dx[i] = 1;
    for (std::size_t r = 0; r < m; ++r) dx[in[r]] = y[r];
    return dx;
  }

  std::size_t n_;
  std::vector<T> a_, w_, x_;
  std::vector<bool> in_;
};

// x ≥ 0 for all: contacts. A = G Gᵀ and a half on its diagonal.
BoxLcp random_contacts(std::size_t n) {
  LcpSamples samples(6);
  BoxLcp p = samples.regular(n);
  p.lower.assign(n, 0);
  p.upper.assign(n, std::numeric_limits<double>::infinity());
  return p;
}

// n bodies of 1 kg on each other (figure 7): the lowest contact bears them all.
BoxLcp stack(std::size_t n) {
  BoxLcp p = BoxLcp::free_of(n);
  p.lower.assign(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    p.at(i, i) = i == 0 ? 1 : 2;
    if (i > 0) p.at(i, i - 1) = p.at(i - 1, i) = -1;
  }
  p.b[0] = -9.81 / 60;
  return p;
}

constexpr double kWrong = 1e-3;  // residual of an erroneous result

// What a method said of a problem, and what it is worth.
struct Result {
  bool ended = false;  // by itself
  int pivots = 0;
  double residual = 0;

  bool right() const { return ended && residual <= kWrong; }
};

template <class T>
Result judge(const BoxLcp& p, const Answer<T>& answer) {
  const double residual = lcp_residual(p, std::vector<double>(answer.x.begin(), answer.x.end()));
  return {answer.ended, answer.pivots, std::isnan(residual) ? HUGE_VAL : residual};
}
Result judge(const LcpSolution& s) {
  return {s.status == LcpStatus::kSolved, s.iterations, s.residual};
}

struct Results {
  Result lemke_float, lemke_double, lemke, dantzig_float, dantzig_double, dantzig;
};

Results solve(const std::string& name, const BoxLcp& p, Table& table) {
  const Results r{judge(p, Lemke<float>(p).solve()),
                  judge(p, Lemke<double>(p).solve()),
                  judge(solve_lemke(p)),
                  judge(p, Dantzig<float>(p).solve()),
                  judge(p, Dantzig<double>(p).solve()),
                  judge(solve_dantzig(p))};
  const auto add = [&](const char* method, const Result& result) {
    table.rows.push_back({fmt::format("{} of {}", name, p.size()), method,
                          result.ended ? "yes" : "no", std::to_string(result.pivots),
                          fmt::format("{:.1e}", result.residual)});
  };
  add("Lemke, float", r.lemke_float);
  add("Lemke, double", r.lemke_double);
  add("solve_lemke()", r.lemke);
  add("Dantzig, float", r.dantzig_float);
  add("Dantzig, double", r.dantzig_double);
  add("solve_dantzig()", r.dantzig);
  return r;
}

// Lemke alone is quick enough to be tried on many.
Result growing(ExperimentReport& report) {
  Plot plot{"A stack, solved by Lemke's method", {"bodies"}, {"residual", true}, {}};
  plot.series = {{"float", {}, {}}, {"double", {}, {}}};
  Result last;
  for (const std::size_t n : {30, 60, 125, 250, 500}) {
    const BoxLcp p = stack(n);
    last = judge(p, Lemke<float>(p).solve());
    const double residuals[2] = {last.residual, judge(p, Lemke<double>(p).solve()).residual};
    for (int k = 0; k < 2; ++k) {
      plot.series[k].x.push_back(double(n));
      plot.series[k].y.push_back(residuals[k]);
    }
  }
  report.plot("stack", std::move(plot));
  return last;
}

void run(const ExperimentOptions& options, ExperimentReport& report) {
  const std::size_t n = options.small ? 60 : 500;
  Table table{"Pivoting as textbooks write it, and the engine's",
              {"problem", "method", "ends by itself", "pivots", "residual"},
              {}};
  const Results random = solve("random contacts, regular", random_contacts(n), table);
  const Results stacked = solve("stack", stack(n), table);
  report.table(std::move(table));
  const Result last = growing(report);

  report.check(
      "Lemke's method in float ends with an erroneous result for a valid system of 500 "
      "constraints, a stack",
      fmt::format("{}, residual {:.1e}", last.ended ? "it ends by itself" : "no end",
                  last.residual),
      last.ended && !last.right());
  report.check(fmt::format("in double it is right, with {} constraints", n),
               fmt::format("{:.1e}", stacked.lemke_double.residual),
               stacked.lemke_double.right() && stacked.lemke_double.residual < 1e-6);
  report.check(fmt::format("Dantzig's is right in float, too, with {} constraints: it factors anew "
                           "for every pivot",
                           n),
               fmt::format("{:.1e}", stacked.dantzig_float.residual),
               stacked.dantzig_float.right());
  report.check(fmt::format("constraints alone do no harm: {} random ones are right in float", n),
               fmt::format("{:.1e} by Lemke, {:.1e} by Dantzig", random.lemke_float.residual,
                           random.dantzig_float.residual),
               random.lemke_float.right() && random.dantzig_float.right());
  const double worst = std::max({random.lemke.residual, random.dantzig.residual,
                                 stacked.lemke.residual, stacked.dantzig.residual});
  report.check("solve_lemke() and solve_dantzig() prove their answers to 1e-9",
               fmt::format("{:.1e}", worst),
               worst <= kLcpTolerance && random.lemke.ended && random.dantzig.ended &&
                   stacked.lemke.ended && stacked.dantzig.ended);
  report.note(
      "The residual is that of lcp_residual(), in double; beyond 1e-3 an answer counts as "
      "erroneous. Lemke's tableau carries the rounding of every pivot before. A stack of n bodies "
      "has a condition of about n².");
}

}  // namespace

extern const Experiment k_pivoting;
const Experiment k_pivoting = {"pivoting", "Pivoting in float",
                               "Kenwright and Morgan, \"Solver (LCP)\"", run};

}  // namespace sinew
