// Kenwright and Morgan, "Point-mass constraints": a truss in a plane of nothing but masses, rods
// and a nail (figure 9), and the orientation of a body from the places of its masses (figure 10),
// with the textbook's dense engine.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reference/constraint_rows.h"
#include "reproduce/experiment.h"

namespace sinew {
namespace {

using reference::Vec;

constexpr double kGravity = 9.81;
constexpr double kDt = 1.0 / 60;

struct Rod {
  int a, b;
};

double length_of(const std::vector<reference::Body>& bodies, const Rod& rod) {
  return length(bodies[std::size_t(rod.a)].position - bodies[std::size_t(rod.b)].position);
}

// A girder of four panels, 1 m wide and high, of masses of 1 kg: nailed at the left, and on a
// pendulum of 1 km at the right, so that statics alone tells its forces.
struct Truss {
  static constexpr int kPanels = 4;
  std::vector<reference::Body> bodies;
  std::vector<Rod> rods;
  std::vector<double> rest, tension;  // of the rods [m], [N]

  Truss() {
    const auto add = [&](double x, double y) {
      bodies.push_back(reference::point_mass({x, y, 0}, 1));
      bodies.back().force = {0, -kGravity, 0};
    };
    for (int i = 0; i <= kPanels; ++i) add(i, 0);
    for (int i = 0; i < kPanels; ++i) add(i + 0.5, 1);
    for (int i = 0; i < kPanels; ++i) {
      const int top = kPanels + 1 + i;
      rods.insert(rods.end(), {{i, i + 1}, {i, top}, {i + 1, top}});
      if (i + 1 < kPanels) rods.push_back({top, top + 1});
    }
    for (const Rod& rod : rods) rest.push_back(length_of(bodies, rod));
    tension.resize(rods.size());
  }
  void step(const reference::Settings& settings) {
    std::vector<reference::Row> rows;
    for (std::size_t i = 0; i < rods.size(); ++i)
      add_distance(rows, bodies, rods[i].a, rods[i].b, rest[i]);
    add_ball(rows, bodies, 0, {}, reference::kWorld, {});
    add_distance(rows, bodies, kPanels, reference::kWorld, 1000, {kPanels, 1000, 0});
    const LcpSolution solution = reference::step(bodies, rows, settings);
    for (std::size_t i = 0; i < rods.size(); ++i) tension[i] = -solution.x[i] / settings.dt;
  }
  double tension_between(int a, int b) const {
    for (std::size_t i = 0; i < rods.size(); ++i)
      if (rods[i].a == a && rods[i].b == b) return tension[i];
    return 0;
  }
  double stretch() const {
    double most = 0;
    for (std::size_t i = 0; i < rods.size(); ++i)
      most = std::max(most, std::abs(length_of(bodies, rods[i]) / rest[i] - 1));
    return most;
  }
  double out_of_plane() const {
    double most = 0;
    for (const reference::Body& body : bodies) most = std::max(most, std::abs(body.position.z));
    return most;
  }
};

// Figure 9.
void check_truss(ExperimentReport& report) {
  Table table{"A truss after 5 s",
              {"solver", "longest stretch [%]", "lower chord [N]", "upper chord [N]"},
              {}};
  std::vector<double> stretches;
  double lower = 0, upper = 0, aside = 0;
  for (const int sweeps : {10, 30, 100, 0}) {
    Truss truss;
    reference::Settings settings{.dt = kDt, .beta = 0.2 / kDt};
    if (sweeps > 0) settings.pgs = PgsOptions{.sweeps = sweeps, .tolerance = 0};
    double stretch = 0;
    for (int k = 0; k < 5 / kDt; ++k) {
      truss.step(settings);
      stretch = std::max(stretch, truss.stretch());
    }
    stretches.push_back(stretch);
    lower = truss.tension_between(1, 2), upper = truss.tension_between(6, 7);
    aside = std::max(aside, truss.out_of_plane());
    table.rows.push_back({sweeps > 0 ? fmt::format("PGS, {} sweeps from zero", sweeps) : "direct",
                          fmt::format("{:.2g}", stretch * 100), fmt::format("{:.2f}", lower),
                          fmt::format("{:.2f}", upper)});
  }
  report.table(std::move(table));
  // The weight W of nine masses on two supports, by moments about the joint across the section.
  const double by_statics[2] = {3.75 * kGravity, -4 * kGravity};
  report.check(
      "figure 9: rods and nails make a truss whose chords bear what statics says, to 0.1 %",
      fmt::format("{:.3f} and {:.3f} N, by sections {:.3f} and {:.3f} N", lower, upper,
                  by_statics[0], by_statics[1]),
      std::abs(lower / by_statics[0] - 1) < 1e-3 && std::abs(upper / by_statics[1] - 1) < 1e-3);
  report.check("figure 9: in three dimensions, it stays in its plane", fmt::format("{:g} m", aside),
               aside == 0);
  report.check(
      "figure 9: with a fixed number of sweeps rods stretch, less with more of them; "
      "solved directly they stretch by less than 10⁻⁵",
      fmt::format("{:.2g}, {:.2g} and {:.2g} %, directly {:.2g} %", stretches[0] * 100,
                  stretches[1] * 100, stretches[2] * 100, stretches[3] * 100),
      stretches[0] > stretches[1] && stretches[1] > stretches[2] && stretches[2] > stretches[3] &&
          stretches[3] < 1e-5);
}

// The orientation of four masses: two of its axes along rods, as far as they are at right angles.
Mat3T<double> orientation(const std::vector<reference::Body>& bodies) {
  const Vec x = normalized(bodies[1].position - bodies[0].position);
  const Vec to = bodies[2].position - bodies[0].position;
  const Vec y = normalized(to - x * dot(to, x)), z = cross(x, y);
  return {{x, y, z}};
}

// Figure 10: a regular tetrahedron, which turns alike about all axes, so that ω stays. Returns the
// error of its orientation after a time [rad].
double tumble(double dt, double seconds) {
  std::vector<reference::Body> bodies;
  const double s = 1 / std::sqrt(8.0);
  for (const Vec& corner : {Vec{s, s, s}, Vec{s, -s, -s}, Vec{-s, s, -s}, Vec{-s, -s, s}})
    bodies.push_back(reference::point_mass(corner, 1));
  const Vec spin{1, 2, -0.5};
  for (reference::Body& body : bodies) body.velocity.linear = cross(spin, body.position);
  const Mat3T<double> start = orientation(bodies);
  for (int k = 0; k < std::lround(seconds / dt); ++k) {
    std::vector<reference::Row> rows;
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < a; ++b) add_distance(rows, bodies, a, b, 1);
    reference::step(bodies, rows, {.dt = dt, .beta = 0.2 / dt});
  }
  const double angle = length(spin) * seconds;
  const QuatT<double> turn = QuatT<double>::from_axis_angle(normalized(spin), angle);
  // Of two turns that differ by θ, all entries differ by 2√2 sin(θ/2) together.
  const Mat3T<double> now = orientation(bodies), expected = turn.matrix() * start;
  double squares = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) squares += std::pow(now(i, j) - expected(i, j), 2);
  return 2 * std::asin(std::min(1.0, std::sqrt(squares / 8)));
}

void check_orientation(ExperimentReport& report) {
  Table table{
      "Orientation of a tetrahedron of masses after 2 s, 4.6 rad", {"Δt [s]", "error [rad]"}, {}};
  std::vector<double> errors;
  for (const int rate : {60, 120, 240, 480}) {
    errors.push_back(tumble(1.0 / rate, 2));
    table.rows.push_back({fmt::format("1/{}", rate), fmt::format("{:.2g}", errors.back())});
  }
  report.table(std::move(table));
  report.check("figure 10: places of four masses tell how a rigid body turns, to 0.05 rad in 2 s",
               fmt::format("{:.2g} rad at 60 Hz", errors.front()), errors.front() < 0.05);
  report.check("figure 10: the error shrinks with the step, to less than 0.3 of it for a quarter",
               fmt::format("{:.2g} rad at 480 Hz, {:.2g} at 120 Hz", errors[3], errors[1]),
               errors[3] < 0.3 * errors[1]);
}

void run(const ExperimentOptions&, ExperimentReport& report) {
  check_truss(report);
  check_orientation(report);
}

}  // namespace

extern const Experiment k_point_masses;
const Experiment k_point_masses = {"point-masses", "Structures of point masses",
                                   "Kenwright and Morgan, figures 9 and 10", run};

}  // namespace sinew
