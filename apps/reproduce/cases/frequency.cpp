// How fast bars vibrate, by every solver at its default settings: the first bending and the first
// torsion of a clamped bar against beam theory. A bar is set off with the velocities of the
// vibration; half a period later it is straight again, however strongly it is damped meanwhile.
//
// An integrator turns a vibration ω by its own angle in a substep h: implicit Euler by atan(ωh).
// That is told apart: claims are about what is left.
#include <fmt/format.h>

#include <numbers>

#include "reproduce/bodies.h"
#include "reproduce/experiment.h"

namespace sinew {
namespace {

constexpr double kPi = std::numbers::pi, kDensity = 1000, kPoisson = 0.3, kSide = 0.1;
constexpr double kFrame = 1.0 / 60;  // [s]

enum class Mode { kBending, kTorsion };

// k of the first bending of a clamped bar of length 1.
constexpr double kWave = 1.8751;

// Euler and Bernoulli's with Timoshenko's correction; St. Venant's, of a square section [Hz].
double theory(Mode mode, double young) {
  if (mode == Mode::kTorsion) {
    constexpr double kStiffness = 0.1406, kPolar = 1.0 / 6;  // by the fourth power of the side
    const double shear = young / (2 * (1 + kPoisson));
    return 0.25 * std::sqrt(shear * kStiffness / (kDensity * kPolar));
  }
  constexpr double kRadius2 = kSide * kSide / 12, kShear = 2 * (1 + kPoisson) / 0.85;
  const double thick = 1 + kWave * kWave * kRadius2 * (1 + kShear);
  return kWave * kWave * std::sqrt(young / kDensity * kRadius2 / thick) / (2 * kPi);
}

// Of a vertex `s` from the clamp, for a unit of motion of the tip.
Vec3 motion(Mode mode, double s, const Vec3& at) {
  if (mode == Mode::kTorsion) {
    const double turn = std::sin(kPi / 2 * s) / (kSide / 2);
    return {0, Real(-turn * at.z), Real(turn * at.y)};
  }
  constexpr double kRatio = 0.7341;
  const double u = kWave * s;
  const double way = std::cosh(u) - std::cos(u) - kRatio * (std::sinh(u) - std::sin(u));
  const double slope = std::sinh(u) + std::sin(u) - kRatio * (std::cosh(u) - std::cos(u));
  return {Real(-0.5 * kWave * slope * at.y), Real(0.5 * way), 0};
}

struct Found {
  double frequency = 0;  // [Hz]; 0: none within a whole period
  int substeps = 1;
};

Found measure(Mode mode, double young, const Solver& solver) {
  // Masses in the vertices of two cells across have 1.5 times the polar moment of a square, those
  // of four 1.125 times.
  const int across = mode == Mode::kBending ? 2 : 4;
  const HexMesh mesh = box_hexes({1, Real(kSide), Real(kSide)}, {20, across, across});
  const Real clamp = bounds(mesh.vertices).lower.x;
  World world({.gravity = {}});
  const SoftId id = world.add(SoftBody{
      .mesh = mesh,
      .material = Corotated{.young = Real(young), .poisson = Real(kPoisson)},
      .solver = solver,
      .pins = select_vertices(mesh.vertices, [&](const Vec3& x) { return x.x < clamp + 1e-4; })});
  const double expected = theory(mode, young);
  const Real speed = Real(2 * kPi * expected * (mode == Mode::kBending ? 0.02 : 0.005));
  std::vector<Vec3> velocity;
  for (const Vec3& x : mesh.vertices) velocity.push_back(motion(mode, x.x - clamp, x) * speed);
  world.set_velocities(id, velocity);
  // By how much the bar has moved as it was set off to.
  const auto way = [&] {
    const std::vector<Vec3> x = world.positions(id);
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
      sum += double(dot(x[i] - mesh.vertices[i], velocity[i]));
    return sum;
  };
  Found found;
  double before = 0;
  for (int frame = 1; frame < 1 / (expected * kFrame) + 2; ++frame) {
    world.step(Real(kFrame));
    found.substeps = world.solver_report(id).substeps;
    const double now = way();
    if (frame > 1 && before > 0 && now <= 0) {
      found.frequency = 0.5 / (kFrame * (frame - 1 + before / (before - now)));
      break;
    }
    before = now;
  }
  return found;
}

struct NamedSolver {
  const char* name;
  Solver solver;
  const char* miss_bending;
  const char* miss_torsion;
};

void compare(const NamedSolver& s, Mode mode, std::span<const double> stiffnesses, Table& table,
             ExperimentReport& report) {
  double worst = 0, worst_of = 0;
  for (const double young : stiffnesses) {
    const double exact = theory(mode, young);
    const Found found = measure(mode, young, s.solver);
    const double h = kFrame / found.substeps;
    const bool implicit = !std::holds_alternative<Explicit>(s.solver);
    const double formula = implicit ? std::atan(2 * kPi * exact * h) / (2 * kPi * h) : exact;
    const double error = found.frequency / formula - 1;
    if (std::abs(error) > std::abs(worst)) worst = error, worst_of = young;
    table.rows.push_back({s.name, mode == Mode::kBending ? "bending" : "torsion",
                          fmt::format("{:.0e}", young), fmt::format("{}", found.substeps),
                          fmt::format("{:.4g}", exact), fmt::format("{:.4g}", formula),
                          fmt::format("{:.4g}", found.frequency),
                          fmt::format("{:+.1f}", 100 * error)});
  }
  const bool bending = mode == Mode::kBending;
  const double tolerance = bending ? 0.02 : 0.06;
  report.check(fmt::format("{}: bars of {:.0e} to {:.0e} Pa {} within {:.0f} % of theory and the "
                           "integrator's formula",
                           s.name, stiffnesses.front(), stiffnesses.back(),
                           bending ? "bend" : "twist", 100 * tolerance),
               fmt::format("{:+.1f} % at {:.0e} Pa", 100 * worst, worst_of),
               std::abs(worst) <= tolerance, bending ? s.miss_bending : s.miss_torsion);
}

void run(const ExperimentOptions& options, ExperimentReport& report) {
  const std::vector<double> all =
      options.small ? std::vector{1e6, 1e7, 1e8} : std::vector{1e4, 1e5, 1e6, 1e7, 1e8};
  const std::vector<double> slow =
      options.small ? std::vector{1e5, 1e6} : std::vector{1e4, 1e5, 1e6};
  const NamedSolver solvers[] = {
      {"position", Position{},
       "At 1e8 Pa it needs more substeps than the 100 that it is allowed, and is softer", ""},
      {"quasi_newton", QuasiNewton{}, "", ""},
      {"newton", Newton{}, "", ""},
      {"explicit", Explicit{}, "", ""},
  };
  Table table{
      "First vibrations of a clamped bar, 1 × 0.1 × 0.1 m, hexahedra, 60 frames "
      "a second, every solver at its defaults",
      {"solver", "vibration", "E [Pa]", "substeps", "theory [Hz]", "integrator [Hz]",
       "measured [Hz]", "error [%]"},
      {}};
  for (const NamedSolver& s : solvers) {
    compare(s, Mode::kBending, all, table, report);
    compare(s, Mode::kTorsion, slow, table, report);
  }
  report.table(std::move(table));
}

}  // namespace

extern const Experiment k_frequency;
const Experiment k_frequency = {"frequency", "How fast bars vibrate, at default settings",
                                "Timoshenko, \"Vibration problems in engineering\", 1928", run};

}  // namespace sinew
