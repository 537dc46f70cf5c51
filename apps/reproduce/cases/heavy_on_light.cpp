// Five light cubes under one that weighs 100 times as much: the ratio of masses that iterative
// solvers find hardest.
#include <fmt/format.h>

#include "reproduce/peers/compare.h"

namespace sinew {
namespace {

void run(const ExperimentOptions& options, ExperimentReport& report) {
  constexpr int kCubes = 6;
  constexpr Real kRatio = 100;
  const Comparison comparison(
      options, {.build = [](Stage& stage) { return build_column(stage, kCubes, kRatio); },
                .seconds = 5,
                .alone = options.small ? 0 : 15.0});
  const Outcome& ours = comparison.ours();
  check_stands(ours, "the stack", report);
  report.check("no cube is more than 2 cm from its place",
               fmt::format("{:.1f} mm sideways, {:.1f} mm up or down", ours.last.horizontal * 1e3,
                           ours.last.vertical * 1e3),
               ours.last.finite && ours.last.drift() <= 0.02);
  comparison.tell("Five cubes under one 100 times heavier", 0, report);
  report.note(
      "Friction is 0.2, cubes are 1 m wide. Where stacks have fallen, few cubes are in "
      "contact, and steps are cheap.");
}

}  // namespace

extern const Experiment k_heavy_on_light;
const Experiment k_heavy_on_light = {"heavy-on-light", "Heavy on light", "beside Bullet and ODE",
                                     run};

}  // namespace sinew
