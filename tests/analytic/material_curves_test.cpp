// Uniaxial tension and compression, free to contract sideways: the stress that each material gives
// against the curve that its energy has on paper. P₁ is the force by the area at rest, s the
// stretch, t the stretch across.
#include <gtest/gtest.h>
#include <sinew/materials.h>

#include <cmath>
#include <vector>

#include "solvers/material_at.h"

namespace sinew {
namespace {

using Mat = Mat3T<double>;

constexpr double kTolerance = sizeof(Real) == 4 ? 1e-6 : 1e-9;  // the constants are Real
constexpr double kYoung = 2e5;

// The root of f near x, by Newton's method.
template <class F>
double solve(F&& f, double x) {
  for (int i = 0; i < 100; ++i) {
    const double h = 1e-6, slope = (f(x + h) - f(x - h)) / (2 * h);
    const double step = f(x) / slope;
    x -= std::abs(step) < 0.1 ? step : std::copysign(0.1, step);
    if (std::abs(step) < 1e-13) break;
  }
  return x;
}

struct State {
  double across, stress;  // t, P₁ [Pa]
};

// What the material does at the stretch s; its faces across are free of stress.
template <class M>
State pulled(const M& material, double s) {
  const auto stress = [&](double t) {
    return stress_at(material, Mat::diagonal({s, t, t}), Mat::identity());
  };
  const double t = solve([&](double x) { return stress(x)(1, 1) / kYoung; }, 1.0);
  EXPECT_NEAR(stress(t)(2, 2), 0, 1e-6 * kYoung);
  return {t, stress(t)(0, 0)};
}

// expected(s, material): across and stress, for a few ν and stretches.
template <class M, class Expected>
void expect_curve(const std::vector<double>& stretches, Expected&& expected) {
  for (double poisson : {0.0, 0.3, 0.45})
    for (double s : stretches) {
      M material{.young = Real(kYoung)};
      if constexpr (requires { material.poisson; }) material.poisson = Real(poisson);
      SCOPED_TRACE(testing::Message() << M::kName << " ν " << poisson << " stretch " << s);
      const State is = pulled(material, s), wanted = expected(s, material);
      EXPECT_NEAR(is.across, wanted.across, 20 * kTolerance);
      EXPECT_NEAR(is.stress / kYoung, wanted.stress / kYoung, 20 * kTolerance * s * s);
    }
}

// The stress is Young's modulus times the stretch, the contraction Poisson's ratio.
TEST(MaterialCurves, LinearAndCorotatedAreStraightLines) {
  const auto hooke = [](double s, const auto& m) {
    return State{1 - double(m.poisson) * (s - 1), kYoung * (s - 1)};
  };
  expect_curve<Linear>({0.5, 0.9, 1, 1.2, 2}, hooke);
  expect_curve<Corotated>({0.5, 0.9, 1, 1.2, 2}, hooke);
}

TEST(MaterialCurves, AsRigidAsPossibleDoesNotContract) {
  expect_curve<Arap>({0.2, 0.9, 1, 1.2, 3}, [](double s, const Arap&) {
    return State{1, kYoung * (s - 1)};
  });
}

// Hooke's law between S₁ = P₁/s and the Green strain: P₁ = E s(s² − 1)/2, t² = 1 − ν(s² − 1). Its
// resistance to compression is greatest at s = 1/√3.
TEST(MaterialCurves, StVenantKirchhoffIsACubic) {
  expect_curve<StVenantKirchhoff>({0.5, 0.9, 1, 1.2, 1.5}, [](double s, const auto& m) {
    const double strain = (s * s - 1) / 2;
    return State{std::sqrt(1 - 2 * double(m.poisson) * strain), kYoung * s * strain};
  });
  const StVenantKirchhoff weak{.young = Real(kYoung)};
  const double most = -pulled(weak, 1 / std::sqrt(3.0)).stress;
  EXPECT_NEAR(most / kYoung, 1 / std::sqrt(27.0), kTolerance * 20);
  EXPECT_LT(-pulled(weak, 0.50).stress, most);
  EXPECT_LT(-pulled(weak, 0.65).stress, most);
}

// No stress across: μ(t² − 1) + λ log(s t²) = 0, and then P₁ = μ(s − t²/s).
TEST(MaterialCurves, NeoHookeanIsRubber) {
  expect_curve<NeoHookean>({0.3, 0.5, 0.9, 1, 1.2, 2, 4}, [](double s, const NeoHookean& m) {
    const double mu = kYoung / (2 * (1 + double(m.poisson)));
    const double ratio = 2 * double(m.poisson) / (1 - 2 * double(m.poisson));  // λ/μ
    double low = 1e-3, high = 10;                                              // of t²
    for (int i = 0; i < 100; ++i) {
      const double middle = (low + high) / 2;
      (middle - 1 + ratio * std::log(s * middle) > 0 ? high : low) = middle;
    }
    return State{std::sqrt(low), mu * (s - low / s)};
  });
}

// Both are incompressible rubber where ν goes to ½: t² = 1/s. P₁ = μ(s − 1/s²), and the stable one
// with the coefficient 4/3 μ I/(I + 1), I = s² + 2/s.
TEST(MaterialCurves, RubberKeepsItsVolumeInTheLimit) {
  const Real nearly = Real(0.4999);
  const double mu = kYoung / 3;
  for (double s : {0.6, 0.9, 1.1, 1.5, 2.0, 3.0}) {
    const double rubber = mu * (s - 1 / (s * s)), i = s * s + 2 / s;
    const State plain = pulled(NeoHookean{.young = Real(kYoung), .poisson = nearly}, s);
    const State stable = pulled(StableNeoHookean{.young = Real(kYoung), .poisson = nearly}, s);
    EXPECT_NEAR(plain.across * plain.across * s, 1, 2e-3) << s;
    EXPECT_NEAR(stable.across * stable.across * s, 1, 2e-3) << s;
    EXPECT_NEAR(plain.stress, rubber, 2e-3 * kYoung) << s;
    EXPECT_NEAR(stable.stress, rubber * (4.0 / 3) * i / (i + 1), 2e-3 * kYoung) << s;
  }
}

// Incompressible, t² = 1/s: P₁ = 2(s − 1/s²)(a + b/s), the textbook's.
TEST(MaterialCurves, MooneyRivlinIsRubber) {
  for (double share : {0.0, 0.3, 1.0})
    for (double s : {0.6, 0.9, 1.1, 1.5, 2.0, 3.0}) {
      const State is = pulled(
          MooneyRivlin{.young = Real(kYoung), .poisson = Real(0.4999), .second = Real(share)}, s);
      const double a = (1 - share) * kYoung / 6, b = share * kYoung / 6;
      EXPECT_NEAR(is.across * is.across * s, 1, 2e-3) << s;
      EXPECT_NEAR(is.stress, 2 * (s - 1 / (s * s)) * (a + b / s), 2e-3 * kYoung) << s;
    }
}

// No stress across: 2μ(t − 1) + λ(s t² − 1) s t = 0, and then P₁ = 2μ(s − 1) + λ(s t² − 1) t².
TEST(MaterialCurves, CorrectedCorotatedKeepsItsVolume) {
  expect_curve<CorrectedCorotated>({0.3, 0.5, 0.9, 1, 1.2, 2, 4}, [](double s, const auto& m) {
    const double mu = kYoung / (2 * (1 + double(m.poisson)));
    const double lambda = mu * 2 * double(m.poisson) / (1 - 2 * double(m.poisson));
    double low = 1e-3, high = 3;
    for (int i = 0; i < 100; ++i) {
      const double t = (low + high) / 2;
      (2 * mu * (t - 1) + lambda * (s * t * t - 1) * s * t > 0 ? high : low) = t;
    }
    return State{low, 2 * mu * (s - 1) + lambda * (s * low * low - 1) * low * low};
  });
}

// ν = 0: Hooke's line and the derivative of the fourth power. Liu's own has no line.
TEST(MaterialCurves, PolynomialIsALineAndACube) {
  for (double linear : {0.0, 1.0})
    for (double s : {0.4, 0.9, 1.0, 1.3, 2.0}) {
      const Polynomial m{
          .young = Real(kYoung), .poisson = 0, .linear = Real(linear), .quartic = Real(2.5)};
      const double is = stress_at(m, Mat::diagonal({s, 1, 1}), Mat::identity())(0, 0), d = s - 1;
      EXPECT_NEAR(is / kYoung, linear * d + 4 * 2.5 * d * d * d / 2, kTolerance * 20) << s;
    }
}

// Rubber drawn through points is rubber; what makes it stiffer is there on its own side only.
TEST(MaterialCurves, SplinesAreNeoHookeanOrStiffer) {
  for (double poisson : {0.0, 0.3, 0.45})
    for (double s : {0.3, 0.5, 0.8, 0.95, 1.0, 1.05, 1.3, 2.0}) {
      const NeoHookean rubber{.young = Real(kYoung), .poisson = Real(poisson)};
      Spline drawn{.young = Real(kYoung), .poisson = Real(poisson)};
      const Mat f = Mat::diagonal({s, 1, 1});
      const auto along = [&](const auto& m) { return stress_at(m, f, Mat::identity())(0, 0); };
      const double wanted = along(rubber);
      EXPECT_NEAR(along(drawn), wanted, 0.01 * std::abs(wanted) + 1e-4 * kYoung) << s;
      const double more = 10 * double(rubber.lame_mu()) * (s - 1) * (s - 1);
      const double plain = along(drawn);
      drawn.preset = SplinePreset::kStiffInCompression;
      EXPECT_NEAR(along(drawn), plain - (s < 1 ? more : 0), 20 * kTolerance * kYoung) << s;
      drawn.preset = SplinePreset::kStiffInTension;
      EXPECT_NEAR(along(drawn), plain + (s > 1 ? more : 0), 20 * kTolerance * kYoung) << s;
    }
}

// Where the logarithm ends, stress and stiffness go on without a jump, and all the way to inside
// out the element is pushed open ever harder.
TEST(MaterialCurves, NeoHookeanGoesOnBeyondFlat) {
  for (double poisson : {0.0, 0.3, 0.45}) {
    const NeoHookean m{.young = Real(kYoung), .poisson = Real(poisson)};
    const auto squeezed = [&](double s) { return m.stress(Mat::diagonal({s, 1, 1}))(0, 0); };
    const double j0 = double(NeoHookean::kSmallestLog), h = 1e-5;
    const double below = (squeezed(j0) - squeezed(j0 - h)) / h;
    const double above = (squeezed(j0 + h) - squeezed(j0)) / h;
    EXPECT_NEAR(below / above, 1, 1e-3);
    double last = squeezed(1);
    for (double s = 0.95; s > -2; s -= 0.05) {
      EXPECT_LT(squeezed(s), last) << s;
      last = squeezed(s);
    }
  }
}

}  // namespace
}  // namespace sinew
