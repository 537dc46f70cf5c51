// LU factors of a small dense matrix with complete pivoting: it shows the rank, and solves singular
// systems as far as they can be (Golub and Van Loan, Matrix Computations, §3.4.8). Clear rather
// than fast: it serves references and checks.
#pragma once

#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace sinew {

class DenseLu {
 public:
  // `entries` row by row, n × n. Pivots of at most `least` × the largest entry count as zero.
  DenseLu(std::vector<double> entries, std::size_t n, double least)
      : n_(n), lu_(std::move(entries)), row_(n), column_(n) {
    std::iota(row_.begin(), row_.end(), std::size_t(0));
    std::iota(column_.begin(), column_.end(), std::size_t(0));
    double threshold = 0;
    for (; rank_ < n_; ++rank_) {
      const double pivot = bring_largest_to(rank_);
      if (rank_ == 0) threshold = least * pivot;
      if (!(pivot > threshold)) return;
      eliminate(rank_);
    }
  }

  std::size_t rank() const { return rank_; }

  // Unknowns without a pivot are zero; equations without one are ignored.
  std::vector<double> solve(std::span<const double> rhs) const {
    std::vector<double> v(rank_), x(n_);
    for (std::size_t i = 0; i < rank_; ++i) {
      v[i] = rhs[row_[i]];
      for (std::size_t j = 0; j < i; ++j) v[i] -= at(i, j) * v[j];
    }
    for (std::size_t i = rank_; i-- > 0;) {
      for (std::size_t j = i + 1; j < rank_; ++j) v[i] -= at(i, j) * v[j];
      v[i] /= at(i, i);
      x[column_[i]] = v[i];
    }
    return x;
  }

 private:
  double& at(std::size_t i, std::size_t j) { return lu_[i * n_ + j]; }
  double at(std::size_t i, std::size_t j) const { return lu_[i * n_ + j]; }

  double bring_largest_to(std::size_t k) {
    std::size_t row = k, column = k;
    double largest = 0;
    for (std::size_t i = k; i < n_; ++i)
      for (std::size_t j = k; j < n_; ++j)
        if (std::abs(at(i, j)) > largest) {
          largest = std::abs(at(i, j));
          row = i;
          column = j;
        }
    for (std::size_t j = 0; j < n_; ++j) std::swap(at(k, j), at(row, j));
    for (std::size_t i = 0; i < n_; ++i) std::swap(at(i, k), at(i, column));
    std::swap(row_[k], row_[row]);
    std::swap(column_[k], column_[column]);
    return largest;
  }

  void eliminate(std::size_t k) {
    for (std::size_t i = k + 1; i < n_; ++i) {
      const double factor = at(i, k) /= at(k, k);
      if (factor == 0) continue;
      for (std::size_t j = k + 1; j < n_; ++j) at(i, j) -= factor * at(k, j);
    }
  }

  std::size_t n_, rank_ = 0;
  std::vector<double> lu_;
  std::vector<std::size_t> row_, column_;  // where they were before pivoting
};

}  // namespace sinew
