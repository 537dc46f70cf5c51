// Where two shapes touch, or nearly: up to four points with one normal.
#pragma once

#include <sinew/math.h>

#include <cstdint>

namespace sinew {

struct Manifold {
  int count = 0;
  Vec3 normal = {};               // unit, from A to B, in the frame of A
  Vec3 on_a[4] = {};              // on the surface of A, in the frame of A [m]
  Vec3 on_b[4] = {};              // on the surface of B, in the frame of B [m]
  Real separation[4] = {};        // along the normal; negative: overlap [m]
  std::uint32_t feature[4] = {};  // the same from step to step while the same features touch
  // Distance of the shapes where there is no manifold, from below: nothing can touch before the
  // shapes have come nearer by that. [m]
  Real distance = 0;
};

}  // namespace sinew
