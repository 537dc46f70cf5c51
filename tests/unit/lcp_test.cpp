// Box LCPs: direct solvers, projected Gauss–Seidel and enumeration of all cases agree; what cannot
// be solved is said so.
#include <sinew/lcp.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "math/dense_lu.h"
#include "math/lcp_samples.h"
#include "support.h"

namespace sinew {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

// The conditions themselves, one by one, without the solvers' residual.
double violation(const BoxLcp& p, const std::vector<double>& x) {
  double most = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    double w = p.b[i];
    for (std::size_t j = 0; j < x.size(); ++j) w += p.a[i * x.size() + j] * x[j];
    if (!std::isfinite(x[i])) return kInfinity;
    most = std::max({most, p.lower[i] - x[i], x[i] - p.upper[i]});
    const double up = p.upper[i] - x[i], down = x[i] - p.lower[i];
    if (w > 0) most = std::max(most, std::min(w, down));
    if (w < 0) most = std::max(most, std::min(-w, up));
  }
  return most;
}

void expect_right_if_solved(const BoxLcp& p, const LcpSolution& s, double tolerance) {
  for (const double x : s.x) EXPECT_TRUE(std::isfinite(x));
  if (s.status == LcpStatus::kSolved) {
    EXPECT_LT(violation(p, s.x), tolerance);
  }
}

// Gauss–Jordan with partial pivoting; none when singular.
std::optional<std::vector<double>> solve_linear(std::vector<std::vector<double>> m) {
  const std::size_t n = m.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = k;
    for (std::size_t i = k; i < n; ++i)
      if (std::abs(m[i][k]) > std::abs(m[best][k])) best = i;
    std::swap(m[k], m[best]);
    if (std::abs(m[k][k]) < 1e-13) return std::nullopt;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = n + 1; i != k && j-- > k;) m[i][j] -= m[i][k] / m[k][k] * m[k][j];
  }
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = m[i][n] / m[i][i];
  return x;
}

// Every unknown at its lower bound, at its upper, or between: 3ⁿ cases, the first that is right.
std::optional<std::vector<double>> enumerate(const BoxLcp& p) {
  const std::size_t n = p.size();
  std::size_t cases = 1;
  for (std::size_t i = 0; i < n; ++i) cases *= 3;
  for (std::size_t c = 0; c < cases; ++c) {
    std::vector<double> x(n);
    std::vector<std::size_t> between;
    bool possible = true;
    for (std::size_t i = 0, rest = c; i < n; ++i, rest /= 3) {
      if (rest % 3 == 0) between.push_back(i);
      if (rest % 3 == 1) x[i] = p.lower[i];
      if (rest % 3 == 2) x[i] = p.upper[i];
      possible = possible && std::isfinite(x[i]);
    }
    if (!possible) continue;
    std::vector<std::vector<double>> m;
    for (const std::size_t i : between) {
      m.emplace_back();
      double rhs = -p.b[i];
      for (const std::size_t j : between) m.back().push_back(p.at(i, j));
      for (std::size_t j = 0; j < n; ++j) rhs -= p.at(i, j) * x[j];
      m.back().push_back(rhs);
    }
    const auto solution = solve_linear(std::move(m));
    if (!solution) continue;
    for (std::size_t k = 0; k < between.size(); ++k) x[between[k]] = (*solution)[k];
    if (violation(p, x) < 1e-9) return x;
  }
  return std::nullopt;
}

BoxLcp problem(std::vector<double> a, std::vector<double> b, double lower, double upper) {
  const std::size_t n = b.size();
  return {std::move(a), std::move(b), std::vector<double>(n, lower), std::vector<double>(n, upper)};
}

TEST(DenseLu, RankAndSolution) {
  const DenseLu regular({0, 2, 1, 1, 0, 0, 0, 0, 4}, 3, 1e-12);
  EXPECT_EQ(regular.rank(), 3u);
  EXPECT_LT(distance(regular.solve(std::vector<double>{7, 1, 12}), {1, 2, 3}), 1e-14);
  const DenseLu singular({1, 2, 2, 4}, 2, 1e-12);
  EXPECT_EQ(singular.rank(), 1u);
  const std::vector<double> x = singular.solve(std::vector<double>{3, 6});
  EXPECT_NEAR(x[0] + 2 * x[1], 3, 1e-14);
  EXPECT_EQ(DenseLu({0, 0, 0, 0}, 2, 1e-12).rank(), 0u);
}

TEST(Lcp, ResidualIsZeroAtSolutionsOnly) {
  const BoxLcp p = problem({2, 0, 0, 2}, {-4, 2}, 0, 10);
  EXPECT_EQ(lcp_residual(p, std::vector<double>{2, 0}), 0);
  EXPECT_DOUBLE_EQ(lcp_residual(p, std::vector<double>{0, 0}), 1);  // w = −4 at the lower bound
  EXPECT_DOUBLE_EQ(lcp_residual(p, std::vector<double>{2, 0.25}), 0.5 / 4);  // near its bound
  EXPECT_DOUBLE_EQ(lcp_residual(p, std::vector<double>{2, -1}), 2.0 / 4);    // outside
  // Eq. 4 counts what a contact that opens does as an error.
  EXPECT_DOUBLE_EQ(linear_residual(p, std::vector<double>{2, 0}), 2 / std::sqrt(20.0));
  EXPECT_EQ(lcp_residual(p, std::vector<double>{std::nan(""), 0}), kInfinity);
}

TEST(Lcp, SolversAndEnumerationAgree) {
  LcpSamples samples(1);
  for (int k = 0; k < 1000; ++k) {
    SCOPED_TRACE(k);
    const BoxLcp p = samples.regular(1 + static_cast<std::size_t>(k) % 24);
    const LcpSolution lemke = solve_lemke(p), dantzig = solve_dantzig(p);
    const LcpSolution pgs = solve_pgs(p, {.sweeps = 20000, .tolerance = 1e-9});
    ASSERT_EQ(lemke.status, LcpStatus::kSolved);
    ASSERT_EQ(dantzig.status, LcpStatus::kSolved);
    ASSERT_EQ(pgs.status, LcpStatus::kSolved);
    EXPECT_LT(lemke.residual, 1e-12);
    EXPECT_LT(dantzig.residual, 1e-12);
    EXPECT_LT(violation(p, lemke.x), 1e-10);
    EXPECT_LT(violation(p, dantzig.x), 1e-10);
    EXPECT_LT(distance(lemke.x, dantzig.x), 1e-9);
    EXPECT_LT(distance(lemke.x, pgs.x), 1e-5);
    if (p.size() > 6) continue;
    const auto truth = enumerate(p);
    ASSERT_TRUE(truth);
    EXPECT_LT(distance(lemke.x, *truth), 1e-9);
    EXPECT_LT(distance(dantzig.x, *truth), 1e-9);
  }
}

TEST(Lcp, RedundantContactsHaveOneVelocity) {
  LcpSamples samples(2);
  int solved = 0, converged = 0;
  for (int k = 0; k < 300; ++k) {
    SCOPED_TRACE(k);
    const std::size_t freedoms = 1 + samples.below(8);
    const BoxLcp p = samples.redundant(freedoms + 1 + samples.below(12), freedoms);
    const LcpSolution lemke = solve_lemke(p), dantzig = solve_dantzig(p);
    for (const LcpSolution* s : {&lemke, &dantzig}) expect_right_if_solved(p, *s, 1e-8);
    if (lemke.status != LcpStatus::kSolved || dantzig.status != LcpStatus::kSolved) continue;
    ++solved;
    EXPECT_LT(distance(lcp_velocity(p, lemke.x), lcp_velocity(p, dantzig.x)), 1e-8);
    const LcpSolution pgs = solve_pgs(p, {.sweeps = 20000, .tolerance = 1e-8});
    if (pgs.status != LcpStatus::kSolved) continue;
    ++converged;
    EXPECT_LT(distance(lcp_velocity(p, lemke.x), lcp_velocity(p, pgs.x)), 1e-4);
  }
  EXPECT_EQ(solved, 300);  // all of them have a solution
  EXPECT_GT(converged, 285);
}

TEST(Lcp, ContradictionsAreNotSolved) {
  // Two equal rows that want different velocities.
  const BoxLcp opposite = problem({1, 1, 1, 1}, {1, -1}, -kInfinity, kInfinity);
  EXPECT_EQ(solve_lemke(opposite).status, LcpStatus::kNoSolution);
  EXPECT_EQ(solve_dantzig(opposite).status, LcpStatus::kNoSolution);
  // x ≥ 0: pushed through the floor by a wall that moves.
  const BoxLcp squeezed = problem({1, -1, -1, 1}, {-1, -1}, 0, kInfinity);
  EXPECT_EQ(solve_lemke(squeezed).status, LcpStatus::kNoSolution);
  EXPECT_EQ(solve_dantzig(squeezed).status, LcpStatus::kNoSolution);
  EXPECT_EQ(solve_pgs(squeezed, {.sweeps = 1000}).status, LcpStatus::kIterationLimit);
  // Nothing moves the row, and it is not where it should be.
  const BoxLcp dead = problem({0}, {-1}, 0, kInfinity);
  for (const auto& s : {solve_lemke(dead), solve_dantzig(dead), solve_pgs(dead)}) {
    EXPECT_NE(s.status, LcpStatus::kSolved);
    EXPECT_EQ(s.x[0], 0);
  }
  // With limits there is a solution: both push as hard as they may.
  for (const BoxLcp& p : {problem({1, -1, -1, 1}, {-1, -1}, 0, 5), problem({0}, {-1}, 0, 5)})
    for (const auto& s : {solve_lemke(p), solve_dantzig(p), solve_pgs(p)}) {
      EXPECT_EQ(s.status, LcpStatus::kSolved);
      EXPECT_LT(violation(p, s.x), 1e-6);
    }
}

TEST(Lcp, RandomContradictionsAreNotSolved) {
  LcpSamples samples(3);
  for (int k = 0; k < 100; ++k) {
    SCOPED_TRACE(k);
    // The last row repeats the first, an equality, with another velocity.
    const std::size_t n = 3 + samples.below(8);
    BoxLcp p = samples.redundant(n, n + 1);
    for (std::size_t i = 0; i < n; ++i) p.at(i, n - 1) = p.at(i, 0);
    for (std::size_t i = 0; i < n; ++i) p.at(n - 1, i) = p.at(0, i);
    p.lower[n - 1] = -kInfinity;
    p.upper[n - 1] = kInfinity;
    p.b[n - 1] = p.b[0] + samples.uniform(0.01, 1);
    EXPECT_EQ(solve_lemke(p).status, LcpStatus::kNoSolution);
    EXPECT_EQ(solve_dantzig(p).status, LcpStatus::kNoSolution);
    EXPECT_NE(solve_pgs(p, {.sweeps = 500}).status, LcpStatus::kSolved);
  }
}

TEST(Lcp, UnequalScalesDoNotMatter) {
  // Masses from 1e-8 to 1 kg: rows of sizes up to 1e8.
  LcpSamples samples(4);
  for (int k = 0; k < 200; ++k) {
    SCOPED_TRACE(k);
    BoxLcp p = samples.regular(2 + static_cast<std::size_t>(k) % 12);
    const BoxLcp original = p;
    std::vector<double> scale(p.size());
    for (std::size_t i = 0; i < p.size(); ++i) scale[i] = std::pow(10, samples.uniform(0, 4));
    for (std::size_t i = 0; i < p.size(); ++i) {
      for (std::size_t j = 0; j < p.size(); ++j) p.at(i, j) *= scale[i] * scale[j];
      p.b[i] *= scale[i];
      p.lower[i] /= scale[i];
      p.upper[i] /= scale[i];
    }
    const LcpSolution truth = solve_dantzig(original);
    for (const LcpSolution& s : {solve_lemke(p), solve_dantzig(p)}) {
      ASSERT_EQ(s.status, LcpStatus::kSolved);
      for (std::size_t i = 0; i < p.size(); ++i)
        EXPECT_NEAR(s.x[i] * scale[i], truth.x[i], 1e-8 * (1 + std::abs(truth.x[i])));
    }
  }
}

// Figure 7 with masses 1, 10, 100 … upwards, so that each contact bears all above:
// λᵢ = Σ_{j ≥ i} mⱼ g h. Only the lowest row sees the ground.
BoxLcp heavy_stack(std::size_t n, std::vector<double>& weights) {
  BoxLcp p = problem(std::vector<double>(n * n), std::vector<double>(n), 0, kInfinity);
  const auto mass = [](std::size_t i) { return std::pow(10, static_cast<double>(i)); };
  p.b[0] = -9.81 / 60;
  weights.assign(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    p.at(i, i) = 1 / mass(i) + (i > 0 ? 1 / mass(i - 1) : 0);
    if (i > 0) p.at(i, i - 1) = p.at(i - 1, i) = -1 / mass(i - 1);
    for (std::size_t j = i; j < n; ++j) weights[i] += mass(j) * 9.81 / 60;
  }
  return p;
}

TEST(Lcp, HeavyStackHasItsWeights) {
  for (const std::size_t n : {5u, 9u}) {  // ratios of 1e4 and 1e8
    SCOPED_TRACE(n);
    std::vector<double> weights;
    const BoxLcp p = heavy_stack(n, weights);
    for (const LcpSolution& s : {solve_lemke(p), solve_dantzig(p)}) {
      // With 1e8 the velocities of the lowest cannot be had to 1e-9 of b: 1e7 N s cancel in them.
      EXPECT_LT(s.residual, n == 5 ? kLcpTolerance : 1e-6);
      EXPECT_TRUE(s.status == LcpStatus::kSolved || n > 5) << name_of(s.status);
      for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(s.x[i] / weights[i], 1, 1e-6) << i;
    }
    EXPECT_EQ(solve_pgs(p, {.sweeps = 100}).status, LcpStatus::kIterationLimit);
  }
}

TEST(Lcp, NearlySingularIsSolvedOrRefused) {
  LcpSamples samples(5);
  for (int k = 0; k < 300; ++k) {
    SCOPED_TRACE(k);
    const std::size_t freedoms = 2 + samples.below(5);
    BoxLcp p = samples.redundant(freedoms + 3, freedoms);
    const double size = std::pow(10, samples.uniform(-16, -6));
    for (std::size_t i = 0; i < p.size(); ++i) {
      p.at(i, i) += size;
      p.b[i] += samples.uniform(-1, 1);
    }
    for (const LcpSolution& s : {solve_lemke(p), solve_dantzig(p)}) {
      expect_right_if_solved(p, s, 1e-6);
    }
  }
}

TEST(Lcp, CyclingExamplesOfTheLiterature) {
  // Murty 1988, example 4.2 (Kostreva): Bard's principal pivoting cycles, and so does PGS.
  const BoxLcp murty = problem({1, 2, 0, 0, 1, 2, 2, 0, 1}, {-1, -1, -1}, 0, kInfinity);
  const LcpSolution cyclic = solve_lemke(murty);
  ASSERT_EQ(cyclic.status, LcpStatus::kSolved);
  EXPECT_LT(distance(cyclic.x, {1.0 / 3, 1.0 / 3, 1.0 / 3}), 1e-12);
  EXPECT_EQ(solve_pgs(murty, {.sweeps = 3000}).status, LcpStatus::kIterationLimit);

  // Beale's linear program, on which the simplex method cycles, with its dual: unknowns x, y;
  // w = (c + Aᵀ y, r − A x). Its least value is −1/20.
  const double a[3][4] = {{0.25, -60, -0.04, 9}, {0.5, -90, -0.02, 3}, {0, 0, 1, 0}};
  const double c[4] = {-0.75, 150, -0.02, 6};
  BoxLcp beale = problem(std::vector<double>(49), {c[0], c[1], c[2], c[3], 0, 0, 1}, 0, kInfinity);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 4; ++j) {
      beale.at(j, 4 + i) = a[i][j];
      beale.at(4 + i, j) = -a[i][j];
    }
  const LcpSolution program = solve_lemke(beale);
  ASSERT_EQ(program.status, LcpStatus::kSolved);
  double value = 0;
  for (std::size_t j = 0; j < 4; ++j) value += c[j] * program.x[j];
  EXPECT_NEAR(value, -0.05, 1e-12);
  EXPECT_LT(violation(beale, program.x), 1e-12);
}

TEST(Lcp, DegenerateProblems) {
  // Every ratio ties: b and the bounds have few values, rows repeat.
  LcpSamples samples(6);
  for (int k = 0; k < 300; ++k) {
    SCOPED_TRACE(k);
    const std::size_t n = 2 + samples.below(5), freedoms = 1 + samples.below(3);
    BoxLcp p = problem(std::vector<double>(n * n), std::vector<double>(n), 0, kInfinity);
    std::vector<double> j(n * freedoms);
    for (double& e : j) e = static_cast<double>(samples.below(3)) - 1;
    for (std::size_t f = 0; f < freedoms; ++f) {
      const double velocity = static_cast<double>(samples.below(3)) - 1;
      for (std::size_t r = 0; r < n; ++r) {
        p.b[r] += j[r * freedoms + f] * velocity;
        for (std::size_t s = 0; s < n; ++s) p.at(r, s) += j[r * freedoms + f] * j[s * freedoms + f];
      }
    }
    for (std::size_t i = 0; i < n; i += 2) p.upper[i] = 1;
    for (const LcpSolution& s : {solve_lemke(p), solve_dantzig(p)}) {
      EXPECT_EQ(s.status, LcpStatus::kSolved) << name_of(s.status);
      EXPECT_LT(violation(p, s.x), 1e-9);
    }
  }
}

TEST(Lcp, ExponentialExampleRunsIntoItsLimit) {
  // Murty's family (1988, §6.2): M is 1 on and 2 below the diagonal, qᵢ = 2ⁿ⁻ⁱ − 2ⁿ⁺¹ for i from 0;
  // Lemke's method takes 2ⁿ pivots to find x = (2ⁿ, 0 … 0).
  const std::size_t n = 8;
  BoxLcp p = problem(std::vector<double>(n * n), std::vector<double>(n), 0, kInfinity);
  for (std::size_t i = 0; i < n; ++i) {
    p.at(i, i) = 1;
    for (std::size_t j = 0; j < i; ++j) p.at(i, j) = 2;
    p.b[i] = std::ldexp(1, static_cast<int>(n - i)) - std::ldexp(1, static_cast<int>(n + 1));
  }
  std::vector<double> expected(n);
  expected.front() = 256;
  const LcpSolution s = solve_lemke(p);
  EXPECT_EQ(s.status, LcpStatus::kSolved);
  EXPECT_EQ(s.iterations, 256);
  EXPECT_LT(distance(s.x, expected), 1e-9);
  EXPECT_EQ(solve_lemke(p, {.most = 200}).status, LcpStatus::kIterationLimit);
}

TEST(Lcp, UnsymmetricFrictionIsForLemke) {
  // A block pushed along the ground, as Stewart and Trinkle have it: normal impulse, tangential
  // impulses to both sides, slack of the cone. μ = 0.5; it slides with 3 m/s, and gravity gives it
  // −1 m/s a step: stopped by 0.5, λ_n = 1.
  const double mu = 0.5;
  const BoxLcp p = problem({1, 0, 0, 0,   //
                            0, 1, -1, 1,  //
                            0, -1, 1, 1,  //
                            mu, -1, -1, 0},
                           {-1, 3, -3, 0}, 0, kInfinity);
  const LcpSolution s = solve_lemke(p);
  ASSERT_EQ(s.status, LcpStatus::kSolved);
  EXPECT_LT(distance(s.x, {1, 0, 0.5, 2.5}), 1e-12);
  expect_error([&] { solve_dantzig(p); }, {"A(3, 0)", "symmetric", "solve_lemke"});
}

TEST(Lcp, IndefiniteMatricesAreNotSolvedWrongly) {
  LcpSamples samples(7);
  for (int k = 0; k < 200; ++k) {
    BoxLcp p = samples.regular(2 + samples.below(6));
    for (std::size_t i = 0; i < p.size(); ++i) p.at(i, i) -= samples.uniform(0, 4);
    for (const LcpSolution& s : {solve_lemke(p), solve_dantzig(p), solve_pgs(p)}) {
      expect_right_if_solved(p, s, 1e-4);
    }
  }
}

TEST(Lcp, EmptyFixedAndZero) {
  for (const LcpSolution& s : {solve_lemke({}), solve_dantzig({}), solve_pgs({})}) {
    EXPECT_EQ(s.status, LcpStatus::kSolved);
    EXPECT_TRUE(s.x.empty());
  }
  const BoxLcp fixed = problem({2, 1, 1, 2}, {-5, 7}, 3, 3);
  const BoxLcp still = problem({2, 1, 1, 2}, {0, 0}, -kInfinity, kInfinity);
  const BoxLcp nothing = problem({0, 0, 0, 0}, {1, -1}, -2, 4);  // rows of zeros go to their bounds
  for (const auto solve : {+[](const BoxLcp& p) { return solve_lemke(p); },
                           +[](const BoxLcp& p) { return solve_dantzig(p); },
                           +[](const BoxLcp& p) { return solve_pgs(p); }}) {
    EXPECT_EQ(solve(fixed).x, (std::vector<double>{3, 3}));
    EXPECT_EQ(solve(still).x, (std::vector<double>{0, 0}));
    EXPECT_EQ(solve(nothing).x, (std::vector<double>{-2, 4}));
    for (const BoxLcp& p : {fixed, still, nothing}) EXPECT_EQ(solve(p).status, LcpStatus::kSolved);
  }
}

TEST(Lcp, HugeNumbersStandForInfinity) {
  LcpSamples samples(9);
  for (int k = 0; k < 50; ++k) {
    const BoxLcp p = samples.regular(1 + static_cast<std::size_t>(k) % 10);
    BoxLcp huge = p;
    for (double& e : huge.lower) e = std::max(e, -1e30);
    for (double& e : huge.upper) e = std::min(e, 1e30);
    for (const LcpSolution& s : {solve_lemke(huge), solve_dantzig(huge)}) {
      EXPECT_EQ(s.status, LcpStatus::kSolved);
      EXPECT_LT(distance(s.x, solve_dantzig(p).x), 1e-9);
    }
  }
}

TEST(Lcp, BadInputIsNamed) {
  const BoxLcp good = problem({2, 1, 1, 2}, {-5, 7}, 0, 3);
  const auto refused = [&](auto change, std::initializer_list<const char*> parts) {
    BoxLcp bad = good;
    change(bad);
    expect_error([&] { solve_lemke(bad); }, parts);
    expect_error([&] { solve_dantzig(bad); }, parts);
    expect_error([&] { solve_pgs(bad); }, parts);
  };
  refused([](BoxLcp& p) { p.lower[1] = 4; }, {"unknown 1", "4", "3"});
  refused([](BoxLcp& p) { p.lower[0] = p.upper[0] = kInfinity; }, {"unknown 0"});
  refused([](BoxLcp& p) { p.upper[1] = std::nan(""); }, {"unknown 1"});
  refused([](BoxLcp& p) { p.b[1] = std::nan(""); }, {"b[1]"});
  refused([](BoxLcp& p) { p.a[2] = kInfinity; }, {"A(1, 0)"});
  refused([](BoxLcp& p) { p.a.pop_back(); }, {"A 3"});
  expect_error([&] { solve_pgs(good, {.relaxation = 2}); }, {"relaxation", "2"});
  expect_error([&] { solve_pgs(good, {}, std::vector<double>{1}); }, {"1 numbers", "2 unknowns"});
  expect_error([&] { solve_pgs(good, {}, std::vector<double>{1, std::nan("")}); }, {"start[1]"});
}

TEST(Pgs, StartsWarmAndStopsEarly) {
  LcpSamples samples(8);
  const BoxLcp p = samples.regular(12);
  const LcpSolution cold = solve_pgs(p, {.sweeps = 5000, .tolerance = 1e-10});
  ASSERT_EQ(cold.status, LcpStatus::kSolved);
  EXPECT_GT(cold.iterations, 10);
  EXPECT_EQ(solve_pgs(p, {.tolerance = 1e-9}, cold.x).iterations, 0);
  BoxLcp next = p;
  for (double& b : next.b) b += samples.uniform(-1e-3, 1e-3);
  const PgsOptions options{.sweeps = 5000, .tolerance = 1e-6};
  EXPECT_LT(solve_pgs(next, options, cold.x).iterations, solve_pgs(next, options).iterations);
  EXPECT_EQ(solve_pgs(p, {.sweeps = 3, .tolerance = 0}).iterations, 3);
}

TEST(Pgs, FirstSweepIsAsInTheBook) {
  // Eq. 2 and 3 by hand: x₀ = clamp(4/2) = 1.5, x₁ = (2 − 1.5)/4.
  BoxLcp p = problem({2, 1, 1, 4}, {-4, -2}, 0, 1.5);
  EXPECT_EQ(solve_pgs(p, {.sweeps = 1, .tolerance = 0}).x, (std::vector<double>{1.5, 0.125}));
  // Relaxed by 1/2: x₀ = 1, x₁ = (2 − 1)/4 / 2.
  EXPECT_EQ(solve_pgs(p, {.sweeps = 1, .tolerance = 0, .relaxation = 0.5}).x,
            (std::vector<double>{1, 0.125}));
  // Code 6 clamps after the sweep: x₁ sees x₀ = 2.
  EXPECT_EQ(solve_pgs(p, {.sweeps = 1, .tolerance = 0, .projection = PgsProjection::kEachSweep}).x,
            (std::vector<double>{1.5, 0}));
}

TEST(Pgs, ClampingAfterTheSweepIsNoSolver) {
  // One contact opens, the other bears: x = (0, 1). Code 6 stays at (0, 5/3).
  const BoxLcp p = problem({1, 0.5, 0.5, 1}, {1, -1}, 0, kInfinity);
  EXPECT_LT(distance(solve_pgs(p).x, {0, 1}), 1e-6);
  const LcpSolution printed =
      solve_pgs(p, {.sweeps = 10000, .projection = PgsProjection::kEachSweep});
  EXPECT_EQ(printed.status, LcpStatus::kIterationLimit);
  EXPECT_GT(printed.residual, 0.3);
}

// Jacobi, Gauss–Seidel and over-relaxation come to the same answer; Jacobi needs the most sweeps.
TEST(Pgs, OrdersAgree) {
  BoxLcp p = BoxLcp::free_of(8);  // a column of eight, the lowest on the ground
  for (std::size_t i = 0; i < 8; ++i) {
    p.at(i, i) = i == 0 ? 1 : 2;
    if (i > 0) p.at(i, i - 1) = p.at(i - 1, i) = -1;
    p.b[i] = i == 0 ? -1 : 0;
    p.lower[i] = 0;
  }
  const LcpSolution exact = solve_dantzig(p);
  ASSERT_EQ(exact.status, LcpStatus::kSolved);
  const PgsOptions plain{.sweeps = 10000, .tolerance = 1e-10};
  PgsOptions relaxed = plain, jacobi = plain;
  relaxed.relaxation = 1.5;
  jacobi.order = PgsOrder::kJacobi;
  int sweeps[3], i = 0;
  for (const PgsOptions& options : {relaxed, plain, jacobi}) {
    const LcpSolution s = solve_pgs(p, options);
    EXPECT_EQ(s.status, LcpStatus::kSolved);
    for (std::size_t k = 0; k < 8; ++k) EXPECT_NEAR(s.x[k], exact.x[k], 1e-7);
    sweeps[i++] = s.iterations;
  }
  EXPECT_LT(sweeps[0], sweeps[1]);
  EXPECT_LT(sweeps[1], sweeps[2]);
}

}  // namespace
}  // namespace sinew
