#include "solvers/assembled_stiffness.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "solvers/stress_multiplier.h"

namespace sinew {
namespace {

constexpr int kIterations = 30;               // finds the largest eigenvalue to 5 %
constexpr double kShort = 0.01, kLong = 1e5;  // h²k/m of the stiffest element
constexpr double kStrain = 1e-3;              // of the cells, in vibrations that are tried

double diagonal_of(std::span<const Row4<Real>> rest) {
  Vec3 lower{INFINITY, INFINITY, INFINITY}, upper = -lower;
  for (const Row4<Real>& x : rest) {
    lower = {std::min(lower.x, x.x), std::min(lower.y, x.y), std::min(lower.z, x.z)};
    upper = {std::max(upper.x, x.x), std::max(upper.y, x.y), std::max(upper.z, x.z)};
  }
  return length(upper - lower);
}

struct Vibration {
  Batch& elements;
  std::span<const Row4<Real>> rest;
  std::shared_ptr<Executor> executor = make_serial_executor();
  double amplitude = kStrain * diagonal_of(rest) / std::cbrt(double(rest.size()));
  std::vector<Vec3T<double>> shape = std::vector<Vec3T<double>>(rest.size());
  std::vector<Row4<Real>> at{rest.begin(), rest.end()}, moved{rest.begin(), rest.end()};

  void start() {
    std::mt19937 generator(1);
    const auto noise = [&] { return double(generator() % 2001) / 1000 - 1; };
    for (std::size_t i = 0; i < rest.size(); ++i)
      shape[i] = rest[i].w > 0 ? Vec3T<double>{noise(), noise(), noise()} : Vec3T<double>{};
  }

  // Where the forces of the vibration move its particles to in a substep; its h²ω².
  double once(Real h) {
    double largest = 0;
    for (const Vec3T<double>& s : shape) largest = std::max(largest, dot(s, s));
    if (!(largest > 0)) return 0;
    const double scale = 1 / std::sqrt(largest);
    for (std::size_t i = 0; i < rest.size(); ++i) {
      shape[i] *= scale;
      const Vec3T<double> d = shape[i] * amplitude;
      const Row4<Real>& x = rest[i];
      at[i] = {Real(x.x + d.x), Real(x.y + d.y), Real(x.z + d.z), x.w};
      moved[i] = {0, 0, 0, x.w};
    }
    elements.predict({.displacement = moved.data(),
                      .start = {at.data()},
                      .h = h,
                      .damping = 0,
                      .executor = *executor});
    double work = 0, inertia = 0;
    for (std::size_t i = 0; i < rest.size(); ++i) {
      if (!(rest[i].w > 0)) continue;
      const Row4<Real>& m = moved[i];
      const Vec3T<double> pushed = Vec3T<double>{m.x, m.y, m.z} * (-1 / amplitude);
      work += dot(pushed, shape[i]) / rest[i].w;
      inertia += dot(shape[i], shape[i]) / rest[i].w;
      shape[i] = pushed;
    }
    return work / inertia;
  }

  // The largest h²ω².
  double stiffest(Real h) {
    start();
    double found = 0;
    for (int i = 0; i < kIterations; ++i) found = once(h);
    return std::isfinite(found) ? std::max(found, 0.0) : 0;
  }
};

}  // namespace

AssembledStiffness assembled_stiffness(Batch& elements, std::span<const Row4<Real>> rest,
                                       double largest) {
  if (!(largest > 0) || !std::isfinite(largest) || rest.empty()) return {};
  StateBytes kept;
  elements.visit_state(kept);
  Vibration vibration{elements, rest};
  const double rate = vibration.stiffest(Real(std::sqrt(kShort / largest))) * (largest / kShort);
  const double together = vibration.stiffest(Real(std::sqrt(kLong / largest)));
  const std::vector<std::byte> bytes = kept.take();
  StateBytes back(bytes);
  elements.visit_state(back);
  return {rate, std::max(1.0, together / double(kExplicitStiffness))};
}

}  // namespace sinew
