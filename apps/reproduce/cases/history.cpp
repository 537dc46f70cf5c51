// Figure 7.5 of Liu: how many steps L-BFGS should remember. Five are enough, and many more do
// little harm.
#include <fmt/format.h>

#include "reproduce/convergence.h"
#include "variational/quasi_newton.h"

namespace sinew {
namespace {

constexpr int kIterations = 60;
constexpr double kError = 1e-5;  // to which lengths are compared

std::string count(double iterations) {
  return std::isfinite(iterations) ? fmt::format("{:.0f}", iterations)
                                   : fmt::format("more than {}", kIterations);
}

void run(const ExperimentOptions& options, ExperimentReport& report) {
  const TetMesh mesh = bar_mesh(options);
  const TwistingBar bar = twisting_bar(mesh, bar_material(), 30);
  Frame frame(bar.body, bar.start);
  ErrorPlots plots(fmt::format("Steps remembered, {} tetrahedra", mesh.cells.size()));
  Table table{
      fmt::format("Twisting bar, {} tetrahedra", mesh.cells.size()),
      {"steps remembered", "error after 10 iterations", fmt::format("iterations to {:g}", kError)},
      {}};
  std::vector<double> after_ten, needed;
  const std::vector<int> lengths{0, 1, 3, 5, 10, 20, 50};
  for (const int length : lengths) {
    QuasiNewtonDirection finder(frame.rows(), length);
    const Convergence c = frame.minimise(finder, {kIterations});
    const std::vector<double> errors = frame.errors(c);
    plots.add(std::to_string(length), c, errors);
    after_ten.push_back(frame.error(c, 10));
    needed.push_back(iterations_to(errors, kError));
    table.rows.push_back(
        {std::to_string(length), fmt::format("{:.1e}", after_ten.back()), count(needed.back())});
  }
  enum { kNone = 0, kFive = 3 };
  // A memory that is longer than the iterations there are is never full: all such are the same.
  std::size_t most = kFive + 1;
  while (most + 1 < lengths.size() && lengths[most + 1] < needed[most + 1]) ++most;
  report.check("five steps win a factor of ten or more over none in ten iterations (§7.2: faster)",
               fmt::format("error {:.1e} against {:.1e}", after_ten[kFive], after_ten[kNone]),
               after_ten[kFive] * 10 <= after_ten[kNone]);
  report.check(
      fmt::format("five steps need no more than half the iterations that none needs to {:g}",
                  kError),
      fmt::format("{} against {}", count(needed[kFive]), count(needed[kNone])),
      2 * needed[kFive] <= needed[kNone]);
  double best = needed[kFive];
  for (std::size_t i = kFive; i <= most; ++i) best = std::min(best, needed[i]);
  report.check(
      fmt::format("longer memories win at most a quarter of the iterations to {:g} (figure 7.5: "
                  "five is best)",
                  kError),
      fmt::format("{} with five, {} at best", count(needed[kFive]), count(best)),
      best >= 0.75 * needed[kFive]);
  report.check(
      fmt::format("{} steps are at most slightly worse than five: a quarter more iterations "
                  "(figure 7.5)",
                  lengths[most]),
      fmt::format("{} against {}", count(needed[most]), count(needed[kFive])),
      needed[most] <= 1.25 * needed[kFive]);
  report.note(fmt::format(
      "Memories of more than {} steps are not compared: the iterations end before they are full.",
      lengths[most]));
  report.table(std::move(table));
  report.plot("iterations", std::move(plots.by_iterations));
}

}  // namespace

extern const Experiment k_history;
const Experiment k_history = {"history", "How many steps L-BFGS remembers", "Liu, figure 7.5", run};

}  // namespace sinew
