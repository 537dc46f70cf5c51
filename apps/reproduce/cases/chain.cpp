// A chain of 50 links with a weight of a thousand links at its end, swinging.
#include <fmt/format.h>

#include "reproduce/peers/compare.h"

namespace sinew {
namespace {

void run(const ExperimentOptions& options, ExperimentReport& report) {
  const int links = options.small ? 20 : 50;
  const Comparison comparison(
      options, {.build = [=](Stage& stage) { return build_chain(stage, links, 1000); },
                .seconds = options.small ? 2 : 5.0,
                .alone = options.small ? 0 : 15.0,
                .bullet_iterations = 300});
  const Outcome& ours = comparison.ours();
  report.check(
      fmt::format("no joint ever opens by more than 1 % of a link in {:g} s", ours.last.time),
      fmt::format("{:.3f} %", ours.stretch * 100), ours.last.finite && ours.stretch <= 0.01);
  comparison.tell(fmt::format("Chain of {} links, 1000 : 1", links), 0, report);
}

}  // namespace

extern const Experiment k_chain;
const Experiment k_chain = {"chain", "A weight on a chain", "beside Bullet and ODE", run};

}  // namespace sinew
