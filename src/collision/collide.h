// Narrow phase of two convex shapes.
#pragma once

#include "collision/convex.h"
#include "collision/manifold.h"

namespace sinew {

// Where A and B are nearer to each other than `margin`: a manifold with up to four points, chosen
// to hold the largest area and the deepest one. count = 0 if they are farther apart.
void collide(const Convex& a, const Convex& b, const Pose& b_in_a, Real margin, Manifold& out);

// The same for the half-space y ≤ 0 of A's frame.
void collide_plane(const Convex& b, const Pose& b_in_a, Real margin, Manifold& out);

// Puts the points of a manifold onto skins of that thickness around the shapes.
void put_on_skins(Real skin_a, Real skin_b, const Pose& b_in_a, Manifold& out);

}  // namespace sinew
