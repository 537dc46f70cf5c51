// A body that nothing drives gains no energy. Steps of the position-based solver promise that only
// as far as their sweeps converge: bodies that are nearly incompressible, deformed far beyond what
// their substeps are made for, or spun faster than sound goes through them may gain some in every
// step, and explode. So the energy that a body has is a bound from then on. Kinetic energy (and
// that of weight) is compared with it after every step, and the elastic one is found where that
// alone is too much, or some steps have gone by. What is more than a tolerance is taken from
// velocities: first from what is not rigid motion. A body that still has too much is put back to
// where the step found it.
//
// Whatever does work on a body makes its energy unknown: grabs, pins and attachments that move,
// being pushed out of what it lies in, whoever sets its positions. Constraints beside the material
// are not watched, as plain ones have no energy.
#pragma once

#include "world/motion.h"

namespace sinew {

// At the start of a step: finds the energy of those whose is unknown.
void watch_energy(const StepContext& c);
// At its end: takes back what they have gained.
void guard_energy(const StepContext& c);

}  // namespace sinew
