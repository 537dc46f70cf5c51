// A convex shape against a triangle mesh or a height field.
//
// Every triangle near the shape is asked for a contact, with a normal that its edges allow
// (surface.h); points whose normals agree within 3° become one manifold of up to four. So a box on
// a tessellated floor has one manifold with its four corners, and slides over the edges inside the
// floor without noticing them.
//
// Surfaces have one side: they push to the front of their triangles. Where that is the outside of a
// solid (below a height field, in a closed mesh), a shape whose middle is inside is pushed out by
// the plane of the nearest way, however deep it is. Elsewhere, a shape whose middle is behind a
// triangle is pushed by it only if no other triangle has a contact, and as long as the middle is
// less than the shape's radius behind: the shape then leaves to the front by the shortest way.
// Shapes that are wholly behind a triangle do not touch it.
#pragma once

#include <span>

#include "collision/convex.h"
#include "collision/height_field_data.h"
#include "collision/manifold.h"
#include "collision/triangle_soup.h"

namespace sinew {

// A is the surface. Returns the number of manifolds, the deepest first; with more than `out` holds,
// the shallow ones are left out. Without any, the shapes are no nearer than `margin`, or B is
// behind; and wherever B goes, by less than the distance of the first, that does not change.
template <Surface S>
int collide_surface(const Convex& b, const Pose& b_in_a, Real margin, const S& a,
                    std::span<Manifold> out);

extern template int collide_surface(const Convex&, const Pose&, Real, const TriangleSoup&,
                                    std::span<Manifold>);
extern template int collide_surface(const Convex&, const Pose&, Real, const HeightFieldData&,
                                    std::span<Manifold>);

}  // namespace sinew
