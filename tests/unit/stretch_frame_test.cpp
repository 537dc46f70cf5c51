#include <gtest/gtest.h>

#include <random>

#include "solvers/material_at.h"

namespace sinew {
namespace {

using Mat = Mat3T<double>;

double distance(const Mat& a, const Mat& b) { return std::sqrt(contract(a - b, a - b)); }

// U diag(σ) Vᵀ is F, and U and V are rotations, by the size of F and in double.
template <class T>
double error_of(const Mat3T<T>& f, const StretchFrame<T>& frame, int i) {
  const Mat u = lane(frame.u, i), v = lane(frame.v, i), one = Mat::identity();
  const Vec3T<double> s = lane(frame.sigma, i);
  const Mat at = lane(f, i), again = u * Mat::diagonal(s) * transpose(v);
  return distance(transpose(u) * u, one) + distance(transpose(v) * v, one) +
         std::abs(determinant(u) - 1) + distance(again, at) / std::sqrt(contract(at, at));
}

// With stretches from `ratio` to 1, all of it times `size`.
template <class T>
double worst_error(double ratio, double size, int packs) {
  std::mt19937 generator(7);
  std::normal_distribution<double> number;
  std::uniform_real_distribution<double> share(ratio, 1);
  const auto rotation = [&] {
    const auto n = [&] { return number(generator); };
    const double x = n(), y = n(), z = n(), w = n();
    return normalized(QuatT<double>{x, y, z, w}).matrix();
  };
  double worst = 0;
  for (int k = 0; k < packs; ++k) {
    Mat3T<T> f;
    for (int i = 0; i < kWidth<T>; ++i) {
      const Mat stretch = Mat::diagonal({size, size * share(generator), size * ratio});
      set_lane(f, i, rotation() * stretch * rotation());
    }
    const StretchFrame<T> frame = StretchFrame<T>::of(f);
    for (int i = 0; i < kWidth<T>; ++i) worst = std::max(worst, error_of(f, frame, i));
  }
  return worst;
}

TEST(StretchFrame, IsADecompositionForAnyStretches) {
  const double bound = sizeof(Real) == 4 ? 5e-5 : 1e-13;
  for (const double ratio : {1.0, 0.9, 0.5, 0.2, 0.11, 0.09, 0.01, -0.01, -0.3}) {
    EXPECT_LT(worst_error<Wide>(ratio, 1, 4000), bound) << ratio;
    EXPECT_LT(worst_error<Real>(ratio, 1, 10000), bound) << ratio;
  }
}

TEST(StretchFrame, IsADecompositionOfAnySize) {
  const double bound = sizeof(Real) == 4 ? 5e-5 : 1e-13;
  const std::vector<double> sizes =
      sizeof(Real) == 4 ? std::vector<double>{1e-14, 1e-10, 1e-8, 1e-6, 1e-5, 1e6, 1e8, 1e10, 1e14}
                        : std::vector<double>{1e-100, 1e-80, 1e-60, 1e60, 1e76, 1e80, 1e100};
  for (const double size : sizes) EXPECT_LT(worst_error<Wide>(0.3, size, 500), bound) << size;
}

}  // namespace
}  // namespace sinew
