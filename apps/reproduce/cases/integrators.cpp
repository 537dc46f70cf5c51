// Figure 3.5 of Liu: what integrators do to the energy of a body that swings freely. Explicit
// Euler adds to it in every step, implicit Euler takes away, symplectic Euler and the implicit
// midpoint rule keep it within bounds.
#include <fmt/format.h>

#include <cmath>

#include "reproduce/bodies.h"
#include "reproduce/experiment.h"

namespace sinew {
namespace {

constexpr double kEnd = 60;  // [s]
constexpr Real kStretch = Real(1.1);

struct Course {
  Series energy;  // by that at the start
  double largest = 0, last = 0;
  double largest_late = 0, smallest_late = 1e300;  // in the second half
  bool finite = true;
};

// A bar that was stretched and let go, far from everything.
Course swing(std::string label, const Solver& solver, Real dt, bool small) {
  World world({.gravity = {}});
  const TetMesh mesh = bar_tets(Real(0.4), Real(0.1), Real(0.1), small ? 1 : 2);
  std::vector<Vec3> stretched = mesh.vertices;
  for (Vec3& x : stretched) x.x *= kStretch;
  const SoftId id =
      world.add(SoftBody{.mesh = mesh,
                         .material = StableNeoHookean{.young = 2000, .poisson = Real(0.3)},
                         .solver = solver});
  world.set_positions(id, stretched);
  const auto total = [&] { return world.energy().kinetic + world.energy().elastic; };
  const double start = total();
  Course course{.energy = {.label = std::move(label)}};
  const int steps = static_cast<int>(std::lround(kEnd / dt));
  const int every = std::max(steps / 600, 1);
  double largest_here = 0;  // since the last point of the curve
  for (int i = 0; i <= steps && course.finite; ++i) {
    const double now = i == 0 ? 1 : total() / start;
    course.finite = world.finite() && std::isfinite(now) && now < 1e6;
    if (!course.finite) break;
    course.largest = std::max(course.largest, now);
    course.last = now;
    if (2 * i > steps) {
      course.largest_late = std::max(course.largest_late, now);
      course.smallest_late = std::min(course.smallest_late, now);
    }
    largest_here = std::max(largest_here, now);
    if (i % every == 0) {
      course.energy.x.push_back(i * double(dt));
      course.energy.y.push_back(largest_here);
      largest_here = 0;
    }
    world.step(dt);
  }
  return course;
}

void run(const ExperimentOptions& options, ExperimentReport& report) {
  // Converged, so that what is seen is the integrator and not its solver.
  const auto implicit = [](Integrator integrator) {
    return Newton{.iterations = 20, .tolerance = Real(1e-9), .integrator = integrator};
  };
  const Real dt = Real(1.0 / 120);
  const bool small = options.small;
  const Course euler =
      swing("explicit Euler", Explicit{.method = ExplicitMethod::kEuler, .substeps = 4}, dt, small);
  const Course symplectic = swing("symplectic Euler", Explicit{.substeps = 4}, dt, small);
  const Course implicit_euler =
      swing("implicit Euler", implicit(Integrator::kImplicitEuler), dt, small);
  const Course midpoint =
      swing("implicit midpoint", implicit(Integrator::kImplicitMidpoint), dt, small);
  const Course bdf2 = swing("BDF2", implicit(Integrator::kBdf2), dt, small);

  report.check("explicit Euler's energy grows without bound",
               euler.finite ? fmt::format("×{:.3g} after {} s", euler.last, kEnd)
                            : fmt::format("×{:.3g} after {:.2f} s, and soon not finite",
                                          euler.largest, euler.energy.x.back()),
               !euler.finite || euler.last > 10);
  const auto bounded = [&](const char* name, const Course& c) {
    report.check(
        fmt::format("{}: energy stays within 10 % over {} s", name, kEnd),
        fmt::format("from ×{:.4f} to ×{:.4f} in the second half", c.smallest_late, c.largest_late),
        c.finite && c.largest < 1.1 && c.smallest_late > 0.9);
  };
  bounded("symplectic Euler", symplectic);
  bounded("implicit midpoint rule", midpoint);
  report.check("implicit Euler's energy decays",
               fmt::format("×{:.3g} after {} s", implicit_euler.last, kEnd),
               implicit_euler.finite && implicit_euler.largest < 1.01 && implicit_euler.last < 0.1);
  report.check("BDF2 never gains, and loses less than implicit Euler",
               fmt::format("×{:.3g} after {} s", bdf2.last, kEnd),
               bdf2.finite && bdf2.largest < 1.01 && bdf2.last > 2 * implicit_euler.last);
  report.plot("energy", {"Energy of a swinging bar",
                         {"time [s]"},
                         {"energy by that at the start", true},
                         {euler.energy, symplectic.energy, implicit_euler.energy, midpoint.energy,
                          bdf2.energy}});
  report.note(
      "Steps of 1/120 s, in four substeps for the explicit ones. Implicit steps are solved by "
      "Newton's method to the end.");
}

}  // namespace

extern const Experiment k_integrators;
const Experiment k_integrators = {"integrators", "What integrators do to energy",
                                  "Liu, §3.4 and figure 3.5", run};

}  // namespace sinew
