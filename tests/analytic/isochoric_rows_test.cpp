// The isochoric invariants of Lewin §2.2.3 as constraints of a program's own, as the text has them:
// "enforcing them as constraints will constrain only the shape of the material and not its volume".
// Ī₁ = J^(−2/3) I₁ is a row √(μV(Ī₁ − 3)), whose energy ½C² is μ/2 V (Ī₁ − 3) (eq. 2.13), and
// J − 1 another, for which the text leaves the penalty open (D₀ ln J alone pushes at rest).
// Stretched by s and free at its sides, what keeps its volume pulls with μ(s − 1/s²) by area.
#include <gtest/gtest.h>
#include <sinew/generators.h>
#include <sinew/world.h>

#include <cmath>
#include <memory>

namespace sinew {
namespace {

using Vec = Vec3T<double>;
using Mat = Mat3T<double>;

constexpr double kMu = 1e4;  // [Pa]

struct RestTet {
  Mat inverse;  // of its edges at rest
  double volume;
};

Mat edges(std::span<const Vec> x) { return {{x[1] - x[0], x[2] - x[0], x[3] - x[0]}}; }

// Two rows for each tetrahedron: its shape, and its volume with the bulk modulus `bulk`.
CustomRows isochoric(const TetMesh& mesh, double bulk) {
  auto rest = std::make_shared<std::vector<RestTet>>();
  CustomRows rows{.nodes = 4, .rows = 2, .keeps_momentum = true};
  for (const Tetrahedron& cell : mesh.cells) {
    Vec x[4];
    for (int n = 0; n < 4; ++n) x[n] = to_double(mesh.vertices[cell[n]]);
    const Mat dm = edges(x);
    rest->push_back({inverse(dm), determinant(dm) / 6});
    rows.vertices.insert(rows.vertices.end(), cell.begin(), cell.end());
    rows.compliance.insert(rows.compliance.end(), {1, 1 / (bulk * rest->back().volume)});
  }
  rows.function = [rest](const CustomRowsCall& c) {
    const RestTet& tet = (*rest)[c.index];
    const Mat f = edges(c.x) * tet.inverse;
    const double j = determinant(f), i1 = contract(f, f);
    const Mat cof = cofactor(f);
    const auto slopes = [&](int row, const Mat& by_f) {
      const Mat g = by_f * transpose(tet.inverse);
      for (int n = 0; n < 3; ++n) {
        c.slope(row, n + 1) = g.c[n];
        c.slope(row, 0) = c.slope(row, 0) - g.c[n];
      }
    };
    c.error[1] = j - 1;
    slopes(1, cof);
    if (!(j > 0.05)) return;  // crushed: the volume alone brings it back
    const double p = std::pow(j, -2.0 / 3);
    c.error[0] = std::sqrt(std::max(kMu * tet.volume * (p * i1 - 3), 0.0));
    if (!(c.error[0] > 1e-9)) return;
    // ∂Ī₁/∂F = 2 J^(−2/3) (F − I₁/(3J) cof F)
    slopes(0, (f - cof * (i1 / (3 * j))) * (kMu * tet.volume * p / c.error[0]));
  };
  return rows;
}

SoftBody block(double bulk) {
  SoftBody body{.mesh = box_tets({1, 1, 1}, {2, 2, 2}), .material = None{}, .density = 1000};
  body.constraints = {isochoric(std::get<TetMesh>(body.mesh), bulk)};
  return body;
}

TEST(IsochoricRows, KnowShapeAndNotVolume) {
  SoftBody body = block(1e-6);
  body.solver = QuasiNewton{};
  World world({.gravity = {}});
  const SoftId id = world.add(body);
  const std::vector<Vec3> rest = world.positions(id);
  const auto energy = [&](double sx, double sy) {
    std::vector<Vec3> x = rest;
    for (Vec3& p : x) p = {Real(sx * p.x), Real(sy * p.y), Real(sy * p.z)};
    world.set_positions(id, x);
    return world.energy().elastic;
  };
  EXPECT_NEAR(energy(1.3, 1.3), 0, 1e-2);
  EXPECT_NEAR(energy(0.7, 0.7), 0, 1e-2);
  for (const double s : {0.6, 1.5, 2.5}) {
    const double whole = kMu / 2 * (s * s + 2 / s - 3);
    EXPECT_NEAR(energy(s, 1 / std::sqrt(s)) / whole, 1, 1e-4);
    EXPECT_NEAR(energy(2 * s, 2 / std::sqrt(s)) / whole, 1, 1e-4);
  }
}

TEST(IsochoricRows, PullAsNeoHookeanRubberThatKeepsItsVolume) {
  constexpr double kStretch = 1.5;
  SoftBody body = block(1e7);
  const std::span<const Vec3> x = vertices_of(body.mesh);
  // Both ends are held along x by rows of their own, and free across it.
  CustomRows ends{.nodes = 1};
  std::size_t left = 0;
  for (const Real side : {Real(-0.5), Real(0.5)})
    for (Index i = 0; i < x.size(); ++i)
      if (std::abs(x[i].x - side) < Real(1e-3)) {
        ends.vertices.push_back(i);
        ends.gradient.push_back({1, 0, 0});
        ends.offset.push_back(kStretch * side);
        left += side < 0;
      }
  body.constraints.push_back(ends);
  body.start = std::vector<Vec3>(x.begin(), x.end());
  for (Vec3& p : *body.start)
    p = {Real(kStretch) * p.x, p.y / std::sqrt(Real(kStretch)), p.z / std::sqrt(Real(kStretch))};
  for (Vec3& p : *body.start) p.y *= Real(1.05);  // not quite in balance
  body.drag = 10;
  World world({.gravity = {}, .substeps = 50, .iterations = 4});
  const SoftId id = world.add(body);
  for (int i = 0; i < 120; ++i) world.step(Real(1.0 / 60));
  double pull = 0;
  const std::vector<double> forces = world.row_forces(id, 1);
  for (std::size_t i = 0; i < left; ++i) pull += forces[i];
  EXPECT_NEAR(std::abs(pull) / (kMu * (kStretch - 1 / (kStretch * kStretch))), 1, 0.01);
  const Bounds box = bounds(world.positions(id));
  EXPECT_NEAR(box.upper.y - box.lower.y, 1 / std::sqrt(kStretch), 0.005);
}

}  // namespace
}  // namespace sinew
