// The place in a cell that is nearest to a point: exact for tetrahedra, by iteration for the
// trilinear map of hexahedra. And the weights that continue a cell beyond its faces.
#pragma once

#include <sinew/mesh.h>

#include <array>

namespace sinew {

template <std::size_t kCorners>
struct PlaceInCell {
  std::array<double, kCorners> weights = {};  // of the corners; they add up to 1
  double distance2 = 0;                       // from the point [m²]
  bool converged = true;
};
// As seen from the point: far from the origin, differences of positions are all that is precise.
template <std::size_t kCorners>
using CornersOf = std::array<Vec3T<double>, kCorners>;

// No weight is negative.
PlaceInCell<4> nearest_in_cell(const CornersOf<4>& corners);
PlaceInCell<8> nearest_in_cell(const CornersOf<8>& corners);

// From the nearest place on to the point itself. Not finite for a flat cell.
std::array<double, 4> extrapolated(const CornersOf<4>& corners,
                                   const std::array<double, 4>& nearest);
std::array<double, 8> extrapolated(const CornersOf<8>& corners,
                                   const std::array<double, 8>& nearest);

}  // namespace sinew
