#include "reproduce/fitted_bars.h"

#include <fmt/format.h>
#include <sinew/fit.h>
#include <sinew/generators.h>
#include <sinew/world.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

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

}  // namespace

void check_fitted_bars(const ExperimentOptions& options, ExperimentReport& report) {
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

}  // namespace sinew
