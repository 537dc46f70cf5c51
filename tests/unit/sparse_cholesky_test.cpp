#include "math/sparse_cholesky.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace sinew {
namespace {

template <class T>
class SparseCholeskyTest : public testing::Test {};
using Numbers = testing::Types<float, double>;
TYPED_TEST_SUITE(SparseCholeskyTest, Numbers);

template <class T>
constexpr double kTolerance = sizeof(T) == 4 ? 2e-5 : 1e-13;

// A Laplacian on random edges, plus a little of the identity.
template <class T>
SparseSymmetric<T> random_matrix(int size, int edges, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<T> weight(T(0.1), T(2));
  std::vector<MatrixEntry<T>> entries;
  for (int i = 0; i < size; ++i) entries.push_back({i, i, T(0.5)});
  for (int k = 0; k < edges; ++k) {
    const int i = int(generator() % size), j = int(generator() % size);
    if (i == j) continue;
    const T w = weight(generator);
    entries.insert(entries.end(), {{i, i, w}, {j, j, w}, {i, j, -w}});
  }
  return assemble(size, entries);
}

// The graph of a block of tetrahedra.
template <class T>
SparseSymmetric<T> mesh_matrix(int n) {
  std::vector<MatrixEntry<T>> entries;
  const auto at = [&](int i, int j, int k) { return (i * n + j) * n + k; };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k)
        for (int d = 0; d < 8; ++d) {
          const int a = i + d % 2, b = j + d / 2 % 2, c = k + d / 4;
          if (a >= n || b >= n || c >= n) continue;
          const int u = at(i, j, k), v = at(a, b, c);
          entries.push_back({u, u, d == 0 ? T(0.2) : T(1)});
          if (d > 0) entries.insert(entries.end(), {{v, v, T(1)}, {u, v, T(-1)}});
        }
  return assemble(n * n * n, entries);
}

template <class T>
std::vector<Row4<T>> random_rows(int size, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<T> value(-1, 1);
  std::vector<Row4<T>> rows(size);
  for (auto& r : rows) r = {value(generator), value(generator), value(generator), 0};
  return rows;
}

// The largest entry of b − A x, in double.
template <class T>
double residual(const SparseSymmetric<T>& a, std::span<const Row4<T>> x,
                std::span<const Row4<T>> b) {
  std::vector<std::array<double, 3>> r(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) r[i] = {b[i].x, b[i].y, b[i].z};
  const auto subtract = [&](int i, double value, const Row4<T>& v) {
    r[i][0] -= value * v.x, r[i][1] -= value * v.y, r[i][2] -= value * v.z;
  };
  for (int j = 0; j < a.size(); ++j)
    for (int k = a.begin[j]; k < a.begin[j + 1]; ++k) {
      subtract(a.row[k], a.value[k], x[j]);
      if (a.row[k] != j) subtract(j, a.value[k], x[a.row[k]]);
    }
  double worst = 0;
  for (const auto& row : r)
    for (const double v : row) worst = std::isfinite(v) ? std::max(worst, std::abs(v)) : INFINITY;
  return worst;
}

template <class T>
void expect_solves(const SparseSymmetric<T>& a) {
  SparseCholesky<T> cholesky;
  cholesky.analyse(a);
  ASSERT_FALSE(cholesky.factor(a));
  const auto b = random_rows<T>(a.size(), 5);
  auto x = b;
  cholesky.solve(x.data(), x.data());
  EXPECT_LT(residual<T>(a, x, b), kTolerance<T>) << a.size() << " rows";
}

TYPED_TEST(SparseCholeskyTest, SolvesRandomMatrices) {
  unsigned seed = 0;
  for (const int size : {1, 2, 3, 7, 30, 100, 400})
    for (const int edges : {0, size / 2, 3 * size, 12 * size})
      expect_solves(random_matrix<TypeParam>(size, edges, ++seed));
}

TYPED_TEST(SparseCholeskyTest, SolvesMeshes) {
  for (const int n : {2, 5, 13}) expect_solves(mesh_matrix<TypeParam>(n));
}

TYPED_TEST(SparseCholeskyTest, SolvesADenseMatrix) {
  for (const int size : {5, 31, 32, 33, 100}) {
    std::vector<MatrixEntry<TypeParam>> entries;
    for (int i = 0; i < size; ++i) {
      entries.push_back({i, i, TypeParam(size)});
      for (int j = 0; j < i; ++j) entries.push_back({i, j, TypeParam(std::sin(i + 3 * j))});
    }
    expect_solves(assemble(size, entries));
  }
}

TYPED_TEST(SparseCholeskyTest, AnEmptyMatrixIsNothingToDo) {
  const auto a = assemble<TypeParam>(0, {});
  SparseCholesky<TypeParam> cholesky;
  cholesky.analyse(a);
  EXPECT_FALSE(cholesky.factor(a));
  cholesky.solve(nullptr, nullptr);
  EXPECT_EQ(cholesky.size(), 0);
}

TYPED_TEST(SparseCholeskyTest, TheSameAnalysisServesOtherValues) {
  auto a = mesh_matrix<TypeParam>(6);
  SparseCholesky<TypeParam> cholesky;
  cholesky.analyse(a);
  ASSERT_FALSE(cholesky.factor(a));
  for (auto& v : a.value) v *= 3;
  for (int i = 0; i < a.size(); ++i) a.value[a.begin[i]] += TypeParam(0.1) * TypeParam(i % 7);
  ASSERT_FALSE(cholesky.factor(a));
  const auto b = random_rows<TypeParam>(a.size(), 2);
  auto x = b;
  cholesky.solve(b.data(), x.data());
  EXPECT_LT(residual<TypeParam>(a, x, b), kTolerance<TypeParam>);
}

TYPED_TEST(SparseCholeskyTest, NamesTheRowThatIsNotPositiveDefinite) {
  const auto good = mesh_matrix<TypeParam>(5);
  const auto row_of = [&](auto&& spoil) {
    auto a = good;
    spoil(a);
    SparseCholesky<TypeParam> cholesky;
    cholesky.analyse(a);
    const auto bad = cholesky.factor(a);
    return bad ? bad->row : -1;
  };
  EXPECT_EQ(row_of([](auto&) {}), -1);
  EXPECT_EQ(row_of([](auto& a) { a.value[a.begin[77]] = -50; }), 77);
  EXPECT_EQ(
      row_of([](auto& a) { a.value[a.begin[31]] = std::numeric_limits<TypeParam>::quiet_NaN(); }),
      31);
  // Singular: a row that is all zero.
  std::vector<MatrixEntry<TypeParam>> entries{{0, 0, 1}, {2, 2, 1}, {0, 2, TypeParam(0.5)}};
  const auto hole = assemble(3, entries);
  SparseCholesky<TypeParam> cholesky;
  cholesky.analyse(hole);
  const auto bad = cholesky.factor(hole);
  ASSERT_TRUE(bad);
  EXPECT_EQ(bad->row, 1);
  EXPECT_EQ(bad->pivot, 0);
}

TYPED_TEST(SparseCholeskyTest, AFewRowsAreTheSameAsAll) {
  const auto a = mesh_matrix<TypeParam>(9);
  SparseCholesky<TypeParam> cholesky;
  cholesky.analyse(a);
  ASSERT_FALSE(cholesky.factor(a));
  const std::vector<int> from{3, 700, 350, 3}, to{0, 700, 128};
  std::vector<Row4<TypeParam>> b(a.size()), x(a.size()), few(from.size()), found(to.size());
  for (std::size_t k = 0; k < from.size(); ++k) {
    few[k] = {TypeParam(k + 1), TypeParam(-1), TypeParam(0.25), 0};
    Row4<TypeParam>& r = b[from[k]];
    r = {r.x + few[k].x, r.y + few[k].y, r.z + few[k].z, 0};
  }
  cholesky.solve(b.data(), x.data());
  const auto reach_from = cholesky.reach(from), reach_to = cholesky.reach(to);
  EXPECT_LT(reach_from.supernodes().size(), std::size_t(cholesky.pattern().count()) / 2);
  for (int again = 0; again < 2; ++again) {
    cholesky.solve(reach_from, few.data(), reach_to, found.data());
    for (std::size_t k = 0; k < to.size(); ++k) {
      EXPECT_EQ(found[k].x, x[to[k]].x);
      EXPECT_EQ(found[k].y, x[to[k]].y);
      EXPECT_EQ(found[k].z, x[to[k]].z);
    }
  }
}

// The factor of a mesh is far from dense, and supernodes are few.
TEST(Elimination, KeepsMeshesSparse) {
  const auto a = mesh_matrix<double>(13);
  const SupernodalPattern p = analyse(a.begin, a.row);
  ASSERT_EQ(p.size(), a.size());
  EXPECT_LT(p.entries(), 300'000);  // of 2.4 million
  EXPECT_LT(p.count(), a.size() / 4);
  for (int s = 0; s < p.count(); ++s) {
    const auto rows = p.rows_below(s);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      EXPECT_GE(rows[i], p.first[s + 1]);
      EXPECT_TRUE(i == 0 || rows[i] > rows[i - 1]);
    }
    EXPECT_EQ(p.parent[s], rows.empty() ? -1 : p.supernode_of[rows[0]]);
  }
}

}  // namespace
}  // namespace sinew
