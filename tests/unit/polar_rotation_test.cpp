#include "math/polar_rotation.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace sinew {
namespace {

using Mat = Mat3T<double>;

// R is a rotation, and no other is nearer: tr(RᵀF) = σ₀ + σ₁ + σ₂.
template <class T>
void expect_nearest(const std::vector<Mat>& all, double accuracy) {
  for (std::size_t k = 0; k < all.size(); k += kWidth<T>) {
    Mat3T<T> f;
    for (int i = 0; i < kWidth<T>; ++i) set_lane(f, i, all[(k + i) % all.size()]);
    const PolarRotation<T> polar = PolarRotation<T>::of(f);
    for (int i = 0; i < kWidth<T>; ++i) {
      const Mat at = lane(f, i), r = lane(polar.rotation, i);
      const double size = std::max(std::sqrt(contract(at, at)), 1e-30);
      const Vec3T<double> s = signed_svd(at).sigma;
      const Mat off = transpose(r) * r - Mat::identity();
      EXPECT_LT(std::sqrt(contract(off, off)), accuracy) << "matrix " << k + i;
      EXPECT_GT(determinant(r), 0) << "matrix " << k + i;
      EXPECT_NEAR(contract(r, at) / size, (s.x + s.y + s.z) / size, accuracy) << "matrix " << k + i;
    }
  }
}

TEST(PolarRotation, IsNearest) {
  std::mt19937 generator(5);
  std::normal_distribution<double> number;
  std::vector<Mat> all;
  for (const double noise : {0.01, 0.1, 0.3, 1.0, 10.0, 1e4})
    for (int k = 0; k < 2000; ++k) {
      Mat f = Mat::identity();
      for (int i = 0; i < 9; ++i) f(i % 3, i / 3) += noise * number(generator);
      all.push_back(f);
    }
  expect_nearest<Wide>(all, sizeof(Real) == 4 ? 1e-3 : 1e-9);
  expect_nearest<Real>(all, sizeof(Real) == 4 ? 1e-3 : 1e-9);
}

// Where many are as near as each other it is one of them: mirror images, lines, points.
TEST(PolarRotation, IsOneOfTheNearest) {
  const Mat turn = normalized(QuatT<double>{0.3, -0.5, 0.2, 0.8}).matrix();
  const std::vector<Mat> all = {Mat::diagonal({1, -1, 1}),
                                Mat::diagonal({-1, -1, -1}),
                                Mat::diagonal({1, 1, -1}) * turn,
                                turn * Mat::diagonal({2, -2, 2}),
                                Mat::diagonal({1, -1, 1 + 1e-6}),
                                Mat::diagonal({1, 0, 0}),
                                turn * Mat::diagonal({1e-4, 0, 3}) * turn,
                                Mat{},
                                Mat::diagonal({1e-6, -1e-6, 1e-6}),
                                Mat::diagonal({1e6, 1e6, -1e6})};
  const double accuracy = sizeof(Real) == 4 ? 1e-4 : 1e-9;
  expect_nearest<Wide>(all, accuracy);
  expect_nearest<Real>(all, accuracy);
}

}  // namespace
}  // namespace sinew
