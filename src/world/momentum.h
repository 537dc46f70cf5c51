// Internal forces cannot change the momentum of a body. Implicit Euler brakes rotation by ω²h/2,
// and adding up thousands of rounded pushes drifts; so a body that touches nothing gives back what
// its linear and angular momentum (about the centre of mass) changed by in the substep, as a rigid
// motion: v −= Δp/M + (I⁻¹ΔL) × r.
#pragma once

#include "math/sym3.h"
#include "world/world_impl.h"

namespace sinew {

// After the velocities of a substep of length h [s] were updated and multiplied by `kept` (drag),
// and before particles move by their displacements.
void keep_momentum(const SoftRuntime& body, Particles& particles, double kept, Real h);

// The mass [kg] and momenta of what is not held: linear [kg m/s], and angular about the centre of
// mass [kg m²/s].
struct Momenta {
  double mass = 0;
  Vec3T<double> center{}, linear{}, angular{};
  Sym3T<double> inertia{};  // about the centre [kg m²]
};
Momenta momenta(const SoftRuntime& body, const Particles& particles);
// Gives a body these momenta by adding a rigid motion: the same for steps of any kind, at the cost
// of knowing what they were before.
void restore_momenta(const SoftRuntime& body, Particles& particles, const Vec3T<double>& linear,
                     const Vec3T<double>& angular);

// The motion of a rigid body with the momentum of what is not held.
struct RigidMotion {
  Vec3T<double> center{}, velocity{}, spin{};  // [m], [m/s], [rad/s]
};
RigidMotion rigid_motion(const SoftRuntime& body, const Particles& particles);

// Velocities keep only a part of what is not rigid motion; momentum stays.
void settle(const SoftRuntime& body, Particles& p, double kept);

}  // namespace sinew
