// Figure 4.2 of Liu: two springs of length √2 hold a vertex that slides along x between them. Their
// energy has minima at x = ±1 and a maximum at 0, to which Newton's method goes from near it. And
// §4.1: gradient descent, which never does, but takes thousands of iterations.
#include <fmt/format.h>

#include <cmath>

#include "reproduce/bodies.h"
#include "reproduce/convergence.h"
#include "reproduce/initial_matrices.h"
#include "variational/quasi_newton.h"

namespace sinew {
namespace {

constexpr double kRest = 1.41421356237309505;

// Of two springs of 1 N/m, from (0, ±1) to (x, 0).
struct Energy1d {
  double value, slope, curvature;
};
Energy1d springs_at(double x) {
  const double l = std::sqrt(1 + x * x);
  return {(l - kRest) * (l - kRest), 2 * x * (1 - kRest / l), 2 - 2 * kRest / (l * l * l)};
}

double by_newton(double x) {
  for (int i = 0; i < 50; ++i) x -= springs_at(x).slope / springs_at(x).curvature;
  return x;
}
double by_descent(double x) {
  for (int i = 0; i < 50; ++i) {
    const Energy1d at = springs_at(x);
    double step = 1;
    while (springs_at(x - step * at.slope).value > at.value - 0.03 * step * at.slope * at.slope &&
           step > 1e-12)
      step /= 2;
    x -= step * at.slope;
  }
  return x;
}

// The same in a World: where it comes to rest.
double in_world(const Solver& solver, double x) {
  const LineMesh line{{{0, 1, 0}, {1, 0, 0}, {0, -1, 0}}, {{0, 1}, {1, 2}}};
  World world({.gravity = {}});
  const SoftId id = world.add(SoftBody{
      .mesh = line, .material = Corotated{.young = Real(1e6)}, .solver = solver, .pins = {0, 2}});
  world.set_positions(id, std::vector<Vec3>{{0, 1, 0}, {Real(x), 0, 0}, {0, -1, 0}});
  world.find_equilibrium(id);
  return double(world.positions(id)[1].x);
}

void check_springs(ExperimentReport& report) {
  const double start = 0.1;
  report.check("from x = 0.1, Newton's method goes up to the maximum at 0 (figure 4.2)",
               fmt::format("it ends at {:.1e}", by_newton(start)),
               std::abs(by_newton(start)) < 1e-6);
  report.check("… and gradient descent down to the minimum at 1",
               fmt::format("it ends at {:.6f}", by_descent(start)),
               std::abs(by_descent(start) - 1) < 1e-6);
  const std::pair<const char*, Solver> solvers[] = {{"newton", Newton{}},
                                                    {"quasi_newton", QuasiNewton{}}};
  for (const auto& [name, solver] : solvers) {
    const double x = in_world(solver, start);
    report.check(
        fmt::format("the solver \"{}\", whose matrix is positive definite, finds x = 1", name),
        fmt::format("it ends at {:.4f}", x), std::abs(x - 1) < 1e-3);
  }
}

// δx = −∇g, times one and the same number.
class Steepest final : public DirectionFinder {
 public:
  bool begin(const Objective& objective, ConstRows target, Real h) override {
    return scale_.prepare(objective, target, h);
  }
  bool find(Objective&, ConstRows, ConstRows gradient, Rows direction, Executor&) override {
    std::copy(gradient.begin(), gradient.end(), direction.begin());
    scale_.solve(direction);
    for (Row4<Real>& d : direction) d = {-d.x, -d.y, -d.z, 0};
    return true;
  }

 private:
  ScaledIdentity scale_;
};

void run(const ExperimentOptions& options, ExperimentReport& report) {
  check_springs(report);
  ExperimentOptions small = options;
  small.small = true;
  const TetMesh mesh = bar_mesh(small);
  const TwistingBar bar = twisting_bar(mesh, bar_material(), 30);
  Frame frame(bar.body, bar.start);
  Steepest steepest;
  QuasiNewtonDirection ours(frame.rows(), 5);
  constexpr int kMany = 1000, kFew = 10;
  const double descent = frame.error(frame.minimise(steepest, {kMany}), kMany);
  const double lbfgs = frame.error(frame.minimise(ours, {kFew}), kFew);
  report.check(
      fmt::format("a twisting bar of {} tetrahedra: {} iterations of gradient descent do not come "
                  "as near as {} of L-BFGS from the constant matrix (§4.1: thousands)",
                  mesh.cells.size(), kMany, kFew),
      fmt::format("error {:.1e} against {:.1e}", descent, lbfgs), descent > lbfgs);
  report.note(
      "Steps of gradient descent begin with the inverse of the constant matrix's mean diagonal, "
      "and "
      "are halved until they lower the energy enough. Of the document's chapter 4, Step and "
      "Project "
      "is not there; nor is a search for Wolfe's conditions (§7.2), which it found no better.");
}

}  // namespace

extern const Experiment k_nonconvex;
const Experiment k_nonconvex = {"nonconvex", "Two springs with two minima",
                                "Liu, figure 4.2 and §4.1", run};

}  // namespace sinew
