// 500 polyhedra let fall between four walls.
#include <fmt/format.h>

#include "reproduce/peers/compare.h"

namespace sinew {
namespace {

void run(const ExperimentOptions& options, ExperimentReport& report) {
  const int count = options.small ? 50 : 500;
  const Comparison comparison(
      options, {.build = [=](Stage& stage) { return build_convex_pile(stage, count); },
                .seconds = options.small ? 6 : 10.0});
  const Moment& last = comparison.ours().last;
  report.check(
      fmt::format("the pile has come to rest after {:g} s: nothing moves faster than 5 cm/s",
                  last.time),
      fmt::format("{:.1f} cm/s", last.speed * 100), last.finite && last.speed <= 0.05);
  report.check("all are inside the walls and above the floor",
               fmt::format("centres within {:.2f} m of the middle (walls: 4 m), lowest {:.2f} m",
                           last.reach, last.lowest),
               last.reach < 4 && last.lowest > 0);
  report.check("nothing is inside something else by 1 cm or more",
               fmt::format("{:.1f} mm", last.penetration * 1e3), last.penetration < 0.01);
  comparison.tell(fmt::format("Pile of {} polyhedra", count), 1, report);
  report.note(
      "Penetration is measured by brute force, over all directions in which two polyhedra "
      "can be separated. Bullet's polyhedra have a margin of 4 cm around them, which is not "
      "counted.");
}

}  // namespace

extern const Experiment k_convex_pile;
const Experiment k_convex_pile = {"convex-pile", "A pile of polyhedra", "beside Bullet and ODE",
                                  run};

}  // namespace sinew
