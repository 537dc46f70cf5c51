// Going down an objective, step by step (Liu, Algorithms 2 and 3). Solvers differ in how they
// find the direction d; the rest is the same for all: where to start, a backtracking line search,
// when to stop.
//
// A trial is accepted when it lowers g enough (Armijo), g(x + αd) ≤ g(x) + γ α ∇g·d. In float, g
// near its minimum differs by less than it is rounded to; there, the slope at the trial decides,
// which has no such trouble: ∇g(x + αd)·d ≤ (2γ − 1) ∇g·d, which for a parabola is the same (Hager
// and Zhang, "A new conjugate gradient method with guaranteed descent", 2005, eq. 4.1). So every
// trial costs an energy and a gradient together; most are accepted, and then the gradient is needed
// anyway. A trial that is not finite is rejected like any other.
//
// Finders that carry what they learn from one minimisation to the next get two things more. The way
// from where the last one ended to where this one starts is a pair, too: E is the same function,
// and y alone has moved. And an accepted step is made longer or shorter, to the minimum of the
// parabola with the slopes at both ends: gradients are nearly linear along it, so nothing is asked
// again.
#pragma once

#include <chrono>
#include <limits>

#include "variational/objective.h"

namespace sinew {

// Places seen from another point, `by` further away.
inline void move_rows(const Vec3T<double>& by, Rows x) {
  for (Row4<Real>& r : x) r = {Real(r.x + by.x), Real(r.y + by.y), Real(r.z + by.z), r.w};
}

// A way to find directions.
class DirectionFinder {
 public:
  virtual ~DirectionFinder() = default;
  // Ready for a step of length h, with those held that have no inverse mass in `target`; false if
  // there is no way to find a direction.
  virtual bool begin(const Objective& objective, ConstRows target, Real h) = 0;
  // d from the gradient at x. False if there is none.
  virtual bool find(Objective& objective, ConstRows x, ConstRows gradient, Rows direction,
                    Executor& executor) = 0;
  // What a step did to the gradient.
  virtual void learn(ConstRows /*x_before*/, ConstRows /*x*/, ConstRows /*gradient_before*/,
                     ConstRows /*gradient*/) {}
  // Whether it keeps what it has learnt for the next minimisation, and the gradient at its start.
  virtual bool carries() const { return false; }
  virtual void meet(ConstRows /*gradient*/) {}
  // The body has turned by so much since the last minimisation [rad].
  virtual void turn(double /*angle*/) {}
  // The step that it has learnt last goes on to so many times its length.
  virtual void lengthen(double /*times*/) {}
  // Forgets what it has learnt; false if there is nothing to forget.
  virtual bool forget() { return false; }
  // Everything that it keeps and that does not follow from the body, the step and what is held.
  virtual void visit_state(StateBytes&) {}
};

struct MinimisationReport {
  int iterations = 0;
  int evaluations = 0;                   // of the objective with its gradient
  double objective = 0;                  // at the end [J]
  double residual = 0;                   // ‖∇g‖ at the end [N]
  bool ended = false;                    // by itself: good enough, or as low as numbers go
  bool converged = false;                // … or the last iteration changed next to nothing
  double first_drop = 0, last_drop = 0;  // of the objective in an iteration [J]
  double last_slope = 0;                 // of the objective along the last direction [J]
};

struct StopAt {
  int iterations = 10;
  double tolerance = 0;  // of the first iteration's drop
  double seconds = 0;    // no iteration begins later than this after the first; 0: no such bound
  double force = 0;      // ‖∇g‖ that is good enough [N]; 0: goes on
  int further = 0;       // iterations, as long as it has not converged and something pushes
};

// How a minimisation went, for those who compare solvers.
struct DescentRecord {
  double objective;  // [J]
  double seconds;    // since the minimisation began
};

class Descent {
 public:
  // `scale` is that of the objective.
  void resize(std::size_t rows, double scale);
  // Lowers the objective from x, the free motion. Where a body is torn apart or inside out, or
  // spins by more than a little in a step, every vertex going straight on can be far worse than the
  // body moving as one, `rigid`: then, from as much of the rest of the motion as is not. Leaves x
  // where it is lowest, and never higher than in `rigid`. Where neither is a number, x is left as
  // it is, and the report's objective is not finite.
  MinimisationReport minimise(Objective& objective, DirectionFinder& finder, const StopAt& stop,
                              ConstRows rigid, Rows x, Executor& executor);
  // Of g, where the last minimisation ended, all but inertia [J]. It may be less than at rest.
  double last_potential() const { return last_potential_; }
  bool knows_potential() const { return last_potential_ > kUnknown; }
  // The body was moved a little from where it ended: all but inertia is now so much.
  void set_potential(double potential) { last_potential_ = potential; }
  // Whether the last minimisation started from far away.
  bool violent() const { return violent_; }
  // By how much energies of such a size [J] are wrong.
  double rounding(double energy) const;
  // The body was put elsewhere.
  void forget() {
    last_potential_ = kUnknown;
    end_known_ = false;
  }
  // All places are seen from another one from now on, and `by` further away.
  void move(const Vec3T<double>& by);
  void visit_state(StateBytes& state) {
    state(last_potential_, end_known_);
    if (end_known_) state(end_position_, end_gradient_);
  }
  // Each minimisation fills `history` with the start and what every iteration came to; null: none.
  void record(std::vector<DescentRecord>* history) { history_ = history; }

 private:
  static constexpr double kUnknown = -std::numeric_limits<double>::infinity();

  double start(Objective& objective, ConstRows rigid, Rows x, Executor& executor,
               MinimisationReport& report);
  double evaluate_rigid(Objective& objective, ConstRows rigid, ConstRows x, Executor& executor,
                        MinimisationReport& report);
  void descend(Objective& objective, DirectionFinder& finder, const StopAt& stop,
               Executor& executor, MinimisationReport& report);
  // One iteration; false if it ends there by itself.
  bool iterate(Objective& objective, DirectionFinder& finder, const StopAt& stop, bool first,
               Executor& executor, MinimisationReport& report);
  bool is_spent(const Objective& objective, const StopAt& stop, int iterations,
                const MinimisationReport& report) const;
  // The slope of g along the direction found: negative, or there is none.
  double find_direction(Objective& objective, DirectionFinder& finder, ConstRows x,
                        Executor& executor);
  bool line_search(Objective& objective, ConstRows x, double slope, Executor& executor,
                   MinimisationReport& report);

  // Tells a finder that carries where it starts, with a pair for the way there if there is one.
  void resume(const Objective& objective, DirectionFinder& finder);
  void keep_end(const Objective& objective);
  // From the accepted trial to where g is lowest along the direction.
  void go_to_lowest(DirectionFinder& finder, double before, double slope,
                    MinimisationReport& report);
  // Whether the gradient is small enough, or does not become smaller any more.
  // Whether the last iteration changed next to nothing.
  bool converged(const Objective& objective, const MinimisationReport& report) const;
  bool settled(double force, const MinimisationReport& report);

  double scale_ = 0;
  std::chrono::steady_clock::time_point began_;
  double rigid_objective_ = 0;        // of this minimisation; negative: not known
  double last_potential_ = kUnknown;  // where the last one ended
  double least_residual_ = 0;
  int since_least_ = 0;                   // iterations
  bool violent_ = false;                  // this minimisation starts from far away
  double length_ = 1, slope_there_ = 0;   // of the accepted trial
  bool end_known_ = false;                // of the last minimisation:
  std::vector<Row4<Real>> end_position_;  // where it ended,
  std::vector<Row4<Real>> end_gradient_;  // and the gradient of E there
  std::vector<DescentRecord>* history_ = nullptr;
  std::vector<Row4<Real>> position_, gradient_, direction_, trial_, trial_gradient_;
};

}  // namespace sinew
