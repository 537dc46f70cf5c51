// The same bits for any number of threads: every kind of body, every order of the solver.
#include <gtest/gtest.h>

#include "body_kinds.h"

namespace sinew {
namespace {

// Finer than the bodies of bodies_of_every_kind(): big enough for several blocks in a colour.
std::vector<NamedBody> large_bodies() {
  std::vector<NamedBody> bodies{
      {"tetrahedra", {.mesh = box_tets({1, 1, 1}, {12, 12, 12})}},
      {"triangles", {.mesh = cloth(2, 2, 60, 60), .thickness = Real(0.01)}},
      {"lines", {.mesh = rope(3, 2000), .thickness = Real(0.02)}}};
  const HexMesh straight = box_hexes({1, 1, 1}, {18, 18, 18});
  for (HexIntegration integration :
       {HexIntegration::kAssumedStrain, HexIntegration::kSelective, HexIntegration::kEightPoint})
    bodies.push_back({std::string("skewed hexahedra, ") + word(integration),
                      {.mesh = shaken(straight, 0.01), .integration = integration}});
  bodies.push_back({"hexahedra", {.mesh = straight, .plasticity = Plasticity{}}});
  for (NamedBody& b : bodies) {
    b.body.material = StableNeoHookean{.young = Real(2e4), .poisson = Real(0.3)};
    b.body.damping = Real(0.002);
    b.body.angular_velocity = {1, 2, 3};
  }
  return bodies;
}

std::uint64_t hash_after(const SoftBody& body, int threads) {
  World world({.substeps = 5, .iterations = 2}, make_thread_pool(threads));
  world.add(StaticBody{.pose = {{0, Real(-0.51), 0}}});
  world.add(body);
  for (int i = 0; i < 6; ++i) world.step(Real(1.0 / 60));
  EXPECT_TRUE(world.finite());
  return world.state_hash();
}

TEST(Determinism, SameBitsForEveryKindOfBodyAndOrder) {
  for (const NamedBody& b : large_bodies()) {
    std::uint64_t last = 0;
    for (const NamedSolver& solver : kSolvers) {
      SoftBody body = b.body;
      body.solver = solver.solver;
      const std::uint64_t serial = hash_after(body, 1);
      EXPECT_NE(serial, last) << b.name << ", " << solver.name;  // the order matters to the bits
      last = serial;
      for (int threads : {2, 4})
        EXPECT_EQ(hash_after(body, threads), serial)
            << b.name << ", " << solver.name << ", " << threads << " threads";
    }
  }
}

}  // namespace
}  // namespace sinew
