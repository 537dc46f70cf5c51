// Figure 4.5 of the fitting thesis: where constraints contradict each other, one after the other
// ("Gauss–Seidel") goes to and fro between them for ever, and all at once, averaged ("Jacobi"),
// finds a compromise. And its open question (chapter 5): does a random order help? The figure is a
// scheme; here are two rods that cannot both fit, and a net of rods of random lengths.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "geometry/edges.h"
#include "reproduce/bodies.h"

namespace sinew {
namespace {

using Vec = Vec3T<double>;

enum class Order { kFixed, kToAndFro, kRandom, kAveraged };
constexpr const char* kNames[] = {"one after the other", "… to and fro", "… in random order",
                                  "all at once, averaged"};

// Rods between particles of equal mass, of which some are held; plain stiffness 1.
struct Net {
  std::vector<Vec> x;
  std::vector<char> held;
  std::vector<Segment> rod;
  std::vector<double> length;

  Vec correction(std::size_t c) const {  // of the second end; the first takes its opposite
    const auto [a, b] = rod[c];
    const Vec d = x[b] - x[a];
    const double free = (held[a] ? 0 : 1) + (held[b] ? 0 : 1);
    return free > 0 ? d * ((length[c] / sinew::length(d) - 1) / free) : Vec{};
  }
  void move(std::vector<Vec>& to, std::size_t c, const Vec& by) const {
    if (!held[rod[c][0]]) to[rod[c][0]] -= by;
    if (!held[rod[c][1]]) to[rod[c][1]] += by;
  }
  // Root mean square of the errors [m].
  double error() const {
    double sum = 0;
    for (std::size_t c = 0; c < rod.size(); ++c) {
      const double e = sinew::length(x[rod[c][1]] - x[rod[c][0]]) - length[c];
      sum += e * e;
    }
    return std::sqrt(sum / double(rod.size()));
  }
};

double distance(const std::vector<Vec>& a, const std::vector<Vec>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, length(a[i] - b[i]));
  return most;
}

struct Outcome {
  double within = 0;   // how far particles go to and fro within the last iteration [m]
  double between = 0;  // … from the last but one iteration to the last [m]
  double error = 0;    // of the lengths [m]
  Net net;
};

Outcome solve(Net net, Order order, int iterations) {
  std::mt19937 generator(1);
  std::vector<std::size_t> sequence(net.rod.size());
  std::iota(sequence.begin(), sequence.end(), 0);
  std::vector<double> crowd(net.x.size());
  for (const Segment& rod : net.rod)
    for (const Index i : rod) crowd[i] += 1;
  Outcome out;
  for (int n = 0; n < iterations; ++n) {
    const std::vector<Vec> before = net.x;
    out.within = 0;
    if (order == Order::kAveraged) {
      std::vector<Vec> sum(net.x.size());
      for (std::size_t c = 0; c < net.rod.size(); ++c) net.move(sum, c, net.correction(c));
      for (std::size_t i = 0; i < sum.size(); ++i) net.x[i] += sum[i] * (1 / crowd[i]);
    } else {
      if (order == Order::kRandom) std::shuffle(sequence.begin(), sequence.end(), generator);
      const auto visit = [&](std::size_t c) {
        net.move(net.x, c, net.correction(c));
        out.within = std::max(out.within, distance(net.x, before));
      };
      for (const std::size_t c : sequence) visit(c);
      if (order == Order::kToAndFro)
        for (auto c = sequence.rbegin(); c != sequence.rend(); ++c) visit(*c);
    }
    out.between = distance(net.x, before);
    out.within = std::max(out.within, out.between);
  }
  out.error = net.error();
  out.net = std::move(net);
  return out;
}

// Held 1 m apart, a particle between them on rods of 0.3 m each: 0.4 m are missing.
Net contradiction() {
  return {{{0, 0, 0}, {0.5, 0, 0}, {1, 0, 0}}, {1, 0, 1}, {{0, 1}, {1, 2}}, {0.3, 0.3}};
}

// A square of rods that fit, but for a tenth of their lengths at random.
Net random_net(int cells) {
  const TriMesh mesh = cloth(1, 1, cells, cells);
  Net net;
  std::mt19937 generator(2);
  for (const Vec3& v : mesh.vertices) net.x.push_back(to_double(v));
  net.held.assign(net.x.size(), 0);
  net.held[0] = 1;
  for (const Segment& edge : edges_of(mesh)) {
    net.rod.push_back(edge);
    const double random = double(generator() >> 8) / double(1 << 24) - 0.5;
    net.length.push_back(length(net.x[edge[1]] - net.x[edge[0]]) * (1 + 0.2 * random));
  }
  return net;
}

// Where the particle of the contradiction is in a World, after each of the last two steps [m].
std::pair<double, double> in_world(SweepOrder order) {
  World world({.gravity = {}, .substeps = 1, .iterations = 50});
  const LineMesh line{{{0, 0, 0}, {Real(0.3), 0, 0}, {Real(0.6), 0, 0}}, {{0, 1}, {1, 2}}};
  const SoftId id = world.add(SoftBody{.mesh = line,
                                       .material = None{},
                                       .constraints = {Distance{.plain = 1}},
                                       .solver = Position{.order = order, .chebyshev = false},
                                       .drag = 1000,
                                       .pins = {0, 2}});
  world.set_positions(id, std::vector<Vec3>{{0, 0, 0}, {Real(0.5), 0, 0}, {1, 0, 0}});
  double last[2] = {};
  for (int i = 0; i < 60; ++i) {
    world.step(Real(1.0 / 60));
    last[i % 2] = double(world.positions(id)[1].x);
  }
  return {last[0], last[1]};
}

void check_contradiction(ExperimentReport& report) {
  const Outcome one = solve(contradiction(), Order::kFixed, 100);
  const Outcome all = solve(contradiction(), Order::kAveraged, 100);
  report.check(
      "two rods that miss 0.4 m: one after the other, the particle goes to and fro by 0.4 m in "
      "every iteration (figure 4.5)",
      fmt::format("{:.3f} m in the hundredth", one.within), std::abs(one.within - 0.4) < 1e-6);
  report.check(
      "… averaged, it comes to rest half way (figure 4.5)",
      fmt::format("at {:.6f} m, moving by {:.1e} m an iteration", all.net.x[1].x, all.between),
      std::abs(all.net.x[1].x - 0.5) < 1e-6 && all.between < 1e-9);
  const auto [a, b] = in_world(SweepOrder::kForward);
  const auto [c, d] = in_world(SweepOrder::kJacobi);
  report.check("in a World, forward sweeps leave it with the last rod's length",
               fmt::format("at {:.4f} and {:.4f} m", a, b),
               std::abs(std::abs(a - 0.5) - 0.2) < 1e-3 && std::abs(a - b) < 1e-3);
  report.check("in a World, Jacobi sweeps leave it half way",
               fmt::format("at {:.4f} and {:.4f} m", c, d),
               std::abs(c - 0.5) < 1e-3 && std::abs(d - 0.5) < 1e-3);
}

void run(const ExperimentOptions& options, ExperimentReport& report) {
  check_contradiction(report);
  const int cells = options.small ? 6 : 16, iterations = options.small ? 2000 : 10000;
  const Net net = random_net(cells);
  Table table{fmt::format("{} rods of contradicting lengths, after {} iterations", net.rod.size(),
                          iterations),
              {"order", "to and fro within an iteration [m]", "from one iteration to the next [m]",
               "error of the lengths, root mean square [m]"},
              {}};
  Outcome out[4];
  for (int i = 0; i < 4; ++i) {
    out[i] = solve(net, Order(i), iterations);
    table.rows.push_back({kNames[i], fmt::format("{:.1e}", out[i].within),
                          fmt::format("{:.1e}", out[i].between),
                          fmt::format("{:.4e}", out[i].error)});
  }
  enum { kFixed, kToAndFro, kRandom, kAveraged };
  report.check("a net of them: one after the other keeps going to and fro, averaged does not",
               fmt::format("{:.1e} against {:.1e} m", out[kFixed].within, out[kAveraged].within),
               out[kFixed].within > 1e-3 && out[kAveraged].within < 1e-6);
  report.check("averaging leaves the least error of the lengths",
               fmt::format("{:.4e} m, the next {:.4e} m", out[kAveraged].error,
                           std::min({out[kFixed].error, out[kToAndFro].error, out[kRandom].error})),
               out[kAveraged].error < out[kFixed].error &&
                   out[kAveraged].error < out[kToAndFro].error &&
                   out[kAveraged].error < out[kRandom].error);
  report.check(
      "seen once an iteration, a random order moves on a hundred times as far as a fixed one, "
      "which "
      "comes to rest (chapter 5 asks; some authors say so)",
      fmt::format("by {:.1e} against {:.1e} m", out[kRandom].between, out[kFixed].between),
      out[kRandom].between > 100 * out[kFixed].between);
  report.table(std::move(table));
  report.note(
      "Plain stiffness 1. Averaged: the sum of the corrections of a particle by their number. The "
      "norm of JᵀD⁻¹, with which the document begins a proof of convergence, is not measured.");
}

}  // namespace

extern const Experiment k_consensus;
const Experiment k_consensus = {"consensus", "Constraints that contradict each other",
                                "the fitting thesis, figure 4.5", run};

}  // namespace sinew
