// Figure 7.3 of Liu: L-BFGS from different first guesses at the Hessian, on the twisting bar.
// By iterations, the Hessian of the frame's start is best; by time, the constant matrix is, because
// nothing has to be factored in a frame.
#include <fmt/format.h>

#include "reproduce/bodies.h"
#include "reproduce/convergence.h"
#include "reproduce/initial_matrices.h"
#include "variational/newton.h"
#include "variational/quasi_newton.h"

namespace sinew {
namespace {

constexpr int kHistory = 5, kIterations = 60;
constexpr double kError = 1e-3;  // to which methods are compared

struct Method {
  const char* name;
  std::unique_ptr<DirectionFinder> finder;
  Convergence convergence = {};
  std::vector<double> errors = {};

  double iterations() const { return iterations_to(errors, kError); }
  double milliseconds() const { return milliseconds_to(convergence, errors, kError); }
};

std::unique_ptr<DirectionFinder> from(std::unique_ptr<InitialMatrix> matrix, std::size_t rows) {
  return std::make_unique<LbfgsFrom>(std::move(matrix), rows, kHistory);
}

std::string count(double iterations) {
  return std::isfinite(iterations) ? fmt::format("{:.0f}", iterations)
                                   : fmt::format("more than {}", kIterations);
}

std::string milliseconds(double time) {
  return std::isfinite(time) ? fmt::format("{:.1f}", time) : "";
}

void compare(const TetMesh& mesh, int turned, ExperimentReport& report) {
  const TwistingBar bar = twisting_bar(mesh, bar_material(), turned);
  Frame frame(bar.body, bar.start);
  std::vector<Row4<Real>> rest(frame.rows());
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    const Vec3& v = mesh.vertices[i];
    rest[i] = {v.x, v.y, v.z, 0};
  }
  const std::size_t rows = frame.rows();
  enum { kIdentity, kRest, kWarped, kFrame, kOurs, kNewton };
  Method methods[] = {
      {"scaled identity", from(std::make_unique<ScaledIdentity>(), rows)},
      {"rest-pose Hessian", from(std::make_unique<RestHessian>(rest), rows)},
      {"warped rest-pose Hessian", from(std::make_unique<WarpedRestHessian>(rest, mesh), rows)},
      {"the frame's own Hessian", from(std::make_unique<FrameHessian>(), rows)},
      {"constant matrix (ours)", std::make_unique<QuasiNewtonDirection>(rows, kHistory)},
      {"none: Newton's method", std::make_unique<NewtonDirection>(rows, Newton{})},
  };
  const double angle = 2 * 0.05 * turned;
  ErrorPlots plots(
      fmt::format("Bar twisted by {:.0f} rad, {} tetrahedra", angle, mesh.cells.size()));
  Table table{fmt::format("Bar twisted by {:.0f} rad, {} tetrahedra: to a relative error of {:g}",
                          angle, mesh.cells.size(), kError),
              {"start of L-BFGS", "iterations", "time [ms]", "error after 10 iterations"},
              {}};
  for (Method& m : methods) {
    const bool newton = &m == &methods[kNewton];
    m.convergence = frame.minimise(*m.finder, {newton ? 8 : kIterations}, newton ? 1 : 3);
    m.errors = frame.errors(m.convergence);
    plots.add(m.name, m.convergence, m.errors);
    table.rows.push_back({m.name, count(m.iterations()), milliseconds(m.milliseconds()),
                          fmt::format("{:.1e}", frame.error(m.convergence, 10))});
  }
  const auto check_fewer = [&](int a, int b, const std::string& claim) {
    report.check(fmt::format("{:.0f} rad: {}", angle, claim),
                 fmt::format("{} against {}", count(methods[a].iterations()),
                             count(methods[b].iterations())),
                 methods[a].iterations() < methods[b].iterations());
  };
  check_fewer(kRest, kIdentity,
              "the rest-pose Hessian needs fewer iterations than a scaled identity (figure 7.3)");
  report.check(
      fmt::format("{:.0f} rad: warped, the rest-pose Hessian needs fewer iterations (figure 7.3)",
                  angle),
      fmt::format("{} against {}", count(methods[kWarped].iterations()),
                  count(methods[kRest].iterations())),
      methods[kWarped].iterations() < methods[kRest].iterations(),
      "The rotations of neighbouring vertices differ by more the stronger the bar is twisted and "
      "the coarser it is. Forces that no longer add up to nothing undo the gain.");
  check_fewer(kOurs, kRest,
              "the constant matrix needs fewer iterations than the rest-pose Hessian (figure 7.3)");
  check_fewer(kFrame, kOurs,
              "the frame's own Hessian needs fewer iterations than the constant matrix "
              "(figure 7.3, right)");
  double soonest = std::numeric_limits<double>::infinity();  // of the others
  for (const Method& m : methods)
    if (&m != &methods[kOurs]) soonest = std::min(soonest, m.milliseconds());
  report.check_time(
      fmt::format("{:.0f} rad: the constant matrix is there first of all (figure 7.3, left)",
                  angle),
      fmt::format("{:.1f} ms, the next {:.1f} ms", methods[kOurs].milliseconds(), soonest),
      methods[kOurs].milliseconds() < soonest);
  report.table(std::move(table));
  const std::string name = fmt::format("{:.0f}-rad", angle);
  report.plot(name + "-iterations", std::move(plots.by_iterations));
  report.plot(name + "-time", std::move(plots.by_time));
}

void run(const ExperimentOptions& options, ExperimentReport& report) {
  const TetMesh mesh = bar_mesh(options);
  compare(mesh, 30, report);
  compare(mesh, 60, report);
  report.note(
      "Neo-Hookean, E = 1 MPa, λ = 5 μ, steps of 1/30 s; the ends turn by 0.05 rad a frame each. "
      "What is constant is factored beforehand and not part of the time.");
}

}  // namespace

extern const Experiment k_hessians;
const Experiment k_hessians = {"hessians", "What L-BFGS starts from", "Liu, figure 7.3", run};

}  // namespace sinew
