// Contact of hulls, boxes and triangles with each other.
#pragma once

#include "collision/convex.h"
#include "collision/manifold.h"

namespace sinew {

// Whether trying all pairs of edges is the faster way; otherwise collide_features() is.
bool few_edges(const Convex& a, const Convex& b);

// As collide(), of the cores. A and B are hulls, boxes or triangles with few edges.
void collide_polyhedra(const Convex& a, const Convex& b, const Pose& b_in_a, Real margin,
                       Manifold& out);

}  // namespace sinew
