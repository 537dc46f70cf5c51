// Contact of two boxes.
#pragma once

#include "collision/manifold.h"

namespace sinew {

// `a` and `b` are halves of the edges of A and B. As collide() otherwise.
void collide_boxes(const Vec3& a, const Vec3& b, const Pose& b_in_a, Real margin, Manifold& out);

}  // namespace sinew
