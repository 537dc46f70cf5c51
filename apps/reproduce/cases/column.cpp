// 35 cubes upon each other: the lowest carries 34 times its weight, and any error tips the column.
#include <fmt/format.h>

#include "reproduce/peers/compare.h"

namespace sinew {
namespace {

void run(const ExperimentOptions& options, ExperimentReport& report) {
  const int cubes = options.small ? 15 : 35;
  const Comparison comparison(options,
                              {.build = [=](Stage& stage) { return build_column(stage, cubes, 1); },
                               .seconds = 5,
                               .alone = options.small ? 0 : 15.0});
  const Outcome& ours = comparison.ours();
  check_stands(ours, "the column", report);
  report.check("no cube is more than 2 cm from its place",
               fmt::format("{:.1f} mm sideways, {:.1f} mm up or down", ours.last.horizontal * 1e3,
                           ours.last.vertical * 1e3),
               ours.last.finite && ours.last.drift() <= 0.02);
  comparison.tell(fmt::format("Column of {} cubes", cubes), 1, report);
  report.note(
      "Friction is 0.2, cubes are 1 m wide. Where columns have fallen, few are in contact, "
      "and steps are cheap.");
}

}  // namespace

extern const Experiment k_column;
const Experiment k_column = {"column", "A column of 35 cubes", "beside Bullet and ODE", run};

}  // namespace sinew
