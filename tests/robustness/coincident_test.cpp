// Bodies that are put into one place part gently, to all sides.
#include <gtest/gtest.h>
#include <sinew/sinew.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

struct Parted {
  double highest = 0, fastest = 0, wide = 0;  // [m], [m/s], the narrower of two widths [m]
};

Parted part(const Shape& shape, int count, const WorldSettings& settings) {
  World world(settings);
  world.add(StaticBody{.shape = Plane{}});
  std::vector<RigidId> bodies;
  for (int i = 0; i < count; ++i)
    bodies.push_back(world.add(RigidBody{.shape = shape, .pose = {{0, 2, 0}}}));
  Parted out;
  for (int i = 0; i < 300; ++i) {
    world.step(Real(1) / 60);
    for (RigidId id : bodies) {
      const RigidState s = world.state(id);
      out.highest = std::max(out.highest, double(s.center_of_mass.y));
      out.fastest = std::max(out.fastest, double(length(s.velocity)));
    }
  }
  Real low[2] = {0, 0}, high[2] = {0, 0};
  for (RigidId id : bodies) {
    const Vec3 x = world.state(id).center_of_mass;
    low[0] = std::min(low[0], x.x), high[0] = std::max(high[0], x.x);
    low[1] = std::min(low[1], x.z), high[1] = std::max(high[1], x.z);
  }
  out.wide = std::min(high[0] - low[0], high[1] - low[1]);
  return out;
}

const ConvexHull kTetrahedron{{{0, Real(0.5), 0},
                               {Real(0.5), Real(-0.3), 0},
                               {Real(-0.3), Real(-0.3), Real(0.4)},
                               {Real(-0.3), Real(-0.3), Real(-0.4)}}};

TEST(Coincident, SpheresDoNotRise) {
  const Parted p = part(Sphere{.radius = Real(0.5)}, 40, {});
  EXPECT_LT(p.highest, 4);  // was 16.6 m: one column
  EXPECT_LT(p.fastest, 10);
  EXPECT_GT(p.wide, 2);  // was 0
}

TEST(Coincident, OthersNeither) {
  const Shape shapes[] = {Capsule{}, Box{}, Cylinder{}, kTetrahedron};
  for (const Shape& shape : shapes) {
    const Parted p = part(shape, 20, {});
    EXPECT_LT(p.highest, 4) << shape.index();
    EXPECT_LT(p.fastest, 10) << shape.index();
  }
}

// Parting is no motion that goes on: nothing is left of it where nothing falls.
TEST(Coincident, PartWithoutEnergy) {
  WorldSettings settings;
  settings.gravity = {};
  const Shape shapes[] = {Sphere{}, Capsule{}, Box{}, Cylinder{}, kTetrahedron};
  for (const Shape& shape : shapes)
    EXPECT_LT(part(shape, 20, settings).fastest, 0.05) << shape.index();
}

}  // namespace
}  // namespace sinew
