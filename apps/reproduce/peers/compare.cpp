#include "reproduce/peers/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>

namespace sinew {
namespace {

using Vec = Vec3T<double>;

Pose pose_of(const Stage& stage, int body) {
  if (body == kWorld) return {};
  const Stage::Item& item = stage.items()[body];
  return item.moves() ? stage.pose(body) : item.start.pose;
}

double largest_stretch(const Stage& stage, const std::vector<Placed::Link>& links) {
  double largest = 0;
  for (const Placed::Link& l : links) {
    const Vec a = to_double(pose_of(stage, l.a).to_world(l.local_a));
    const Vec b = to_double(pose_of(stage, l.b).to_world(l.local_b));
    largest = std::max(largest, std::abs(length(a - b) - l.rest) / l.scale);
  }
  return largest;
}

// How deep a body is in the ground [m].
double below_ground(const Form& form, const PlacedSolid& solid, double height) {
  if (const auto* ball = std::get_if<SphereForm>(&form)) return double(ball->radius) - height;
  double depth = 0;
  for (const Vec& p : solid.solid->points)
    depth = std::max(depth, -double(solid.pose.to_world({Real(p.x), Real(p.y), Real(p.z)}).y));
  return depth;
}

struct Ball {
  int body;
  Vec centre;
  double radius;
};

// How deep spheres are in each other [m]. Bodies that are joined may overlap.
double deepest_of_balls(const Stage& stage, const std::vector<Placed::Link>& links) {
  std::vector<Ball> balls;
  for (std::size_t i = 0; i < stage.items().size(); ++i)
    if (const auto* ball = std::get_if<SphereForm>(&stage.items()[i].form)) {
      const int body = static_cast<int>(i);
      balls.push_back({body, to_double(pose_of(stage, body).position), double(ball->radius)});
    }
  const auto joined = [&](int a, int b) {
    return std::any_of(links.begin(), links.end(), [&](const Placed::Link& l) {
      return (l.a == a && l.b == b) || (l.a == b && l.b == a);
    });
  };
  double deepest = 0;
  for (std::size_t i = 0; i < balls.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) {
      const Ball &a = balls[i], &b = balls[k];
      const Vec d = a.centre - b.centre;
      const double reach = a.radius + b.radius - deepest;
      if (reach <= 0 || dot(d, d) >= reach * reach || joined(a.body, b.body)) continue;
      if (stage.items()[a.body].moves() || stage.items()[b.body].moves())
        deepest = a.radius + b.radius - length(d);
    }
  return deepest;
}

double penetration_of(const Stage& stage, const std::vector<Placed::Link>& links) {
  const std::vector<Stage::Item>& items = stage.items();
  const bool grounded = std::any_of(items.begin(), items.end(), [](const Stage::Item& i) {
    return std::holds_alternative<GroundForm>(i.form);
  });
  std::vector<Solid> solids(items.size());
  std::vector<PlacedSolid> moving, fixed;
  double deepest = deepest_of_balls(stage, links);
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Form& form = items[i].form;
    if (const auto* box = std::get_if<BoxForm>(&form)) solids[i] = solid_box(box->half);
    if (const auto* hull = std::get_if<HullForm>(&form)) solids[i] = hull->solid;
    const PlacedSolid placed{&solids[i], pose_of(stage, static_cast<int>(i))};
    if (!solids[i].points.empty()) (items[i].moves() ? moving : fixed).push_back(placed);
    if (grounded && items[i].moves())
      deepest = std::max(deepest, below_ground(form, placed, double(placed.pose.position.y)));
  }
  for (const PlacedSolid& f : fixed)
    for (const PlacedSolid& m : moving) deepest = std::max(deepest, penetration(f, m));
  return std::max(deepest, deepest_penetration(moving));
}

Moment measure(const Stage& stage, const Placed& placed, double time) {
  Moment m{.time = time, .lowest = std::numeric_limits<double>::infinity()};
  for (std::size_t i = 0; i < stage.items().size(); ++i) {
    const Stage::Item& item = stage.items()[i];
    if (!item.moves()) continue;
    const int body = static_cast<int>(i);
    const Vec place = to_double(stage.pose(body).position);
    const Vec way = place - to_double(item.start.pose.position);
    const double speed = length(to_double(stage.velocity(body)));
    m.finite = m.finite && std::isfinite(length(place)) && std::isfinite(speed);
    m.horizontal = std::max(m.horizontal, std::hypot(way.x, way.z));
    m.vertical = std::max(m.vertical, std::abs(way.y));
    m.speed = std::max(m.speed, speed);
    m.lowest = std::min(m.lowest, place.y);
    m.reach = std::max({m.reach, std::abs(place.x), std::abs(place.z)});
    m.fallen += !(length(way) <= double(placed.fall));
    m.asleep += stage.asleep(body);
    ++m.bodies;
  }
  m.stretch = largest_stretch(stage, placed.links);
  if (placed.watched != kWorld) m.watched = stage.pose(placed.watched).position;
  return m;
}

Moment measure_closely(const Stage& stage, const Placed& placed, double time) {
  Moment m = measure(stage, placed, time);
  if (m.finite) m.penetration = penetration_of(stage, placed.links);
  return m;
}

void set_times(Outcome& outcome, std::vector<double> times) {
  std::sort(times.begin(), times.end());
  const std::size_t n = times.size();
  outcome.median = times[n / 2];
  outcome.mean = std::accumulate(times.begin(), times.end(), 0.0) / double(n);
  outcome.p99 = times[std::min(n - 1, n * 99 / 100)];
  outcome.slowest = times.back();
}

// A scene on its way in one engine.
class Run {
 public:
  Run(std::unique_ptr<Stage> stage, const Trial& trial, double alone)
      : stage_(std::move(stage)),
        placed_(trial.build(*stage_)),
        closely_(trial.closely),
        overlap_(trial.overlap),
        compared_(std::max(1, steps_in(trial.seconds))),
        steps_(compared_ + steps_in(alone)) {
    outcome_.engine = stage_->name();
  }

  bool done() const { return step_ == steps_; }
  void advance(int steps) {
    for (; steps > 0 && !done(); --steps) advance();
  }
  Outcome outcome() {
    set_times(outcome_, times_);
    return outcome_;
  }

 private:
  static int steps_in(double seconds) { return static_cast<int>(std::lround(seconds / kFrame)); }

  void advance() {
    const auto start = std::chrono::steady_clock::now();
    stage_->step(Real(kFrame));
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    ++step_;
    if (step_ <= compared_) times_.push_back(time.count());
    const bool close = closely_ || step_ == compared_ || step_ == steps_;
    const Moment now = close ? measure_closely(*stage_, placed_, step_ * kFrame)
                             : measure(*stage_, placed_, step_ * kFrame);
    outcome_.top_speed = std::max(outcome_.top_speed, now.speed);
    outcome_.stretch = std::max(outcome_.stretch, now.stretch);
    outcome_.penetration = std::max(outcome_.penetration, now.penetration);
    outcome_.overlaps += now.penetration > overlap_;
    outcome_.lowest = std::min(outcome_.lowest, now.lowest);
    if (step_ == compared_) outcome_.compared = now;
    if (step_ == steps_) outcome_.last = now;
  }

  std::unique_ptr<Stage> stage_;
  Placed placed_;
  bool closely_;
  double overlap_;
  int compared_, steps_, step_ = 0;
  std::vector<double> times_;
  Outcome outcome_;
};

}  // namespace

Outcome run_alone(std::unique_ptr<Stage> stage, const Trial& trial) {
  Run run(std::move(stage), trial, trial.alone);
  while (!run.done()) run.advance(1);
  return run.outcome();
}

Comparison::Comparison(const ExperimentOptions& options, const Trial& trial) {
  std::vector<Run> runs;
  runs.emplace_back(make_sinew_stage(trial.sleeping), trial, trial.alone);
  if (!options.small) {
    const auto add = [&](std::unique_ptr<Stage> stage) {
      if (stage) runs.emplace_back(std::move(stage), trial, 0);
    };
    add(make_bullet_stage(trial.sleeping));
    add(make_ode_stage(trial.sleeping));
    if (trial.bullet_iterations > 0)
      add(make_bullet_stage(trial.sleeping, trial.bullet_iterations));
  }
  // In turn, half a second each: if the machine is busy for a while, it is so for all.
  constexpr int kTurn = 30;
  const auto done = [](const Run& run) { return run.done(); };
  while (!std::all_of(runs.begin(), runs.end(), done))
    for (Run& run : runs) run.advance(kTurn);
  for (Run& run : runs) outcomes_.push_back(run.outcome());
}

const Outcome* Comparison::bullet() const {
  for (const Outcome& o : outcomes_)
    if (o.engine == "Bullet") return &o;
  return nullptr;
}

const Outcome* Comparison::patient_bullet() const {
  for (const Outcome& o : outcomes_)
    if (o.engine.starts_with("Bullet, ")) return &o;
  return nullptr;
}

void Comparison::tell(const std::string& title, double ratio, ExperimentReport& report) const {
  report.table(table(title));
  if (!bullet()) return;
  const double ours_ms = ours().median, theirs = bullet()->median;
  if (ratio <= 0) {
    report.note(
        fmt::format("{}: a step takes {:.3f} ms, one of Bullet {:.3f} ms; there the scene has come "
                    "apart, so that no claim is made.",
                    title, ours_ms, theirs));
    if (const Outcome* patient = patient_bullet())
      report.check_time(
          fmt::format("{}, takes longer and stretches farther", patient->engine),
          fmt::format("{:.3f} ms and {:.2f} % against {:.3f} ms and {:.3f} %", patient->median,
                      patient->stretch * 100, ours_ms, ours().stretch * 100),
          patient->median >= ours_ms && patient->stretch >= ours().stretch);
    return;
  }
  report.check_time(
      ratio == 1
          ? std::string("a step takes no longer than one of Bullet")
          : fmt::format("a step takes at most 1/{:g} of the time that one of Bullet takes", ratio),
      fmt::format("{:.1f}×: {:.3f} ms against {:.3f} ms", theirs / ours_ms, ours_ms, theirs),
      theirs >= ratio * ours_ms);
}

Table Comparison::table(const std::string& title) const {
  const bool linked = outcomes_.front().stretch > 0;
  Table table{fmt::format("{}, {:g} s at 60 Hz, one thread", title, ours().compared.time),
              {"engine", "a step, median [ms]", "99 % within [ms]", "drift sideways [mm]",
               "up or down [mm]", "fastest at the end [mm/s]", "fallen", "penetration [mm]"},
              {}};
  if (linked) table.columns.push_back("largest stretch [%]");
  for (const Outcome& o : outcomes_) {
    const Moment& m = o.compared;
    table.rows.push_back(
        {o.engine, fmt::format("{:.3f}", o.median), fmt::format("{:.3f}", o.p99),
         fmt::format("{:.1f}", m.horizontal * 1e3), fmt::format("{:.1f}", m.vertical * 1e3),
         fmt::format("{:.1f}", m.speed * 1e3), fmt::format("{} of {}", m.fallen, m.bodies),
         fmt::format("{:.1f}", m.penetration * 1e3)});
    if (linked) table.rows.back().push_back(fmt::format("{:.2f}", o.stretch * 1e2));
  }
  return table;
}

void check_stands(const Outcome& outcome, const char* what, ExperimentReport& report) {
  const Moment& m = outcome.last;
  report.check(
      fmt::format("{} stands for {:g} s", what, m.time),
      fmt::format("{} of {} fallen, largest drift {:.1f} mm", m.fallen, m.bodies, m.drift() * 1e3),
      m.finite && m.fallen == 0);
}

}  // namespace sinew
