// What a body needs that is solved by minimising an objective, or stepped by its forces alone.
#pragma once

#include <sinew/implicit.h>

#include <memory>
#include <optional>

#include "collision/contact_energy.h"
#include "variational/descent.h"
#include "variational/elements_energy.h"

namespace sinew {

struct VariationalBody {
  int substeps = 1;  // in a step of the world; 0: as many as explicit steps need
  StopAt stop;
  Integrator integrator = Integrator::kImplicitEuler;
  std::optional<ExplicitMethod> explicit_method;  // instead of a finder
  double frequency = 0;                           // explicit: no vibration is faster [rad/s]
  Objective objective;
  std::unique_ptr<DirectionFinder> finder;
  Descent descent;
  ContactEnergy contact;
  MinimisationReport report;  // of the last substep

  // Rows of the body's particles: where it would be if rigid (explicit: its forces), and what it
  // did a substep ago, of length h_before [s]; 0: not known.
  std::vector<Row4<Real>> rigid, position_before, velocity_before;
  Real h_before = 0;

  // The body was put elsewhere: what it did before does not count.
  void forget_motion() { h_before = 0; }
  int substeps_in(Real dt) const;
};

// Of a body with a variational solver and `packs` packs of particles. Its elements are the first
// term of the objective.
std::unique_ptr<VariationalBody> make_variational_body(const SoftBody& body,
                                                       const std::vector<Real>& mass, int packs,
                                                       Real margin);

}  // namespace sinew
