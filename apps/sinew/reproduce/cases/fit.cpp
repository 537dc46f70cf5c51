// The stiffnesses of a cube of plain position-based dynamics that is to be like a finite element
// (seed 003, chapter 4): the fit and its polynomials, with and without the volume constraint, and
// what the seed only expects of fitting displacements and of counting iterations. Then bars in a
// World, each fitted in its mesh, against finite elements.
#include <fmt/format.h>
#include <sinew/fit.h>
#include <sinew/generators.h>
#include <sinew/world.h>

#include <algorithm>
#include <cmath>

#include "fit/references.h"
#include "reproduce/experiment.h"

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
  request.finite_differences = true;  // as the seed takes them
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
  Table table{"Fitted stiffnesses, shear as in the seed",
              {"Poisson's ratio [1]", "volume constraint", "edge [1]", "face [1]", "diagonal [1]",
               "volume [1]", "relative error [%]"},
              {}};
  const auto add = [&](const fit::Reference& r, bool volume) {
    const FitResult found = fit_stiffness(request_for(r.poisson, FitShear::kSeed, volume));
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

void check_closed_form(const std::vector<FitResult>& isotropic, ExperimentReport& report) {
  double worst = 0;
  for (int i = 0; i < kRatios; ++i)
    worst = std::max(worst, difference(isotropic[std::size_t(i)].stiffness,
                                       fit::closed_form(i / 100.0, FitShear::kIsotropic, true)));
  report.check("with isotropic shear, too, the fit is the closed solution within 1e-8",
               fmt::format("worst of {} ratios: {:.1e}", kRatios, worst), worst < 1e-8);
  report.note(
      "The seed's elasticity matrix has 1 − 2ν where isotropic elasticity has (1 − 2ν)/2, and so "
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
                    "(the seed conjectures it)",
                    poisson),
        fmt::format("error at most {:.1f} %, at least {:.1f}× less than the better of the two",
                    100 * worst, least_gain),
        better);
    report.plot(fmt::format("iterations-{:.0f}", 100 * poisson), std::move(plot));
  }
}

// ------------------------------------------------------------------------------- in a World

constexpr double kCell = 0.1, kYoung = 1e5, kDensity = 1000, kSubstep = 3e-3;

// A bar along x of eight-point hexahedra, held where x = 0.
SoftBody make_bar(Cells3 cells, double poisson) {
  HexMesh mesh =
      box_hexes({Real(kCell * cells[0]), Real(kCell * cells[1]), Real(kCell * cells[2])}, cells);
  SoftBody bar{.material = Linear{.young = Real(kYoung), .poisson = Real(poisson)},
               .density = Real(kDensity),
               .integration = HexIntegration::kEightPoint};
  Real least = 0;
  for (const Vec3& x : mesh.vertices) least = std::min(least, x.x);
  for (Vec3& x : mesh.vertices) x.x -= least;
  for (Index i = 0; i < mesh.vertices.size(); ++i)
    if (mesh.vertices[i].x < Real(1e-4)) bar.pins.push_back(i);
  bar.mesh = std::move(mesh);
  return bar;
}

double mean_sag(const World& world, SoftId id, const BodyMesh& rest) {
  double sum = 0;
  const std::span<const Vec3> at_rest = vertices_of(rest);
  const std::vector<Vec3> now = world.positions(id);
  for (std::size_t i = 0; i < now.size(); ++i) sum += double(at_rest[i].y) - double(now[i].y);
  return sum / double(now.size());
}

// With which a beam of these cells sags by less than a tenth of its length.
double gentle_gravity(Cells3 cells) {
  const double length = kCell * cells[0], height = kCell * cells[1];
  const double bending = 1.5 * kDensity * std::pow(length, 4) / (kYoung * height * height);
  const double shear = 1.3 * kDensity * length * length / kYoung;
  return 0.1 * length / (bending + shear);
}

struct Resting {
  double sag;
  std::vector<Vec3> positions;
};

Resting finite_elements(SoftBody bar, double gravity) {
  bar.solver = Newton{};
  World world({.gravity = {0, Real(-gravity), 0}});
  const SoftId id = world.add(bar);
  world.find_equilibrium(id);
  return {mean_sag(world, id, bar.mesh), world.positions(id)};
}

// Sag in World with plain constraints, by that of finite elements, where it starts from.
double plain_sag(SoftBody bar, const PlainCells& cells, double gravity, int iterations,
                 const Resting& truth) {
  const double frequency = std::sqrt(gravity / truth.sag);  // of the first bending mode, about
  bar.material = None{};
  bar.constraints = {cells};
  bar.drag = Real(2 * frequency);
  World world({.gravity = {0, Real(-gravity), 0}, .substeps = 1, .iterations = iterations});
  const SoftId id = world.add(bar);
  world.set_positions(id, truth.positions);
  const int steps = int(12 / (frequency * kSubstep));
  for (int i = 0; i < steps; ++i) world.step(Real(kSubstep));
  return mean_sag(world, id, bar.mesh) / truth.sag;
}

// The stiffnesses of a single cell, divided among the cells at a vertex, as was advised before
// bodies could be fitted.
PlainCells of_one_cell(Cells3 cells, double poisson, int iterations) {
  FitRequest request;
  request.poisson = poisson;
  request.step = kSubstep;
  request.iterations = iterations;
  request.objective = FitObjective::kDisplacements;
  request.vertex_mass = kDensity * kCell * kCell * kCell /
                        (cells[1] > 1   ? 1
                         : cells[0] > 1 ? 4
                                        : 8);
  const PbdStiffness k = fit_stiffness(request).stiffness;
  const auto whole = [&](double one) { return Real(1 - std::pow(1 - one, iterations)); };
  return {.edge = whole(k.edge),
          .face = whole(k.face),
          .diagonal = whole(k.diagonal),
          .volume = std::min(2 * whole(k.volume / 2), Real(1))};
}

void check_world(const ExperimentOptions& options, ExperimentReport& report) {
  const std::vector<Cells3> meshes = {{1, 1, 1}, {10, 1, 1}, {10, 2, 2}, {10, 4, 4}};
  const std::vector<double> ratios =
      options.small ? std::vector{0.0, 0.45} : std::vector{0.0, 0.15, 0.3, 0.4, 0.45};
  const std::vector<int> iterations =
      options.small ? std::vector{1, 5} : std::vector{1, 2, 5, 10, 20};
  for (const Cells3& cells : meshes) {
    const std::string name = fmt::format("{}×{}×{}", cells[0], cells[1], cells[2]);
    Table table{fmt::format("Sag of a bar of {} cells in World, by that of finite elements", name),
                {"Poisson's ratio [1]", "iterations [1]", "fitted in its mesh [1]",
                 "the fit expects [1]", "stiffnesses of one cell [1]"},
                {}};
    const double gravity = gentle_gravity(cells);
    double least = INFINITY, most = 0;
    bool reachable = true;
    for (const double poisson : ratios) {
      const SoftBody bar = make_bar(cells, poisson);
      const Resting truth = finite_elements(bar, gravity);
      for (const int n : iterations) {
        const BodyFit fit = fit_body(
            bar, {.substep = kSubstep, .iterations = n, .gravity = {0, Real(-gravity), 0}});
        const double sag = plain_sag(bar, fit.constraint, gravity, n, truth);
        const double one = plain_sag(bar, of_one_cell(cells, poisson, n), gravity, n, truth);
        least = std::min(least, sag), most = std::max(most, sag);
        reachable = reachable && fit.reachable;
        table.rows.push_back({fmt::format("{:.2f}", poisson), fmt::format("{}", n),
                              fmt::format("{:.3f}", sag), fmt::format("{:.3f}", fit.sag_ratio),
                              fmt::format("{:.3f}", one)});
      }
    }
    report.check(fmt::format("{} cells, ν 0 to 0.45, {} to {} iterations: sag in World within 15 % "
                             "of eight-point finite elements",
                             name, iterations.front(), iterations.back()),
                 fmt::format("{:.3f} to {:.3f}", least, most),
                 reachable && least > 0.85 && most < 1.15);
    report.table(std::move(table));
  }
  // Timoshenko's beam, the mean over its length: bending 0.6 ρgL⁴/(Eh²) and shear 0.8 ρgL²/E.
  const Cells3 thick = {10, 4, 4};
  const double gravity = gentle_gravity(thick), length = kCell * thick[0];
  const double beam = kDensity * gravity * length * length / kYoung *
                      (0.6 * std::pow(double(thick[0]) / thick[1], 2) + 0.8);
  const double found = finite_elements(make_bar(thick, 0), gravity).sag;
  report.check("the finite elements, 10×4×4 at ν = 0, are within 5 % of Timoshenko's beam",
               fmt::format("{:.3f} of its mean sag", found / beam),
               std::abs(found / beam - 1) < 0.05);
  report.note(
      "Bars are held at one end, of cubes of 0.1 m with E = 100 kPa, in substeps of 3 ms; gravity "
      "is as weak as small displacements need. Finite elements are those of the solver newton.");
}

void run(const ExperimentOptions& options, ExperimentReport& report) {
  check_references(report);
  const std::vector<FitResult> with = sweep(FitShear::kSeed, true);
  const std::vector<FitResult> without = sweep(FitShear::kSeed, false);
  const std::vector<FitResult> isotropic = sweep(FitShear::kIsotropic, true);
  check_polynomials(with, report);
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
  check_world(options, report);
}

}  // namespace

extern const Experiment k_fit;
const Experiment k_fit = {"fit", "Stiffnesses of position-based dynamics from E and ν",
                          "seed 003, figures 4.1–4.4", run};

}  // namespace sinew
