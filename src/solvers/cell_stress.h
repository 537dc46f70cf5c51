// The stress in cells that are deformed, as one number: von Mises' equivalent of Cauchy's,
//   σ = P Fᵀ / J,   s = σ − ⅓ tr σ I,   σᵥ = √(3/2 s:s).
// For those who look at a body; solvers have their own ways.
#pragma once

#include <sinew/materials.h>

#include <span>

#include "core/pack.h"

namespace sinew {

// The deformation gradients of a pack of cells. Those of a sheet have the unit normal as what its
// normal at rest becomes (elements/triangle.h); `carried` is F without it, as the stress along it
// is dropped. Of solids both are the same.
struct DeformedCells {
  Mat3T<Wide> f, carried;
};

// Cells that are flat or inside out count as if they had a hundredth of their volume: what they are
// pushed out by is finite, and so is what is told of it.
inline constexpr Real kLeastVolume = Real(0.01);

// [Pa]; `sheet`: in plane stress. One file, because it has every material.
void von_mises_stress(const Material& material, bool sheet, std::span<const DeformedCells> cells,
                      Wide* out);

}  // namespace sinew
