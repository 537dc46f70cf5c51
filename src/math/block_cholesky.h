// A factor of a matrix of 3×3 blocks, for one right-hand side of three-vectors: what Newton's
// method solves in every iteration. It has nine times the numbers of a matrix that is alike for x,
// y and z.
#pragma once

#include "math/block_matrix.h"
#include "math/sparse_cholesky.h"

namespace sinew {

class BlockCholesky {
 public:
  // Of a matrix with the pattern of the first one that was given. One that is not positive definite
  // gets as much more on its diagonal as it needs; false if nothing helps.
  bool factor(const BlockSymmetric& matrix) {
    // Of the largest diagonal: where it begins, and by how much it grows.
    constexpr Real kLeast = sizeof(Real) == 4 ? Real(1e-6) : Real(1e-12), kGrowth = 10,
                   kMost = 1000;
    SparseSymmetric<Real> a = matrix.expanded();
    if (factor_.size() == 0) {
      factor_.analyse(a);
      expanded_.resize(a.size());
    }
    Real largest = 0;
    for (int i = 0; i < a.size(); ++i) largest = std::max(largest, a.value[a.begin[i]]);
    Real shift = 0;
    while (factor_.factor(a)) {
      const Real next = shift == 0 ? kLeast * largest : shift * kGrowth;
      if (!(next < kMost * largest)) return false;
      for (int i = 0; i < a.size(); ++i) a.value[a.begin[i]] += next - shift;
      shift = next;
    }
    return true;
  }

  // r ← A⁻¹ r
  void solve(Rows r) {
    for (std::size_t i = 0; i < r.size(); ++i) {
      expanded_[3 * i] = {r[i].x, 0, 0, 0};
      expanded_[3 * i + 1] = {r[i].y, 0, 0, 0};
      expanded_[3 * i + 2] = {r[i].z, 0, 0, 0};
    }
    factor_.solve(expanded_.data(), expanded_.data());
    for (std::size_t i = 0; i < r.size(); ++i)
      r[i] = {expanded_[3 * i].x, expanded_[3 * i + 1].x, expanded_[3 * i + 2].x, 0};
  }

 private:
  SparseCholesky<Real> factor_;
  std::vector<Row4<Real>> expanded_;
};

}  // namespace sinew
