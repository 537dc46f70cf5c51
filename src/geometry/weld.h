// Which vertices of a point set are the same point.
#pragma once

#include <sinew/mesh.h>

namespace sinew {

// For every point the first point that it merges with, itself if none: the earliest kept point
// within `distance` [m] (0: at the same place; -0 is 0). Points are finite. Merged points never
// attract further ones, so that a chain of close points does not collapse into one.
std::vector<Index> weld_leaders(std::span<const Vec3> points, double distance);

}  // namespace sinew
