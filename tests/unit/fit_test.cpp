// Fitted stiffnesses against a closed solution, figures computed elsewhere, the polynomials of the
// fitting thesis §4.2, and a simulation of plain position-based dynamics.
#include <sinew/fit.h>

#include <cmath>
#include <limits>

#include "fit/box_quadratic.h"
#include "fit/cell.h"
#include "fit/displacements.h"
#include "fit/nelder_mead.h"
#include "fit/references.h"
#include "support.h"

namespace sinew {
namespace {

using fit::difference;

constexpr FitCell kCells[] = {FitCell::kHexahedron, FitCell::kTetrahedron, FitCell::kTriangle};

FitRequest doubled_request(double poisson, bool volume = true, bool differences = false) {
  FitRequest request;
  request.shear = FitShear::kDoubled;
  request.poisson = poisson;
  request.volume = volume;
  request.finite_differences = differences;
  return request;
}

TEST(Fit, CubeMatchesReferenceFigures) {
  for (const bool differences : {false, true}) {
    const double tolerance = differences ? 1e-8 : 1e-9;
    for (const fit::Reference& r : fit::kReferences) {
      const FitResult found = fit_stiffness(doubled_request(r.poisson, true, differences));
      EXPECT_LT(difference(found.stiffness, r.stiffness), tolerance) << r.poisson;
      EXPECT_NEAR(found.matrix_error, r.matrix_error, tolerance) << r.poisson;
    }
    for (const fit::Reference& r : fit::kReferencesWithoutVolume) {
      const FitResult found = fit_stiffness(doubled_request(r.poisson, false, differences));
      EXPECT_LT(difference(found.stiffness, r.stiffness), tolerance) << r.poisson;
      EXPECT_NEAR(found.matrix_error, r.matrix_error, tolerance) << r.poisson;
    }
  }
}

TEST(Fit, CubeMatchesTheClosedSolution) {
  for (const FitShear shear : {FitShear::kIsotropic, FitShear::kDoubled})
    for (const bool volume : {true, false})
      for (int percent = 0; percent < 50; ++percent) {
        FitRequest request = doubled_request(percent / 100.0, volume);
        request.shear = shear;
        const PbdStiffness exact = fit::closed_form(request.poisson, shear, volume);
        EXPECT_LT(difference(fit_stiffness(request).stiffness, exact), 1e-12) << percent;
      }
}

TEST(Fit, FiniteDifferencesAgreeWithTheExactDerivative) {
  for (const FitCell cell : kCells)
    for (const double poisson : {-0.4, 0.0, 0.3, 0.45, 0.49}) {
      FitRequest request;
      request.cell = cell;
      request.poisson = poisson;
      const PbdStiffness exact = fit_stiffness(request).stiffness;
      request.finite_differences = true;
      EXPECT_LT(difference(fit_stiffness(request).stiffness, exact), 1e-8) << poisson;
    }
}

TEST(Fit, PrintedPolynomialsAreNearTheFit) {
  for (int percent = 0; percent < 50; ++percent) {
    const double poisson = percent / 100.0;
    EXPECT_LT(difference(fit_stiffness(doubled_request(poisson)).stiffness,
                         fit::printed_polynomials(poisson)),
              fit::kPolynomialTolerance)
        << poisson;
  }
}

TEST(Fit, StepFollowsTheMaterialAndStiffnessesDoNot) {
  FitRequest request;
  const FitResult one = fit_stiffness(request);
  EXPECT_NEAR(one.vertex_mass, 0.125, 1e-12);
  request.young *= 4;
  const FitResult stiffer = fit_stiffness(request);
  EXPECT_NEAR(stiffer.step, one.step / 2, 1e-12);
  EXPECT_LT(difference(stiffer.stiffness, one.stiffness), 1e-12);
  request.size *= 2;  // eight times the mass, twice the stiffness
  EXPECT_NEAR(fit_stiffness(request).step, one.step, 1e-12);
  request.vertex_mass = 4 * 8 * one.vertex_mass;
  EXPECT_NEAR(fit_stiffness(request).step, one.step * 2, 1e-12);
  // E = 1, side 2, ν = 0, shear of the thesis: ‖K‖ = 2√5.
  FitRequest unit = doubled_request(0);
  unit.young = 1, unit.size = 2, unit.vertex_mass = 1;
  EXPECT_NEAR(fit_stiffness(unit).step, std::sqrt(1 / (2 * std::sqrt(5.0))), 1e-12);
}

TEST(Fit, GivenStepScalesStiffnessesUpToOne) {
  FitRequest request;
  const FitResult one = fit_stiffness(request);
  request.step = one.step / 2;
  const FitResult half = fit_stiffness(request);
  EXPECT_EQ(half.step, request.step);
  EXPECT_NEAR(half.stiffness.edge, one.stiffness.edge / 4, 1e-12);
  EXPECT_NEAR(half.matrix_error, one.matrix_error, 1e-12);
  request.step = one.step * 10;
  const FitResult long_step = fit_stiffness(request);
  EXPECT_EQ(long_step.stiffness.volume, 1);
  EXPECT_GT(long_step.matrix_error, one.matrix_error + 0.1);
}

TEST(Fit, TetrahedronAndTriangleHaveEdgesAndMeasureOnly) {
  for (const FitCell cell : {FitCell::kTetrahedron, FitCell::kTriangle}) {
    FitRequest request;
    request.cell = cell;
    request.poisson = 0.45;
    const FitResult with = fit_stiffness(request);
    EXPECT_GT(with.stiffness.edge, 0);
    EXPECT_GT(with.stiffness.volume, 0);
    EXPECT_EQ(with.stiffness.face, 0);
    EXPECT_EQ(with.stiffness.diagonal, 0);
    request.volume = false;
    const FitResult without = fit_stiffness(request);
    EXPECT_EQ(without.stiffness.volume, 0);
    EXPECT_GT(without.matrix_error, with.matrix_error);
  }
}

TEST(Fit, DisplacementsBeatTheMatrixForAnyNumberOfIterations) {
  for (const FitCell cell : kCells)
    for (const double poisson : {0.0, 0.3, 0.45})
      for (const int iterations : {1, 2, 5, 10, 20}) {
        FitRequest request;
        request.cell = cell;
        request.poisson = poisson;
        request.iterations = iterations;
        request.objective = FitObjective::kDisplacements;
        const FitResult found = fit_stiffness(request);
        EXPECT_LT(found.test_error, found.matrix_test_error) << poisson << ' ' << iterations;
        EXPECT_LT(found.test_error, found.spread_matrix_test_error) << poisson << ' ' << iterations;
        for (const double k : {found.stiffness.edge, found.stiffness.face, found.stiffness.diagonal,
                               found.stiffness.volume})
          EXPECT_TRUE(k >= 0 && k <= 1) << k;
        request.objective = FitObjective::kMatrix;
        EXPECT_EQ(fit_stiffness(request).test_error, found.spread_matrix_test_error);
      }
}

TEST(Fit, AFreeStepIsNoWorse) {
  FitRequest request;
  request.objective = FitObjective::kDisplacements;
  request.iterations = 5;
  const FitResult fixed = fit_stiffness(request);
  request.fit_step = true;
  const FitResult free = fit_stiffness(request);
  EXPECT_LE(free.training_error, fixed.training_error);
  EXPECT_NE(free.step, fixed.step);
}

// Plain position-based dynamics with the real constraints, stepped until it rests, comes to where
// the linear formula says.
TEST(Fit, SimulatedCellComesToRestWhereTheFormulaSays) {
  constexpr double kForce = 1e-8;  // what is not linear is far less than the tolerance
  for (const FitCell kind : kCells)
    for (const int iterations : {1, 3, 8}) {
      const fit::Cell cell = fit::make_cell(kind);
      fit::Matrix element = fit::element_stiffness(kind, cell, 0.4, FitShear::kIsotropic);
      std::vector<fit::Matrix> projections;
      for (const auto& c : cell.classes) projections.push_back(projection_matrix(cell, c));
      const fit::DisplacementProblem problem(cell, element, projections, iterations);

      const fit::Vector k =
          cell.classes.size() == 4 ? fit::Vector{0.1, 0.08, 0.2, 0.5} : fit::Vector{0.2, 0.4};
      fit::Vector load;
      std::vector<fit::Point> push(cell.rest.size());
      for (std::size_t i = 0; i < push.size(); ++i)
        for (int axis = 0; axis < cell.dimension && !cell.held[i]; ++axis) {
          push[i][axis] = kForce * std::cos(double(3 * i + std::size_t(axis)));
          load.push_back(push[i][axis]);
        }
      const auto expected = problem.displacement(k, 1, load);
      ASSERT_TRUE(expected);

      std::vector<fit::Point> now = cell.rest, before = cell.rest;
      for (int step = 0; step < 3000; ++step) {
        std::vector<fit::Point> next = now;
        for (std::size_t i = 0; i < next.size(); ++i)
          if (!cell.held[i]) next[i] += now[i] - before[i] + push[i];
        for (int iteration = 0; iteration < iterations; ++iteration) {
          const std::vector<fit::Point> state = next;
          for (std::size_t c = 0; c < k.size(); ++c) {
            const std::vector<fit::Point> correction = project(cell.classes[c], state, cell.held);
            for (std::size_t i = 0; i < next.size(); ++i)
              if (!cell.held[i]) next[i] += correction[i] * k[c];
          }
        }
        before = now, now = next;
      }
      std::size_t row = 0;
      for (std::size_t i = 0; i < now.size(); ++i)
        for (int axis = 0; axis < cell.dimension && !cell.held[i]; ++axis, ++row)
          EXPECT_NEAR((now[i] - cell.rest[i])[axis], (*expected)[row], 1e-4 * kForce) << iterations;
      EXPECT_EQ(row, expected->size());
    }
}

TEST(Fit, StiffnessesThatWouldNotRestAreRefused) {
  const fit::Cell cell = fit::make_cell(FitCell::kTriangle);
  const fit::Matrix element =
      fit::element_stiffness(FitCell::kTriangle, cell, 0.3, FitShear::kIsotropic);
  std::vector<fit::Matrix> projections;
  for (const auto& c : cell.classes) projections.push_back(projection_matrix(cell, c));
  // Edges alone: Σ ĉĉᵀ has the eigenvalues 3/2 (all edges longer) and 3/4.
  const fit::DisplacementProblem once(cell, element, projections, 1);
  EXPECT_TRUE(std::isfinite(once.training_error({0.88, 0}, 1)));  // 1 − 1.32 > −1/3
  EXPECT_TRUE(std::isinf(once.training_error({0.9, 0}, 1)));      // 1 − 1.35 < −1/3
  EXPECT_TRUE(std::isinf(once.training_error({0, 1}, 1)));        // shear is not resisted
  const fit::DisplacementProblem twice(cell, element, projections, 2);
  EXPECT_TRUE(std::isfinite(twice.training_error({0.9, 0}, 1)));
}

TEST(FitSprings, EquilateralTriangleIsExactAtOneThird) {
  FitRequest request;
  request.cell = FitCell::kTriangle;
  request.poisson = 1.0 / 3;
  const SpringFit springs = fit_springs(request);
  EXPECT_LT(springs.matrix_error, 1e-14);
  EXPECT_NEAR(springs.edge, std::sqrt(3.0) / 4 * request.young * request.thickness, 1e-9);
  request.poisson = 0.2;
  EXPECT_GT(fit_springs(request).matrix_error, 0.05);
}

TEST(FitSprings, CubeIsTheFitWithoutVolumeInOtherUnits) {
  for (const double poisson : {0.0, 0.25, 0.4}) {
    const FitRequest request = doubled_request(poisson, false);
    const FitResult pbd = fit_stiffness(request);
    const SpringFit springs = fit_springs(request);
    const double unit = pbd.vertex_mass / (pbd.step * pbd.step) / 2;  // [N/m]
    EXPECT_NEAR(springs.edge / unit, pbd.stiffness.edge, 1e-12);
    EXPECT_NEAR(springs.face / unit, pbd.stiffness.face, 1e-12);
    EXPECT_NEAR(springs.diagonal / unit, pbd.stiffness.diagonal, 1e-12);
    EXPECT_NEAR(springs.matrix_error, pbd.matrix_error, 1e-12);
  }
}

TEST(Fit, RefusesWhatIsOutOfRange) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const auto refuses = [](auto change, std::initializer_list<const char*> parts) {
    FitRequest request;
    change(request);
    expect_error([&] { fit_stiffness(request); }, parts);
  };
  refuses([](FitRequest& r) { r.young = 0; }, {"young is 0 Pa"});
  refuses([](FitRequest& r) { r.young = kNan; }, {"young is nan Pa"});
  refuses([](FitRequest& r) { r.young = 1e308, r.size = 1e300; }, {"young is 1e+308"});
  refuses([](FitRequest& r) { r.poisson = 0.5; }, {"poisson is 0.5", "-1 and 0.5"});
  refuses([](FitRequest& r) { r.poisson = -1; }, {"poisson is -1"});
  refuses([](FitRequest& r) { r.poisson = kNan; }, {"poisson is nan"});
  refuses([](FitRequest& r) { r.size = -0.1; }, {"size is -0.1 m"});
  refuses([](FitRequest& r) { r.density = 0; }, {"density is 0 kg/m³"});
  refuses([](FitRequest& r) { r.vertex_mass = -1; }, {"vertex_mass is -1 kg"});
  refuses([](FitRequest& r) { r.step = -1; }, {"step is -1 s"});
  refuses([](FitRequest& r) { r.step = 1e-200; }, {"step is 1e-200 s"});
  refuses([](FitRequest& r) { r.iterations = 0; }, {"iterations is 0", "from 1"});
  refuses([](FitRequest& r) { r.fit_step = true; }, {"fit_step"});
  refuses([](FitRequest& r) { r.cell = FitCell::kTriangle, r.thickness = 0; },
          {"thickness is 0 m"});
  refuses([](FitRequest& r) { r.poisson = std::nextafter(0.5, 0); }, {"poisson is too close"});
  FitRequest request;
  request.poisson = 0.6;
  expect_error([&] { fit_springs(request); }, {"poisson is 0.6"});
}

TEST(Fit, VolumeConstraintsOfTheCube) {
  const fit::Cell cell = fit::make_cell(FitCell::kHexahedron);
  ASSERT_EQ(cell.classes.size(), 4u);
  EXPECT_EQ(cell.classes[0].constraints.size(), 12u);
  EXPECT_EQ(cell.classes[1].constraints.size(), 12u);
  EXPECT_EQ(cell.classes[2].constraints.size(), 4u);
  const auto& volumes = cell.classes[3].constraints;
  ASSERT_EQ(volumes.size(), 2u);
  std::vector<fit::Point> a, b;
  EXPECT_EQ(volumes[0].evaluate(cell.rest, a), 0);
  EXPECT_EQ(volumes[1].evaluate(cell.rest, b), 0);
  EXPECT_EQ(volumes[0].rest, 48);
  double aa = 0, ab = 0;
  for (std::size_t i = 0; i < a.size(); ++i) aa += dot(a[i], a[i]), ab += dot(a[i], b[i]);
  EXPECT_EQ(aa, 960);
  EXPECT_EQ(ab, 768);  // 4/5
}

TEST(BoxQuadratic, FindsCornersEdgesAndTheInside) {
  fit::Matrix g(2);
  g(0, 0) = 2, g(1, 1) = 1, g(0, 1) = g(1, 0) = 0.5;
  const fit::Vector ones{1, 1};
  const auto minimum = [&](double x, double y) {
    return minimise_in_box(g, g * fit::Vector{x, y}, ones);
  };
  EXPECT_NEAR(minimum(0.3, 0.6)[0], 0.3, 1e-15);
  EXPECT_NEAR(minimum(0.3, 0.6)[1], 0.6, 1e-15);
  EXPECT_EQ(minimum(2, 3), ones);
  EXPECT_EQ(minimum(-1, -2), (fit::Vector{0, 0}));
  EXPECT_EQ(minimum(0.5, -1)[1], 0);
  EXPECT_NEAR(minimum(0.5, -1)[0], 0.25, 1e-15);  // 2x = 2·0.5 − 0.5·1
}

TEST(NelderMead, FollowsACurvedValleyAndKeepsToTheBox) {
  const auto valley = [](const fit::Vector& v) {
    return 100 * std::pow(v[1] - v[0] * v[0], 2) + std::pow(1 - v[0], 2);
  };
  fit::NelderMead free(valley, fit::Box{{-5, -5}, {5, 5}});
  const fit::Minimum inside = free.minimise({-1.2, 1}, 0.5);
  EXPECT_NEAR(inside.at[0], 1, 1e-5);
  EXPECT_NEAR(inside.at[1], 1, 1e-5);
  fit::NelderMead bounded(valley, fit::Box{{-5, -5}, {0.5, 5}});
  const fit::Minimum border = bounded.minimise({-1.2, 1}, 0.5);
  EXPECT_NEAR(border.at[0], 0.5, 1e-6);
  EXPECT_NEAR(border.at[1], 0.25, 1e-5);
}

}  // namespace
}  // namespace sinew
