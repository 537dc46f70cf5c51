#include "variational/objective.h"

#include <cmath>
#include <limits>

namespace sinew {

double Objective::add_inertia(ConstRows x, Rows gradient) const {
  const Real rate = 1 / (h_ * h_);
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Row4<Real>& y = target_[i];
    const Real m = mass[i] * rate;
    const Row4<Real> d{x[i].x - y.x, x[i].y - y.y, x[i].z - y.z, 0};
    gradient[i] = {m * d.x, m * d.y, m * d.z, 0};
    if (y.w > 0)
      sum += 0.5 * double(m) * (double(d.x) * d.x + double(d.y) * d.y + double(d.z) * d.z);
  }
  return sum;
}

double Objective::inertia(ConstRows x) const {
  if (gravity_) return 0;
  const double rate = 0.5 / (double(h_) * h_);
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Row4<Real>& y = target_[i];
    const Real dx = x[i].x - y.x, dy = x[i].y - y.y, dz = x[i].z - y.z;
    if (y.w > 0) sum += double(mass[i] * (dx * dx + dy * dy + dz * dz));
  }
  return rate * sum;
}

void Objective::add_inertial_force(Real s, ConstRows x, Rows gradient) const {
  const Real rate = s / (h_ * h_);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Row4<Real>& y = target_[i];
    if (!(y.w > 0)) continue;
    const Real m = mass[i] * rate;
    Row4<Real>& g = gradient[i];
    g = {g.x + m * (x[i].x - y.x), g.y + m * (x[i].y - y.y), g.z + m * (x[i].z - y.z), 0};
  }
}

double Objective::add_weight(ConstRows x, Rows gradient) const {
  const Vec3& g = *gravity_;
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Row4<Real>& y = target_[i];
    const Real m = mass[i];
    gradient[i] = {-m * g.x, -m * g.y, -m * g.z, 0};
    if (y.w > 0)
      sum -= double(m) * (double(g.x) * (x[i].x - y.x) + double(g.y) * (x[i].y - y.y) +
                          double(g.z) * (x[i].z - y.z));
  }
  return sum;
}

void Objective::hessian(ConstRows x, bool projected, BlockSymmetric& hessian) const {
  hessian.clear();
  for (const auto& term : terms) term->add_hessian(x.data(), projected, hessian);
  if (passing_) passing_->add_hessian(x.data(), projected, hessian);
  const Real rate = 1 / (h_ * h_);
  for (int i = 0; i < hessian.size(); ++i) {
    const Real m = mass[i] * rate;
    hessian.diagonal(i) = hessian.diagonal(i) + Mat3::diagonal({m, m, m});
  }
  hessian.hold([&](int i) { return !(target_[i].w > 0); });
}

double Objective::resolution(ConstRows x) const {
  MetricEntries entries;
  for (const auto& term : terms) term->add_metric(entries);
  const SparseSymmetric<double> l = assemble(static_cast<int>(mass.size()), std::move(entries));
  const auto rounding2 = [&](int i) {
    constexpr double kHalf = std::numeric_limits<Real>::epsilon() / 2.0;
    return kHalf * kHalf *
           (double(x[i].x) * x[i].x + double(x[i].y) * x[i].y + double(x[i].z) * x[i].z);
  };
  double sum = 0;
  for (int j = 0; j < l.size(); ++j)
    for (int k = l.begin[j]; k < l.begin[j + 1]; ++k) {
      const double square = l.value[k] * l.value[k];
      sum += square * (l.row[k] == j ? rounding2(j) : rounding2(j) + rounding2(l.row[k]));
    }
  return std::sqrt(sum);
}

double Objective::highest_frequency() const {
  MetricEntries entries;
  for (const auto& term : terms) term->add_metric(entries);
  const SparseSymmetric<double> l = assemble(static_cast<int>(mass.size()), std::move(entries));
  std::vector<double> row_sum(mass.size());
  for (int j = 0; j < l.size(); ++j)
    for (int k = l.begin[j]; k < l.begin[j + 1]; ++k) {
      row_sum[j] += std::abs(l.value[k]);
      if (l.row[k] != j) row_sum[l.row[k]] += std::abs(l.value[k]);
    }
  double fastest = 0;
  for (std::size_t i = 0; i < mass.size(); ++i)
    if (mass[i] > 0) fastest = std::max(fastest, row_sum[i] / mass[i]);
  return std::sqrt(fastest);
}

SparseSymmetric<double> Objective::metric(ConstRows target, Real h) const {
  const auto held = [&](int i) { return !(target[i].w > 0); };
  MetricEntries entries;
  for (const auto& term : terms) term->add_metric(entries);
  // The pattern is the same whoever is held, so that it needs to be analysed only once.
  for (MatrixEntry<double>& e : entries)
    if (held(e.row) || held(e.column)) e.value = 0;
  const double rate = 1 / (double(h) * h);
  for (int i = 0; i < static_cast<int>(mass.size()); ++i)
    entries.push_back({i, i, held(i) ? 1 : mass[i] * rate});
  return assemble(static_cast<int>(mass.size()), std::move(entries));
}

}  // namespace sinew
