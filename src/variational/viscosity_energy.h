// Viscosity, SoftBody::damping τ [s], as a potential of the step (Kelvin and Voigt's; what implicit
// Euler makes of the stress 2η Ė):
//   D = Σ V η/(h s²) ‖E − Eₙ‖²,   E = ½ (FᵀF − I),   η = τ μ,   P = F 2η/(h s²) (E − Eₙ)
// with Eₙ the strain at the start of the step. Green's strain does not change with rotation, so
// that spinning is free and forces exert no torque. A rate of it is one of stretch times that
// stretch, and so is the stress: what is stretched tenfold would be a hundred times as viscous, and
// take so much longer to come back. Hence s², the mean squared stretch at the start of the step, or
// one: constant in the step, so that D has exact derivatives. It stores nothing, and so has no
// energy to report.
#pragma once

#include <sinew/bodies.h>

#include <memory>

#include "variational/energy_term.h"

namespace sinew {

// Of bodies with damping and a stiffness. In hexahedra it acts at the eight Gauss points, because
// bending is in the hourglass modes.
void add_viscosity(const SoftBody& body, std::vector<std::unique_ptr<EnergyTerm>>& terms);

}  // namespace sinew
