// How the bodies of a world look in pictures and recordings.
#pragma once

#include <sinew/world.h>

#include "picture/picture.h"

namespace sinew {

// The surface of a shape in its body's frame. A plane, which has no end, shows as a square.
TriMesh visible_surface(const Shape& shape);

// sRGB (as in PictureBody) to linear (as in glTF).
Vec3 linear_colour(const Vec3& srgb);

inline constexpr Vec3 kStaticColour{Real(0.62), Real(0.64), Real(0.67)};

// Everything as it is now.
PictureScene picture_of(const World& world);

}  // namespace sinew
