// Constraints that a program writes itself: a bead that slides on a ring of wire and hangs from
// another one on an elastic string, which goes slack. The bead's constraint has two rows of a
// function; the string is one row with a compliance and a limit.
#include <sinew/world.h>

#include <cmath>
#include <cstdio>

namespace {

using namespace sinew;
using Vec = Vec3T<double>;

constexpr double kRing = 1;         // radius of the wire about the origin, in the plane z = 0 [m]
constexpr double kString = 0.5;     // length of the string [m]
constexpr double kStiffness = 200;  // [N/m]

// C₀ = √(x² + y²) − R, C₁ = z, of one vertex.
CustomRows on_the_ring() {
  CustomRows rows{.nodes = 1, .rows = 2, .vertices = {0}};
  rows.function = [](const CustomRowsCall& c) {
    const Vec& x = c.x[0];
    const double size = std::sqrt(x.x * x.x + x.y * x.y);
    c.error[0] = size - kRing;
    if (size > 0) c.slope(0, 0) = Vec{x.x, x.y, 0} * (1 / size);
    c.error[1] = x.z;
    c.slope(1, 0) = {0, 0, 1};
  };
  return rows;
}

// C = |x₁ − x₀| − L; it pulls with C/compliance, and never pushes.
CustomRows string_between() {
  CustomRows rows{.nodes = 2, .vertices = {0, 1}, .keeps_momentum = true};
  rows.compliance = {1 / kStiffness};
  rows.upper = {0};
  rows.function = [](const CustomRowsCall& c) {
    const Vec d = c.x[1] - c.x[0];
    const double size = length(d);
    c.error[0] = size - kString;
    if (size == 0) return;  // no direction: no gradient, and nothing happens
    c.slope(0, 1) = d * (1 / size);
    c.slope(0, 0) = d * (-1 / size);
  };
  return rows;
}

}  // namespace

int main() {
  World world;
  SoftBody beads{.name = "beads",
                 .mesh = LineMesh{{{1, 0, 0}, {1, Real(-0.5), 0}}, {{0, 1}}},
                 .material = None{},
                 .density = 5000,
                 .thickness = Real(0.02)};
  beads.constraints = {on_the_ring(), string_between()};
  beads.drag = Real(0.5);
  const SoftId id = world.add(beads);
  double worst = 0, tightest = 0;
  for (int frame = 0; frame < 900; ++frame) {
    world.step(Real(1.0 / 60));
    const Vec3 bead = world.positions(id)[0];
    worst = std::max(worst, std::abs(std::hypot(double(bead.x), double(bead.y)) - kRing));
    tightest = std::max(tightest, -world.row_forces(id, 1)[0]);
  }
  const std::vector<Vec3> x = world.positions(id);
  const double weight = 9.81 / double(world.particles(id)[1].inverse_mass);
  std::printf("the bead is at (%.3f, %.3f), and never was %.1g m off its ring\n", double(x[0].x),
              double(x[0].y), worst);
  std::printf(
      "the string pulled with up to %.2f N, now with %.3f N; what hangs on it weighs %.3f N\n",
      tightest, -world.row_forces(id, 1)[0], weight);
  const bool holds = worst < 1e-3 && std::abs(-world.row_forces(id, 1)[0] - weight) < 0.01 * weight;
  return holds ? 0 : 1;
}
