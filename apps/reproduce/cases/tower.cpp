// A round tower of 700 cubes (Kenwright and Morgan, figure 12): a stack is as good as its slowest
// error. It must stand, stay where it was built, fall asleep, and cost little.
#include <fmt/format.h>

#include "reproduce/peers/compare.h"

namespace sinew {
namespace {

void run(const ExperimentOptions& options, ExperimentReport& report) {
  const int rings = options.small ? 8 : 35, cubes = options.small ? 12 : 20;
  const double alone = options.small ? 2 : 15;
  Trial trial{.build = [=](Stage& stage) { return build_tower(stage, rings, cubes); },
              .seconds = options.small ? 2 : 5.0,
              .alone = alone};
  const Comparison comparison(options, trial);
  const Outcome& ours = comparison.ours();
  check_stands(ours, "the tower", report);
  report.check(fmt::format("no cube is more than 2 cm from its place after {:g} s", ours.last.time),
               fmt::format("{:.1f} mm sideways, {:.1f} mm up or down", ours.last.horizontal * 1e3,
                           ours.last.vertical * 1e3),
               ours.last.finite && ours.last.drift() <= 0.02);
  if (const Outcome* bullet = comparison.bullet())
    report.check(
        fmt::format("it drifts at most a tenth as far as Bullet's in {:g} s", trial.seconds),
        fmt::format("{:.1f} mm against {:.1f} mm", ours.compared.drift() * 1e3,
                    bullet->compared.drift() * 1e3),
        ours.compared.drift() * 10 <= bullet->compared.drift());
  comparison.tell(fmt::format("Tower of {} cubes", rings * cubes), 6, report);

  trial.sleeping = true;
  const Moment asleep = run_alone(make_sinew_stage(true), trial).last;
  report.check(fmt::format("allowed to sleep, all cubes do so within {:g} s", asleep.time),
               fmt::format("{} of {}", asleep.asleep, asleep.bodies),
               asleep.asleep == asleep.bodies && asleep.fallen == 0);
  report.note("Friction is 0.2, cubes are 1 m wide and weigh a tonne; no engine may sleep.");
  report.note(
      "Here and in the other comparisons, Bullet (float, 10 iterations) and ODE (double, QuickStep "
      "with 20) are Debian's builds for any x86-64 processor with the settings that they come "
      "with, "
      "and ODE's surface layer and speed of correction are those of its demonstrations. With more "
      "and shorter steps they are stiffer, and cost more. Engines take turns in one process.");
}

}  // namespace

extern const Experiment k_tower;
const Experiment k_tower = {"tower", "A tower of 700 cubes",
                            "Kenwright and Morgan, figure 12; beside Bullet and ODE", run};

}  // namespace sinew
