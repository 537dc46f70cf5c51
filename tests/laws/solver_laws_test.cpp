// Laws of the solver: packs do what plain numbers do, and a free body keeps its momentum.
#include <gtest/gtest.h>
#include <sinew/generators.h>
#include <sinew/world.h>

#include <cmath>
#include <random>

#include "elements/tetrahedron.h"
#include "solvers/simplex_batch.h"

namespace sinew {
namespace {

struct Rows {
  explicit Rows(const TetMesh& mesh) {
    const std::vector<Real> mass = lumped_masses(mesh, Real(1000));
    std::mt19937 generator(5);
    std::uniform_real_distribution<Real> noise(Real(-0.03), Real(0.03));
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
      const Vec3& v = mesh.vertices[i];
      previous.push_back({v.x, v.y, v.z, 1 / mass[i]});
      position.push_back(
          {v.x + noise(generator), v.y + noise(generator), v.z + noise(generator), 1 / mass[i]});
    }
  }
  std::vector<Row4<Real>> previous, position;
};

template <class M, class W>
std::vector<Row4<Real>> sweep(const TetMesh& mesh, const M& material, Real damping) {
  Rows rows(mesh);
  SimplexBatch<TetrahedronElement, M, W> batch(mesh, material);
  const auto executor = make_serial_executor();
  const Substep substep{rows.position.data(), rows.previous.data(), Real(1.0 / 600), damping,
                        *executor};
  batch.predict(substep);
  for (int i = 0; i < 3; ++i) batch.solve(substep);
  return rows.position;
}

TEST(SolverLaws, PacksMatchPlainNumbers) {
  // 3×2×3 cells: every colour ends in a partly filled pack.
  const TetMesh mesh = box_tets({1, 1, 1}, {3, 2, 3});
  MaterialList::for_each([&]<class M>() {
    if constexpr (M::kNeedsRotation)
      return;
    else
      for (Real damping : {Real(0), Real(0.01)}) {
        const auto plain = sweep<M, Real>(mesh, M{}, damping);
        const auto packed = sweep<M, Pack<Real, 8>>(mesh, M{}, damping);
        for (std::size_t i = 0; i < plain.size(); ++i) {
          const Real tolerance = std::numeric_limits<Real>::epsilon() * 50;
          EXPECT_NEAR(packed[i].x, plain[i].x, tolerance);
          EXPECT_NEAR(packed[i].y, plain[i].y, tolerance);
          EXPECT_NEAR(packed[i].z, plain[i].z, tolerance);
          EXPECT_EQ(packed[i].w, plain[i].w);
        }
      }
  });
}

TEST(SolverLaws, FreeBodyKeepsItsMomentum) {
  for (Real damping : {Real(0), Real(0.02)}) {
    World world({.gravity = {0, 0, 0}});
    TetMesh mesh = box_tets({1, Real(0.5), Real(0.4)}, {6, 3, 3});
    const SoftId id = world.add(SoftBody{.mesh = mesh,
                                         .material = StableNeoHookean{.young = 2e4},
                                         .velocity = {Real(0.1), Real(-0.2), Real(0.05)},
                                         .angular_velocity = {1, 4, 2},
                                         .damping = damping});
    // Squeezed, so that it vibrates as it tumbles.
    std::vector<Vec3> squeezed = world.positions(id);
    for (Vec3& x : squeezed) x.x *= Real(0.7);
    world.set_positions(id, squeezed);
    const Momentum before = world.momentum();
    for (int i = 0; i < 120; ++i) world.step(Real(1.0 / 60));
    const Momentum after = world.momentum();
    const double tolerance = sizeof(Real) == 4 ? 1e-4 : 1e-11;
    EXPECT_LT(length(after.linear - before.linear), tolerance * length(before.linear)) << damping;
    EXPECT_LT(length(after.angular - before.angular), tolerance * length(before.angular))
        << damping;
    EXPECT_TRUE(world.finite());
  }
}

TEST(SolverLaws, DampingStopsVibrationButNotRotation) {
  World world({.gravity = {0, 0, 0}});
  const SoftId id = world.add(SoftBody{.mesh = box_tets({1, Real(0.5), Real(0.5)}, {6, 3, 3}),
                                       .material = StableNeoHookean{.young = 1e5},
                                       .angular_velocity = {0, 1, 0},
                                       .damping = Real(0.02)});
  std::vector<Vec3> squeezed = world.positions(id);
  for (Vec3& x : squeezed) x.x *= Real(0.8);
  world.set_positions(id, squeezed);
  const double elastic = world.energy().elastic;
  const double spin = world.momentum().angular.y;
  for (int i = 0; i < 240; ++i) world.step(Real(1.0 / 60));
  EXPECT_LT(world.energy().elastic, 0.01 * elastic);
  EXPECT_NEAR(world.momentum().angular.y, spin, 0.005 * spin);
}

}  // namespace
}  // namespace sinew
