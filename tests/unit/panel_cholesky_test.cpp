// The factorisation of sparse matrices whose numbers change, against products with the matrix.
#include "math/panel_cholesky.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "math/sparse_matrix.h"

namespace sinew {
namespace {

using Matrix = SparseSymmetric<double>;

// `edges` by pairs of unknowns, with diagonals that dominate.
Matrix random_matrix(int size, const std::vector<std::pair<int, int>>& edges, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  std::vector<MatrixEntry<double>> entries;
  for (const auto& [i, j] : edges) {
    const double value = number(generator);
    entries.push_back({std::max(i, j), std::min(i, j), value});
    entries.push_back({i, i, std::abs(value) + 0.01});
    entries.push_back({j, j, std::abs(value) + 0.01});
  }
  for (int i = 0; i < size; ++i) entries.push_back({i, i, 0.1});
  return assemble(size, entries);
}

std::vector<double> product(const Matrix& a, const std::vector<double>& x) {
  std::vector<double> y(x.size(), 0.0);
  for (int j = 0; j < a.size(); ++j)
    for (int k = a.begin[j]; k < a.begin[j + 1]; ++k) {
      y[a.row[k]] += a.value[k] * x[j];
      if (a.row[k] != j) y[j] += a.value[k] * x[a.row[k]];
    }
  return y;
}

void set_numbers(PanelCholesky& factor, const Matrix& a) {
  factor.clear();
  for (int j = 0; j < a.size(); ++j)
    for (int k = a.begin[j]; k < a.begin[j + 1]; ++k)
      factor.numbers()[factor.place(a.row[k], j)] += a.value[k];
}

void expect_solves(int size, const std::vector<std::pair<int, int>>& edges) {
  PanelCholesky factor;
  for (unsigned seed = 0; seed < 3; ++seed) {
    const Matrix a = random_matrix(size, edges, seed);
    if (seed == 0) factor.analyse(a.begin, a.row);
    set_numbers(factor, a);
    ASSERT_TRUE(factor.factor());
    std::vector<double> truth(size);
    for (int i = 0; i < size; ++i) truth[i] = std::sin(1.0 + i);
    std::vector<double> x = product(a, truth);
    factor.solve(x.data());
    for (int i = 0; i < size; ++i) EXPECT_NEAR(x[i], truth[i], 1e-9) << size << " row " << i;
  }
}

TEST(PanelCholesky, SolvesChains) {
  for (const int size : {1, 2, 9, 63, 153}) {
    std::vector<std::pair<int, int>> edges;
    for (int i = 0; i < size; ++i)  // of blocks of three
      for (int j = i + 1; j < size && j / 3 <= i / 3 + 1; ++j) edges.push_back({i, j});
    expect_solves(size, edges);
  }
}

TEST(PanelCholesky, SolvesNets) {
  for (const int side : {3, 12, 30}) {
    std::vector<std::pair<int, int>> edges;
    for (int i = 0; i < side; ++i)
      for (int k = 0; k < side; ++k) {
        if (k + 1 < side) edges.push_back({i * side + k, i * side + k + 1});
        if (i + 1 < side) edges.push_back({i * side + k, (i + 1) * side + k});
      }
    expect_solves(side * side, edges);
  }
}

TEST(PanelCholesky, SolvesWhatHasNoOrder) {
  std::mt19937 generator(7);
  for (const int size : {40, 200}) {
    std::vector<std::pair<int, int>> edges;
    for (int n = 0; n < 3 * size; ++n) {
      const int i = static_cast<int>(generator() % size), j = static_cast<int>(generator() % size);
      if (i != j) edges.push_back({i, j});
    }
    expect_solves(size, edges);
  }
}

// Panels of more columns than are substituted at once.
TEST(PanelCholesky, SolvesWhatIsFull) {
  for (const int size : {15, 16, 17, 40, 70}) {
    std::vector<std::pair<int, int>> edges;
    for (int i = 0; i < size; ++i)
      for (int j = i + 1; j < size; ++j) edges.push_back({i, j});
    expect_solves(size, edges);
  }
}

TEST(PanelCholesky, TellsWhatIsNotPositive) {
  const Matrix a = assemble<double>(3, {{0, 0, 1.0}, {1, 0, 2.0}, {1, 1, 1.0}, {2, 2, 1.0}});
  PanelCholesky factor;
  factor.analyse(a.begin, a.row);
  set_numbers(factor, a);
  EXPECT_FALSE(factor.factor());
}

}  // namespace
}  // namespace sinew
