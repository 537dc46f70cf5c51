// Colliders with the margins around them, which is how they meet each other.
#pragma once

#include <span>

#include "rigid/rigid_world.h"

namespace sinew {

inline Convex rounded(Convex shape, Real margin) {
  shape.radius += margin;
  return shape;
}
inline Convex skin_of(const Collider& collider) {
  return rounded(collider.convex, collider.margin);
}

// Where the skins are nearer to each other than `within`; A is anything, B convex. Returns the
// number of manifolds, in the frames of the colliders; without any, the distance of the first is
// that of the skins from below.
int collide_skins(const Collider& a, const Collider& b, const Pose& b_in_a, Real within,
                  std::span<Manifold> out);

}  // namespace sinew
