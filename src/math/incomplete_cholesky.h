// An incomplete Cholesky factorisation of a symmetric matrix of 3×3 blocks, A ≈ L Lᵀ with blocks in
// L only where A has them (Meijerink and van der Vorst 1977): a preconditioner of conjugate
// gradients. What is dropped may leave a diagonal block that is not positive definite; then all of
// them are made larger, and it is tried again (Manteuffel 1980).
#pragma once

#include "math/block_matrix.h"

namespace sinew {

class IncompleteCholesky {
 public:
  // False if there is none, however large the diagonal is made.
  bool factor(const BlockSymmetric& a) {
    for (Real shift = 0; shift < kLargestShift; shift = shift == 0 ? kLeastShift : shift * 4)
      if (try_factor(a, shift)) return true;
    return false;
  }

  // out ← (L Lᵀ)⁻¹ r
  void solve(ConstRows r, Rows out) const {
    const int n = factor_.size();
    for (int i = 0; i < n; ++i) out[i] = {r[i].x, r[i].y, r[i].z, 0};
    for (int j = 0; j < n; ++j) {
      const Vec3 y = inverse_[j] * vector(out[j]);
      set(out[j], y);
      factor_.for_each_below(j, [&](int i, const Mat3& l) { set(out[i], vector(out[i]) - l * y); });
    }
    for (int j = n - 1; j >= 0; --j) {
      Vec3 y = vector(out[j]);
      factor_.for_each_below(j, [&](int i, const Mat3& l) {
        const Vec3 x = vector(out[i]);
        y -= {dot(l.c[0], x), dot(l.c[1], x), dot(l.c[2], x)};  // lᵀ x
      });
      set(out[j], transpose(inverse_[j]) * y);
    }
  }

 private:
  static constexpr Real kLeastShift = Real(1e-3), kLargestShift = 100;

  static Vec3 vector(const Row4<Real>& r) { return {r.x, r.y, r.z}; }
  static void set(Row4<Real>& r, const Vec3& v) { r = {v.x, v.y, v.z, 0}; }

  // L⁻¹ of a positive definite block; false if it is not.
  static bool invert_factor(const Mat3& a, Mat3& inverse) {
    const Real d0 = a(0, 0);
    if (!(d0 > 0)) return false;
    const Real l00 = std::sqrt(d0), l10 = a(1, 0) / l00, l20 = a(2, 0) / l00;
    const Real d1 = a(1, 1) - l10 * l10;
    if (!(d1 > 0)) return false;
    const Real l11 = std::sqrt(d1), l21 = (a(2, 1) - l20 * l10) / l11;
    const Real d2 = a(2, 2) - l20 * l20 - l21 * l21;
    if (!(d2 > 0) || !std::isfinite(d2)) return false;
    const Real l22 = std::sqrt(d2);
    inverse = {};
    inverse(0, 0) = 1 / l00, inverse(1, 1) = 1 / l11, inverse(2, 2) = 1 / l22;
    inverse(1, 0) = -l10 * inverse(0, 0) / l11;
    inverse(2, 1) = -l21 * inverse(1, 1) / l22;
    inverse(2, 0) = -(l20 * inverse(0, 0) + l21 * inverse(1, 0)) / l22;
    return true;
  }

  // Column by column, to the right: Lᵢⱼ = Aᵢⱼ Lⱼⱼ⁻ᵀ, then Aᵢₖ −= Lᵢⱼ Lₖⱼᵀ where there is such a
  // block.
  bool try_factor(const BlockSymmetric& a, Real shift) {
    factor_ = a;
    inverse_.resize(a.size());
    for (int j = 0; j < a.size(); ++j) {
      Mat3& d = factor_.diagonal(j);
      const Mat3& own = a.diagonal(j);
      for (int k = 0; k < 3; ++k) d(k, k) += shift * own(k, k);
    }
    for (int j = 0; j < a.size(); ++j) {
      if (!invert_factor(factor_.diagonal(j), inverse_[j])) return false;
      const Mat3 right = transpose(inverse_[j]);
      factor_.for_each_below(j, [&](int, Mat3& l) { l = l * right; });
      factor_.for_each_below(j, [&](int k, const Mat3& lk) {
        factor_.for_each_below(j, [&](int i, const Mat3& li) {
          if (i >= k) factor_.subtract(i, k, li * transpose(lk));
        });
      });
    }
    return true;
  }

  BlockSymmetric factor_;
  std::vector<Mat3> inverse_;  // of the factors on the diagonal
};

}  // namespace sinew
