// The triangles of a body as they are drawn: in world space, corner by corner, each with its
// normal.
#pragma once

#include <vector>

#include "picture.h"

namespace sinew {

struct SurfaceCorner {
  Vec3 position;  // [m], world
  Vec3 normal;    // unit, world
};

// Three corners a triangle. Triangles that cannot be drawn (a bad index, not finite, absurdly far
// away, no area) are left out.
std::vector<SurfaceCorner> surface_corners(const PictureBody& body);

// Finite, and near enough that squares of it are finite too.
bool drawable(const Vec3& point);

}  // namespace sinew
