#include "line_tube.h"

#include <gtest/gtest.h>
#include <sinew/generators.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace sinew {
namespace {

// Every edge is walked once in each direction.
bool is_closed(const std::vector<Triangle>& triangles) {
  std::map<std::pair<Index, Index>, int> walks;
  for (const Triangle& t : triangles)
    for (std::size_t k = 0; k < 3; ++k) ++walks[{t[k], t[(k + 1) % 3]}];
  return std::all_of(walks.begin(), walks.end(), [&](const auto& walk) {
    const auto back = walks.find({walk.first.second, walk.first.first});
    return walk.second == 1 && back != walks.end() && back->second == 1;
  });
}

// Volume enclosed, positive if the triangles face outwards.
double volume(const TriMesh& mesh) {
  double sum = 0;
  for (const Triangle& t : mesh.cells) {
    const auto x = [&](int k) { return to_double(mesh.vertices[t[std::size_t(k)]]); };
    sum += dot(x(0), cross(x(1), x(2))) / 6;
  }
  return sum;
}

TriMesh tube_of(const LineMesh& rest, std::span<const Vec3> positions, Real radius) {
  const LineTube tube(rest, radius);
  return {tube.vertices(positions), tube.triangles()};
}

TEST(LineTube, IsClosedAndFacesOutwards) {
  const LineMesh line = rope(2, 7);
  const TriMesh tube = tube_of(line, line.vertices, Real(0.1));
  EXPECT_TRUE(is_closed(tube.cells));
  EXPECT_NEAR(volume(tube), 0.02 * M_PI, 0.1 * 0.02 * M_PI);  // a prism of ten sides: 6 % less
}

TEST(LineTube, FollowsBendsWithoutTwisting) {
  LineMesh line = rope(2, 40);
  std::vector<Vec3> bent;
  for (const Vec3& v : line.vertices) bent.push_back({std::sin(3 * v.x), v.x, std::cos(3 * v.x)});
  const TriMesh tube = tube_of(line, bent, Real(0.02));
  // Every vertex but the middles of the ends is a radius away from the line's own.
  const std::size_t sides = (tube.vertices.size() - 2) / bent.size();
  double longest = 0;
  for (std::size_t i = 0; i < bent.size(); ++i)
    for (std::size_t s = 0; s < sides; ++s) {
      const Vec3& v = tube.vertices[i * sides + s];
      EXPECT_NEAR(length(v - bent[i]), 0.02, 1e-5);
      if (i > 0)
        longest = std::max(longest, double(length(v - tube.vertices[(i - 1) * sides + s])));
    }
  EXPECT_LT(longest, 1.2 * length(bent[1] - bent[0]));
}

TEST(LineTube, RingsAndBranches) {
  LineMesh ring;
  for (Index i = 0; i < 12; ++i) {
    const Real angle = Real(2 * M_PI * i / 12);
    ring.vertices.push_back({std::cos(angle), 0, std::sin(angle)});
    ring.cells.push_back({i, (i + 1) % 12});
  }
  EXPECT_TRUE(is_closed(tube_of(ring, ring.vertices, Real(0.1)).cells));
  const LineMesh star{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1}, {2, 0}, {0, 3}}};
  const TriMesh three = tube_of(star, star.vertices, Real(0.05));
  EXPECT_TRUE(is_closed(three.cells));
  EXPECT_NEAR(volume(three), 3 * 0.0025 * M_PI, 0.1 * 3 * 0.0025 * M_PI);
}

TEST(LineTube, DegenerateLinesGiveNumbers) {
  const LineMesh line = rope(1, 4);
  std::vector<Vec3> point(line.vertices.size()), back = line.vertices;
  back[2] = back[0];  // folded onto itself
  for (const auto& positions : {point, back})
    for (const Vec3& v : tube_of(line, positions, Real(0.1)).vertices)
      EXPECT_TRUE(std::isfinite(v.x + v.y + v.z));
}

}  // namespace
}  // namespace sinew
