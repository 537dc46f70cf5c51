// A house of cards, three storeys high: thin boxes that touch along edges, held by friction alone.
#include <fmt/format.h>

#include "reproduce/peers/compare.h"

namespace sinew {
namespace {

void run(const ExperimentOptions& options, ExperimentReport& report) {
  constexpr int kStoreys = 3;
  const Comparison comparison(
      options, {.build = [](Stage& stage) { return build_card_house(stage, kStoreys); },
                .seconds = 5,
                .alone = options.small ? 0 : 15.0});
  check_stands(comparison.ours(), "the house", report);
  comparison.tell(fmt::format("House of {} cards", comparison.ours().last.bodies), 0, report);
  report.note(
      "Friction is 0.8, cards are 1 m high and 2 cm thick and lean by 20°. Where the house "
      "has fallen, steps are cheap.");
}

}  // namespace

extern const Experiment k_card_house;
const Experiment k_card_house = {"card-house", "A house of cards", "beside Bullet and ODE", run};

}  // namespace sinew
