// Liu, §7.1 and §7.2: backtracking, which asks for enough descent alone (Armijo), against a search
// that asks for a flatter slope, too (Wolfe). The document says that both reduce the error alike
// and that backtracking is faster, and shows no figure. Here: a twisting bar of four materials.
#include "reproduce/line_search.h"

#include <fmt/format.h>

#include "variational/quasi_newton.h"

namespace sinew {
namespace {

constexpr int kIterations = 60;
constexpr double kError = 1e-4;

struct Twist {
  Real rate;  // of each end [rad/frame]
  std::vector<int> frames;
};

// Sums over frames of iterations to kError and of what they took, by search.
struct Sums {
  double iterations[2] = {}, trials[2] = {}, milliseconds[2] = {};
  double worst = 1;       // ratio of the errors after ten iterations, either way
  double most_apart = 0;  // iterations to kError
  bool all_there = true;

  void add(Frame& frame, const Searched (&by)[2]) {
    double needed[2], after_ten[2];
    for (int k = 0; k < 2; ++k) {
      const std::vector<double> errors = frame.errors(by[k].convergence);
      needed[k] = iterations_to(errors, kError);
      after_ten[k] = frame.error(by[k].convergence, 10);
      all_there = all_there && std::isfinite(needed[k]);
      if (!all_there) return;
      iterations[k] += needed[k];
      trials[k] += by[k].trials[std::size_t(needed[k])];
      milliseconds[k] += 1e3 * by[k].convergence.seconds[std::size_t(needed[k])];
    }
    worst = std::max({worst, after_ten[0] / after_ten[1], after_ten[1] / after_ten[0]});
    most_apart = std::max(most_apart, std::abs(needed[0] - needed[1]));
  }
  double per_iteration(int k) const { return trials[k] / iterations[k]; }
};

Material with_moduli(Material material) {
  std::visit(
      [](auto& m) {
        if constexpr (requires { m.young, m.poisson; })
          m.young = bar_material().young, m.poisson = bar_material().poisson;
      },
      material);
  return material;
}

Sums measure(const TetMesh& mesh, const Material& material, std::span<const Twist> twists,
             int history) {
  Sums sums;
  for (const Twist& twist : twists)
    for (const int n : twist.frames) {
      const TwistingBar bar = twisting_bar(mesh, material, n, twist.rate);
      Frame frame(bar.body, bar.start);
      QuasiNewtonDirection finder(frame.rows(), history);
      const Searched by[] = {descend(frame, finder, LineSearch::kArmijo, kIterations),
                             descend(frame, finder, LineSearch::kWolfe, kIterations)};
      sums.add(frame, by);
    }
  return sums;
}

// Claims with and without a history.
void check_alike(const std::string& name, const Sums& s, ExperimentReport& report) {
  report.check(fmt::format("{}: after ten iterations, the errors of both are within a factor of "
                           "two in every frame (§7.1: comparable)",
                           name),
               fmt::format("{:.2f} at most", s.worst), s.all_there && s.worst <= 2);
  report.check(
      fmt::format("{}: backtracking tries at most 1.1 lengths an iteration (§7.1: few)", name),
      fmt::format("{:.3f}", s.per_iteration(0)), s.per_iteration(0) <= 1.1);
  report.check(
      fmt::format("{}: Wolfe's conditions cost more trials an iteration (§7.2)", name),
      fmt::format("{:.3f} against {:.3f}", s.per_iteration(1), s.per_iteration(0)),
      s.per_iteration(1) > s.per_iteration(0),
      "The first length, 1, meets both conditions in nearly every iteration. Wolfe's need the "
      "gradient there, which the next iteration needs anyway.");
}

void run(const ExperimentOptions& options, ExperimentReport& report) {
  const TetMesh mesh = bar_mesh(options);
  const std::vector<Twist> twists =
      options.small ? std::vector<Twist>{{Real(0.05), {30}}, {Real(0.3), {6}}}
                    : std::vector<Twist>{{Real(0.05), {10, 20, 30, 40}}, {Real(0.3), {3, 6}}};
  Table table{fmt::format("Twisting bar, {} tetrahedra: to a relative error of {:g}, sums over "
                          "frames; backtracking, Wolfe",
                          mesh.cells.size(), kError),
              {"directions", "material", "iterations", "trials", "time [ms]"},
              {}};
  for (const int history : {0, 5}) {
    Sums all;
    const std::string name = history > 0 ? "L-BFGS, 5 steps" : "the constant matrix alone";
    for (const Material& material : {Material(NeoHookean{}), Material(Corotated{}),
                                     Material(StVenantKirchhoff{}), Material(Polynomial{})}) {
      const Sums s = measure(mesh, with_moduli(material), twists, history);
      for (int k = 0; k < 2; ++k) {
        all.iterations[k] += s.iterations[k];
        all.trials[k] += s.trials[k];
      }
      all.worst = std::max(all.worst, s.worst);
      all.most_apart = std::max(all.most_apart, s.most_apart);
      all.all_there = all.all_there && s.all_there;
      table.rows.push_back({name, std::visit([](const auto& m) { return m.kName; }, material),
                            fmt::format("{}, {}", s.iterations[0], s.iterations[1]),
                            fmt::format("{}, {}", s.trials[0], s.trials[1]),
                            fmt::format("{:.1f}, {:.1f}", s.milliseconds[0], s.milliseconds[1])});
    }
    check_alike(name, all, report);
    if (history > 0)
      report.check(fmt::format("{}: to an error of {:g}, both need the same iterations in every "
                               "frame, or one more (§7.2: no significant benefit)",
                               name, kError),
                   fmt::format("{:.0f} apart at most", all.most_apart), all.most_apart <= 1);
  }
  report.table(std::move(table));
  const Twist far[] = {{Real(0.3), {10}}};
  const Sums hard = measure(mesh, with_moduli(Polynomial{}), far, 0);
  report.note(fmt::format(
      "Length 1 is not always taken: twisted by 3 rad at each end, the polynomial material needs "
      "{:.2f} trials an iteration from the constant matrix alone, {:.2f} with Wolfe's conditions.",
      hard.per_iteration(0), hard.per_iteration(1)));
  report.note(
      "γ = 0.03, as in the document; slopes must shrink to 0.9, after Nocedal and Wright. A trial "
      "is an energy and a gradient together. Neo-Hookean, corotated, St. Venant–Kirchhoff and "
      "polynomial, E = 1 MPa, λ = 5 μ; the ends turn by 0.05 rad or by 0.3 rad a frame.");
}

}  // namespace

extern const Experiment k_line_search;
const Experiment k_line_search = {"line-search", "Backtracking against Wolfe's conditions",
                                  "Liu, §7.1 and §7.2", run};

}  // namespace sinew
