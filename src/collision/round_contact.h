// Contact of spheres and capsules: shapes whose cores are so simple that their nearest points have
// closed forms.
#pragma once

#include "collision/convex.h"
#include "collision/manifold.h"

namespace sinew {

// As collide(). A is a sphere, and B anything.
void collide_sphere(const Convex& a, const Convex& b, const Pose& b_in_a, Real margin,
                    Manifold& out);
void collide_spheres(const Convex& a, const Convex& b, const Pose& b_in_a, Real margin,
                     Manifold& out);
void collide_capsules(const Convex& a, const Convex& b, const Pose& b_in_a, Real margin,
                      Manifold& out);

}  // namespace sinew
