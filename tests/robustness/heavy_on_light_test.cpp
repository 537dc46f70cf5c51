// Light bodies that carry heavy ones (rigid/squeezed.h).
#include <gtest/gtest.h>
#include <sinew/sinew.h>

#include <cmath>

namespace sinew {
namespace {

struct Column {
  World world;
  std::vector<RigidId> cubes;

  Column(int count, Real top, Real edge) {
    world.add(StaticBody{.shape = Plane{}});
    for (int i = 0; i < count; ++i)
      cubes.push_back(world.add(RigidBody{.shape = Box{{edge, edge, edge}},
                                          .pose = {{0, edge * (Real(0.5) + Real(i)), 0}},
                                          .density = i + 1 == count ? 1000 * top : 1000}));
  }
  double fastest() const {
    double most = 0;
    for (RigidId id : cubes) most = std::fmax(most, double(length(world.state(id).velocity)));
    return most;
  }
};

TEST(HeavyOnLight, ColumnsStand) {
  for (const int count : {2, 10, 20, 35})
    for (const Real top : {30, 300, 1000, 10000})
      for (const Real edge : {Real(0.2), Real(1)}) {
        if (count == 35 && edge < 1) continue;  // too slender for the default substeps at any mass
        Column column(count, top, edge);
        double fastest = 0;
        for (int i = 0; i < 300; ++i) {
          column.world.step(Real(1) / 60);
          fastest = std::fmax(fastest, column.fastest());
        }
        const RigidState state = column.world.state(column.cubes.back());
        SCOPED_TRACE(testing::Message() << count << " cubes, " << top << ", " << edge << " m");
        EXPECT_NEAR(state.pose.position.y, edge * (Real(count) - Real(0.5)), 0.001 * count);
        EXPECT_LT(fastest, 0.5);  // they close the slop of their contacts, and no more
      }
}

// Its inertia grows for a while, its weight does not: contacts bear what stands on them.
TEST(HeavyOnLight, GroundBearsTheWeight) {
  Column column(10, 100, 1);
  WorldSettings settings = column.world.settings();
  settings.rigid.sleeping = false;
  column.world.set_settings(settings);
  for (int i = 0; i < 600; ++i) column.world.step(Real(1) / 60);
  double impulse = 0;
  for (const RigidContact& contact : column.world.rigid_contacts())
    if (column.world.state(contact.a).is_static)
      for (int k = 0; k < contact.count; ++k) impulse += contact.impulse[k];
  const double weight = 109 * 1000 * 9.81;  // 9 cubes and one of 100 times their mass
  EXPECT_NEAR(impulse * 60 * settings.rigid.substeps, weight, 0.01 * weight);
}

// When the heavy one is gone, what carried it moves by its own mass.
TEST(HeavyOnLight, LetsGo) {
  Column column(3, 1000, 1);
  for (int i = 0; i < 60; ++i) column.world.step(Real(1) / 60);
  column.world.remove(column.cubes.back());
  column.world.step(Real(1) / 60);
  column.world.apply_impulse(column.cubes[1], {3000, 0, 0});
  EXPECT_NEAR(column.world.state(column.cubes[1]).velocity.x, 3, 1e-3);
  column.world.step(Real(1) / 60);
  EXPECT_GT(column.world.state(column.cubes[1]).velocity.x, 2.8);
}

}  // namespace
}  // namespace sinew
