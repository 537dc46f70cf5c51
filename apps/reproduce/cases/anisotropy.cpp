// Figure 8.1 of Liu: a cube is dropped on the ground, without and with fibres, κ/2 (‖Fd‖ − 1)²
// beside its material. And §8.3: L-BFGS may leave the fibres out of its constant matrix, at the
// price of a few more iterations. Ours has springs in their place.
#include <fmt/format.h>

#include "reproduce/bodies.h"
#include "reproduce/convergence.h"
#include "reproduce/initial_matrices.h"

namespace sinew {
namespace {

// λ = 10 μ and κ = 5 μ, as in the figure.
constexpr Real kPoisson = Real(5.0 / 11), kYoung = Real(1e5),
               kShear = kYoung / (2 * (1 + kPoisson));
constexpr Real kFibres = 5 * kShear;

SoftBody cube(int cells, std::vector<Fibres> fibres) {
  return {.mesh = box_tets({1, 1, 1}, {cells, cells, cells}),
          .material = Corotated{.young = kYoung, .poisson = kPoisson},
          .fibres = std::move(fibres),
          .solver = QuasiNewton{}};
}

struct Drop {
  double squash = 0;         // how much lower it became, at most [m]
  double bulge[2] = {0, 0};  // how much wider along x and along z, at most [m]
  Series height = {};
};

// Its bottom 0.5 m above the ground, for 0.8 s.
Drop drop(int cells, std::vector<Fibres> fibres, int threads) {
  World world({}, make_thread_pool(threads));
  world.add(StaticBody{});
  SoftBody body = cube(cells, std::move(fibres));
  body.pose.position = {0, 1, 0};
  const SoftId id = world.add(body);
  Drop out;
  for (int frame = 1; frame <= 96; ++frame) {
    world.step(Real(1.0 / 120));
    const std::vector<Vec3> x = world.positions(id);
    const Bounds box = bounds(x);
    const Vec3 size = box.upper - box.lower;
    out.height.x.push_back(world.time());
    out.height.y.push_back(size.y);
    out.squash = std::max(out.squash, 1 - double(size.y));
    out.bulge[0] = std::max(out.bulge[0], double(size.x) - 1);
    out.bulge[1] = std::max(out.bulge[1], double(size.z) - 1);
  }
  return out;
}

void compare_drops(int cells, int threads, ExperimentReport& report) {
  Drop plain = drop(cells, {}, threads);
  Drop along = drop(cells, {{.stiffness = kFibres, .direction = {1, 0, 0}}}, threads);
  Drop upright = drop(cells, {{.stiffness = kFibres, .direction = {0, 1, 0}}}, threads);
  Table table{fmt::format("Cube of {}³ cells, 1 m, dropped by 0.5 m", cells),
              {"fibres", "lower by [mm]", "wider along x by [mm]", "wider along z by [mm]"},
              {}};
  Plot plot{"Height of a cube dropped on the ground", {"time [s]"}, {"height [m]"}, {}};
  for (const auto& [name, d] :
       {std::pair("none", &plain), std::pair("along x", &along), std::pair("upright", &upright)}) {
    table.rows.push_back({name, fmt::format("{:.0f}", 1e3 * d->squash),
                          fmt::format("{:.0f}", 1e3 * d->bulge[0]),
                          fmt::format("{:.0f}", 1e3 * d->bulge[1])});
    d->height.label = name;
    plot.series.push_back(std::move(d->height));
  }
  report.check("without fibres it becomes as wide along x as along z, within a tenth",
               fmt::format("{:.0f} mm and {:.0f} mm", 1e3 * plain.bulge[0], 1e3 * plain.bulge[1]),
               std::abs(plain.bulge[0] / plain.bulge[1] - 1) < 0.1);
  report.check(
      "with fibres along x it becomes at most half as wide along x as along z (figure 8.1)",
      fmt::format("{:.0f} mm and {:.0f} mm", 1e3 * along.bulge[0], 1e3 * along.bulge[1]),
      along.bulge[0] <= 0.5 * along.bulge[1]);
  report.check(
      "upright fibres keep it at least a third higher (figure 8.1)",
      fmt::format("lower by {:.0f} mm against {:.0f} mm", 1e3 * upright.squash, 1e3 * plain.squash),
      upright.squash <= plain.squash * 2 / 3);
  report.table(std::move(table));
  report.plot("height", std::move(plot));
}

// The constant matrix of a body without fibres.
class WithoutFibres final : public InitialMatrix {
 public:
  explicit WithoutFibres(const Objective& plain) : plain_(plain) {}
  bool prepare(const Objective&, ConstRows target, Real h) override {
    return metric_.prepare(plain_, target, h);
  }
  void solve(Rows r) override { metric_.solve(r); }

 private:
  const Objective& plain_;
  ConstantMetric metric_;
};

void compare_matrices(int cells, ExperimentReport& report) {
  constexpr double kError = 1e-4;
  constexpr int kHistory = 5, kIterations = 60;
  const SoftBody fibrous = cube(cells, {{.stiffness = kFibres, .direction = {1, 0, 0}}});
  FrameStart start;  // let go when stretched by a fifth along the fibres and sheared
  for (const Vec3& v : vertices_of(fibrous.mesh))
    start.position.push_back({v.x * Real(1.2), v.y + Real(0.1) * v.x, v.z});
  start.velocity.resize(start.position.size());
  Frame frame(fibrous, start), plain(cube(cells, {}), start);
  ErrorPlots plots("Stretched cube with fibres");
  Table table{fmt::format("Cube of {}³ cells with fibres, stretched by 20 %", cells),
              {"constant matrix", fmt::format("iterations to {:g}", kError)},
              {}};
  const auto measure = [&](const char* name, std::unique_ptr<InitialMatrix> matrix) {
    LbfgsFrom finder(std::move(matrix), frame.rows(), kHistory);
    const Convergence c = frame.minimise(finder, {kIterations});
    const std::vector<double> errors = frame.errors(c);
    plots.add(name, c, errors);
    table.rows.push_back({name, fmt::format("{:.0f}", iterations_to(errors, kError))});
    return iterations_to(errors, kError);
  };
  const double with = measure("with fibres", std::make_unique<Constant>());
  const double without =
      measure("without fibres", std::make_unique<WithoutFibres>(plain.objective()));
  report.check(
      "a matrix that does not know of the fibres needs at most twice the iterations (§8.3: it "
      "slightly slows down the convergence)",
      fmt::format("{:.0f} against {:.0f}", without, with), without <= 2 * with);
  report.table(std::move(table));
  report.plot("iterations", std::move(plots.by_iterations));
}

void run(const ExperimentOptions& options, ExperimentReport& report) {
  const int cells = options.small ? 6 : 12;
  compare_drops(cells, options.threads, report);
  compare_matrices(cells, report);
  report.note("Corotated, E = 100 kPa, λ = 10 μ, κ = 5 μ, 1000 kg/m³.");
}

}  // namespace

extern const Experiment k_anisotropy;
const Experiment k_anisotropy = {"anisotropy", "Fibres in a cube", "Liu, figure 8.1", run};

}  // namespace sinew
