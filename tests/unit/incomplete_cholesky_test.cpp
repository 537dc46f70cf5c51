#include "math/incomplete_cholesky.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "math/conjugate_gradients.h"

namespace sinew {
namespace {

using Vector = std::vector<Row4<Real>>;

// Springs along the edges of a grid, stiffer along some than along others.
BlockSymmetric grid(int n, Real mass) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<MatrixEntry<double>> pattern;
  std::vector<std::array<int, 2>> edges;
  const auto at = [&](int i, int j) { return i * n + j; };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      if (i + 1 < n) edges.push_back({at(i, j), at(i + 1, j)});
      if (j + 1 < n) edges.push_back({at(i, j), at(i, j + 1)});
    }
  for (const auto& [a, b] : edges) pattern.push_back({a, b, 0.0});
  BlockSymmetric m(assemble(n * n, pattern));
  for (const auto& [a, b] : edges) {
    const Vec3 d{Real(uniform(random)), Real(uniform(random)), Real(uniform(random))};
    const Real k = std::exp(Real(3 * uniform(random)));
    Mat3 block = Mat3{{d * (k * d.x), d * (k * d.y), d * (k * d.z)}} +
                 Mat3::diagonal({k / 10, k / 10, k / 10});
    m.add(a, a, block);
    m.add(b, b, block);
    m.add(a, b, block * Real(-1));
  }
  for (int i = 0; i < m.size(); ++i)
    m.diagonal(i) = m.diagonal(i) + Mat3::diagonal({mass, mass, mass});
  return m;
}

double distance(const Vector& a, const Vector& b) {
  Vector d(a.size());
  sum_of(a, -1, b, d);
  return std::sqrt(dot(d, d));
}

TEST(IncompleteCholesky, IsExactWhereNothingFillsIn) {
  std::vector<MatrixEntry<double>> pattern;
  constexpr int kCount = 20;
  for (int i = 0; i + 1 < kCount; ++i) pattern.push_back({i, i + 1, 0.0});
  BlockSymmetric a(assemble(kCount, pattern));
  for (int i = 0; i < kCount; ++i) {
    a.add(i, i, Mat3{{{Real(4 + i), 1, Real(0.5)}, {1, 5, Real(0.2)}, {Real(0.5), Real(0.2), 6}}});
    if (i > 0) a.add(i, i - 1, Mat3{{{-1, Real(0.3), 0}, {Real(0.1), -1, Real(0.2)}, {0, 0, -1}}});
  }
  Vector x(kCount), b(kCount), found(kCount);
  for (int i = 0; i < kCount; ++i) x[i] = {Real(i), Real(1 - i), Real(std::sin(i)), 0};
  a.multiply(x, b);
  IncompleteCholesky factor;
  ASSERT_TRUE(factor.factor(a));
  factor.solve(b, found);
  EXPECT_LT(distance(found, x), 1e-4);
}

TEST(IncompleteCholesky, SavesConjugateGradientsIterations) {
  const BlockSymmetric a = grid(20, Real(1e-2));
  const std::size_t n = a.size();
  Vector x(n), b(n), found(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = {Real(std::sin(i)), Real(std::cos(3 * i)), 1, 0};
  a.multiply(x, b);
  ConjugateGradients gradients;
  gradients.resize(n);
  const auto multiply = [&](ConstRows p, Rows out) { a.multiply(p, out); };
  const int by_diagonal =
      gradients.solve(b, found, 1e-4, 1000, multiply, [&](ConstRows r, Rows out) {
        for (std::size_t i = 0; i < n; ++i) {
          const Vec3 v = inverse(a.diagonal(static_cast<int>(i))) * Vec3{r[i].x, r[i].y, r[i].z};
          out[i] = {v.x, v.y, v.z, 0};
        }
      });
  IncompleteCholesky factor;
  ASSERT_TRUE(factor.factor(a));
  const int incomplete = gradients.solve(b, found, 1e-4, 1000, multiply,
                                         [&](ConstRows r, Rows out) { factor.solve(r, out); });
  EXPECT_LT(incomplete, by_diagonal / 2);
  EXPECT_LT(distance(found, x), 1e-2 * std::sqrt(dot(x, x)));
}

TEST(IncompleteCholesky, SaysWhereThereIsNone) {
  BlockSymmetric a(assemble<double>(2, {}));
  a.add(0, 0, Mat3::identity());
  a.add(1, 1, Mat3::diagonal({1, -1, 1}));
  IncompleteCholesky factor;
  EXPECT_FALSE(factor.factor(a));
  a.diagonal(1)(1, 1) = Real(NAN);
  EXPECT_FALSE(factor.factor(a));
}

}  // namespace
}  // namespace sinew
