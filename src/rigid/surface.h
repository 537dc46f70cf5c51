// Triangle meshes and height fields as rigid bodies see them.
#pragma once

#include <span>

#include "collision/bounds.h"
#include "collision/convex.h"
#include "collision/manifold.h"

namespace sinew {

struct Surface {};
inline Aabb surface_bounds(const Surface&) { return Aabb::empty(); }
inline Aabb turned(const Aabb& a, const Pose&) { return a; }
inline int collide_surface(const Surface&, const Convex&, const Pose&, Real, std::span<Manifold>) {
  return 0;
}

}  // namespace sinew
