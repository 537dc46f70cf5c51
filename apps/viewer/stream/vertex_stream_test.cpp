#include "vertex_stream.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sinew::viewer {
namespace {

std::vector<Vec3> decode(const VertexStream& stream) {
  std::vector<Vec3> positions(stream.count());
  const auto* numbers = reinterpret_cast<const std::uint16_t*>(stream.block()->data());
  for (std::size_t i = 0; i < positions.size(); ++i)
    for (int k = 0; k < 3; ++k)
      positions[i][k] = Real(stream.origin()[k] + stream.cell() * numbers[3 * i + k]);
  return positions;
}

double largest_error(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (int k = 0; k < 3; ++k) most = std::max(most, std::abs(double(a[i][k]) - b[i][k]));
  return most;
}

std::vector<Vec3> spiral(Real size, const Vec3& middle) {
  std::vector<Vec3> points;
  for (int i = 0; i < 1000; ++i)
    points.push_back(middle +
                     Vec3{std::sin(i * Real(0.1)), Real(i) / 1000, std::cos(i * Real(0.3))} *
                         (size / 2));
  return points;
}

TEST(VertexStream, IsOffByATwentyThousandthOfTheSizeAtMost) {
  for (const Real size : {Real(1e-3), Real(1), Real(250)}) {
    const std::vector<Vec3> points = spiral(size, {3, -1, 2});
    VertexStream stream;
    stream.update(points);
    EXPECT_LE(largest_error(points, decode(stream)), size / 20000) << size;
    EXPECT_EQ(std::exp2(std::round(std::log2(stream.cell()))), stream.cell());
  }
}

TEST(VertexStream, WhatRestsKeepsItsBlock) {
  std::vector<Vec3> points = spiral(1, {});
  VertexStream stream;
  stream.update(points);
  const Block before = stream.block();
  for (Vec3& p : points) p.y += Real(2e-6);  // as what rests trembles
  stream.update(points);
  EXPECT_EQ(stream.block(), before);
  points[7].y += Real(1e-3);
  stream.update(points);
  EXPECT_NE(stream.block(), before);
}

TEST(VertexStream, FollowsWhatFliesGrowsAndShrinks) {
  VertexStream stream;
  for (int i = 0; i < 200; ++i) {
    const Real size = std::pow(Real(10), std::sin(i * Real(0.2)));
    const std::vector<Vec3> points = spiral(size, {Real(i), 0, Real(-3 * i)});
    stream.update(points);
    // Far away, floats themselves are coarser than the lattice.
    EXPECT_LE(largest_error(points, decode(stream)), size / 1000 + 1e-4) << i;
  }
}

TEST(VertexStream, PointsAndNothingAreNoTrouble) {
  VertexStream stream;
  stream.update({});
  EXPECT_EQ(stream.count(), 0u);
  const std::vector<Vec3> one{{5, 5, 5}};
  stream.update(one);
  EXPECT_LE(largest_error(one, decode(stream)), 1e-6);
}

}  // namespace
}  // namespace sinew::viewer
