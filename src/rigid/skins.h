// Colliders with the margins around them, which is how they meet each other.
#pragma once

#include <span>

#include "rigid/rigid_world.h"

namespace sinew {

// A convex collider, or a triangle of a surface, rounded by the margin.
inline Convex skin_of(const Collider& collider) {
  Convex skin = collider.convex;
  skin.radius += collider.margin;
  return skin;
}
inline Convex skin_of(const Collider& surface, const Vec3 (&corner)[3]) {
  return {.kind = ConvexKind::kTriangle,
          .radius = surface.margin,
          .corner = {corner[0], corner[1], corner[2]}};
}

// Where the skins are nearer to each other than `within`; A is anything, B convex. Returns the
// number of manifolds, in the frames of the colliders; without any, the distance of the first is
// that of the skins from below.
int collide_skins(const Collider& a, const Collider& b, const Pose& b_in_a, Real within,
                  std::span<Manifold> out);

}  // namespace sinew
