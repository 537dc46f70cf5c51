// A symmetric sparse matrix of 3×3 blocks, one for every pair of particles that act on each other:
// its lower triangle in compressed columns.
#pragma once

#include <algorithm>

#include "math/rows.h"
#include "math/sparse_matrix.h"

namespace sinew {

class BlockSymmetric {
 public:
  // With blocks where the pattern has entries; all zero.
  template <class T>
  explicit BlockSymmetric(const SparseSymmetric<T>& pattern)
      : begin_(pattern.begin), row_(pattern.row), block_(pattern.row.size()) {}
  BlockSymmetric() = default;

  int size() const { return static_cast<int>(begin_.size()) - 1; }
  void clear() { std::fill(block_.begin(), block_.end(), Mat3{}); }

  Mat3& diagonal(int i) { return block_[begin_[i]]; }
  const Mat3& diagonal(int i) const { return block_[begin_[i]]; }
  // Adds to the block of i and j, and so to its transpose at j and i. It must be in the pattern.
  void add(int i, int j, const Mat3& m) {
    const int column = std::min(i, j), below = std::max(i, j);
    const auto first = row_.begin() + begin_[column], last = row_.begin() + begin_[column + 1];
    Mat3& at = block_[std::lower_bound(first, last, below) - row_.begin()];
    at = at + (i >= j ? m : transpose(m));
  }
  // Subtracts from the block of i ≥ j if there is one.
  void subtract(int i, int j, const Mat3& m) {
    const auto first = row_.begin() + begin_[j], last = row_.begin() + begin_[j + 1];
    const auto at = std::lower_bound(first, last, i);
    if (at != last && *at == i) block_[at - row_.begin()] = block_[at - row_.begin()] - m;
  }
  // f(i, block) for those of column j below its diagonal.
  template <class F>
  void for_each_below(int j, F&& f) {
    for (int k = begin_[j] + 1; k < begin_[j + 1]; ++k) f(row_[k], block_[k]);
  }
  template <class F>
  void for_each_below(int j, F&& f) const {
    for (int k = begin_[j] + 1; k < begin_[j + 1]; ++k) f(row_[k], block_[k]);
  }
  // Held particles: a one on the diagonal and nothing else.
  template <class Held>
  void hold(Held&& held) {
    for (int j = 0; j < size(); ++j)
      for (int k = begin_[j]; k < begin_[j + 1]; ++k)
        if (held(j) || held(row_[k])) block_[k] = row_[k] == j ? Mat3::identity() : Mat3{};
  }

  // out ← A x
  void multiply(ConstRows x, Rows out) const {
    std::fill(out.begin(), out.end(), Row4<Real>{});
    for (int j = 0; j < size(); ++j) {
      const Vec3 at = vector(x[j]);
      Vec3 sum = block_[begin_[j]] * at;
      for (int k = begin_[j] + 1; k < begin_[j + 1]; ++k) {
        const Mat3& m = block_[k];
        add_to(out[row_[k]], m * at);
        const Vec3 other = vector(x[row_[k]]);
        sum += {dot(m.c[0], other), dot(m.c[1], other), dot(m.c[2], other)};  // mᵀ other
      }
      add_to(out[j], sum);
    }
  }

  // The same as a matrix of numbers, three rows for each of these.
  SparseSymmetric<Real> expanded() const;

 private:
  static Vec3 vector(const Row4<Real>& r) { return {r.x, r.y, r.z}; }
  static void add_to(Row4<Real>& r, const Vec3& v) { r.x += v.x, r.y += v.y, r.z += v.z; }

  std::vector<int> begin_{0}, row_;
  std::vector<Mat3> block_;
};

inline SparseSymmetric<Real> BlockSymmetric::expanded() const {
  SparseSymmetric<Real> a;
  a.begin.assign(1, 0);
  for (int j = 0; j < size(); ++j)
    for (int c = 0; c < 3; ++c) {
      for (int k = begin_[j]; k < begin_[j + 1]; ++k)
        for (int r = k == begin_[j] ? c : 0; r < 3; ++r) {
          a.row.push_back(3 * row_[k] + r);
          a.value.push_back(block_[k](r, c));
        }
      a.begin.push_back(static_cast<int>(a.row.size()));
    }
  return a;
}

}  // namespace sinew
