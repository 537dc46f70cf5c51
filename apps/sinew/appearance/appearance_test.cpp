#include "appearance/appearance.h"

#include <gtest/gtest.h>
#include <sinew/generators.h>

namespace sinew {
namespace {

TEST(Appearance, ASolidShowsItsSkinIfItHasOne) {
  World world;
  const HexMesh mesh = box_hexes({1, 1, 1}, {2, 2, 2});
  const TriMesh ball = sphere_surface(Real(0.4), 3);
  const SoftId bare = world.add(SoftBody{.mesh = mesh});
  const SoftId dressed =
      world.add(SoftBody{.mesh = mesh, .skin = ball, .pose = {{3, 0, 0}}, .velocity = {0, 1, 0}});
  for (int i = 0; i < 3; ++i) world.step(Real(1.0 / 60));

  EXPECT_EQ(SoftSkin(world, bare).vertices(world), world.positions(bare));
  const SoftSkin skin(world, dressed);
  EXPECT_EQ(skin.triangles(), ball.cells);
  EXPECT_EQ(skin.vertices(world), world.skin_positions(dressed));

  // In pictures the lines of a mesh show how it deforms; a skin is there for its looks.
  const PictureScene picture = picture_of(world);
  ASSERT_EQ(picture.bodies.size(), 2u);
  EXPECT_TRUE(picture.bodies[0].wire);
  EXPECT_FALSE(picture.bodies[1].wire);
  EXPECT_EQ(picture.bodies[1].surface.vertices.size(), ball.vertices.size());
  EXPECT_EQ(picture.bodies[1].look, Look::kJelly);
}

}  // namespace
}  // namespace sinew
