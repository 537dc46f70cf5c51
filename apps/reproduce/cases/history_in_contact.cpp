// Liu, §7.3: where contacts come and go, the history of L-BFGS becomes less useful, and it may help
// to shorten it by the number of new contacts. The document shows no figure. Here a soft ball falls
// on the ground, which is an energy that the constant matrix does not know (§8.5).
#include <fmt/format.h>

#include "collision/contact_energy.h"
#include "math/lbfgs.h"
#include "reproduce/bodies.h"
#include "reproduce/convergence.h"
#include "variational/constant_metric.h"

namespace sinew {
namespace {

constexpr int kHistory = 5, kIterations = 200;
constexpr double kError = 1e-4;

// L-BFGS from the constant matrix, which forgets so many of the oldest pairs for every new contact:
// a vertex that is below the ground y = 0 and was not in the last iteration.
class Shortened final : public DirectionFinder {
 public:
  Shortened(std::size_t rows, int history, double for_each)
      : touching_(rows), length_(history), for_each_(for_each) {
    history_.resize(rows, history);
  }

  bool begin(const Objective& objective, ConstRows target, Real h) override {
    history_.forget();
    iteration_ = new_contacts_ = 0;
    return metric_.prepare(objective, target, h);
  }
  bool find(Objective&, ConstRows x, ConstRows gradient, Rows direction, Executor&) override {
    const int fresh = update_contacts(x);
    if (iteration_ > 0) {
      new_contacts_ += fresh;
      history_.forget_before(iteration_ - std::max(0.0, length_ - for_each_ * fresh));
    }
    history_.before(gradient, direction);
    metric_.solve(direction);
    history_.after(direction);
    ++iteration_;
    return true;
  }
  void learn(ConstRows x_before, ConstRows x, ConstRows gradient_before,
             ConstRows gradient) override {
    history_.learn(x_before, x, gradient_before, gradient, iteration_ - 1);
  }
  bool forget() override {
    const bool learnt = history_.count() > 0;
    history_.forget();
    return learnt;
  }
  // In the last minimisation.
  int new_contacts() const { return new_contacts_; }

 private:
  int update_contacts(ConstRows x) {
    int fresh = 0;
    for (std::size_t i = 0; i < touching_.size(); ++i) {
      const char now = x[i].w > 0 && x[i].y < 0;
      fresh += now && !touching_[i];
      touching_[i] = now;
    }
    return fresh;
  }

  ConstantMetric metric_;
  Lbfgs history_;
  std::vector<char> touching_;
  int length_;
  double for_each_;
  int iteration_ = 0, new_contacts_ = 0;
};

struct Way {
  const char* name;
  int history;
  double for_each;                    // pairs forgotten
  double on_ground = 0, without = 0;  // iterations to kError, over all frames
};

// Iterations to kError, or one more than there are.
double needed(Frame& frame, DirectionFinder& finder) {
  const std::vector<double> errors = frame.errors(frame.minimise(finder, {kIterations}, 0));
  return std::min(iterations_to(errors, kError), kIterations + 1.0);
}

// Adds what every way needs for each of the frames; returns how many contacts were new in all.
int fall(const ExperimentOptions& options, std::span<const int> frames, std::span<Way> ways) {
  SoftBody body{.mesh = sphere_tets(Real(0.3), options.small ? 6 : 12),
                .material = Corotated{.young = Real(3e4), .poisson = Real(0.4)},
                .solver = QuasiNewton{.iterations = 50},
                .velocity = {0, -5, 0}};
  body.pose.position = {0, Real(0.32), 0};
  const StaticBody ground{.shape = Plane{}};
  const Obstacle obstacles[] = {{&ground, 0}};
  World world;
  world.add(ground);
  const SoftId id = world.add(body);
  int new_contacts = 0;
  for (int now = 0; now <= frames.back(); world.step(Real(1.0 / 30)), ++now) {
    if (std::find(frames.begin(), frames.end(), now) == frames.end()) continue;
    const FrameStart start{.position = world.positions(id),
                           .velocity = world.velocities(id),
                           .gravity = world.settings().gravity};
    Frame touching(body, start), free(body, start);
    ContactEnergy contact;
    contact.resize(int(touching.rows() / kLanes), 0);
    contact.begin(obstacles, touching.target().data(), touching.h(), {});
    touching.add_passing(contact);
    for (Way& way : ways) {
      Shortened finder(touching.rows(), way.history, way.for_each);
      way.on_ground += needed(touching, finder);
      if (way.history == kHistory && way.for_each == 0) new_contacts += finder.new_contacts();
      if (way.for_each == 0) way.without += needed(free, finder);
    }
  }
  return new_contacts;
}

void run(const ExperimentOptions& options, ExperimentReport& report) {
  enum { kNone, kFive = 3, kOneEach = 5 };
  Way ways[] = {{"none remembered", 0, 0},
                {"one", 1, 0},
                {"two", 2, 0},
                {"five", kHistory, 0},
                {"ten", 10, 0},
                {"five, one less for each new contact", kHistory, 1},
                {"five, one less for ten new contacts", kHistory, 0.1}};
  const std::vector<int> frames =
      options.small ? std::vector<int>{2, 4} : std::vector<int>{1, 2, 3, 4, 5, 6};
  const int new_contacts = fall(options, frames, ways);
  report.check("contacts come and go: ten new ones or more in a frame, between iterations",
               fmt::format("{} in {} frames", new_contacts, frames.size()),
               new_contacts >= 10 * int(frames.size()));
  const double win = ways[kNone].on_ground / ways[kFive].on_ground;
  const double win_without = ways[kNone].without / ways[kFive].without;
  report.check(
      "five remembered win fewer iterations on the ground than without it (§7.3: less useful)",
      fmt::format("{:.1f} times fewer than none against {:.1f}", win, win_without),
      win < win_without,
      "The constant matrix knows nothing of contact. Without a history, it takes longer on the "
      "ground, and the history makes up for that.");
  report.check(
      "one less for each new contact needs fewer iterations than always five (§7.3: may help)",
      fmt::format("{} against {} in {} frames", ways[kOneEach].on_ground, ways[kFive].on_ground,
                  frames.size()),
      ways[kOneEach].on_ground < ways[kFive].on_ground,
      "Pairs that are dropped know of the body, too, and that is missed more than what they say "
      "wrongly of contacts harms.");
  Table table{
      fmt::format("Iterations to an error of {:g}, sums over {} frames", kError, frames.size()),
      {"history", "on the ground", "without the ground"},
      {}};
  for (const Way& way : ways)
    table.rows.push_back({way.name, fmt::format("{}", way.on_ground),
                          way.for_each > 0 ? "–" : fmt::format("{}", way.without)});
  report.table(std::move(table));
  report.note(fmt::format(
      "A ball of 60 cm, corotated, E = 30 kPa, ν = 0.4, at 5 m/s, steps of 1/30 s. The same frames "
      "are solved with the ground and without. Of more than {} iterations, {} are counted.",
      kIterations, kIterations + 1));
}

}  // namespace

extern const Experiment k_history_in_contact;
const Experiment k_history_in_contact = {
    "history-in-contact", "The memory of L-BFGS where contacts come and go", "Liu, §7.3", run};

}  // namespace sinew
