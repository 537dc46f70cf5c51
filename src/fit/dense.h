// Small square matrices of doubles and their Cholesky factors: a cell has at most 24 freedoms.
#pragma once

#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace sinew::fit {

using Vector = std::vector<double>;

class Matrix {
 public:
  explicit Matrix(int size) : size_(size), entries_(std::size_t(size) * std::size_t(size)) {}

  int size() const { return size_; }
  double& operator()(int row, int column) { return entries_[at(row, column)]; }
  double operator()(int row, int column) const { return entries_[at(row, column)]; }

  Matrix& add(double factor, const Matrix& other) {
    for (std::size_t i = 0; i < entries_.size(); ++i) entries_[i] += factor * other.entries_[i];
    return *this;
  }
  // this += factor v vᵀ
  Matrix& add_square(double factor, const Vector& v) {
    for (int i = 0; i < size_; ++i)
      for (int j = 0; j < size_; ++j)
        (*this)(i, j) += factor * v[std::size_t(i)] * v[std::size_t(j)];
    return *this;
  }

  // Σ a_ij b_ij, whose square root for a = b is the Frobenius norm.
  friend double inner(const Matrix& a, const Matrix& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.entries_.size(); ++i) sum += a.entries_[i] * b.entries_[i];
    return sum;
  }
  friend Matrix operator*(const Matrix& a, const Matrix& b) {
    Matrix product(a.size_);
    for (int i = 0; i < a.size_; ++i)
      for (int k = 0; k < a.size_; ++k) {
        const double factor = a(i, k);
        for (int j = 0; j < a.size_; ++j) product(i, j) += factor * b(k, j);
      }
    return product;
  }

 private:
  std::size_t at(int row, int column) const {
    return std::size_t(row) * std::size_t(size_) + std::size_t(column);
  }

  int size_;
  std::vector<double> entries_;
};

inline double norm(const Matrix& a) { return std::sqrt(inner(a, a)); }

inline double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

inline Vector operator*(const Matrix& a, const Vector& v) {
  Vector product(v.size());
  for (int i = 0; i < a.size(); ++i)
    for (int j = 0; j < a.size(); ++j) product[std::size_t(i)] += a(i, j) * v[std::size_t(j)];
  return product;
}

inline Matrix identity(int size) {
  Matrix one(size);
  for (int i = 0; i < size; ++i) one(i, i) = 1;
  return one;
}

// Exponent ≥ 1, by repeated squaring.
inline Matrix power(Matrix base, int exponent) {
  Matrix result = identity(base.size());
  for (;; base = base * base) {
    if (exponent & 1) result = result * base;
    exponent >>= 1;
    if (exponent == 0) return result;
  }
}

// a = L Lᵀ; none when a is not positive definite, also when it is not finite.
class Cholesky {
 public:
  static std::optional<Cholesky> factor(Matrix a) {
    for (int j = 0; j < a.size(); ++j) {
      for (int k = 0; k < j; ++k)
        for (int i = j; i < a.size(); ++i) a(i, j) -= a(i, k) * a(j, k);
      const double pivot = a(j, j);
      if (!(pivot > kLeastPivot && std::isfinite(pivot))) return std::nullopt;
      for (int i = j; i < a.size(); ++i) a(i, j) /= std::sqrt(pivot);
    }
    return Cholesky(std::move(a));
  }

  Vector solve(Vector v) const {
    const int n = lower_.size();
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < i; ++j) v[std::size_t(i)] -= lower_(i, j) * v[std::size_t(j)];
      v[std::size_t(i)] /= lower_(i, i);
    }
    for (int i = n - 1; i >= 0; --i) {
      for (int j = i + 1; j < n; ++j) v[std::size_t(i)] -= lower_(j, i) * v[std::size_t(j)];
      v[std::size_t(i)] /= lower_(i, i);
    }
    return v;
  }

 private:
  // All matrices that come here are scaled to norms of about 1.
  static constexpr double kLeastPivot = 1e-13;

  explicit Cholesky(Matrix lower) : lower_(std::move(lower)) {}
  Matrix lower_;
};

}  // namespace sinew::fit
