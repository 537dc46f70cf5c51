#include "fit/mesh_response.h"

#include <cmath>
#include <random>

namespace sinew::fit {
namespace {

// Of Jacobi sweeps without acceleration, of the largest for which they converge (chebyshev.cpp).
constexpr double kJacobiRelaxation = 0.5;

double size(const Vector& v) { return std::sqrt(dot(v, v)); }
void add(Vector& to, double factor, const Vector& v) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * v[i];
}

// An upper triangle by Givens rotations, column by column, and the right-hand side with it.
class Rotations {
 public:
  explicit Rotations(double start) : right_{start} {}

  // Returns what is left of the residual.
  double append(Vector column) {
    for (std::size_t i = 0; i < cosine_.size(); ++i) {
      const double a = column[i], b = column[i + 1];
      column[i] = cosine_[i] * a + sine_[i] * b;
      column[i + 1] = -sine_[i] * a + cosine_[i] * b;
    }
    const std::size_t last = cosine_.size();
    const double length = std::hypot(column[last], column[last + 1]);
    cosine_.push_back(length > 0 ? column[last] / length : 1);
    sine_.push_back(length > 0 ? column[last + 1] / length : 0);
    column[last] = length;
    right_.push_back(-sine_[last] * right_[last]);
    right_[last] *= cosine_[last];
    columns_.push_back(std::move(column));
    return std::abs(right_.back());
  }
  Vector solve() const {
    Vector y(columns_.size());
    for (std::size_t i = y.size(); i-- > 0;) {
      y[i] = right_[i];
      for (std::size_t j = i + 1; j < y.size(); ++j) y[i] -= columns_[j][i] * y[j];
      y[i] = columns_[i][i] != 0 ? y[i] / columns_[i][i] : 0;
    }
    return y;
  }

 private:
  Vector cosine_, sine_, right_;
  std::vector<Vector> columns_;
};

}  // namespace

MeshResponse::MeshResponse(MeshStiffness& stiffness, const BodyMesh& mesh,
                           const SubstepSettings& settings, const ClassFlags& active)
    : stiffness_(stiffness), settings_(settings), sweep_(mesh, stiffness.inverse_mass(), active) {}

ClassValues MeshResponse::of_a_sweep(const ClassValues& q) const {
  const int sweeps = settings_.iterations * (settings_.order == SweepOrder::kSymmetric ? 2 : 1);
  ClassValues k;
  for (std::size_t i = 0; i < k.size(); ++i) k[i] = -std::expm1(-q[i] / sweeps);
  return k;
}

void MeshResponse::substep(const ClassValues& q, Vector& u) const {
  const ClassValues k = of_a_sweep(q);
  for (int i = 0; i < settings_.iterations; ++i) {
    if (settings_.order == SweepOrder::kJacobi)
      sweep_.jacobi(k, kJacobiRelaxation, u);
    else
      sweep_.forward(k, u);
    if (settings_.order == SweepOrder::kSymmetric) sweep_.backward(k, u);
  }
}

// v + K⁻¹M v/h²
Vector MeshResponse::precondition(const Vector& v) const {
  Vector force(v.size());
  for (std::size_t i = 0; i < v.size(); ++i)
    force[i] = v[i] * stiffness_.mass()[i / 3] / (settings_.h * settings_.h);
  Vector u = stiffness_.solve(force);
  add(u, 1, v);
  return u;
}

bool MeshResponse::rest(const ClassValues& q, const Vector& acceleration, Vector& u) const {
  constexpr int kMost = 120, kTrials = 2;
  constexpr double kTolerance = 1e-4;
  const double h2 = settings_.h * settings_.h;
  for (int trial = 0; trial < kTrials; ++trial) {
    // r = T(u + h²a) − u
    Vector r = u;
    add(r, h2, acceleration);
    substep(q, r);
    add(r, -1, u);
    r = precondition(r);
    stiffness_.remove_rigid(r);
    const double start = size(r);
    if (!std::isfinite(start)) return false;
    const double enough = kTolerance * size(u);
    if (start <= enough) return true;
    std::vector<Vector> basis{r};
    for (double& value : basis[0]) value /= start;
    Rotations rotations(start);
    double left = start;
    for (int i = 0; i < kMost && left > 0.5 * enough; ++i) {
      Vector v = basis.back();
      substep(q, v);
      for (std::size_t j = 0; j < v.size(); ++j) v[j] = basis.back()[j] - v[j];
      v = precondition(v);
      stiffness_.remove_rigid(v);
      Vector column;
      for (const Vector& b : basis) {
        column.push_back(dot(v, b));
        add(v, -column.back(), b);
      }
      column.push_back(size(v));
      const double length = column.back();
      left = rotations.append(std::move(column));
      if (!(length > 0)) break;
      for (double& value : v) value /= length;
      basis.push_back(std::move(v));
    }
    const Vector y = rotations.solve();
    for (std::size_t i = 0; i < y.size(); ++i) add(u, y[i], basis[i]);
    if (left <= enough) return true;
  }
  return false;
}

Vector MeshResponse::disturbance() const {
  std::mt19937 random(1);
  Vector u(3 * stiffness_.mass().size());
  for (std::size_t i = 0; i < u.size(); ++i)
    if (stiffness_.inverse_mass()[i / 3] > 0) u[i] = double(random() % 2001) / 1000 - 1;
  stiffness_.remove_rigid(u);
  return u;
}

bool MeshResponse::calm(const ClassValues& q) const {
  constexpr int kSteps = 100;
  Vector now = disturbance(), before = now;
  const double first = size(now);
  if (settings_.order == SweepOrder::kJacobi) {
    // World relaxes Jacobi sweeps by half only where they converge without: Σ k ĉĉᵀ below 2.
    const ClassValues k = of_a_sweep(q);
    Vector u = now;
    for (int i = 0; i < kSteps; ++i) sweep_.jacobi(k, 1, u);
    if (!(size(u) < first)) return false;
  }
  for (int i = 0; i < kSteps; ++i) {
    Vector next = now;
    add(next, 1, now);
    add(next, -1, before);
    substep(q, next);
    before = std::move(now);
    now = std::move(next);
    if (!(size(now) < 10 * first)) return false;
  }
  return size(now) < first;
}

}  // namespace sinew::fit
