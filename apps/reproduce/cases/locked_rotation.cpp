// Projective dynamics at few iterations resists turning: its constant matrix does not know that a
// piece of cloth may rotate, so that every round turns it by a little. Lewin names this as
// untackled. A cloth is held by one edge and let go from level; what is measured is how long it
// takes to fall to nine tenths of its length. L-BFGS about the same matrix, which keeps what it
// learns from one substep to the next, cures it.
#include <fmt/format.h>

#include "reproduce/bodies.h"
#include "reproduce/experiment.h"

namespace sinew {
namespace {

constexpr double kFall = 0.9, kGiveUp = 5;  // [m], [s]

// [s]; kGiveUp: longer.
double fall_time(const Solver& solver, int cells) {
  const TriMesh mesh = cloth(1, 1, cells, cells);
  const Bounds box = bounds(mesh.vertices);
  World world;
  const SoftId id = world.add(SoftBody{.mesh = mesh,
                                       .material = Arap{.young = Real(1e7)},
                                       .solver = solver,
                                       .pins = select_vertices(mesh.vertices, [&](const Vec3& x) {
                                         return x.x < box.lower.x + 1e-4;
                                       })});
  const Index tip = nearest_vertex(mesh.vertices, box.upper);
  const Real start = world.positions(id)[tip].y;
  while (world.time() < kGiveUp) {
    world.step(Real(1.0 / 60));
    if (start - world.positions(id)[tip].y >= kFall) break;
  }
  return world.time();
}

void run(const ExperimentOptions& options, ExperimentReport& report) {
  const int cells = options.small ? 10 : 20;
  const std::pair<const char*, Solver> solvers[] = {
      {"newton, 3 substeps", Newton{.substeps = 3}},
      {"projective, defaults", Projective{}},
      {"projective, 100 iterations", Projective{.iterations = 100}},
      {"quasi_newton, 10 iterations in one substep", QuasiNewton{.iterations = 10, .substeps = 1}},
      {"quasi_newton, defaults", QuasiNewton{}},
  };
  Table table{
      fmt::format("A cloth of {0} × {0} squares, held by an edge, falls by {1} m", cells, kFall),
      {"solver", "time [s]"},
      {}};
  std::vector<double> time;
  for (const auto& [name, solver] : solvers) {
    time.push_back(fall_time(solver, cells));
    table.rows.push_back({name, fmt::format("{:.2f}", time.back())});
  }
  report.table(std::move(table));
  report.check(
      "projective dynamics at its defaults falls at half the speed of Newton's method, or "
      "slower",
      fmt::format("{:.2f} s against {:.2f} s", time[1], time[0]), time[1] > 2 * time[0]);
  report.check("L-BFGS about the same matrix falls within a tenth of Newton's time",
               fmt::format("{:.2f} s against {:.2f} s", time[4], time[0]),
               std::abs(time[4] / time[0] - 1) < 0.1);
}

}  // namespace

extern const Experiment k_locked_rotation;
const Experiment k_locked_rotation = {"locked-rotation",
                                      "Projective dynamics resists turning, L-BFGS does not",
                                      "Lewin, chapter 6; Liu, chapter 7", run};

}  // namespace sinew
