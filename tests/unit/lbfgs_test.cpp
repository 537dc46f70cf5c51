#include "math/lbfgs.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sinew {
namespace {

using Vector = std::vector<Row4<Real>>;

// ½ Σ kᵢ|xᵢ − 1|², of which the gradient is k (x − 1).
struct Quadratic {
  static constexpr int kRows = 12;
  static double k(int i) { return 1 + i * i; }
  static Vector gradient(const Vector& x) {
    Vector g(x.size());
    for (int i = 0; i < kRows; ++i)
      g[i] = {Real(k(i) * (x[i].x - 1)), Real(2 * k(i) * (x[i].y - 1)), Real(k(i) * (x[i].z - 1)),
              0};
    return g;
  }
};

// Minimises it with exact line searches; returns how many steps that took.
int steps_to_solve(int history) {
  Lbfgs lbfgs;
  lbfgs.resize(Quadratic::kRows, history);
  Vector x(Quadratic::kRows, {0, 0, 0, 7}), g = Quadratic::gradient(x);
  for (int step = 0; step < 500; ++step) {
    if (dot(g, g) < 1e-6) return step;
    Vector d(g.size());
    lbfgs.before(g, d);
    lbfgs.after(d);
    const double slope = dot(g, d);
    EXPECT_LT(slope, 0);
    Vector zero(x.size());
    Vector bent = Quadratic::gradient(d), at_zero = Quadratic::gradient(zero);
    add(-1, at_zero, bent);
    const Real length = Real(slope / dot(bent, d));
    Vector next = x;
    add(-length, d, next);
    const Vector gradient = Quadratic::gradient(next);
    lbfgs.learn(x, next, g, gradient);
    x = next;
    g = gradient;
  }
  return 500;
}

TEST(Lbfgs, RemembersCurvature) {
  const int plain = steps_to_solve(0), one = steps_to_solve(1), five = steps_to_solve(5);
  EXPECT_GT(plain, 100);
  EXPECT_LT(one, plain / 2);
  EXPECT_LE(five, one);
}

// The two loops as they are in the book, one pair after the other.
TEST(Lbfgs, FindsWhatTheTwoLoopsFind) {
  constexpr int kRows = 700, kPairs = 9, kHistory = 4;  // some forgotten, and more than one block
  const auto wave = [](int seed, int i) {
    return Real(std::sin(0.37 * i * (seed % 7 + 1) + seed));
  };
  const auto vector = [&](int seed) {
    Vector v(kRows);
    for (int i = 0; i < kRows; ++i) v[i] = {wave(seed, i), wave(seed + 3, i), wave(seed + 5, i), 0};
    return v;
  };
  Lbfgs lbfgs;
  lbfgs.resize(kRows, kHistory);
  std::vector<std::pair<Vector, Vector>> pairs;
  Vector gradient;
  for (int k = 0; k < kPairs; ++k) {
    const Vector zero(kRows), s = vector(k), from = vector(k + 50);
    Vector y = vector(k + 20);
    add(2, s, y);  // of positive curvature
    gradient = from;
    add(1, y, gradient);
    lbfgs.learn(zero, s, from, gradient);
    pairs.push_back({s, y});
  }
  ASSERT_EQ(lbfgs.count(), kHistory);
  pairs.erase(pairs.begin(), pairs.end() - kHistory);

  Vector q(kRows), expected(kRows);
  add(-1, gradient, expected);
  lbfgs.before(gradient, q);
  for (Row4<Real>& row : q) row = {row.x / 3, row.y / 3, row.z / 3, 0};  // A = 3
  lbfgs.after(q);
  double alpha[kHistory];
  for (int i = kHistory - 1; i >= 0; --i) {
    const auto& [s, y] = pairs[i];
    alpha[i] = dot(s, expected) / dot(s, y);
    add(Real(-alpha[i]), y, expected);
  }
  for (Row4<Real>& row : expected) row = {row.x / 3, row.y / 3, row.z / 3, 0};
  for (int i = 0; i < kHistory; ++i) {
    const auto& [s, y] = pairs[i];
    add(Real(alpha[i] - dot(y, expected) / dot(s, y)), s, expected);
  }
  const double size = std::sqrt(dot(expected, expected));
  add(-1, q, expected);
  EXPECT_LT(std::sqrt(dot(expected, expected)), size * (sizeof(Real) == 4 ? 1e-5 : 1e-13));
}

TEST(Lbfgs, LeavesOutWhatIsNotConvex) {
  Lbfgs lbfgs;
  lbfgs.resize(1, 2);
  const Vector a{{0, 0, 0, 0}}, b{{1, 0, 0, 0}}, c{{2, 1, 0, 0}};
  lbfgs.learn(a, b, a, b);
  EXPECT_EQ(lbfgs.count(), 1);
  lbfgs.learn(a, b, b, a);  // the gradient falls along the step
  EXPECT_EQ(lbfgs.count(), 1);
  lbfgs.learn(a, b, a, a);  // or stays
  EXPECT_EQ(lbfgs.count(), 1);
  lbfgs.learn(a, c, a, c);
  EXPECT_EQ(lbfgs.count(), 2);
  lbfgs.learn(a, b, a, {{{Real(NAN), 0, 0, 0}}});  // has taken the place of the oldest
  EXPECT_EQ(lbfgs.count(), 1);
  lbfgs.learn(a, b, a, b);  // and what it leaves behind does no harm
  Vector d(1);
  lbfgs.before(b, d);
  lbfgs.after(d);
  EXPECT_TRUE(std::isfinite(d[0].x + d[0].y + d[0].z));
  EXPECT_LT(dot(b, d), 0);
}

}  // namespace
}  // namespace sinew
