// Plain position-based dynamics with fitted stiffnesses, run in a World, comes to rest where finite
// elements do.
#include <sinew/fit.h>
#include <sinew/generators.h>
#include <sinew/world.h>

#include <cmath>

#include "support.h"

namespace sinew {
namespace {

constexpr double kCell = 0.1, kYoung = 1e5, kDensity = 1000, kSubstep = 3e-3;

// A bar along x of eight-point hexahedra, held where x = 0.
SoftBody make_bar(Cells3 cells, double poisson) {
  HexMesh mesh =
      box_hexes({Real(kCell * cells[0]), Real(kCell * cells[1]), Real(kCell * cells[2])}, cells);
  SoftBody bar{.material = Linear{.young = Real(kYoung), .poisson = Real(poisson)},
               .density = Real(kDensity),
               .integration = HexIntegration::kEightPoint};
  Real least = 0;
  for (const Vec3& x : mesh.vertices) least = std::min(least, x.x);
  for (Vec3& x : mesh.vertices) x.x -= least;
  for (Index i = 0; i < mesh.vertices.size(); ++i)
    if (mesh.vertices[i].x < Real(1e-4)) bar.pins.push_back(i);
  bar.mesh = std::move(mesh);
  return bar;
}

double mean_sag(const World& world, SoftId id, const BodyMesh& rest) {
  double sum = 0;
  const std::span<const Vec3> at_rest = vertices_of(rest);
  const std::vector<Vec3> now = world.positions(id);
  for (std::size_t i = 0; i < now.size(); ++i) sum += double(at_rest[i].y) - double(now[i].y);
  return sum / double(now.size());
}

// With which a beam of these cells sags by less than a tenth of its length: displacements are
// small.
Vec3 gentle_gravity(Cells3 cells) {
  const double length = kCell * cells[0], height = kCell * cells[1];
  const double bending = 1.5 * kDensity * std::pow(length, 4) / (kYoung * height * height);
  const double shear = 1.3 * kDensity * length * length / kYoung;
  return {0, Real(-0.1 * length / (bending + shear)), 0};
}

struct Case {
  Cells3 cells;
  double poisson;
  int iterations;
  SweepOrder order = SweepOrder::kForward;
};

// Sag in World by that of finite elements, both from simulations.
double sag_ratio(const Case& c) {
  const Vec3 gravity = gentle_gravity(c.cells);
  SoftBody bar = make_bar(c.cells, c.poisson);
  bar.solver = Newton{};
  World truth({.gravity = gravity});
  const SoftId solid = truth.add(bar);
  EXPECT_TRUE(truth.find_equilibrium(solid).found);
  const double sag = mean_sag(truth, solid, bar.mesh);

  bar.solver = Position{.order = c.order, .chebyshev = false};
  const BodyFit fit =
      fit_body(bar, {.substep = kSubstep, .iterations = c.iterations, .gravity = gravity});
  EXPECT_TRUE(fit.reachable) << fit.sag_ratio;
  bar.material = None{};
  bar.constraints = {fit.constraint};
  const double frequency = std::sqrt(-double(gravity.y) / sag);  // of the first bending mode, about
  bar.drag = Real(2 * frequency);
  World world({.gravity = gravity, .substeps = 1, .iterations = c.iterations});
  const SoftId plain = world.add(bar);
  world.set_positions(plain, truth.positions(solid));  // there in shorter time
  const int steps = int(12 / (frequency * kSubstep));
  for (int i = 0; i < steps; ++i) world.step(Real(kSubstep));
  return mean_sag(world, plain, bar.mesh) / sag;
}

TEST(BodyFit, SagInWorldIsThatOfFiniteElements) {
  const Case cases[] = {{{1, 1, 1}, 0, 1},     {{1, 1, 1}, 0.45, 20},  {{10, 1, 1}, 0, 1},
                        {{10, 1, 1}, 0.45, 5}, {{10, 1, 1}, 0.3, 20},  {{10, 2, 2}, 0, 5},
                        {{10, 2, 2}, 0.3, 1},  {{10, 2, 2}, 0.45, 10}, {{10, 4, 4}, 0.3, 1},
                        {{10, 4, 4}, 0.45, 2}};
  for (const Case& c : cases)
    EXPECT_NEAR(sag_ratio(c), 1, 0.1)
        << c.cells[0] << "×" << c.cells[1] << " ν " << c.poisson << " iterations " << c.iterations;
}

TEST(BodyFit, OtherOrdersOfSweepsHoldToo) {
  for (const SweepOrder order : {SweepOrder::kSymmetric, SweepOrder::kJacobi})
    for (const int iterations : {1, 4})
      EXPECT_NEAR(sag_ratio({{10, 2, 2}, 0.3, iterations, order}), 1, 0.1) << iterations;
}

// k = 1 in one sweep of a long substep does not hold a stiff bar, and the fit says so.
TEST(BodyFit, SaysWhenABodyIsTooStiff) {
  SoftBody bar = make_bar({10, 1, 1}, 0.3);
  bar.material = Linear{.young = 1e8, .poisson = Real(0.3)};
  const BodyFit stiff = fit_body(bar, {.substep = 1.0 / 60, .iterations = 1});
  EXPECT_FALSE(stiff.reachable);
  const BodyFit soft = fit_body(make_bar({10, 1, 1}, 0.3), {.substep = 1e-3, .iterations = 1});
  EXPECT_TRUE(soft.reachable);
}

// Ten times the size, the stiffness and the step: the same numbers but for the units.
TEST(BodyFit, DoesNotDependOnUnits) {
  SoftBody bar = make_bar({4, 1, 1}, 0.4);
  const BodyFit one = fit_body(bar, {.substep = 2e-3, .iterations = 3});
  bar.material = Linear{.young = Real(kYoung * 4), .poisson = Real(0.4)};
  const BodyFit stiffer = fit_body(bar, {.substep = 1e-3, .iterations = 3});
  EXPECT_NEAR(one.constraint.edge, stiffer.constraint.edge, 1e-4);
  EXPECT_NEAR(one.constraint.face, stiffer.constraint.face, 1e-4);
  EXPECT_NEAR(one.error, stiffer.error, 1e-3);
}

TEST(BodyFit, TetrahedraAndBodiesWithoutPins) {
  const Vec3 size{Real(0.4), Real(0.2), Real(0.2)};
  SoftBody body{.mesh = box_tets(size, {4, 2, 2}),
                .material = Linear{.young = Real(kYoung), .poisson = Real(0.3)}};
  const std::span<const Vec3> x = vertices_of(body.mesh);
  for (Index i = 0; i < x.size(); ++i)
    if (x[i].x < Real(-0.19)) body.pins.push_back(i);
  const BodyFit held = fit_body(body, {.substep = 2e-3, .iterations = 2});
  EXPECT_TRUE(held.reachable) << held.sag_ratio;
  EXPECT_GT(held.constraint.edge, 0);
  EXPECT_EQ(held.constraint.face, 0);
  body.mesh = box_hexes(size, {4, 2, 2});
  body.pins = {};
  const BodyFit free = fit_body(body, {.substep = 2e-3, .iterations = 2});
  EXPECT_TRUE(free.calm);
  EXPECT_LT(free.error, 0.4);
}

TEST(BodyFit, RefusesWhatCannotBeFitted) {
  const SoftBody bar = make_bar({2, 1, 1}, 0.3);
  expect_error([&] { fit_body(bar, {.substep = 0}); }, {"substep is 0 s"});
  expect_error([&] { fit_body(bar, {.iterations = 0}); }, {"iterations is 0"});
  const auto refuses = [&](auto change, std::initializer_list<const char*> parts) {
    SoftBody other = bar;
    change(other);
    expect_error([&] { fit_body(other, {.iterations = 2}); }, parts);
  };
  refuses([](SoftBody& b) { b.material = None{}; }, {"material resists nothing"});
  refuses([](SoftBody& b) { b.solver = Newton{}; }, {"solver is not"});
  refuses([](SoftBody& b) { b.solver = Position{.order = SweepOrder::kJacobi}; }, {"chebyshev"});
  refuses([](SoftBody& b) { b.pins = {0}; }, {"pins let the body turn"});
  refuses(
      [](SoftBody& b) {
        b.mesh = cloth(1, 1, 2, 2);
        b.pins = {};
      },
      {"not solid"});
}

}  // namespace
}  // namespace sinew
