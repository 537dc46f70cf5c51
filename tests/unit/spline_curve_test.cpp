// Curves of spline materials: through their points, smooth, never overshooting, and with the value
// that is the integral of the slope.
#include <gtest/gtest.h>
#include <sinew/spline_curve.h>

#include "core/pack.h"

namespace sinew {
namespace {

using Value = SplineCurve::Value<double>;

Value at(const SplineCurve& curve, double x) {
  Value v[1];
  curve.at<1, double>({x}, v);
  return v[0];
}

constexpr double kRound = sizeof(Real) == 4 ? 2e-6 : 1e-13;  // the coefficients are Real

// Wide and narrow pieces, rising and falling; with a point at 1, without one, all above, all below.
std::vector<std::vector<CurvePoint>> curves() {
  return {{{Real(-0.5), -4}, {Real(0.25), -1}, {1, 1}, {Real(1.5), 2}, {4, 3}},
          {{0, 3}, {Real(0.5), -1}, {Real(1.75), -2}, {2, 5}},
          {{Real(1.5), 1}, {2, 2}, {3, 4}},
          {{Real(-2), -3}, {-1, 0}, {Real(0.5), Real(0.5)}},
          {{0, -1}, {3, 2}}};
}

TEST(SplineCurve, GoesThroughItsPoints) {
  for (const auto& points : curves()) {
    const SplineCurve curve = SplineCurve::through(points, 3);
    for (const CurvePoint& p : points)
      EXPECT_NEAR(at(curve, p.at).slope, 3 * double(p.slope), 50 * kRound) << double(p.at);
    EXPECT_EQ(at(curve, 1).value, 0);
  }
}

TEST(SplineCurve, SlopeAndCurvatureAreDerivatives) {
  const double h = 1e-6;
  for (const auto& points : curves()) {
    const SplineCurve curve = SplineCurve::through(points, 1);
    for (double x = -6.03; x < 8; x += 0.11) {
      const Value v = at(curve, x), before = at(curve, x - h), after = at(curve, x + h);
      EXPECT_NEAR(v.slope, (after.value - before.value) / (2 * h), 1e-5 + 50 * kRound) << x;
      EXPECT_NEAR(v.curvature, (after.slope - before.slope) / (2 * h), 1e-4 + 50 * kRound) << x;
    }
  }
}

// By Simpson's rule, across pieces and beyond both ends.
TEST(SplineCurve, ValueIsTheIntegralOfTheSlope) {
  for (const auto& points : curves()) {
    const SplineCurve curve = SplineCurve::through(points, 1);
    for (double x : {-5.0, -0.3, 0.7, 1.2, 2.5, 9.0}) {
      constexpr int kSteps = 20000;
      double sum = 0;
      for (int i = 0; i <= kSteps; ++i) {
        const double weight = i == 0 || i == kSteps ? 1 : i % 2 ? 4 : 2;
        sum += weight * at(curve, 1 + (x - 1) * i / kSteps).slope;
      }
      EXPECT_NEAR(at(curve, x).value, sum * (x - 1) / kSteps / 3, 1e-7 + 500 * kRound) << x;
    }
  }
}

// Between neighbouring points the curve stays between them.
TEST(SplineCurve, DoesNotOvershoot) {
  for (const auto& points : curves()) {
    const SplineCurve curve = SplineCurve::through(points, 1);
    for (std::size_t i = 1; i < points.size(); ++i)
      for (double t = 0; t <= 1; t += 0.05) {
        const double x = points[i - 1].at + t * (double(points[i].at) - points[i - 1].at);
        const double a = points[i - 1].slope, b = points[i].slope, is = at(curve, x).slope;
        EXPECT_GE(is, std::min(a, b) - 100 * kRound) << x;
        EXPECT_LE(is, std::max(a, b) + 100 * kRound) << x;
      }
  }
}

// Straight beyond the last point, or level where the points fall; constant a thousand further on.
TEST(SplineCurve, GoesOnBeyondItsEnds) {
  const SplineCurve curve =
      SplineCurve::through(std::vector<CurvePoint>{{0, -2}, {1, 0}, {2, 3}, {3, 1}}, 1);
  EXPECT_NEAR(at(curve, 50).slope, 1, 100 * kRound);
  EXPECT_EQ(at(curve, 50).curvature, 0);
  const Value end = at(curve, 0);
  EXPECT_GT(end.curvature, 0);
  EXPECT_NEAR(at(curve, -10).slope, end.slope - 10 * end.curvature, 1e3 * kRound);
  EXPECT_NEAR(at(curve, -10).value, end.value - 10 * end.slope + 50 * end.curvature, 1e4 * kRound);
  EXPECT_EQ(at(curve, -5000).slope, at(curve, -2000).slope);
  EXPECT_EQ(at(curve, -5000).curvature, 0);
}

// A polynomial of the third degree given by slopes and curvatures is met everywhere.
TEST(SplineCurve, KnotsMeetACubicExactly) {
  const auto slope = [](double x) { return 2 - 3 * x + x * x * x / 2; };
  const auto curvature = [](double x) { return -3 + 1.5 * x * x; };
  std::vector<SplineCurve::Knot> knots;
  for (double x : {-1.0, 0.5, 0.75, 3.0}) knots.push_back({x, slope(x), curvature(x)});
  const SplineCurve curve(knots);
  for (double x = -1; x <= 3; x += 0.07) {
    EXPECT_NEAR(at(curve, x).slope, slope(x), 50 * kRound) << x;
    EXPECT_NEAR(at(curve, x).curvature, curvature(x), 50 * kRound) << x;
  }
}

TEST(SplineCurve, PacksAgreeWithPlainNumbers) {
  using Four = Pack<Real, 4>;
  const SplineCurve curve = SplineCurve::through(curves()[0], 1);
  for (int i = -40; i < 60; i += 4) {
    Four x[1];
    for (int l = 0; l < 4; ++l) x[0].set_lane(l, Real(0.1) * Real(i + l));
    SplineCurve::Value<Four> v[1];
    curve.at(x, v);
    for (int l = 0; l < 4; ++l) {
      SplineCurve::Value<Real> plain[1];
      curve.at<1, Real>({x[0].lane(l)}, plain);
      EXPECT_NEAR(v[0].value.lane(l), plain[0].value, 20 * kRound);
      EXPECT_NEAR(v[0].slope.lane(l), plain[0].slope, 20 * kRound);
      EXPECT_NEAR(v[0].curvature.lane(l), plain[0].curvature, 20 * kRound);
    }
  }
}

}  // namespace
}  // namespace sinew
