// The constant matrix A = M/h² + L of a body, factored when it is first needed, and again only when
// the step or what is held changes.
#pragma once

#include <cstdint>

#include "math/sparse_cholesky.h"
#include "variational/objective.h"

namespace sinew {

class ConstantMetric {
 public:
  // Ready for a step of length h, with those held that have no inverse mass in `target`. Returns
  // false where A has no factor: stiffness and masses are too far apart for numbers.
  bool prepare(const Objective& objective, ConstRows target, Real h);
  // r ← A⁻¹ r
  void solve(Rows r) { factor_.solve(r.data(), r.data()); }
  // Another one for every factor.
  std::int64_t version() const { return version_; }
  long long factor_entries() const { return factor_.pattern().entries(); }

 private:
  SparseCholesky<Real> factor_;
  std::vector<bool> held_;
  Real h_ = 0;
  std::int64_t version_ = 0;
  bool usable_ = false;
};

}  // namespace sinew
