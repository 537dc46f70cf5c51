// A body that nothing drives gains no energy. Steps of the position-based solver promise that only
// as far as their sweeps converge: bodies that are nearly incompressible, deformed far beyond what
// their substeps are made for, or spun faster than sound goes through them may gain some in every
// step, and explode. So the energy that a body has is a bound from then on. Kinetic energy (and
// that of weight) is compared with it after every step, and the elastic one is found where that
// alone is too much, or some steps have gone by. What is more than a tolerance is taken from
// velocities: first from what is not rigid motion. A body that still has too much is put back to
// where the step found it. Swept bodies are slowed but never put back by Jacobi's method or with
// constraints: they pass through states of more energy on their way to rest.
//
// Explicit bodies (symplectic Euler) are watched, too. Grabs may give as much as their greatest
// force times the way of what they hold.
//
// Bodies are not watched while pins move, nor with constraints that hold them from outside
// (attachments) or that have no energy and yet do work: rods, exact volumes, plain stiffness,
// strain limits, long-range attachments, spheres, position-based finite elements, whatever a
// program writes.
// Being pushed out of what it lies in makes a body's energy unknown until the next step; so does
// whoever sets its positions.
#pragma once

#include "world/motion.h"

namespace sinew {

// At the start of a step: finds the energy of those whose is unknown.
void watch_energy(const StepContext& c);
// At its end: takes back what they have gained.
void guard_energy(const StepContext& c);

}  // namespace sinew
