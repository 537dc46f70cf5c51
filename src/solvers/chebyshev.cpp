#include "solvers/chebyshev.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace sinew {
namespace {

constexpr int kMeasuredSweeps = 60;
// A little less than what was measured: too small a radius accelerates less, too large a one
// diverges.
constexpr Real kCaution = Real(0.999);
// Of the largest relaxation, for sweeps without and with acceleration.
constexpr Real kAlone = Real(0.5), kAccelerated = Real(0.7);
// Squares of corrections that are nothing but rounding, by those to a disturbance of 1 % of a cell.
constexpr double kRounding = sizeof(Real) == 4 ? 1e-9 : 1e-24;
// How much longer a substep is in which every element is as good as infinitely stiff.
constexpr Real kStiffening = 1000;
constexpr Real kSharingMargin = Real(1.25);  // for meshes that are out of shape

}  // namespace

double ChebyshevSolver::jacobi(Batches batches, Substep substep, int count) {
  std::fill(correction_.begin(), correction_.end(), Row4<Real>{});
  substep.correction = correction_.data();
  substep.relaxation = relaxation_;
  substep.sharing = sharing_;
  for (const auto& batch : batches) batch->solve(substep);
  double size = 0;
  for (int i = 0; i < count; ++i) {
    const Row4<Real>& d = correction_[i];
    Row4<Real>& x = substep.displacement[i];
    if (!(x.w > 0)) continue;
    x = {x.x + d.x, x.y + d.y, x.z + d.z, x.w};
    size += (double(d.x) * d.x + double(d.y) * d.y + double(d.z) * d.z) / x.w;
  }
  return size;
}

// The rate at which the corrections to a small disturbance shrink; infinite if they grow.
double ChebyshevSolver::decay(Batches batches, const Substep& substep,
                              std::span<const Row4<Real>> rest) {
  std::vector<Row4<Real>> displacement(rest.size());
  Vec3 lower{INFINITY, INFINITY, INFINITY}, upper = -lower;
  for (const Row4<Real>& x : rest) {
    lower = {std::min(lower.x, x.x), std::min(lower.y, x.y), std::min(lower.z, x.z)};
    upper = {std::max(upper.x, x.x), std::max(upper.y, x.y), std::max(upper.z, x.z)};
  }
  // Small against a cell, large against rounding.
  const Real size = length(upper - lower) / std::cbrt(Real(rest.size())) * Real(0.01);
  std::mt19937 generator(1);
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const auto noise = [&] { return size * (Real(generator() % 2001) / 1000 - 1); };
    if (rest[i].w > 0) displacement[i] = {noise(), noise(), noise(), rest[i].w};
  }
  Substep trial = substep;
  trial.displacement = displacement.data();
  trial.start = {rest.data()};
  for (const auto& batch : batches) batch->predict(trial);
  const int count = static_cast<int>(rest.size());
  double first = 0, half = 0, last = 0;
  for (int i = 0; i < kMeasuredSweeps; ++i) {
    last = jacobi(batches, trial, count);
    if (i == 2) first = last;
    if (i == kMeasuredSweeps / 2) half = last;
    if (!(last <= 4 * first) && i > 2) return INFINITY;
  }
  if (!(last < half) && last > kRounding * first) return INFINITY;
  if (!(last > 0) || !(half > 0)) return 0;
  return std::pow(last / half, 0.5 / (kMeasuredSweeps - 1 - kMeasuredSweeps / 2));
}

// The largest with which a disturbance dies out.
Real ChebyshevSolver::find_relaxation(Batches batches, const Substep& substep,
                                      std::span<const Row4<Real>> rest) {
  for (relaxation_ = 1; relaxation_ > Real(1e-3); relaxation_ *= Real(0.8))
    if (std::isfinite(decay(batches, substep, rest))) break;
  return relaxation_;
}

void ChebyshevSolver::prepare(Batches batches, const Substep& substep,
                              std::span<const Row4<Real>> rest) {
  if (prepared_h_ == substep.h && prepared_iterations_ == substep.iterations &&
      correction_.size() == rest.size())
    return;
  correction_.resize(rest.size());
  last_.resize(rest.size());
  before_.resize(rest.size());
  prepared_h_ = substep.h;
  prepared_iterations_ = substep.iterations;
  StateBytes kept;  // what is measured at rest leaves no traces
  for (const auto& batch : batches) batch->visit_state(kept);
  Substep stiff = substep;
  stiff.h *= kStiffening;
  sharing_ = 1;
  sharing_ = kSharingMargin / find_relaxation(batches, stiff, rest);
  largest_relaxation_ = find_relaxation(batches, substep, rest);
  relaxation_ = largest_relaxation_ * kAccelerated;
  const double rate = decay(batches, substep, rest);
  spectral_radius_ = std::isfinite(rate) ? std::min(Real(rate), Real(0.9995)) * kCaution : Real(0);
  const std::vector<std::byte> bytes = kept.take();
  StateBytes back(bytes);
  for (const auto& batch : batches) batch->visit_state(back);
}

void ChebyshevSolver::begin(Batches batches, const Substep& substep, bool accelerated) {
  accelerated_ = accelerated;
  radius_ = spectral_radius_;
  omega_ = 1;
  done_ = sweeps_ = 0;
  size_ = 0;
  if (!accelerated_) return;
  std::copy_n(substep.displacement, last_.size(), last_.begin());
  std::copy_n(substep.displacement, before_.size(), before_.begin());
  for (const auto& batch : batches) batch->extrapolate(1, true);
}

// Contacts move particles between sweeps; that is not extrapolated, or they would bounce.
void ChebyshevSolver::follow_contacts(const Row4<Real>* displacement) {
  for (std::size_t i = 0; i < last_.size(); ++i) {
    const Row4<Real>& x = displacement[i];
    Row4<Real>&l = last_[i], &b = before_[i];
    b = {b.x + (x.x - l.x), b.y + (x.y - l.y), b.z + (x.z - l.z), b.w};
    l = x;
  }
}

void ChebyshevSolver::sweep(Batches batches, const Substep& substep) {
  const int count = static_cast<int>(last_.size());
  if (accelerated_) follow_contacts(substep.displacement);
  const int row = substep.iterations / 2;
  const bool alone = !accelerated_ || done_ >= 2 * row;
  relaxation_ = largest_relaxation_ * (alone ? kAlone : kAccelerated);
  const double size = jacobi(batches, substep, count);
  if (!accelerated_) return;
  if (alone || done_ == row) sweeps_ = 0;
  ++done_;
  if (sweeps_ > 0 && size > 4 * size_) {
    radius_ *= Real(0.9);
    sweeps_ = 0;
  }
  size_ = size;
  ++sweeps_;
  const Real r2 = radius_ * radius_;
  omega_ = sweeps_ == 1 ? 1 : sweeps_ == 2 ? 2 / (2 - r2) : 4 / (4 - r2 * omega_);
  for (int i = 0; i < count; ++i) {
    Row4<Real>& x = substep.displacement[i];
    const Row4<Real>& b = before_[i];
    if (x.w > 0)
      x = {b.x + omega_ * (x.x - b.x), b.y + omega_ * (x.y - b.y), b.z + omega_ * (x.z - b.z), x.w};
    before_[i] = last_[i];
    last_[i] = x;
  }
  for (const auto& batch : batches) batch->extrapolate(omega_, false);
}

}  // namespace sinew
