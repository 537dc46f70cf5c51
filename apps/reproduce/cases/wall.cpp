// A wall of bricks that a ball of 1.8 t flies into with 15 m/s.
#include <fmt/format.h>

#include "reproduce/peers/compare.h"

namespace sinew {
namespace {

void run(const ExperimentOptions& options, ExperimentReport& report) {
  const int rows = options.small ? 6 : 12, bricks = options.small ? 8 : 20;
  constexpr double kSpeed = 15;
  const Comparison comparison(
      options, {.build = [=](Stage& stage) { return build_wall(stage, rows, bricks); },
                .seconds = options.small ? 1 : 3.0});
  const Outcome& ours = comparison.ours();
  report.check("the wall is broken: ten bricks or more are further than 1 m from their place",
               fmt::format("{} of {}", ours.last.fallen - 1, rows * bricks),
               ours.last.fallen - 1 >= 10);
  report.check("nothing explodes: no body is ever faster than twice the ball was",
               fmt::format("{:.1f} m/s", ours.top_speed),
               ours.last.finite && ours.top_speed <= 2 * kSpeed);
  report.check("nothing falls through the floor: no centre is ever below it",
               fmt::format("{:.3f} m", ours.lowest), ours.lowest > 0);
  comparison.tell(fmt::format("Wall of {} bricks", rows * bricks), 1, report);
}

}  // namespace

extern const Experiment k_wall;
const Experiment k_wall = {"wall", "A ball through a wall", "beside Bullet and ODE", run};

}  // namespace sinew
