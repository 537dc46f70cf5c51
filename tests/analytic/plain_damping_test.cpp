// Damping of position-based finite elements: it brakes deforming, not moving, gains nothing, and
// leaves rest where it is.
#include <sinew/generators.h>
#include <sinew/world.h>

#include <algorithm>

#include "soft_support.h"
#include "support.h"

namespace sinew {
namespace {

const Vec3 kSize{Real(0.4), Real(0.4), Real(0.4)};

std::vector<BodyMesh> meshes() { return {box_tets(kSize, {3, 3, 3}), box_hexes(kSize, {3, 3, 3})}; }

SoftBody elements(const BodyMesh& mesh, double stiffness, double damping) {
  return {.mesh = mesh,
          .material = None{},
          .constraints = {FiniteElements{.shape = Real(stiffness), .volume = Real(stiffness)}},
          .damping = Real(damping)};
}

// It used to be ignored: bodies with damping 0, 0.1 and 1 s were the same to the last bit.
TEST(PlainDamping, StopsABodyThatWobbles) {
  for (const BodyMesh& mesh : meshes()) {
    const auto left = [&](double damping) {
      World world({.gravity = {}});
      SoftBody body = elements(mesh, 0.1, damping);
      body.pins = vertices_where(mesh, [](const Vec3& x) { return x.x < Real(-0.19); });
      body.velocity = {0, 2, 0};
      world.add(body);
      run(world, 0.25);
      return world.energy().kinetic;
    };
    const double free = left(0);
    EXPECT_LT(left(0.01), 0.5 * free);
    EXPECT_LT(left(0.1), 0.1 * free);
  }
}

TEST(PlainDamping, FreeBodiesGainNothingAndTurnOn) {
  for (const BodyMesh& mesh : meshes())
    for (double stiffness : {0.1, 0.5, 1.0})
      for (double damping : {0.001, 0.1, 100.0}) {
        World world({.gravity = {}});
        SoftBody body = elements(mesh, stiffness, damping);
        body.velocity = {1, 0, 0};
        body.angular_velocity = {3, 20, 5};
        world.add(body);
        const double start = world.energy().kinetic;
        double most = 0;
        for (int i = 0; i < 120; ++i) {
          world.step(Real(1.0 / 60));
          most = std::max(most, world.energy().kinetic);
        }
        EXPECT_LE(most, 1.001 * start) << stiffness << ", " << damping;
        EXPECT_GE(world.energy().kinetic, 0.95 * start) << stiffness << ", " << damping;
      }
}

TEST(PlainDamping, DoesNotChangeWhereABodyRests) {
  for (const BodyMesh& mesh : meshes()) {
    const auto sag = [&](double damping) {
      World world;
      SoftBody body = elements(mesh, 0.1, damping);
      body.pins = vertices_where(mesh, [](const Vec3& x) { return x.x < Real(-0.19); });
      const SoftId id = world.add(body);
      run(world, 8);
      return mean_position(world, id).y;
    };
    const double truth = sag(0);
    for (double damping : {0.01, 0.1}) EXPECT_NEAR(sag(damping) / truth, 1, 0.02) << damping;
  }
}

// What plain elements do not have is refused with words that tell where it is.
TEST(PlainDamping, PlasticityIsRefused) {
  World world;
  SoftBody body = elements(meshes()[0], 0.5, 0);
  body.plasticity = Plasticity{};
  expect_error([&] { world.add(body); }, {"plasticity", "material", "finite_elements"});
}

}  // namespace
}  // namespace sinew
