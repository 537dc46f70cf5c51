// The stiffnesses of a cube of plain position-based dynamics that is to be like a finite element
// (the fitting thesis, chapter 4): the fit and its polynomials, with and without the volume
// constraint, and what the thesis only expects of fitting displacements and of counting iterations.
// Then bars in a World, each fitted in its mesh, against finite elements.
#include <fmt/format.h>
#include <sinew/fit.h>

#include <algorithm>
#include <cmath>

#include "fit/dense.h"
#include "fit/references.h"
#include "reproduce/experiment.h"
#include "reproduce/fitted_bars.h"

namespace sinew {
namespace {

using fit::difference;

constexpr int kRatios = 50;  // ν = 0, 0.01, … 0.49
constexpr const char* kNames[] = {"edge", "face", "diagonal", "volume"};
constexpr double PbdStiffness::*kFields[] = {&PbdStiffness::edge, &PbdStiffness::face,
                                             &PbdStiffness::diagonal, &PbdStiffness::volume};

FitRequest request_for(double poisson, FitShear shear, bool volume) {
  FitRequest request;
  request.shear = shear;
  request.poisson = poisson;
  request.volume = volume;
  request.finite_differences = true;  // as the fitting thesis takes them
  return request;
}

std::vector<FitResult> sweep(FitShear shear, bool volume) {
  std::vector<FitResult> fits;
  for (int i = 0; i < kRatios; ++i)
    fits.push_back(fit_stiffness(request_for(i / 100.0, shear, volume)));
  return fits;
}

Series over_ratios(std::string label, const std::vector<FitResult>& fits,
                   double (*value)(const FitResult&)) {
  Series series{.label = std::move(label), .x = {}, .y = {}};
  for (std::size_t i = 0; i < fits.size(); ++i) {
    series.x.push_back(double(i) / 100);
    series.y.push_back(value(fits[i]));
  }
  return series;
}

Plot ratio_plot(std::string title, std::string y) {
  return {.title = std::move(title),
          .x = {.label = "Poisson's ratio [1]"},
          .y = {.label = std::move(y)},
          .series = {}};
}

// The four stiffnesses of `at(i)`, ν = i/100.
template <class F>
void add_stiffnesses(Plot& plot, F at, Series style, const char* only_label) {
  for (int k = 0; k < 4; ++k) {
    Series series = style;
    if (series.colour < 0) series.colour = k;
    series.label = !only_label ? kNames[k] : k == 0 ? only_label : "";
    for (int i = 0; i < kRatios; ++i) {
      series.x.push_back(i / 100.0);
      series.y.push_back(at(i).*kFields[k]);
    }
    plot.series.push_back(std::move(series));
  }
}

Plot stiffness_plot(std::string title, const std::vector<FitResult>& fits) {
  Plot plot = ratio_plot(std::move(title), "stiffness [1]");
  add_stiffnesses(
      plot, [&](int i) { return fits[std::size_t(i)].stiffness; }, {}, nullptr);
  return plot;
}

void check_references(ExperimentReport& report) {
  double worst = 0, worst_error = 0;
  Table table{"Fitted stiffnesses, shear doubled as in the thesis",
              {"Poisson's ratio [1]", "volume constraint", "edge [1]", "face [1]", "diagonal [1]",
               "volume [1]", "relative error [%]"},
              {}};
  const auto add = [&](const fit::Reference& r, bool volume) {
    const FitResult found = fit_stiffness(request_for(r.poisson, FitShear::kDoubled, volume));
    worst = std::max(worst, difference(found.stiffness, r.stiffness));
    worst_error = std::max(worst_error, std::abs(found.matrix_error - r.matrix_error));
    const PbdStiffness& k = found.stiffness;
    table.rows.push_back({fmt::format("{:.2f}", r.poisson), volume ? "yes" : "no",
                          fmt::format("{:.6f}", k.edge), fmt::format("{:.6f}", k.face),
                          fmt::format("{:.6f}", k.diagonal), fmt::format("{:.6f}", k.volume),
                          fmt::format("{:.2f}", 100 * found.matrix_error)});
  };
  for (const fit::Reference& r : fit::kReferences) add(r, true);
  for (const fit::Reference& r : fit::kReferencesWithoutVolume) add(r, false);
  report.check("stiffnesses by finite differences are the exact minimum of eq. 4.6 within 1e-8",
               fmt::format("worst of {} ratios: {:.1e}", table.rows.size(), worst), worst < 1e-8);
  report.check("so are the relative errors (eq. 4.8)", fmt::format("worst: {:.1e}", worst_error),
               worst_error < 1e-8);
  report.table(std::move(table));
}

void check_polynomials(const std::vector<FitResult>& fits, ExperimentReport& report) {
  double worst[4] = {};
  for (int i = 0; i < kRatios; ++i)
    for (int k = 0; k < 4; ++k)
      worst[k] = std::max(worst[k], std::abs(fits[std::size_t(i)].stiffness.*kFields[k] -
                                             fit::printed_polynomials(i / 100.0).*kFields[k]));
  report.check(fmt::format("the printed polynomials are within {} of the fit (figure 4.3)",
                           fit::kPolynomialTolerance),
               fmt::format("edge {:.4f}, face {:.4f}, diagonal {:.4f}, volume {:.4f}", worst[0],
                           worst[1], worst[2], worst[3]),
               *std::max_element(worst, worst + 4) < fit::kPolynomialTolerance);
}

// How well a polynomial of a degree fits values over x: tables 4.1 and 4.2. A degree below 0 is the
// polynomial 0.
struct Regression {
  double mean_square = 0, determination = 0;  // MSE; squared correlation with the data
};
Regression regression(const fit::Vector& x, const fit::Vector& y, int degree) {
  const double middle = (x.front() + x.back()) / 2, half = (x.back() - x.front()) / 2;
  fit::Matrix normal(degree + 1);
  fit::Vector right(std::size_t(degree + 1)), value(x.size());
  const auto basis = [&](std::size_t i, int power) {
    return std::pow((x[i] - middle) / half, power);
  };
  for (std::size_t i = 0; i < x.size(); ++i)
    for (int a = 0; a <= degree; ++a) {
      right[std::size_t(a)] += basis(i, a) * y[i];
      for (int b = 0; b <= degree; ++b) normal(a, b) += basis(i, a) * basis(i, b);
    }
  const fit::Vector c = fit::Cholesky::factor(normal)->solve(right);
  double mean = 0, residual = 0, spread = 0;
  for (const double one : y) mean += one / double(y.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (int a = 0; a <= degree; ++a) value[i] += c[std::size_t(a)] * basis(i, a);
    residual += (value[i] - y[i]) * (value[i] - y[i]);
    spread += (y[i] - mean) * (y[i] - mean);
  }
  return {residual / double(x.size()), spread > 0 ? 1 - residual / spread : 0};
}

// Polynomials fitted to the stiffnesses anew, on either side of ν = 0.29, against tables 4.1 and
// 4.2. The volume's up to 0.29 is zero, and has no coefficient of determination.
void check_regression(const std::vector<FitResult>& fits, ExperimentReport& report) {
  struct Printed {
    int first, last, stiffness, degree;
    double mean_square, determination;
  };
  constexpr Printed kPrinted[] = {
      {0, 29, 0, 2, 2.146e-9, 0.99990},   {0, 29, 1, 2, 8.9209e-8, 0.99572},
      {0, 29, 2, 1, 1.1271e-7, 0.99462},  {0, 29, 3, -1, 3.3103e-6, 0},
      {29, 49, 0, 2, 1.1827e-7, 0.99701}, {29, 49, 1, 2, 9.4752e-7, 0.99923},
      {29, 49, 2, 2, 2.6893e-5, 0.98658}, {29, 49, 3, 3, 1.2526e-5, 0.99982}};
  Table table{"Polynomials fitted to the stiffnesses (tables 4.1 and 4.2)",
              {"Poisson's ratio [1]", "stiffness", "MSE [1]", "printed MSE [1]", "R² [1]",
               "printed R² [1]"},
              {}};
  double worst_square = 0, worst_determination = 0;
  for (const Printed& p : kPrinted) {
    fit::Vector x, y;
    for (int i = p.first; i <= p.last; ++i) {
      x.push_back(i / 100.0);
      y.push_back(fits[std::size_t(i)].stiffness.*kFields[p.stiffness]);
    }
    const Regression found = regression(x, y, p.degree);
    worst_square = std::max(worst_square, std::abs(found.mean_square / p.mean_square - 1));
    if (p.degree >= 0)
      worst_determination =
          std::max(worst_determination, std::abs(found.determination - p.determination));
    table.rows.push_back({fmt::format("{:.2f} to {:.2f}", x.front(), x.back()), kNames[p.stiffness],
                          fmt::format("{:.4e}", found.mean_square),
                          fmt::format("{:.4e}", p.mean_square),
                          p.degree < 0 ? "" : fmt::format("{:.5f}", found.determination),
                          p.degree < 0 ? "" : fmt::format("{:.5f}", p.determination)});
  }
  report.check(
      "polynomials fitted anew have the printed mean squared errors within 0.1 % (table 4.1)",
      fmt::format("worst: {:.2f} %", 100 * worst_square), worst_square < 1e-3);
  report.check("and the printed coefficients of determination within 2e-5 (table 4.2)",
               fmt::format("worst: {:.5f}", worst_determination), worst_determination < 2e-5);
  report.table(std::move(table));
}

void check_closed_form(const std::vector<FitResult>& isotropic, ExperimentReport& report) {
  double worst = 0;
  for (int i = 0; i < kRatios; ++i)
    worst = std::max(worst, difference(isotropic[std::size_t(i)].stiffness,
                                       fit::closed_form(i / 100.0, FitShear::kIsotropic, true)));
  report.check("with isotropic shear, too, the fit is the closed solution within 1e-8",
               fmt::format("worst of {} ratios: {:.1e}", kRatios, worst), worst < 1e-8);
  report.note(
      "The elasticity matrix of the thesis has 1 − 2ν where isotropic elasticity has (1 − 2ν)/2, "
      "and so "
      "twice the shear modulus. Its figures are met with its own matrix; `sinew fit` takes the "
      "isotropic one unless it is told otherwise.");
}

void check_volume(const std::vector<FitResult>& with, const std::vector<FitResult>& without,
                  ExperimentReport& report) {
  bool same = true, better = true;
  for (std::size_t i = 0; i < with.size(); ++i)
    if (i <= 28)
      same = same && std::abs(with[i].matrix_error - without[i].matrix_error) < 1e-8;
    else
      better = better && with[i].matrix_error < without[i].matrix_error;
  report.check("the volume constraint changes nothing up to ν = 0.28 and helps from 0.29 on",
               fmt::format("at 0.49: {:.1f} % with it, {:.1f} % without",
                           100 * with.back().matrix_error, 100 * without.back().matrix_error),
               same && better);
  const auto least = std::min_element(
      with.begin(), with.end(),
      [](const FitResult& a, const FitResult& b) { return a.matrix_error < b.matrix_error; });
  report.check("the best fits have relative errors round 20 %",
               fmt::format("least: {:.1f} % at ν = {:.2f}", 100 * least->matrix_error,
                           double(least - with.begin()) / 100),
               std::abs(least->matrix_error - 0.2) < 0.02);
}

void check_displacements(const ExperimentOptions& options, ExperimentReport& report) {
  const double ratios[] = {0.3, 0.45};
  for (const double poisson : ratios) {
    Plot plot{
        .title = fmt::format("Displacements of a loaded cube, ν = {}", poisson),
        .x = {.label = "iterations [1]"},
        .y = {.label = "relative error on test loads [1]", .logarithmic = true},
        .series = {{.label = "fitted by matrix", .x = {}, .y = {}, .markers = true},
                   {.label = "matrix, spread over iterations", .x = {}, .y = {}, .markers = true},
                   {.label = "fitted by displacements", .x = {}, .y = {}, .markers = true}}};
    bool better = true;
    double worst = 0, least_gain = 1e9;
    for (int n = 1; n <= 20; n += options.small && n > 2 ? 5 : 1) {
      FitRequest request;
      request.poisson = poisson;
      request.iterations = n;
      request.objective = FitObjective::kDisplacements;
      const FitResult found = fit_stiffness(request);
      const double errors[] = {found.matrix_test_error, found.spread_matrix_test_error,
                               found.test_error};
      for (std::size_t i = 0; i < 3; ++i) {
        plot.series[i].x.push_back(n);
        plot.series[i].y.push_back(errors[i]);
      }
      better = better && errors[2] < std::min(errors[0], errors[1]);
      worst = std::max(worst, errors[2]);
      least_gain = std::min(least_gain, std::min(errors[0], errors[1]) / errors[2]);
    }
    report.check(
        fmt::format("fitting displacements beats fitting the matrix for 1 to 20 iterations, ν = {} "
                    "(the thesis conjectures it)",
                    poisson),
        fmt::format("error at most {:.1f} %, at least {:.1f}× less than the better of the two",
                    100 * worst, least_gain),
        better);
    report.plot(fmt::format("iterations-{:.0f}", 100 * poisson), std::move(plot));
  }
}

void run(const ExperimentOptions& options, ExperimentReport& report) {
  check_references(report);
  const std::vector<FitResult> with = sweep(FitShear::kDoubled, true);
  const std::vector<FitResult> without = sweep(FitShear::kDoubled, false);
  const std::vector<FitResult> isotropic = sweep(FitShear::kIsotropic, true);
  check_polynomials(with, report);
  check_regression(with, report);
  check_closed_form(isotropic, report);
  check_volume(with, without, report);
  Plot stiffness = stiffness_plot("Stiffnesses of the cube (figures 4.1 and 4.3)", with);
  add_stiffnesses(
      stiffness, [](int i) { return fit::printed_polynomials(i / 100.0); },
      {.label = "", .x = {}, .y = {}, .dashed = true, .colour = 7}, "printed polynomials");
  report.plot("stiffness", std::move(stiffness));
  report.plot("stiffness-no-volume",
              stiffness_plot("Without the volume constraint (figure 4.1)", without));
  report.plot("stiffness-isotropic", stiffness_plot("With isotropic shear", isotropic));

  Plot errors =
      ratio_plot("Relative error of the stiffness matrix (figure 4.4)", "relative error [1]");
  const auto error = [](const FitResult& f) { return f.matrix_error; };
  errors.series = {over_ratios("with the volume constraint", with, error),
                   over_ratios("without it", without, error),
                   over_ratios("with it, isotropic shear", isotropic, error)};
  report.plot("error", std::move(errors));
  check_displacements(options, report);
  check_fitted_bars(options, report);
}

}  // namespace

extern const Experiment k_fit;
const Experiment k_fit = {"fit", "Stiffnesses of position-based dynamics from E and ν",
                          "the fitting thesis, figures 4.1–4.4", run};

}  // namespace sinew
