// A batch: all constraints of one kind in a body (the elements of its material, its bending
// springs, …), in packs, sorted by colour. Virtual calls happen once per batch and stage, never per
// constraint.
#pragma once

#include <sinew/executor.h>
#include <sinew/mesh.h>

#include "core/places.h"
#include "core/state_bytes.h"

namespace sinew {

// The particles of one body, and the substep under way.
struct Substep {
  Row4<Real>* displacement;  // u, since the start of the substep [m]; the inverse mass in w
  Places start;              // where the particles were then
  Real h;                    // length of the substep [s]
  Real damping;              // SoftBody::damping [s]
  Executor& executor;
  int iterations = 1;     // sweeps in this substep
  bool reversed = false;  // visit the colours from the last to the first
  // Jacobi: corrections of all constraints, seen from the same positions, are summed here; null for
  // Gauss–Seidel, which moves the particles at once.
  Row4<Real>* correction = nullptr;
  Real relaxation = 1;  // factor on every correction
  // Jacobi: how many elements at a vertex act as one. Each solves as if the vertex were so much
  // lighter: what it does then shrinks by that factor if it is stiff, and not at all if it is soft.
  Real sharing = 1;
  // Share of kExplicitStiffness that predicted forces may take up: less where the sweeps after them
  // correct less.
  Real prediction = 1;
};

class Batch {
 public:
  virtual ~Batch() = default;
  // Starts the substep: remembers where its particles are, and adds the forces there to the free
  // motion. All else looks at displacements.
  virtual void predict(const Substep& substep) = 0;
  // One sweep over all constraints.
  virtual void solve(const Substep& substep) = 0;
  // Damps what has no force to which viscosity could be added. Ends the substep: the displacement
  // of `position` since `previous` is to become the velocity. It must not raise kinetic energy.
  virtual void damp(const Substep&) {}
  // Has the last word in the substep, after all sweeps and contacts: for what must never be left.
  virtual void enforce(const Substep&) {}
  // Ends the substep: plastic flow, and what else changes with time.
  virtual void yield(const Substep&) {}
  // The Chebyshev method extrapolates multipliers together with positions: called before the first
  // sweep of a substep, to remember them (`first`), and after every sweep to set
  // λ ← before + ω (λ − before), where `before` is what they were one sweep earlier.
  virtual void extrapolate(Real omega, bool first) = 0;
  virtual double energy(const Places& at) const = 0;  // [J]
  // The largest of h²k/m at rest, by h² [1/s²]: what predict() limits (kExplicitStiffness). Of what
  // is rigid, or plain, none.
  virtual double stiffness(const Row4<Real>*) const { return 0; }
  virtual int count() const = 0;  // constraints
  // Whether it holds the body from outside, so that it need not keep its momentum.
  virtual bool external() const { return false; }
  // Everything that a substep finds and later ones read, but what follows from positions alone.
  virtual void visit_state(StateBytes&) {}
};

struct ElementSummary {
  double volume = 0;  // [m³]; of lines: length [m]
  int inverted = 0;
  double strain_max = 0;  // largest |principal stretch − 1|
};

// What a body's elements say about it.
class ElementMeasure {
 public:
  virtual ~ElementMeasure() = default;
  virtual ElementSummary summary(const Row4<Real>* position) const = 0;
  virtual int count() const = 0;
  // Elements too flat at rest to have a stiffness.
  virtual int slack_count() const = 0;
};

// The elements of a body's mesh, which also measure it.
class ElementBatch : public Batch, public ElementMeasure {
 public:
  int count() const override = 0;  // of both
};

}  // namespace sinew
