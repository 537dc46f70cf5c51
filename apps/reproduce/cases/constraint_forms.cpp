// Kenwright and Morgan, "Acceleration or velocity level", "Drifting" and "Bad constraints": the
// forms of a constraint on a pendulum and on a chain of point masses nailed at one end (figures 8
// and 9), with the textbook's dense engine. All is solved directly, so that what is seen is the
// form's.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reference/constraint_rows.h"
#include "reproduce/experiment.h"

namespace sinew {
namespace {

using reference::ConstraintForm;

constexpr double kGravity = 9.81;
constexpr double kSeconds = 10;
constexpr double kDt = 1.0 / 60;

struct Form {
  std::string name;
  reference::Settings settings;
  bool rate = true;  // with the term J̇ q̇
};

std::vector<Form> forms(double dt) {
  const auto baumgarte = [&](std::string name, double beta) {
    return Form{name, {.form = ConstraintForm::kBaumgarte, .dt = dt, .beta = beta}};
  };
  const auto acceleration = [&](std::string name, double gain, bool rate) {
    return Form{
        name, {.form = ConstraintForm::kAcceleration, .dt = dt, .alpha = gain, .beta = gain}, rate};
  };
  return {{"velocity", {.form = ConstraintForm::kVelocity, .dt = dt}},
          baumgarte("Baumgarte, β = 0.1/s (code 4)", 0.1),
          baumgarte("Baumgarte, β = 0.2/Δt", 0.2 / dt),
          baumgarte("Baumgarte, β = 1.9/Δt", 1.9 / dt),
          baumgarte("Baumgarte, β = 2.1/Δt", 2.1 / dt),
          acceleration("acceleration", 0, true),
          acceleration("acceleration, α = β = 10/s", 10, true),
          acceleration("acceleration without J̇q̇", 0, false)};
}
enum { kVelocity, kPrinted, kFifth, kHigh, kTooHigh, kPlain, kGained, kNoRate };

// What became of the lengths, relative, and of the energy, in units of that of falling from the
// nail's height to the lowest point.
struct Motion {
  std::vector<double> times, errors, energies;
  double error_at(double t) const {
    const auto k = std::min(errors.size() - 1, static_cast<std::size_t>(std::lround(t / times[1])));
    return errors[k];
  }
  double last_error() const { return error_at(kSeconds); }
  double most() const { return *std::max_element(errors.begin(), errors.end()); }
  double gain() const { return *std::max_element(energies.begin(), energies.end()); }
};

// A metre of chain, let go lying straight to one side of its nail.
Motion swing(int links, const Form& form) {
  const double link = 1.0 / links, dt = form.settings.dt;
  std::vector<reference::Body> bodies;
  double scale = 0;
  for (int i = 0; i < links; ++i) {
    bodies.push_back(reference::point_mass({link * (i + 1), 0, 0}, 1));
    bodies.back().force = {0, -kGravity, 0};
    scale += kGravity * link * (i + 1);
  }
  const double start = reference::energy(bodies);
  Motion motion;
  for (int k = 0; k <= std::lround(kSeconds / dt); ++k) {
    double error = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const auto last = i > 0 ? bodies[i - 1].position : reference::Vec{};
      error = std::max(error, std::abs(length(bodies[i].position - last) / link - 1));
    }
    motion.times.push_back(k * dt);
    motion.errors.push_back(error);
    motion.energies.push_back((reference::energy(bodies) - start) / scale);
    if (!(error < 1e3)) break;  // blown up
    std::vector<reference::Row> rows;
    for (int i = 0; i < links; ++i) add_distance(rows, bodies, i, i - 1, link);
    if (!form.rate)
      for (reference::Row& row : rows) row.rate = 0;
    reference::step(bodies, rows, form.settings);
  }
  return motion;
}

std::string percent(double x) { return fmt::format("{:.3g} %", 100 * x); }

// Runs every form; the motions in the order of forms().
std::vector<Motion> compare(int links, const std::string& title, const std::string& name,
                            ExperimentReport& report) {
  Table table{fmt::format("{}, Δt = 1/60 s", title),
              {"form", "length error after 1 s", "after 10 s", "largest", "energy after 10 s",
               "energy at most"},
              {}};
  Plot lengths{title, {"time [s]"}, {"error of the worst length", true}, {}};
  Plot energies{title, {"time [s]"}, {"energy gained, of that of the fall"}, {}};
  std::vector<Motion> motions;
  for (const Form& form : forms(kDt)) {
    const Motion m = swing(links, form);
    const bool whole = m.times.back() > kSeconds - kDt / 2;
    table.rows.push_back({form.name, percent(m.error_at(1)),
                          whole ? percent(m.last_error()) : "blown up", percent(m.most()),
                          whole ? percent(m.energies.back()) : "blown up", percent(m.gain())});
    lengths.series.push_back({.label = form.name, .x = m.times, .y = m.errors});
    if (m.gain() < 10 && m.energies.back() > -3)
      energies.series.push_back({.label = form.name, .x = m.times, .y = m.energies});
    motions.push_back(m);
  }
  report.table(std::move(table));
  report.plot(name + "-lengths", std::move(lengths));
  report.plot(name + "-energy", std::move(energies));
  return motions;
}

void check_forms(const std::vector<Motion>& m, const std::string& what, ExperimentReport& report) {
  const auto both = [](double a, double b) { return percent(a) + " against " + percent(b); };
  report.check(what + ": velocities alone drift, and go on drifting (\"Drifting\")",
               both(m[kVelocity].last_error(), m[kVelocity].error_at(1)) + " after 1 s",
               m[kVelocity].last_error() > 3 * m[kVelocity].error_at(1));
  report.check(what + ": Baumgarte's term with β = 0.2/Δt leaves a tenth of that or less (eq. 25)",
               both(m[kFifth].last_error(), m[kVelocity].last_error()),
               10 * m[kFifth].last_error() < m[kVelocity].last_error());
  report.check(what + ": but the error stays: it is fed by every step",
               percent(m[kFifth].last_error()), m[kFifth].last_error() > 1e-3);
  report.check(what + ": eq. 25 as code 4 has it, β = 0.1 with no Δt, leaves half or more",
               both(m[kPrinted].last_error(), m[kVelocity].last_error()),
               2 * m[kPrinted].last_error() > m[kVelocity].last_error());
  report.check(what + ": β = 2.1/Δt pumps energy without end, β = 1.9/Δt does not",
               both(m[kTooHigh].gain(), m[kHigh].gain()),
               m[kTooHigh].gain() > 10 && m[kHigh].gain() < 0.2);
  report.check(what + ": accelerations alone drift further than velocities alone",
               both(m[kPlain].last_error(), m[kVelocity].last_error()),
               m[kPlain].last_error() > 2 * m[kVelocity].last_error());
  report.check(what + ": stabilised with α = β = 10/s a tenth of that is left, or less",
               both(m[kGained].last_error(), m[kPlain].last_error()),
               10 * m[kGained].last_error() < m[kPlain].last_error());
  report.check(what + ": and energy is gained, more than by Baumgarte's velocities",
               both(m[kGained].gain(), m[kFifth].gain()), m[kGained].gain() > m[kFifth].gain());
  report.check(what + ": accelerations need J̇q̇ (the additional step); without it they drift more",
               both(m[kNoRate].last_error(), m[kPlain].last_error()),
               m[kNoRate].last_error() > 1.1 * m[kPlain].last_error());
}

// Halving Δt: forms of the first order halve their drift.
void check_order(ExperimentReport& report) {
  Table table{"Pendulum: length error after 1 s", {"Δt [s]", "velocity", "acceleration"}, {}};
  std::vector<double> velocity, acceleration;
  for (const int rate : {60, 120, 240, 480}) {
    const std::vector<Form> list = forms(1.0 / rate);
    velocity.push_back(swing(1, list[kVelocity]).error_at(1));
    acceleration.push_back(swing(1, list[kPlain]).error_at(1));
    table.rows.push_back(
        {fmt::format("1/{}", rate), percent(velocity.back()), percent(acceleration.back())});
  }
  const double a = velocity[2] / velocity[3], b = acceleration[2] / acceleration[3];
  report.check("the drift of both levels is of first order: half the step, half the drift",
               fmt::format("{:.2f} and {:.2f} times less", a, b),
               a > 1.8 && a < 2.2 && b > 1.8 && b < 2.2);
  report.table(std::move(table));
}

// Figure 8: two bodies nailed 3 m apart, and tied together at 1 m.
struct Impossible {
  double farthest = 0, speed = 0, multiplier = 0, half_way = 0;
  LcpStatus status = LcpStatus::kSolved;
};

enum class Order { kTieLast, kTieFirst };

Impossible impossible(bool direct, bool warm, Order order) {
  std::vector<reference::Body> bodies{reference::point_mass({-1.5, 0, 0}, 1),
                                      reference::point_mass({1.5, 0, 0}, 1)};
  for (reference::Body& body : bodies) body.force = {0, -kGravity, 0};
  reference::Settings settings{.form = ConstraintForm::kBaumgarte, .dt = kDt, .beta = 0.2 / kDt};
  if (!direct) settings.pgs = PgsOptions{.sweeps = 10};
  Impossible result;
  std::vector<double> last;
  for (int k = 0; k < kSeconds / kDt; ++k) {
    std::vector<reference::Row> rows;
    if (order == Order::kTieFirst) add_distance(rows, bodies, 0, 1, 1);
    add_ball(rows, bodies, 0, {}, reference::kWorld, {-1.5, 0, 0});
    add_ball(rows, bodies, 1, {}, reference::kWorld, {1.5, 0, 0});
    if (order == Order::kTieLast) add_distance(rows, bodies, 0, 1, 1);
    const LcpSolution solution = reference::step(bodies, rows, settings, last);
    if (warm) last = solution.x;
    if (solution.status != LcpStatus::kSolved) result.status = solution.status;
    const double nails[2] = {-1.5, 1.5};
    for (int i = 0; i < 2; ++i) {
      const reference::Body& body = bodies[std::size_t(i)];
      const double way = length(body.position - reference::Vec{nails[i], 0, 0});
      result.farthest = std::max(result.farthest, way);
      result.speed = std::max(result.speed, length(body.velocity.linear));
    }
    for (const double x : solution.x) result.multiplier = std::max(result.multiplier, std::abs(x));
    if (k == std::lround(kSeconds / kDt / 2)) result.half_way = result.multiplier;
  }
  return result;
}

void check_impossible(ExperimentReport& report) {
  Table table{"Nailed 3 m apart and tied at 1 m (figure 8), 10 s",
              {"solver", "farthest from its nail [m]", "fastest [m/s]", "largest impulse [N s]",
               "half way [N s]", "status"},
              {}};
  const Impossible cold = impossible(false, false, Order::kTieLast);
  const Impossible first = impossible(false, false, Order::kTieFirst);
  const Impossible warm = impossible(false, true, Order::kTieLast);
  const Impossible direct = impossible(true, false, Order::kTieLast);
  const auto add = [&](const char* name, const Impossible& i) {
    table.rows.push_back({name, fmt::format("{:.3g}", i.farthest), fmt::format("{:.3g}", i.speed),
                          fmt::format("{:.3g}", i.multiplier), fmt::format("{:.3g}", i.half_way),
                          name_of(i.status)});
  };
  add("PGS, 10 sweeps from zero", cold);
  add("the same with the tie as first row", first);
  add("PGS, 10 sweeps from the last answer", warm);
  add("direct, then 50 sweeps of PGS", direct);
  report.table(std::move(table));
  report.check(
      "contradictions: PGS goes on, and pulls none farther than the tie asks for: 1 m "
      "(figure 8: \"a best-fit approximation\")",
      fmt::format("{:.3f}, {:.3f} and {:.3f} m", cold.farthest, first.farthest, warm.farthest),
      std::max({cold.farthest, first.farthest, warm.farthest}) < 1.01);
  report.check("contradictions: not a fit: what is swept last has its way",
               fmt::format("{:.3f} m with the tie last, {:.3f} m with the nails", cold.farthest,
                           first.farthest),
               cold.farthest > 0.9 && first.farthest < 0.1);
  report.check("contradictions: the direct solver says that there is no solution",
               name_of(direct.status), direct.status == LcpStatus::kNoSolution);
  report.check("contradictions: started from the last answer PGS's impulses wind up",
               fmt::format("{:.3g} N s, {:.3g} half way", warm.multiplier, warm.half_way),
               warm.multiplier > 1.5 * warm.half_way && cold.multiplier < 0.1 * warm.multiplier);
}

void run(const ExperimentOptions& options, ExperimentReport& report) {
  const int links = options.small ? 6 : 10;
  check_forms(compare(1, "Pendulum of 1 m", "pendulum", report), "pendulum", report);
  check_forms(compare(links, fmt::format("Chain of {} links", links), "chain", report), "chain",
              report);
  check_order(report);
  check_impossible(report);
  report.note(
      "Eq. 25 has β in (0, 1) and no time step: as a rate of 0.1/s it takes ten seconds to mend an "
      "error. With β/Δt in its place, as engines have it, the range is right.");
}

}  // namespace

extern const Experiment k_constraint_forms;
const Experiment k_constraint_forms = {"constraint-forms", "Forms of a constraint, and drift",
                                       "Kenwright and Morgan, figures 2, 8 and 9, eq. 25", run};

}  // namespace sinew
