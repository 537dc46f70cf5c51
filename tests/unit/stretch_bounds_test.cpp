// The nearest deformation within bounds of its stretches, or of their product.
#include "math/stretch_bounds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace sinew {
namespace {

using Vec = Vec3T<double>;

double product(const Vec& q) { return q.x * q.y * q.z; }
double distance(const Vec& a, const Vec& b) { return length(a - b); }

// Signed stretches in their order, from tiny to huge; some alike, some zero, some inside out.
std::vector<Vec> many_stretches() {
  std::mt19937 generator(1);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> magnitude(-3, 3);
  std::vector<Vec> all = {{0, 0, 0}, {1, 1, 1}, {3, 3, 3}, {1, 1, -1}, {100, 100, -100}};
  for (int i = 0; i < 3000; ++i) {
    const double size = std::pow(10.0, magnitude(generator) * (i % 2 ? 1 : 0.3));
    double s[3];
    for (double& one : s) one = std::abs(normal(generator)) * size;
    if (i % 7 == 0) s[1] = s[0];
    if (i % 11 == 0) s[2] = s[1];
    if (i % 13 == 0) s[2] = 0;
    std::sort(s, s + 3, std::greater<>());
    all.push_back({s[0], s[1], i % 3 == 0 ? -s[2] : s[2]});
  }
  return all;
}

// The smallest distance to q₀q₁q₂ = c, by walking downhill over (log q₁, log q₂) from many places.
double smallest_distance(const Vec& s, double c, std::mt19937& generator) {
  std::normal_distribution<double> normal;
  double best = INFINITY;
  for (int start = 0; start < 8; ++start) {
    double x = normal(generator), y = 2 * normal(generator);
    if (start % 2) x += std::log(std::max(s.y, 1e-3));
    const auto at = [&](double log1, double log2) {
      const double q1 = std::exp(log1), q2 = std::exp(log2);
      return distance(s, {c / (q1 * q2), q1, q2});
    };
    double value = at(x, y);
    for (double step = 1; step > 1e-7;) {
      bool moved = false;
      for (int k = 0; k < 8 && !moved; ++k) {
        const double dx = step * std::cos(k * M_PI / 4), dy = step * std::sin(k * M_PI / 4);
        const double there = at(x + dx, y + dy);
        if (!(there < value)) continue;
        value = there, x += dx, y += dy;
        moved = true;
      }
      step = moved ? std::min(step * 1.2, 10.0) : step / 2;
    }
    best = std::min(best, value);
  }
  return best;
}

TEST(VolumeBounds, NearestOfAllHasTheVolume) {
  std::mt19937 generator(2);
  const auto one = VolumeBounds<double>::of(1, 1);
  for (const Vec& s : many_stretches()) {
    const Vec q = one.nearest(s);
    SCOPED_TRACE(::testing::Message() << s.x << " " << s.y << " " << s.z);
    EXPECT_NEAR(product(q), 1, 1e-9);
    EXPECT_GE(q.x, q.y * (1 - 1e-9));
    EXPECT_GE(q.y, q.z * (1 - 1e-9));
    EXPECT_GT(q.z, 0);
    EXPECT_LE(distance(s, q), smallest_distance(s, 1, generator) * (1 + 1e-6) + 1e-6);
  }
}

TEST(VolumeBounds, WithinThemNothingHappens) {
  const auto bounds = VolumeBounds<double>::of(0.5, 2);
  for (const Vec& s : many_stretches()) {
    const Vec q = bounds.nearest(s);
    const double volume = product(s);
    if (volume >= 0.5 && volume <= 2)
      EXPECT_EQ(distance(s, q), 0);
    else
      EXPECT_NEAR(product(q), volume < 0.5 ? 0.5 : 2, 1e-8);
  }
}

// Swollen evenly, a cell shrinks evenly; much too large, it is nearer to being squashed flat.
TEST(VolumeBounds, WhatIsMuchTooLargeIsSquashed) {
  const auto one = VolumeBounds<double>::of(1, 1);
  const Vec even = one.nearest({1.5, 1.5, 1.5}), flat = one.nearest({3, 3, 3});
  EXPECT_NEAR(even.x, 1, 1e-9);
  EXPECT_NEAR(even.z, 1, 1e-9);
  EXPECT_GT(flat.x, 2.5);
  EXPECT_LT(flat.z, 0.15);
  EXPECT_LT(distance({3, 3, 3}, flat), distance({3, 3, 3}, {1, 1, 1}));
}

TEST(VolumeBounds, PacksAreAsPlainNumbers) {
  VolumeBounds<Wide> wide;
  for (int i = 0; i < kLanes; ++i) set_lane(wide, i, VolumeBounds<double>::of(0.9, 1.2));
  const auto plain = VolumeBounds<double>::of(0.9, 1.2);
  const std::vector<Vec> all = many_stretches();
  for (std::size_t i = 0; i + kLanes <= all.size(); i += kLanes) {
    Vec3T<Wide> s;
    for (int k = 0; k < kLanes; ++k) set_lane(s, k, all[i + k]);
    const Vec3T<Wide> q = wide.nearest(s);
    for (int k = 0; k < kLanes; ++k) {
      const Vec rounded = lane(s, k), there = lane(q, k);
      const double size = 1 + length(rounded);
      EXPECT_NEAR(distance(rounded, there), distance(rounded, plain.nearest(rounded)),
                  (sizeof(Real) == 4 ? 1e-4 : 1e-9) * size);
      const double volume = product(there);
      EXPECT_GT(volume, 0.9 * (1 - (sizeof(Real) == 4 ? 1e-3 : 1e-8)));
      EXPECT_LT(volume, 1.2 * (1 + (sizeof(Real) == 4 ? 1e-3 : 1e-8)));
    }
  }
}

TEST(StretchBounds, ClampEveryStretch) {
  const StretchBounds<double> bounds{0.9, 1.1};
  const Vec q = bounds.nearest({2, 1, -1});
  EXPECT_EQ(q.x, 1.1);
  EXPECT_EQ(q.y, 1);
  EXPECT_EQ(q.z, 0.9);
}

}  // namespace
}  // namespace sinew
