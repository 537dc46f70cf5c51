// Fibres in a body's material (sinew/fibres.h): κ/2 (‖F d‖ − 1)² at every point, in hexahedra at
// the eight Gauss points, so that they resist bending with one cell across, too.
#pragma once

#include <sinew/bodies.h>

#include <memory>

#include "variational/energy_term.h"

namespace sinew {

// `bounding`: with a constant matrix that curves at least as much as they do, for the solver that
// needs that; the other converges faster (stretch_energy.h).
void add_fibres(const SoftBody& body, std::vector<std::unique_ptr<EnergyTerm>>& terms,
                bool bounding = false);

}  // namespace sinew
