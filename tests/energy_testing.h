// What the laws of energies share: random states of a body, and an energy's derivatives there.
#pragma once

#include <random>
#include <span>
#include <vector>

#include "math/rows.h"
#include "variational/energy_term.h"

namespace sinew {

using RowVector = std::vector<Row4<Real>>;

inline constexpr bool kFloat = sizeof(Real) == 4;

class Random {
 public:
  Real number(double size) {
    return Real(std::uniform_real_distribution<double>(-size, size)(generator_));
  }
  RowVector moved(std::span<const Vec3> rest, double by) {
    RowVector x;
    for (const Vec3& v : rest)
      x.push_back({v.x + number(by), v.y + number(by), v.z + number(by), 1});
    x.resize((x.size() + kLanes - 1) / kLanes * kLanes);
    return x;
  }
  // Of the first `vertices` rows: those that fill up the last pack do not move.
  RowVector direction(std::size_t vertices, std::size_t rows) {
    RowVector d(rows);
    for (std::size_t i = 0; i < vertices; ++i) {
      const Real x = number(1), y = number(1), z = number(1);
      d[i] = {x, y, z, 0};
    }
    return d;
  }

 private:
  std::mt19937 generator_{5};
};

// x + h d
inline RowVector along(const RowVector& x, double h, const RowVector& d) {
  RowVector out(x.size());
  sum_of(x, Real(h), d, out);
  return out;
}

inline RowVector gradient_at(EnergyTerm& energy, const RowVector& x, double* value = nullptr) {
  RowVector g(x.size());
  const auto executor = make_serial_executor();
  const double at = energy.add_gradient(x.data(), g.data(), *executor);
  if (value) *value = at;
  return g;
}

inline SparseSymmetric<double> metric_of(const EnergyTerm& energy, std::size_t rows) {
  MetricEntries entries;
  energy.add_metric(entries);
  return assemble(static_cast<int>(rows), entries);
}

inline BlockSymmetric hessian_at(const EnergyTerm& energy, const RowVector& x, bool projected) {
  BlockSymmetric hessian(metric_of(energy, x.size()));
  energy.add_hessian(x.data(), projected, hessian);
  return hessian;
}

}  // namespace sinew
