// Laws of nodal strains, whatever the material: elements/nodal_points.h.
#include <gtest/gtest.h>
#include <sinew/generators.h>

#include <random>

#include "energy_testing.h"
#include "solvers/element_batches.h"
#include "variational/elements_energy.h"

namespace sinew {
namespace {

// A block whose inner vertices were moved, with all that is at its surface.
struct Block {
  TetMesh mesh;
  std::vector<char> inside;
};

Block uneven_block(Split split) {
  Block block{box_tets({1, 1, 1}, {4, 4, 4}, split), {}};
  const Bounds box = bounds(block.mesh.vertices);
  Random random;
  for (Vec3& v : block.mesh.vertices) {
    bool inside = true;
    for (int k = 0; k < 3; ++k)
      inside = inside && v[k] > box.lower[k] + Real(0.01) && v[k] < box.upper[k] - Real(0.01);
    block.inside.push_back(inside);
    if (inside) v += Vec3{random.number(0.04), random.number(0.04), random.number(0.04)};
  }
  return block;
}

RowVector strained(const TetMesh& mesh, const Mat3& f) {
  RowVector x;
  for (const Vec3& v : mesh.vertices) {
    const Vec3 at = f * v;
    x.push_back({at.x, at.y, at.z, 1});
  }
  return x;
}

double volume_of(const TetMesh& mesh) {
  double volume = 0;
  for (const Tetrahedron& cell : mesh.cells) {
    const auto edge = [&](int k) {
      return to_double(mesh.vertices[cell[k]]) - to_double(mesh.vertices[cell[0]]);
    };
    volume += dot(edge(1), cross(edge(2), edge(3))) / 6;
  }
  return volume;
}

const Mat3 kStrain{{{Real(1.2), Real(0.1), 0}, {Real(-0.2), Real(0.9), Real(0.1)}, {0, 0, 1}}};

// The patch test: a uniform strain is in balance at every vertex inside, on any mesh, and has the
// energy that the material says.
TEST(NodalLaws, UniformStrainIsInBalance) {
  for (const Split split : {Split::kSix, Split::kFive})
    for (const Real poisson : {Real(0), Real(0.3), Real(0.49)}) {
      const Block block = uneven_block(split);
      SoftBody body{.material = StVenantKirchhoff{.young = Real(1e5), .poisson = poisson}};
      const auto energy = make_averaged_tetrahedra_energy(block.mesh, body, {});
      const RowVector x = strained(block.mesh, kStrain);
      double stored;
      const RowVector g = gradient_at(*energy, x, &stored);
      double within = 0, all = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        const double size = std::sqrt(double(g[i].x) * g[i].x + g[i].y * g[i].y + g[i].z * g[i].z);
        all = std::max(all, size);
        if (block.inside[i]) within = std::max(within, size);
      }
      EXPECT_LT(within, (kFloat ? 1e-5 : 1e-13) * all) << "ν " << poisson;
      const double expected = volume_of(block.mesh) *
                              double(std::get<StVenantKirchhoff>(body.material).energy(kStrain));
      EXPECT_NEAR(stored / expected, 1, kFloat ? 1e-5 : 1e-12) << "ν " << poisson;
    }
}

// No motion but the rigid ones is free: of random ones, none has less than a tenth of what plain
// tetrahedra resist it with, and none more than they do.
TEST(NodalLaws, EnergyLiesBetweenASmallShareAndAllOfPlainTetrahedra) {
  Random random;
  for (const Split split : {Split::kSix, Split::kFive})
    for (const Real poisson : {Real(0), Real(0.3), Real(0.45)}) {
      const Block block = uneven_block(split);
      SoftBody body{.material = StVenantKirchhoff{.young = Real(1e5), .poisson = poisson}};
      const auto averaged = make_averaged_tetrahedra_energy(block.mesh, body, {}),
                 plain = make_tetrahedra_energy(block.mesh, body, {});
      body.material = StVenantKirchhoff{.young = Real(1e5 / (1 + poisson)), .poisson = 0};
      const auto shear = make_tetrahedra_energy(block.mesh, body, {});
      for (int trial = 0; trial < 20; ++trial) {
        const RowVector x = random.moved(block.mesh.vertices, 0.02);
        EXPECT_GT(averaged->energy(x.data()), 0.1 * shear->energy(x.data())) << "ν " << poisson;
        EXPECT_LT(averaged->energy(x.data()), plain->energy(x.data())) << "ν " << poisson;
      }
    }
}

// Two halves of very different stiffness, each strained by as much as puts them into balance, are
// so with nodal strains, too: means do not reach across.
TEST(NodalLaws, StiffnessIsNotAveragedAcrossAStep) {
  const TetMesh mesh = box_tets({2, 1, 1}, {4, 2, 2});
  const Real middle = (bounds(mesh.vertices).lower.x + bounds(mesh.vertices).upper.x) / 2;
  SoftBody body{.material = StVenantKirchhoff{.young = Real(1e5), .poisson = 0}};
  for (const Tetrahedron& cell : mesh.cells) {
    Real x = 0;
    for (Index v : cell) x += mesh.vertices[v].x / 4;
    body.cell_stiffness.push_back(x < middle ? 1 : 100);
  }
  const auto energy = make_averaged_tetrahedra_energy(mesh, body, {});
  constexpr Real kStretch = Real(1e-2);
  RowVector x;
  for (const Vec3& v : mesh.vertices) {
    const Real from = v.x - middle;
    x.push_back({from * (1 + kStretch * (from < 0 ? 1 : Real(0.01))), v.y, v.z, 1});
  }
  const RowVector g = gradient_at(*energy, x);
  double most = 0, at_middle = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    most = std::max(most, std::abs(double(g[i].x)));
    if (std::abs(x[i].x) < Real(1e-4)) at_middle = std::max(at_middle, std::abs(double(g[i].x)));
  }
  EXPECT_LT(at_middle, 0.03 * most);  // Hooke's law holds to the strain
}

// The position-based solver has the energy of the variational ones, and forces that are its
// gradient: what the stabiliser takes for given in its means does no work.
TEST(NodalLaws, SweepsHaveTheEnergyAndTheForcesOfTheVariationalSolvers) {
  Random random;
  const Material materials[] = {StVenantKirchhoff{.young = Real(1e5), .poisson = Real(0.3)},
                                StableNeoHookean{.young = Real(1e5), .poisson = Real(0.45)},
                                Corotated{.young = Real(1e5), .poisson = Real(0.2)},
                                Arap{.young = Real(1e5)}};
  for (const Split split : {Split::kSix, Split::kFive})
    for (const Material& material : materials) {
      const Block block = uneven_block(split);
      SoftBody body{
          .mesh = block.mesh, .material = material, .tetrahedra = TetIntegration::kAveraged};
      const auto energy = make_averaged_tetrahedra_energy(block.mesh, body, {});
      const auto batch = make_element_batch(body);
      RowVector x = random.moved(block.mesh.vertices, 0.02);
      for (std::size_t i = 0; i < x.size(); ++i) x[i].w = Real(0.5 + 0.1 * double(i % 7));
      double stored;
      const RowVector g = gradient_at(*energy, x, &stored);
      EXPECT_NEAR(batch->energy({x.data()}) / stored, 1, kFloat ? 1e-4 : 1e-12);
      RowVector moved = x;
      for (auto& row : moved) row = {0, 0, 0, row.w};
      constexpr Real kShort = Real(1e-5);
      const auto executor = make_serial_executor();
      batch->predict({.displacement = moved.data(),
                      .start = {x.data()},
                      .h = kShort,
                      .damping = 0,
                      .executor = *executor});
      double most = 0, beside = 0;
      for (std::size_t i = 0; i < x.size(); ++i)
        for (int k = 0; k < 3; ++k) {
          const double force = double((&moved[i].x)[k]) / (double(kShort) * kShort * x[i].w);
          const double slope = double((&g[i].x)[k]);
          most = std::max(most, std::abs(slope));
          beside = std::max(beside, std::abs(force + slope));
        }
      EXPECT_LT(beside, (kFloat ? 1e-4 : 1e-11) * most);
    }
}

}  // namespace
}  // namespace sinew
