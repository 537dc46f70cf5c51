// A pyramid of 1,240 cubes with some 5,000 pairs in contact: what a step of a large stack costs.
#include <fmt/format.h>

#include "reproduce/peers/compare.h"

namespace sinew {
namespace {

void run(const ExperimentOptions& options, ExperimentReport& report) {
  const int layers = options.small ? 5 : 15;
  const Comparison comparison(options,
                              {.build = [=](Stage& stage) { return build_pyramid(stage, layers); },
                               .seconds = options.small ? 1 : 5.0});
  const Outcome& ours = comparison.ours();
  check_stands(ours, "the pyramid", report);
  report.check("no cube is more than 1 cm from its place",
               fmt::format("{:.1f} mm sideways, {:.1f} mm up or down", ours.last.horizontal * 1e3,
                           ours.last.vertical * 1e3),
               ours.last.finite && ours.last.drift() <= 0.01);
  comparison.tell(fmt::format("Pyramid of {} cubes", ours.last.bodies), 3, report);
  report.note("Friction is 0.2, cubes are 2 m wide; no engine may sleep.");
}

}  // namespace

extern const Experiment k_pyramid;
const Experiment k_pyramid = {"pyramid", "A pyramid of 1,240 cubes", "beside Bullet and ODE", run};

}  // namespace sinew
