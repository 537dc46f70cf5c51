#include "geometry/shape_mass.h"

#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "support.h"

namespace sinew {
namespace {

using Vec = Vec3T<double>;
using Mat = Mat3T<double>;
constexpr double kPi = std::numbers::pi;

// Sums over the middles of small cells that are inside, by the shape's own signed distance.
SolidMass by_cells(const Shape& shape, const Vec& half, int n) {
  SolidMass sum;
  Mat second{};
  const Vec cell = half * (2.0 / n);
  const double volume = cell.x * cell.y * cell.z;
  std::visit(
      [&](const auto& s) {
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j)
            for (int k = 0; k < n; ++k) {
              const Vec p{(i + 0.5) * cell.x - half.x, (j + 0.5) * cell.y - half.y,
                          (k + 0.5) * cell.z - half.z};
              if (s.signed_distance(Vec3{Real(p.x), Real(p.y), Real(p.z)}).distance > 0) continue;
              sum.volume += volume;
              sum.center += p * volume;
              second = second + Mat{{p * p.x, p * p.y, p * p.z}} * volume;
            }
      },
      shape);
  sum.center = sum.center / sum.volume;
  const Vec c = sum.center;
  second = second - Mat{{c * c.x, c * c.y, c * c.z}} * sum.volume;
  const double t = trace(second);
  sum.inertia = Mat::diagonal({t, t, t}) - second;
  return sum;
}

void expect_same(const SolidMass& a, const SolidMass& b, double relative) {
  EXPECT_NEAR(a.volume, b.volume, relative * b.volume);
  const double size = std::sqrt(trace(b.inertia) / b.volume);
  EXPECT_LT(length(a.center - b.center), relative * size);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      EXPECT_NEAR(a.inertia(i, j), b.inertia(i, j), relative * trace(b.inertia)) << i << j;
}

std::vector<Vec3> random_points(int count, unsigned seed) {
  std::mt19937 random(seed);
  const auto number = [&] { return Real(2 * (random() / 4294967295.0) - 1); };
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i) points.push_back({number(), number(), number()});
  return points;
}

ConvexHull prepared(std::vector<Vec3> points) {
  ConvexHull hull{std::move(points)};
  hull.prepare();
  return hull;
}

TEST(ShapeMass, SolidsAgreeWithSumsOverSmallCells) {
  const Real r = Real(0.3), h = Real(0.7);
  expect_same(solid_mass(Sphere{r}), by_cells(Sphere{r}, {0.3, 0.3, 0.3}, 80), 2e-3);
  expect_same(solid_mass(Capsule{r, h}), by_cells(Capsule{r, h}, {0.3, 1, 0.3}, 80), 2e-3);
  expect_same(solid_mass(Cylinder{r, h}), by_cells(Cylinder{r, h}, {0.3, 0.7, 0.3}, 80), 3e-3);
  const Box box{{1, 2, 3}};
  expect_same(solid_mass(box), by_cells(box, {0.5, 1, 1.5}, 80), 1e-3);
  const ConvexHull hull = prepared(random_points(12, 4));
  expect_same(solid_mass(hull), by_cells(hull, {1, 1, 1}, 100), 4e-3);
}

TEST(ShapeMass, KnownFormulas) {
  const double r = 2, h = 3, volume = kPi * r * r * 2 * h;
  const SolidMass cylinder = solid_mass(Cylinder{2, 3});
  EXPECT_NEAR(cylinder.volume, volume, 1e-9 * volume);
  EXPECT_NEAR(cylinder.inertia(1, 1), volume * r * r / 2, 1e-9 * volume);
  EXPECT_NEAR(cylinder.inertia(0, 0), volume * (3 * r * r + 4 * h * h) / 12, 1e-9 * volume);
  // A capsule without a middle is a ball.
  expect_same(solid_mass(Capsule{Real(0.4), 0}), solid_mass(Sphere{Real(0.4)}), 1e-12);
  // The hull of a box's corners is that box, moved.
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i)
    corners.push_back({Real(i & 1 ? 2 : 1), Real(i & 2 ? 5 : 3), Real(i & 4 ? 9 : 6)});
  SolidMass box = solid_mass(Box{{1, 2, 3}});
  box.center = {1.5, 4, 7.5};
  expect_same(solid_mass(prepared(corners)), box, 1e-6);
}

TEST(ShapeMass, CombinedHalvesAreTheWhole) {
  // A box of two, one of them lying on its side.
  const Quat side = Quat::from_axis_angle({0, 0, 1}, Real(kPi / 2));
  const std::vector<Part> halves{
      {.shape = Box{{1, 2, 3}}, .pose = {{Real(-0.5), 0, 0}}, .density = 7},
      {.shape = Box{{2, 1, 3}}, .pose = {{Real(0.5), 0, 0}, side}, .density = 7}};
  const MassProperties sum = combine(halves);
  const SolidMass whole = solid_mass(Box{{2, 2, 3}});
  EXPECT_NEAR(sum.mass, 7 * whole.volume, 1e-5);
  expect_same({sum.volume, sum.center, sum.inertia * (1 / 7.0)}, whole, 1e-6);
}

TEST(ShapeMass, DumbbellOfTwoDensities) {
  const std::vector<Part> parts{{.shape = Sphere{1}, .pose = {{-2, 0, 0}}, .density = 100},
                                {.shape = Sphere{1}, .pose = {{4, 0, 0}}, .density = 200}};
  const double m = 100 * 4.0 / 3 * kPi;
  const MassProperties sum = combine(parts);
  EXPECT_NEAR(sum.mass, 3 * m, 1e-6 * m);
  EXPECT_NEAR(sum.center.x, 2, 1e-12);
  EXPECT_NEAR(sum.inertia(0, 0), 0.4 * 3 * m, 1e-9 * m);
  EXPECT_NEAR(sum.inertia(1, 1), 0.4 * 3 * m + m * 16 + 2 * m * 4, 1e-9 * m);
}

TEST(ShapeMass, PrincipalAxesPutTheTensorTogetherAgain) {
  for (unsigned seed = 1; seed < 60; ++seed) {
    const std::vector<Vec3> v = random_points(4, seed);
    const double scale = std::pow(10.0, int(seed % 21) - 10);
    Mat tensor{};
    for (const Vec3& p : v) {
      const Vec d = to_double(p);
      tensor = tensor +
               (Mat::diagonal(Vec{1, 1, 1} * dot(d, d)) - Mat{{d * d.x, d * d.y, d * d.z}}) * scale;
    }
    const PrincipalAxes found = principal_axes(tensor);
    const Mat turn = found.axes.matrix();
    const Mat again = turn * Mat::diagonal(found.moments) * transpose(turn);
    const double rounding = 10 * double(std::numeric_limits<Real>::epsilon());
    for (int i = 0; i < 9; ++i)
      EXPECT_NEAR(again(i % 3, i / 3), tensor(i % 3, i / 3), rounding * trace(tensor));
  }
}

TEST(ShapeMass, TurnedPartHasTurnedAxes) {
  const Quat turn = Quat::from_axis_angle({1, 2, 3}, Real(0.8));
  const std::vector<Part> parts{{.shape = Box{{1, 2, 4}}, .pose = {{5, 6, 7}, turn}, .density = 3}};
  const Mass mass = mass_of(parts);
  EXPECT_NEAR(mass.mass, 24, 1e-4);
  EXPECT_NEAR(length(mass.center - Vec3{5, 6, 7}), 0, 1e-5);
  // Whatever the order of the moments, the tensor is that of the turned box.
  const Mat found = Mat{{to_double(mass.axes.matrix().c[0]), to_double(mass.axes.matrix().c[1]),
                         to_double(mass.axes.matrix().c[2])}};
  const Mat axes = Mat{{to_double(turn.matrix().c[0]), to_double(turn.matrix().c[1]),
                        to_double(turn.matrix().c[2])}};
  const Mat a = found * Mat::diagonal(to_double(mass.inertia)) * transpose(found);
  const Mat b = axes * Mat::diagonal({40, 34, 10}) * transpose(axes);
  for (int i = 0; i < 9; ++i) EXPECT_NEAR(a(i % 3, i / 3), b(i % 3, i / 3), 1e-4);
}

TEST(ShapeMass, UnturnedBoxKeepsItsAxes) {
  const Mass mass = mass_of(Box{{1, 2, 3}}, 2);
  EXPECT_EQ(mass.axes, Quat{});
  EXPECT_NEAR(mass.inertia.x, 13, 1e-5);
  EXPECT_NEAR(mass.inertia.y, 10, 1e-5);
  EXPECT_NEAR(mass.inertia.z, 5, 1e-5);
  check_inertia(mass.inertia);
}

TEST(ShapeMass, WhatHasNoMassSaysSo) {
  expect_error([] { solid_mass(Plane{}); }, {"a plane has no mass"});
  expect_error([] { solid_mass(HeightField{}); }, {"a height field has no mass"});
  expect_error([] { solid_mass(TriangleMesh{}); }, {"a triangle mesh has no mass"});
  expect_error([] { mass_of(std::span<const Part>{}); }, {"parts is empty"});
  if constexpr (sizeof(Real) == 4)
    expect_error([] { mass_of(Sphere{Real(1e-12)}, 1); }, {"moment of inertia", "numbers"});
}

TEST(ShapeMass, ImpossibleInertiaIsRefused) {
  check_inertia({1, 1, 2});  // a flat disk
  check_inertia({3, 4, 5});
  expect_error(
      [] {
        check_inertia({1, 1, Real(2.1)}, "body.mass.inertia");
      },
      {"body.mass.inertia", "no body"});
  expect_error([] { check_inertia({5, 1, 1}); }, {"inertia is (5, 1, 1)"});
  expect_error([] { check_inertia({1, 0, 1}); }, {"inertia[1]", "greater than 0"});
  expect_error(
      [] {
        check_inertia({1, 1, std::numeric_limits<Real>::quiet_NaN()});
      },
      {"inertia[2]"});
}

}  // namespace
}  // namespace sinew
