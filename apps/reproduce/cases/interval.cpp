// Figure 7.6 of Liu: the stretches over which the stiffness of the constant matrix is fitted
// (eq. 7.14) matter little.
#include <fmt/format.h>

#include "reproduce/convergence.h"
#include "variational/mean_stiffness.h"
#include "variational/quasi_newton.h"

namespace sinew {
namespace {

constexpr int kIterations = 60, kHistory = 5;
constexpr double kError = 1e-4;

void run(const ExperimentOptions& options, ExperimentReport& report) {
  const TetMesh mesh = bar_mesh(options);
  const NeoHookean material = bar_material();
  const TwistingBar bar = twisting_bar(mesh, material, 30);
  ErrorPlots plots(fmt::format("Stretches of eq. 7.14, {} tetrahedra", mesh.cells.size()));
  Table table{fmt::format("Twisting bar, Neo-Hookean, {} tetrahedra", mesh.cells.size()),
              {"stretches", "k by E", "error after 10 iterations",
               fmt::format("iterations to {:g}", kError)},
              {}};
  double least = std::numeric_limits<double>::infinity(), most = 0, ours = 0;
  const std::pair<double, double> intervals[] = {{0.99, 1.01}, {0.9, 1.1}, {0.8, 1.2}, {0.7, 1.3},
                                                 {0.5, 1.5},   {0.3, 1.7}, {0.3, 3},   {0.1, 2}};
  for (const auto& [low, high] : intervals) {
    SoftBody body = bar.body;
    body.solver = QuasiNewton{.stretch_min = Real(low), .stretch_max = Real(high)};
    Frame frame(body, bar.start);
    QuasiNewtonDirection finder(frame.rows(), kHistory);
    const Convergence c = frame.minimise(finder, {kIterations});
    const std::vector<double> errors = frame.errors(c);
    const double needed = iterations_to(errors, kError);
    const std::string name = fmt::format("{:g} to {:g}", low, high);
    plots.add(name, c, errors);
    table.rows.push_back(
        {name, fmt::format("{:.2f}", mean_stiffness(material, low, high) / material.young),
         fmt::format("{:.1e}", frame.error(c, 10)), fmt::format("{:.0f}", needed)});
    least = std::min(least, needed);
    most = std::max(most, needed);
    if (low == 0.5) ours = needed;
  }
  report.check(fmt::format("to an error of {:g}, the worst interval needs at most twice the "
                           "iterations of the best (figure 7.6: quite similar)",
                           kError),
               fmt::format("{:.0f} to {:.0f}", least, most), most <= 2 * least);
  report.check("0.5 to 1.5, the default, needs at most a third more than the best",
               fmt::format("{:.0f} against {:.0f}", ours, least), ours <= least * 4 / 3);
  report.table(std::move(table));
  report.plot("iterations", std::move(plots.by_iterations));
}

}  // namespace

extern const Experiment k_interval;
const Experiment k_interval = {"interval", "The stretches that the constant matrix is fitted to",
                               "Liu, figure 7.6", run};

}  // namespace sinew
