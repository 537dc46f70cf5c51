#include "reproduce/rods.h"

#include <sinew/error.h>

#include <algorithm>
#include <cmath>

#include "math/sparse_cholesky.h"

namespace sinew {
namespace {

using Vec = RodNet::Vec;
using Places = RodNet::Places;
using Entries = std::vector<MatrixEntry<double>>;

// Of the normal matrix, by its diagonal: it may be singular (Liu, §4.3.2).
constexpr double kRegular = 1e-12;
constexpr double kStill = 1e-24;  // of Newton's decrement, by the first

Vec along(const RodNet& net, const Places& x, std::size_t r) {
  return x[net.rod[r][1]] - x[net.rod[r][0]];
}

void factor(SparseCholesky<double>& factor, const SparseSymmetric<double>& a) {
  if (factor.factor(a)) throw Error("a net of rods has no factor of its matrix");
}

// J M⁻¹ Jᵀ: rods that share a particle know of each other.
SparseSymmetric<double> normal_matrix(const RodNet& net, const std::vector<Vec>& normal) {
  std::vector<std::vector<int>> at(net.mass.size());
  for (std::size_t r = 0; r < net.rod.size(); ++r)
    for (const Index i : net.rod[r]) at[i].push_back(int(r));
  Entries entries;
  for (std::size_t i = 0; i < at.size(); ++i)
    for (const int r : at[i])
      for (const int s : at[i]) {
        if (s > r) continue;
        const double sign = (net.rod[r][0] == i) == (net.rod[s][0] == i) ? 1 : -1;
        const double w = net.mobility(Index(i)) * (r == s ? 1 + kRegular : 1);
        entries.push_back({r, s, sign * w * dot(normal[r], normal[s])});
      }
  return assemble(int(net.rod.size()), std::move(entries));
}

struct Springs {
  const RodNet& net;
  const Places& y;
  double kappa;
  std::vector<double> lambda;

  double value(const Places& x) const {
    double sum = 0.5 * net.distance(x, y) * net.distance(x, y);
    for (std::size_t r = 0; r < net.rod.size(); ++r) {
      const double c = length(along(net, x, r)) - net.length[r];
      sum += lambda[r] * c + 0.5 * kappa * c * c;
    }
    return sum;
  }
  std::vector<Vec> gradient(const Places& x) const {
    std::vector<Vec> g(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) g[i] = (x[i] - y[i]) * net.mass[i];
    for (std::size_t r = 0; r < net.rod.size(); ++r) {
      const Vec d = along(net, x, r);
      const double size = length(d), force = lambda[r] + kappa * (size - net.length[r]);
      g[net.rod[r][0]] -= d * (force / size);
      g[net.rod[r][1]] += d * (force / size);
    }
    for (std::size_t i = 0; i < x.size(); ++i)
      if (!(net.mass[i] > 0)) g[i] = {};
    return g;
  }
  // Without what rods under pressure would take from it.
  SparseSymmetric<double> hessian(const Places& x) const {
    Entries entries;
    for (std::size_t i = 0; i < x.size(); ++i)
      for (int k = 0; k < 3; ++k)
        entries.push_back({int(3 * i) + k, int(3 * i) + k, net.mass[i] > 0 ? net.mass[i] : 1});
    for (std::size_t r = 0; r < net.rod.size(); ++r) add_rod(x, r, entries);
    return assemble(int(3 * x.size()), std::move(entries));
  }

 private:
  void add_rod(const Places& x, std::size_t r, Entries& entries) const {
    const Vec d = along(net, x, r), n = normalized(d);
    const double size = length(d);
    const double across = std::max(0.0, lambda[r] + kappa * (size - net.length[r])) / size;
    for (int a = 0; a < 2; ++a)
      for (int b = 0; b < 2; ++b) {
        const Index i = net.rod[r][a], j = net.rod[r][b];
        if (i < j || !(net.mass[i] > 0) || !(net.mass[j] > 0)) continue;
        for (int p = 0; p < 3; ++p)
          for (int q = 0; q < 3; ++q) {
            if (i == j && p < q) continue;
            const double h = (kappa - across) * n[p] * n[q] + (p == q ? across : 0);
            entries.push_back({int(3 * i) + p, int(3 * j) + q, a == b ? h : -h});
          }
      }
  }
};

// −H⁻¹ g
std::vector<Vec> newton_direction(SparseCholesky<double>& cholesky,
                                  const SparseSymmetric<double>& hessian,
                                  const std::vector<Vec>& gradient) {
  factor(cholesky, hessian);
  std::vector<Row4<double>> rows(3 * gradient.size());
  for (std::size_t i = 0; i < gradient.size(); ++i)
    for (int k = 0; k < 3; ++k) rows[3 * i + k] = {-gradient[i][k], 0, 0, 0};
  cholesky.solve(rows.data(), rows.data());
  std::vector<Vec> d(gradient.size());
  for (std::size_t i = 0; i < d.size(); ++i)
    d[i] = {rows[3 * i].x, rows[3 * i + 1].x, rows[3 * i + 2].x};
  return d;
}

// Backtracks; false where nothing is won any more.
bool step_down(const Springs& springs, const std::vector<Vec>& d, double slope, Places& x) {
  const double start = springs.value(x);
  for (double length = 1; length > 1e-6; length *= 0.5) {
    Places trial = x;
    for (std::size_t i = 0; i < x.size(); ++i) trial[i] += d[i] * length;
    if (!(springs.value(trial) <= start + 0.03 * length * slope)) continue;
    x = std::move(trial);
    return true;
  }
  return false;
}

// Moves the ends of a rod in `to` by a share of what it lacks or has too much where it is `now`.
void correct(const RodNet& net, std::size_t r, const Places& now, double share, Places& to) {
  const auto [i, j] = net.rod[r];
  const double all = net.mobility(i) + net.mobility(j);
  if (!(all > 0)) return;
  const Vec d = now[j] - now[i];
  const Vec by = d * (share * (1 - net.length[r] / length(d)) / all);
  to[i] += by * net.mobility(i);
  to[j] -= by * net.mobility(j);
}

}  // namespace

double RodNet::strain(const Places& x, std::size_t r) const {
  return sinew::length(along(*this, x, r)) / length[r] - 1;
}

double RodNet::largest_strain(const Places& x) const {
  double most = 0;
  for (std::size_t r = 0; r < rod.size(); ++r) most = std::max(most, std::abs(strain(x, r)));
  return most;
}

double RodNet::mean_strain(const Places& x) const {
  double sum = 0;
  for (std::size_t r = 0; r < rod.size(); ++r) sum += strain(x, r);
  return sum / double(rod.size());
}

double RodNet::length_error(const Places& x) const {
  double sum = 0;
  for (std::size_t r = 0; r < rod.size(); ++r) sum += std::pow(strain(x, r) * length[r], 2);
  return std::sqrt(sum / double(rod.size()));
}

double RodNet::distance(const Places& a, const Places& b) const {
  double sum = 0;
  for (std::size_t i = 0; i < mass.size(); ++i) sum += mass[i] * dot(a[i] - b[i], a[i] - b[i]);
  return std::sqrt(sum);
}

void step_and_project(const RodNet& net, Places& x) {
  std::vector<Vec> normal(net.rod.size());
  std::vector<Row4<double>> lambda(net.rod.size());
  for (std::size_t r = 0; r < net.rod.size(); ++r) {
    const Vec d = along(net, x, r);
    normal[r] = normalized(d);
    lambda[r] = {length(d) - net.length[r], 0, 0, 0};
  }
  const SparseSymmetric<double> a = normal_matrix(net, normal);
  SparseCholesky<double> cholesky;
  cholesky.analyse(a);
  factor(cholesky, a);
  cholesky.solve(lambda.data(), lambda.data());
  for (std::size_t r = 0; r < net.rod.size(); ++r) {
    const auto [i, j] = net.rod[r];
    x[i] += normal[r] * (lambda[r].x * net.mobility(i));
    x[j] -= normal[r] * (lambda[r].x * net.mobility(j));
  }
}

void sweep(const RodNet& net, Places& x) {
  for (std::size_t r = 0; r < net.rod.size(); ++r) correct(net, r, x, 1, x);
}

void sweep_at_once(const RodNet& net, double alpha, Places& x) {
  const Places before = x;
  for (std::size_t r = 0; r < net.rod.size(); ++r) correct(net, r, before, alpha, x);
}

void solve_springs(const RodNet& net, const Places& y, double kappa,
                   const std::vector<double>& lambda, Places& x) {
  const Springs springs{net, y, kappa, lambda};
  SparseCholesky<double> cholesky;
  cholesky.analyse(springs.hessian(x));
  double first = 0;
  for (int i = 0; i < 200; ++i) {
    const std::vector<Vec> g = springs.gradient(x);
    const std::vector<Vec> d = newton_direction(cholesky, springs.hessian(x), g);
    double slope = 0;
    for (std::size_t k = 0; k < g.size(); ++k) slope += dot(g[k], d[k]);
    if (i == 0) first = slope;
    if (!(slope < kStill * first) || !step_down(springs, d, slope, x)) return;
  }
}

void local_global(const RodNet& net, const Places& y, double kappa, int rounds, Places& x) {
  Entries entries;
  for (std::size_t i = 0; i < x.size(); ++i)
    entries.push_back({int(i), int(i), net.mass[i] > 0 ? net.mass[i] : 1});
  for (const auto& [i, j] : net.rod) {
    if (net.mass[i] > 0) entries.push_back({int(i), int(i), kappa});
    if (net.mass[j] > 0) entries.push_back({int(j), int(j), kappa});
    if (net.mass[i] > 0 && net.mass[j] > 0) entries.push_back({int(i), int(j), -kappa});
  }
  const SparseSymmetric<double> a = assemble(int(x.size()), std::move(entries));
  SparseCholesky<double> cholesky;
  cholesky.analyse(a);
  factor(cholesky, a);
  const Springs springs{net, y, kappa, std::vector<double>(net.rod.size())};
  for (int n = 0; n < rounds; ++n) {
    const std::vector<Vec> g = springs.gradient(x);  // x − A⁻¹ g is both steps (Liu, eq. 7.11)
    std::vector<Row4<double>> rows(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) rows[i] = {g[i].x, g[i].y, g[i].z, 0};
    cholesky.solve(rows.data(), rows.data());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] -= Vec{rows[i].x, rows[i].y, rows[i].z};
  }
}

void solve_rods(const RodNet& net, const Places& y, Places& x) {
  double mass = 0;
  for (const double m : net.mass) mass = std::max(mass, m);
  const double kappa = 1e3 * mass;
  std::vector<double> lambda(net.rod.size());
  for (int i = 0; i < 50 && (i == 0 || net.largest_strain(x) > 1e-12); ++i) {
    solve_springs(net, y, kappa, lambda, x);
    for (std::size_t r = 0; r < net.rod.size(); ++r)
      lambda[r] += kappa * (length(along(net, x, r)) - net.length[r]);
  }
}

}  // namespace sinew
