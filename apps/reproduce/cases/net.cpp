// A net of 900 knots and their rods, with a ball in it that weighs more than all knots together
// and a thousand times one of them: at rest at first, and falling on the net (Kenwright and Morgan,
// figure 11).
#include <fmt/format.h>

#include "reproduce/peers/compare.h"

namespace sinew {
namespace {

// Kenwright and Morgan, figure 11: the ball falls on the net.
void drop(const ExperimentOptions& options, int side, ExperimentReport& report) {
  const Real fall = 3;
  const Comparison comparison(
      options, {.build = [=](Stage& stage) { return build_net(stage, side, 1000, fall); },
                .seconds = options.small ? 2 : 5.0,
                .closely = true});
  const Outcome& ours = comparison.ours();
  const std::string reason =
      "The direct solution of the rods comes after the sweep over contacts and takes back what a "
      "knot of a thousandth of the ball's mass was pushed by; the ball feels that mass alone.";
  report.check(
      fmt::format("figure 11: the net catches a ball that falls {:g} m", double(fall)),
      fmt::format("centre of the ball {:.2f} m above the ground, {:.2f} m at the lowest of all "
                  "bodies",
                  double(ours.last.watched.y), ours.lowest),
      ours.last.finite && ours.last.watched.y > 1 && ours.last.fallen == 0);
  report.check("figure 11: no rod is ever longer or shorter than it was by more than 5 %",
               fmt::format("{:.2f} %", ours.stretch * 100), ours.stretch <= 0.05, reason);
  report.check("figure 11: the ball is never in a knot by more than 5 mm, a tenth of its radius",
               fmt::format("{:.1f} mm", ours.penetration * 1e3), ours.penetration <= 0.005, reason);
  comparison.tell(
      fmt::format("Figure 11: a ball falls {:g} m on {} × {} knots", double(fall), side, side), 0,
      report);
}

void run(const ExperimentOptions& options, ExperimentReport& report) {
  const int side = options.small ? 12 : 30;
  const Comparison comparison(options,
                              {.build = [=](Stage& stage) { return build_net(stage, side, 1000); },
                               .seconds = options.small ? 2 : 5.0,
                               .bullet_iterations = 200});
  const Outcome& ours = comparison.ours();
  report.check("the net holds the ball",
               fmt::format("centre of the ball {:.2f} m above the ground, {:.2f} m at the lowest "
                           "of all bodies",
                           double(ours.last.watched.y), ours.lowest),
               ours.last.finite && ours.last.watched.y > 1 && ours.last.fallen == 0);
  report.check("no rod is ever longer or shorter than it was by more than 5 %",
               fmt::format("{:.2f} %", ours.stretch * 100), ours.stretch <= 0.05);
  comparison.tell(fmt::format("Net of {} × {} knots", side, side), 0, report);
  drop(options, side, report);
  report.note(
      "Bullet has no rods: they are a constraint of one row, with Bullet's own share of "
      "the error to be mended in a step.");
}

}  // namespace

extern const Experiment k_net;
const Experiment k_net = {"net", "A ball in a net",
                          "Kenwright and Morgan, figure 11; beside Bullet and ODE", run};

}  // namespace sinew
