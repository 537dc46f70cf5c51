#include "variational/descent.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {
namespace {

constexpr double kSufficient = 0.03;  // γ
constexpr double kShrink = 0.5;       // β
constexpr int kTrials = 20;
// Differences of g below this share of it, or of what it would be at a strain of one, are rounding.
constexpr double kRounding = sizeof(Real) == 4 ? 1e-6 : 1e-14;
constexpr double kRoundingOfScale = sizeof(Real) == 4 ? 1e-7 : 1e-15;
// Forces that did not become smaller than this share of the least in so many iterations that
// lowered g by no more than its rounding, will not.
constexpr double kProgress = 0.9;
constexpr int kPatience = 20;
// Steps are made longer or shorter within these bounds, and where g differs from its parabola by
// less than this share of the drop.
constexpr double kShortest = 0.3, kLongest = 4, kBent = 0.1;
// A direction that lowers g by less than this share of its inertia changes next to nothing.
constexpr double kConverged = 1e-3;
// Free motion may strain a body by a tenth before it is called violent.
constexpr double kViolent = 0.005;

}  // namespace

void Descent::resize(std::size_t rows, double scale) {
  scale_ = scale;
  for (auto* v : {&position_, &gradient_, &direction_, &trial_, &trial_gradient_, &end_position_,
                  &end_gradient_})
    v->assign(rows, {});
}

void Descent::move(const Vec3T<double>& by) { move_rows(by, end_position_); }

double Descent::rounding(double energy) const {
  return kRounding * std::abs(energy) + kRoundingOfScale * scale_;
}

double Descent::find_direction(Objective& objective, DirectionFinder& finder, ConstRows x,
                               Executor& executor) {
  do {
    if (!finder.find(objective, x, gradient_, direction_, executor)) continue;
    const double slope = dot(gradient_, direction_);
    if (slope < 0) return slope;
  } while (finder.forget());  // rounding may have spoilt what it has learnt
  return 0;
}

bool Descent::line_search(Objective& objective, ConstRows x, double slope, Executor& executor,
                          MinimisationReport& report) {
  const double start = report.objective;
  const double uncertain = rounding(start);
  double length = 1;
  for (int i = 0; i < kTrials; ++i, length *= kShrink) {
    sum_of(x, Real(length), direction_, trial_);
    const double at = objective.evaluate(trial_, trial_gradient_, executor);
    ++report.evaluations;
    if (!std::isfinite(at)) continue;
    const bool enough = at <= start + kSufficient * length * slope;
    if (!enough && !(at <= start + uncertain)) continue;
    const double slope_there = dot(trial_gradient_, direction_);
    if (!std::isfinite(slope_there)) continue;
    if (!enough && !(slope_there <= (2 * kSufficient - 1) * slope)) continue;
    report.objective = at;
    length_ = length;
    slope_there_ = slope_there;
    return true;
  }
  return false;
}

void Descent::go_to_lowest(DirectionFinder& finder, double before, double slope,
                           MinimisationReport& report) {
  const double curve = slope_there_ - slope, drop = 0.5 * (slope + slope_there_);
  if (length_ != 1 || !(curve > 0)) return;
  const double best = std::clamp(-slope / curve, kShortest, kLongest);
  const double miss = std::abs(report.objective - before - drop);
  if (!(miss * best <= kBent * std::abs(drop) + rounding(before))) return;
  report.objective += (best - 1) * slope + 0.5 * (best * best - 1) * curve;
  finder.lengthen(best);
  const Real a = Real(best);
  sum_of(position_, a, direction_, trial_);
  for (std::size_t i = 0; i < trial_.size(); ++i) {
    const Row4<Real>& from = gradient_[i];
    Row4<Real>& to = trial_gradient_[i];
    to = {from.x + a * (to.x - from.x), from.y + a * (to.y - from.y), from.z + a * (to.z - from.z),
          0};
  }
}

void Descent::resume(const Objective& objective, DirectionFinder& finder) {
  bool same = end_known_ && objective.steady();
  for (std::size_t i = 0; same && i < position_.size(); ++i) {
    const Row4<Real>&x = position_[i], &end = end_position_[i];
    same = x.w == end.w && (x.w > 0 || (x.x == end.x && x.y == end.y && x.z == end.z));
  }
  if (!same) return finder.meet(gradient_);
  std::copy(end_gradient_.begin(), end_gradient_.end(), trial_gradient_.begin());
  objective.add_inertial_force(1, end_position_, trial_gradient_);
  finder.learn(end_position_, position_, trial_gradient_, gradient_);
}

void Descent::keep_end(const Objective& objective) {
  end_known_ = objective.steady() && !violent_;
  if (!end_known_) return;
  std::copy(position_.begin(), position_.end(), end_position_.begin());
  std::copy(gradient_.begin(), gradient_.end(), end_gradient_.begin());
  objective.add_inertial_force(-1, position_, end_gradient_);
}

double Descent::evaluate_rigid(Objective& objective, ConstRows rigid, ConstRows x,
                               Executor& executor, MinimisationReport& report) {
  // But for what is held and moves.
  for (std::size_t i = 0; i < x.size(); ++i) trial_[i] = x[i].w > 0 ? rigid[i] : x[i];
  ++report.evaluations;
  return rigid_objective_ = objective.evaluate(trial_, trial_gradient_, executor);
}

double Descent::start(Objective& objective, ConstRows rigid, Rows x, Executor& executor,
                      MinimisationReport& report) {
  double at = objective.evaluate(x, gradient_, executor);
  report.evaluations = 1;
  rigid_objective_ = -1;
  violent_ = !(at <= kViolent * scale_);  // g is never negative
  if (!violent_) return at;
  const double calm = evaluate_rigid(objective, rigid, x, executor, report);
  for (Real share = Real(0.5); !(at <= calm + kViolent * scale_) && std::isfinite(calm);
       share /= 4) {
    const bool stop = share < Real(0.01);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Real s = stop ? 0 : share;
      if (x[i].w > 0)
        x[i] = {rigid[i].x + s * (x[i].x - rigid[i].x), rigid[i].y + s * (x[i].y - rigid[i].y),
                rigid[i].z + s * (x[i].z - rigid[i].z), x[i].w};
    }
    at = objective.evaluate(x, gradient_, executor);
    ++report.evaluations;
    if (stop) break;
  }
  return at;
}

bool Descent::converged(const Objective& objective, const MinimisationReport& report) const {
  return 0.5 * std::abs(report.last_slope) <= kConverged * objective.inertia(position_);
}

bool Descent::settled(double force, const MinimisationReport& report) {
  const double residual = std::sqrt(dot(gradient_, gradient_));
  if (residual < kProgress * least_residual_) {
    least_residual_ = residual;
    since_least_ = 0;
  } else if (report.last_drop <= rounding(report.objective)) {
    ++since_least_;
  }
  return residual <= force || since_least_ == kPatience;
}

bool Descent::is_spent(const Objective& objective, const StopAt& stop, int iterations,
                       const MinimisationReport& report) const {
  if (iterations < stop.iterations) return false;
  if (iterations >= stop.iterations + stop.further) return true;
  return !objective.is_pushed() || converged(objective, report);
}

bool Descent::iterate(Objective& objective, DirectionFinder& finder, const StopAt& stop, bool first,
                      Executor& executor, MinimisationReport& report) {
  if (stop.force > 0 && settled(stop.force, report)) return false;
  const double slope = find_direction(objective, finder, position_, executor);
  if (!(slope < 0)) return false;  // there is nothing left to win, or the gradient is not finite
  const double before = report.objective;
  report.last_slope = slope;
  if (!line_search(objective, position_, slope, executor, report))
    return finder.carries() && finder.forget();  // it was of another objective
  if (finder.carries() && first && length_ < 1) finder.forget();
  finder.learn(position_, trial_, gradient_, trial_gradient_);
  // Contact bends too sharply for parabolas.
  if (finder.carries() && !violent_ && !objective.has_passing())
    go_to_lowest(finder, before, slope, report);
  position_.swap(trial_);
  gradient_.swap(trial_gradient_);
  ++report.iterations;
  report.last_drop = before - report.objective;
  if (first) report.first_drop = report.last_drop;
  // Where the slope decides, g may seem to rise by its rounding.
  return !(stop.tolerance > 0 && report.last_drop < stop.tolerance * report.first_drop);
}

void Descent::descend(Objective& objective, DirectionFinder& finder, const StopAt& stop,
                      Executor& executor, MinimisationReport& report) {
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  };
  if (history_) history_->assign(1, {report.objective, seconds()});
  least_residual_ = std::numeric_limits<double>::infinity();
  since_least_ = 0;
  report.iterations = 0;
  report.ended = false;
  for (int i = 0; !report.ended && !is_spent(objective, stop, i, report); ++i) {
    if (stop.seconds > 0 && i > 0 && seconds() > stop.seconds) break;
    const int done = report.iterations;
    report.ended = !iterate(objective, finder, stop, i == 0, executor, report);
    if (history_ && report.iterations > done) history_->push_back({report.objective, seconds()});
  }
  report.residual = std::sqrt(dot(gradient_, gradient_));
  report.ended = report.ended && std::isfinite(report.residual);
}

MinimisationReport Descent::minimise(Objective& objective, DirectionFinder& finder,
                                     const StopAt& stop, ConstRows rigid, Rows x,
                                     Executor& executor) {
  MinimisationReport report;
  began_ = std::chrono::steady_clock::now();
  report.objective = start(objective, rigid, x, executor, report);
  if (!std::isfinite(report.objective)) return report;
  std::copy(x.begin(), x.end(), position_.begin());
  if (finder.carries() && violent_) finder.forget();
  if (finder.carries()) resume(objective, finder);
  descend(objective, finder, stop, executor, report);

  // In `rigid`, the potential is what it was at the end of the last step, unless something moved:
  // only where that does not settle it need it be asked.
  const bool suspect =
      !knows_potential() || !(report.objective <= last_potential_ + objective.inertia(rigid));
  if (suspect && rigid_objective_ < 0) evaluate_rigid(objective, rigid, x, executor, report);
  if (suspect && std::isfinite(rigid_objective_) && report.objective > rigid_objective_) {
    for (std::size_t i = 0; i < x.size(); ++i) position_[i] = x[i].w > 0 ? rigid[i] : x[i];
    report.objective = objective.evaluate(position_, gradient_, executor);
    ++report.evaluations;
    finder.forget();
    descend(objective, finder, stop, executor, report);
  }
  const double inertia = objective.inertia(position_);
  last_potential_ = report.objective - inertia;
  report.converged = report.ended || converged(objective, report);
  if (finder.carries()) keep_end(objective);
  std::copy(position_.begin(), position_.end(), x.begin());
  return report;
}

}  // namespace sinew
