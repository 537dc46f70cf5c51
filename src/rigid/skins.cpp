#include "rigid/skins.h"

#include <algorithm>

#include "collision/collide.h"

namespace sinew {

// The bare shapes are collided, which are as far apart along the normal and by the margins more.
int collide_skins(const Collider& a, const Collider& b, const Pose& b_in_a, Real within,
                  std::span<Manifold> out) {
  const Real both = a.margin + b.margin;
  out[0].count = 0;
  out[0].distance = 0;  // surfaces do not tell
  int count = 0;
  switch (a.kind) {
    case Collider::Kind::kPlane:
      collide_plane(b.convex, b_in_a, within + both, out[0]);
      count = out[0].count > 0;
      break;
    case Collider::Kind::kSurface:
      count = collide_surface(*a.surface, b.convex, b_in_a, within + both, out);
      break;
    case Collider::Kind::kConvex:
      collide(a.convex, b.convex, b_in_a, within + both, out[0]);
      count = out[0].count > 0;
      break;
  }
  if (both > 0)
    for (Manifold& m : out.first(static_cast<std::size_t>(std::max(count, 1))))
      put_on_skins(a.margin, b.margin, b_in_a, m);
  return count;
}

}  // namespace sinew
