// One scene in every engine, in one process and in turn: what a step costs, and how well bodies
// stay where they should.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "reproduce/experiment.h"
#include "reproduce/peers/scenes.h"

namespace sinew {

// Of all bodies that move, at one time.
struct Moment {
  double time = 0;                      // [s]
  double horizontal = 0, vertical = 0;  // largest way from the start [m]
  double speed = 0;                     // largest [m/s]
  double lowest = 0;                    // height of the lowest centre [m]
  double reach = 0;                     // largest |x| or |z| of a centre [m]
  double stretch = 0;                   // of links: largest share
  // Of boxes and polyhedra in each other, of spheres in each other, of anything in the ground [m].
  double penetration = 0;
  int fallen = 0, asleep = 0, bodies = 0;
  Vec3 watched = {};  // where the body is that matters
  bool finite = true;

  double drift() const { return std::max(horizontal, vertical); }
};

struct Outcome {
  std::string engine;
  double median = 0, mean = 0, p99 = 0, slowest = 0;  // of a step, in the time compared [ms]
  Moment compared = {};    // at the end of the time that engines are compared in
  Moment last = {};        // at the end
  double top_speed = 0;    // largest ever [m/s]
  double stretch = 0;      // largest ever
  double penetration = 0;  // largest ever of the moments measured closely [m]
  int overlaps = 0;        // of these moments, with more than Trial::overlap
  double lowest = std::numeric_limits<double>::infinity();  // height of a centre, ever [m]
};

struct Trial {
  std::function<Placed(Stage&)> build;
  double seconds = 5;  // that engines are compared in
  double alone = 0;    // that Sinew goes on for [s]
  bool sleeping = false;
  bool closely = false;   // penetration is measured in every step, not at the ends alone
  double overlap = 5e-3;  // moments with more of it are counted [m]
  // Where its ten do not hold: Bullet once more, with so many that it takes longer than Sinew.
  int bullet_iterations = 0;
};

constexpr double kFrame = 1.0 / 60;  // what a step is long, in every engine [s]

// Runs a scene on one engine, to the end of the time alone.
Outcome run_alone(std::unique_ptr<Stage> stage, const Trial& trial);

// A scene on all engines: Sinew first, then those that it was built with (at small size: none).
class Comparison {
 public:
  Comparison(const ExperimentOptions& options, const Trial& trial);

  const Outcome& ours() const { return outcomes_.front(); }
  const Outcome* bullet() const;          // null: was not run
  const Outcome* patient_bullet() const;  // the same, with more iterations

  // Adds the table, and the claim that Sinew takes at most 1/ratio of Bullet's time. `ratio` 0: for
  // scenes that do not hold in Bullet, that even with more iterations it takes longer and stretches
  // farther.
  void tell(const std::string& title, double ratio, ExperimentReport& report) const;

 private:
  Table table(const std::string& title) const;

  std::vector<Outcome> outcomes_;
};

// The claim that no body has fallen by the end.
void check_stands(const Outcome& outcome, const char* what, ExperimentReport& report);

}  // namespace sinew
