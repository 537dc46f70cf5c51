// Figure 5.3 of Lewin: the time of an iteration grows in proportion to the number of hexahedra.
#include <fmt/format.h>

#include <chrono>

#include "constraints/finite_elements_batch.h"
#include "math/rotation_methods.h"
#include "reproduce/bodies.h"
#include "reproduce/experiment.h"

namespace sinew {
namespace {

constexpr int kIterations = 10;  // of a step, as in the figure

// Best of many steps [ns per hexahedron and iteration].
double sweep_cost(int cells, double seconds) {
  const HexMesh mesh = box_hexes({1, 1, 1}, {cells, cells, cells});
  FiniteElementsBatch<HexahedronShape<false>, TrackedRotation, Wide> batch(mesh, FiniteElements{});
  std::vector<Row4<Real>> rest, displacement;
  const std::vector<Real> mass = lumped_masses(mesh, Real(1000));
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    const Vec3& v = mesh.vertices[i];
    rest.push_back({v.x, v.y, v.z, 1 / mass[i]});
    displacement.push_back({v.x * Real(0.1), 0, Real(0.1) * v.x * v.x, 1 / mass[i]});
  }
  const auto executor = make_serial_executor();
  const Substep substep{.displacement = displacement.data(),
                        .start = {rest.data()},
                        .h = Real(1.0 / 600),
                        .damping = 0,
                        .executor = *executor};
  batch.predict(substep);
  double best = 1e30, spent = 0;
  for (int i = 0; i < 3 || spent < seconds; ++i) {
    const auto start = std::chrono::steady_clock::now();
    for (int k = 0; k < kIterations; ++k) batch.solve(substep);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count());
    spent += time.count();
  }
  return best * 1e9 / batch.count() / kIterations;
}

void run(const ExperimentOptions& options, ExperimentReport& report) {
  const std::vector<int> sizes =
      options.small ? std::vector<int>{10, 16} : std::vector<int>{10, 16, 25, 40, 64};
  Table table{"Steps of ten iterations, one thread",
              {"hexahedra", "time [ns per hexahedron and iteration]"},
              {}};
  Series series{.label = "position-based finite elements", .markers = true};
  double least = 1e30, most = 0;
  for (const int cells : sizes) {
    const double cost = sweep_cost(cells, options.small ? 0.05 : 1);
    const double count = double(cells) * cells * cells;
    table.rows.push_back({fmt::format("{:.0f}", count), fmt::format("{:.1f}", cost)});
    series.x.push_back(count);
    series.y.push_back(kIterations * cost * count * 1e-6);
    least = std::min(least, cost);
    most = std::max(most, cost);
  }
  report.check_time(
      fmt::format("the time per hexahedron stays within a factor of 1.3 from {} to {} "
                  "(figure 5.3: linear)",
                  table.rows.front()[0], table.rows.back()[0]),
      fmt::format("{:.2f}: {:.1f} to {:.1f} ns", most / least, least, most), most <= 1.3 * least);
  report.table(std::move(table));
  report.plot(
      "hexahedra",
      {"Time of ten iterations", {"hexahedra", true}, {"time [ms]", true}, {std::move(series)}});
}

}  // namespace

extern const Experiment k_scaling;
const Experiment k_scaling = {"scaling", "Time of an iteration by size", "Lewin, figure 5.3", run};

}  // namespace sinew
