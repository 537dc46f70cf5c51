// What contacts that are solved with joints need: the halves of a solution, and the problem of a
// few dozen unknowns against a solver that proves its answers.
#include "rigid/held_contacts.h"

#include <gtest/gtest.h>

#include <cmath>

#include "math/lcp_samples.h"

namespace sinew {
namespace {

// Rows in a ring with chords, of which the diagonal dominates.
constexpr int kRows = 60;
double entry(int i, int j) {
  if (i == j) return 4;
  const int apart = std::abs(i - j);
  return apart == 1 || apart == 7 || apart == kRows - 1 ? std::sin(1.0 + i + j) / 2 : 0;
}

PanelCholesky ring() {
  std::vector<int> begin{0}, row;
  for (int j = 0; j < kRows; ++j) {
    for (int i = j; i < kRows; ++i)
      if (entry(i, j) != 0) row.push_back(i);
    begin.push_back(static_cast<int>(row.size()));
  }
  PanelCholesky factor;
  factor.analyse(begin, row);
  for (int j = 0; j < kRows; ++j)
    for (int i = j; i < kRows; ++i)
      if (entry(i, j) != 0) factor.numbers()[factor.place(i, j)] = entry(i, j);
  EXPECT_TRUE(factor.factor());
  return factor;
}

TEST(PanelCholesky, HalvesMakeWholeSolutions) {
  PanelCholesky factor = ring();
  const std::vector<int> row_a{3, 4, 40}, row_b{17, 41};
  const std::vector<double> value_a{1, -2, 0.5}, value_b{3, 1};
  PanelCholesky::Half a, b;
  factor.find_half(row_a, value_a, a);
  factor.find_half(row_b, value_b, b);
  std::vector<double> whole_b(kRows), right(kRows), x(kRows), expected(kRows);
  for (std::size_t i = 0; i < row_b.size(); ++i) whole_b[row_b[i]] = value_b[i];
  factor.solve(whole_b.data());
  double product = 0;  // aᵀ A⁻¹ b
  for (std::size_t i = 0; i < row_a.size(); ++i) product += value_a[i] * whole_b[row_a[i]];
  EXPECT_NEAR(PanelCholesky::product(a, b), product, 1e-12);

  for (int i = 0; i < kRows; ++i) right[i] = expected[i] = std::cos(i);
  for (std::size_t i = 0; i < row_a.size(); ++i) expected[row_a[i]] -= 2 * value_a[i];
  factor.solve(expected.data());
  factor.solve_first(right.data());
  factor.take(a, 2);
  factor.solve_second(x.data());
  for (int i = 0; i < kRows; ++i) EXPECT_NEAR(x[i], expected[i], 1e-12) << i;
}

TEST(HeldProblem, AgreesWithASolverThatProvesItsAnswers) {
  LcpSamples samples(1);
  for (int k = 0; k < 200; ++k) {
    BoxLcp p = samples.regular(1 + static_cast<std::size_t>(k) % 40);
    HeldProblem held;
    held.c = p.a, held.b = p.b;
    for (std::size_t i = 0; i < p.size(); ++i) {
      p.lower[i] = samples.below(2) == 0 ? 0 : samples.uniform(-1, 0);
      p.upper[i] = std::numeric_limits<double>::infinity();
    }
    held.least = p.lower;
    held.solve();
    const LcpSolution proved = solve_dantzig(p);
    ASSERT_EQ(proved.status, LcpStatus::kSolved);
    for (std::size_t i = 0; i < p.size(); ++i)
      EXPECT_NEAR(held.x[i], proved.x[i], 1e-4) << k << " row " << i;
  }
}

// Contacts that say the same: finite, none that would close, none that pulls.
TEST(HeldProblem, BearsContactsThatSayTheSame) {
  LcpSamples samples(2);
  for (int k = 0; k < 100; ++k) {
    BoxLcp p = samples.redundant(20, 6);
    p.lower.assign(20, 0);
    p.upper.assign(20, std::numeric_limits<double>::infinity());
    HeldProblem held;
    held.c = p.a, held.b = p.b, held.least = p.lower;
    held.solve();
    for (const double x : held.x) EXPECT_GE(x, 0);
    EXPECT_LT(lcp_residual(p, held.x), 1e-4) << k;
  }
}

}  // namespace
}  // namespace sinew
