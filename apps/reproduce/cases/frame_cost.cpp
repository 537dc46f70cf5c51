// Where the time of a frame goes: substitution with the factor, energy and gradient, the vectors of
// L-BFGS and the line search; and against which bound each of them runs. docs/cost.md makes a model
// of it.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "math/lbfgs.h"
#include "reproduce/bodies.h"
#include "reproduce/experiment.h"
#include "variational/constant_metric.h"
#include "variational/variational_body.h"

namespace sinew {
namespace {

using Vector = std::vector<Row4<Real>>;

// The least time of a call, of some 60 ms worth [µs].
template <class F>
double microseconds(bool small, F&& f) {
  using Clock = std::chrono::steady_clock;
  double best = 1e300, total = 0;
  for (int i = 0; i < 200 && total < (small ? 5e3 : 6e4); ++i) {
    const auto start = Clock::now();
    f();
    const double time = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
    best = std::min(best, time);
    total += time;
  }
  return best;
}

struct Costs {
  std::size_t nodes, cells;
  double factor_numbers;                                             // in L
  double solve = 0, gradient = 0, history = 0, rest = 0, frame = 0;  // [µs], of ten iterations
};

Costs measure(int cells, const ExperimentOptions& options) {
  const SoftBody body{.mesh = box_tets({1, 1, 1}, {cells, cells, cells}),
                      .material = NeoHookean{.young = Real(1e5), .poisson = Real(0.3)},
                      .solver = QuasiNewton{.iterations = 10, .history = 5, .substeps = 1}};
  const TetMesh& mesh = std::get<TetMesh>(body.mesh);
  const std::vector<Real> mass = lumped_masses(mesh, body.density);
  const int packs = static_cast<int>((mass.size() + kLanes - 1) / kLanes);
  const std::size_t rows = std::size_t(packs) * kLanes;
  const auto v = make_variational_body(body, {}, mass, packs, 0);
  const auto executor = make_thread_pool(options.threads);
  const Real h = Real(1.0 / 30);

  // Stretched by a tenth, and let go.
  Vector target(rows), x(rows), gradient(rows), direction(rows);
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    const Vec3& p = mesh.vertices[i];
    target[i] = {p.x * Real(1.1), p.y, p.z, mass[i] > 0 ? 1 / mass[i] : 0};
  }
  v->objective.begin_step(target, h);
  v->objective.begin(target, h);
  ConstantMetric metric;
  metric.prepare(v->objective, target, h);
  Costs c{mesh.vertices.size(), mesh.cells.size(), double(metric.factor_entries())};
  const auto time = [&](auto&& f) { return microseconds(options.small, f); };
  c.gradient = time([&] { v->objective.evaluate(target, gradient, *executor); });
  c.solve = 10 * time([&] {
              std::copy(gradient.begin(), gradient.end(), direction.begin());
              metric.solve(direction);
            });
  Lbfgs history;
  history.resize(rows, 5);
  Vector other = gradient;
  for (int k = 0; k < 5; ++k) {
    sum_of(target, Real(0.01) * Real(k + 1), gradient, x);
    sum_of(gradient, Real(0.02), gradient, other);
    history.learn(target, x, gradient, other);
  }
  c.history = 10 * time([&] {
                history.before(other, direction);
                history.after(direction);
                history.learn(target, x, gradient, other);
              });
  v->finder->begin(v->objective, target, h);
  MinimisationReport report;
  c.frame = time([&] {
    std::copy(target.begin(), target.end(), x.begin());
    v->forget_motion();
    v->finder->begin(v->objective, target, h);
    report = v->descent.minimise(v->objective, *v->finder, v->stop, target, x, *executor);
  });
  c.gradient *= report.evaluations;
  const double share = report.iterations / 10.0;
  c.solve *= share, c.history *= share;
  c.rest = c.frame - c.gradient - c.solve - c.history;
  return c;
}

void run(const ExperimentOptions& options, ExperimentReport& report) {
  const std::vector<int> sizes =
      options.small ? std::vector<int>{5, 9} : std::vector<int>{9, 16, 26, 42};
  Table table{"A frame of ten iterations, Neo-Hookean, " + std::to_string(options.threads) +
                  (options.threads == 1 ? " thread" : " threads"),
              {"nodes", "tetrahedra", "numbers in the factor", "frame [ms]", "substitution [ms]",
               "energy and gradient [ms]", "L-BFGS [ms]", "rest [ms]", "factor read [GB/s]",
               "gradient [ns per tetrahedron]"},
              {}};
  Series substitution{.label = "substitution", .markers = true},
      gradient{.label = "energy and gradient", .markers = true},
      history{.label = "L-BFGS", .markers = true}, rest{.label = "rest", .markers = true};
  bool adds_up = true, grows = true;
  double last = 0;
  for (int cells : sizes) {
    const Costs c = measure(cells, options);
    const double read = 10 * 2 * c.factor_numbers * sizeof(Real) / (c.solve * 1e-6) * 1e-9;
    table.rows.push_back(
        {std::to_string(c.nodes), std::to_string(c.cells), fmt::format("{:.3g}", c.factor_numbers),
         fmt::format("{:.2f}", c.frame / 1e3), fmt::format("{:.2f}", c.solve / 1e3),
         fmt::format("{:.2f}", c.gradient / 1e3), fmt::format("{:.2f}", c.history / 1e3),
         fmt::format("{:.2f}", c.rest / 1e3), fmt::format("{:.1f}", read),
         fmt::format("{:.1f}", 1e3 * c.gradient / 11 / double(c.cells))});
    const double nodes = double(c.nodes);
    for (auto [series, value] : {std::pair{&substitution, c.solve},
                                 {&gradient, c.gradient},
                                 {&history, c.history},
                                 {&rest, c.rest}}) {
      series->x.push_back(nodes);
      series->y.push_back(value / 1e3);
    }
    adds_up = adds_up && c.rest > -0.25 * c.frame && c.rest < 0.5 * c.frame;
    const double per_node = c.factor_numbers / nodes;
    grows = grows && per_node > last;
    last = per_node;
  }
  report.check("the factor has more numbers per node the larger the body is (n^(4/3) in solids)",
               fmt::format("{:.0f} per node in the largest", last), grows);
  report.check_time("substitution, gradient and L-BFGS make up a frame, within a half",
                    adds_up ? "they do" : "they do not", adds_up);
  report.table(std::move(table));
  report.plot("parts", {"Where the time of a frame goes",
                        {"nodes", true},
                        {"time [ms]", true},
                        {substitution, gradient, history, rest}});
}

}  // namespace

extern const Experiment k_frame_cost;
const Experiment k_frame_cost = {"frame-cost", "Where the time of a frame goes",
                                 "docs/cost.md; Liu, chapter 7", run};

}  // namespace sinew
