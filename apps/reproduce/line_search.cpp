#include "reproduce/line_search.h"

#include <sinew/error.h>

#include <chrono>
#include <cmath>
#include <limits>

namespace sinew {
namespace {

constexpr double kSufficient = 0.03;  // γ, as Liu has it
constexpr double kFlatter = 0.9;      // Nocedal and Wright's, for quasi-Newton directions
constexpr int kTrials = 20;

class Search {
 public:
  Search(Frame& frame, LineSearch kind)
      : objective_(frame.objective()), kind_(kind), trial_(frame.rows()), gradient_(frame.rows()) {
    rounding_.resize(0, objective_.scale());
  }

  // From x along d; false if no trial will do.
  bool find(ConstRows x, ConstRows d, double start, double slope, Executor& executor) {
    double low = 0, high = std::numeric_limits<double>::infinity(), length = 1;
    for (int i = 0; i < kTrials; ++i) {
      evaluate(x, d, length, executor);
      ++trials;
      if (!enough(start, slope, length)) {
        high = length;
        if (i == 0) ++refused;
      } else {
        ++gradients;
        if (kind_ == LineSearch::kArmijo || !(slope_ < kFlatter * slope)) return true;
        low = length;
      }
      length = std::isfinite(high) ? 0.5 * (low + high) : 2 * length;
    }
    if (low > 0) evaluate(x, d, low, executor);
    return low > 0;
  }

  double value() const { return value_; }
  std::vector<Row4<Real>>& place() { return trial_; }
  std::vector<Row4<Real>>& gradient() { return gradient_; }

  int trials = 0, gradients = 0, refused = 0;

 private:
  void evaluate(ConstRows x, ConstRows d, double length, Executor& executor) {
    sum_of(x, Real(length), d, trial_);
    value_ = objective_.evaluate(trial_, gradient_, executor);
    slope_ = dot(gradient_, d);
  }
  bool enough(double start, double slope, double length) const {
    if (!std::isfinite(value_) || !std::isfinite(slope_)) return false;
    if (value_ <= start + kSufficient * length * slope) return true;
    return value_ <= start + rounding_.rounding(start) && slope_ <= (2 * kSufficient - 1) * slope;
  }

  Objective& objective_;
  LineSearch kind_;
  Descent rounding_;
  std::vector<Row4<Real>> trial_, gradient_;
  double value_ = 0, slope_ = 0;
};

}  // namespace

Searched descend(Frame& frame, DirectionFinder& finder, LineSearch kind, int iterations) {
  using Clock = std::chrono::steady_clock;
  const auto executor = make_serial_executor();
  if (!finder.begin(frame.objective(), frame.target(), frame.h()))
    throw Error("a solver has no factor of its matrix");
  std::vector<Row4<Real>> x(frame.target().begin(), frame.target().end());
  std::vector<Row4<Real>> gradient(x.size()), direction(x.size());
  std::vector<std::vector<Row4<Real>>> places{x};
  Search search(frame, kind);
  Searched out;
  double spent = 0;  // keeping places is not part of it [s]
  auto began = Clock::now();
  double value = frame.objective().evaluate(x, gradient, *executor);
  out.convergence.seconds.push_back(0);
  for (int i = 0; i < iterations; ++i) {
    if (!finder.find(frame.objective(), x, gradient, direction, *executor)) break;
    const double slope = dot(gradient, direction);
    if (!(slope < 0) || !search.find(x, direction, value, slope, *executor)) break;
    finder.learn(x, search.place(), gradient, search.gradient());
    x.swap(search.place());
    gradient.swap(search.gradient());
    value = search.value();
    spent += std::chrono::duration<double>(Clock::now() - began).count();
    places.push_back(x);
    out.convergence.seconds.push_back(spent);
    out.trials.push_back(search.trials);
    out.gradients.push_back(search.gradients);
    began = Clock::now();
  }
  out.refused = search.refused;
  for (const auto& place : places) out.convergence.objective.push_back(frame.exact(place));
  return out;
}

}  // namespace sinew
