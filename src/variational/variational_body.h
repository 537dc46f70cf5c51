// What a body needs that is solved by minimising an objective, or stepped by its forces alone.
#pragma once

#include <sinew/implicit.h>

#include <memory>
#include <optional>

#include "collision/contact_energy.h"
#include "variational/descent.h"
#include "variational/elements_energy.h"

namespace sinew {

// The elements of all parts of a body.
class PartsMeasure final : public ElementMeasure {
 public:
  std::vector<const ElementsEnergy*> parts;

  ElementSummary summary(const Row4<Real>* x) const override;
  int count() const override;
  int slack_count() const override;
};

struct VariationalBody {
  int substeps = 1;  // in a step of the world; 0: as many as explicit steps need
  StopAt stop;
  Integrator integrator = Integrator::kImplicitEuler;
  std::optional<ExplicitMethod> explicit_method;  // instead of a finder
  double frequency = 0;                           // explicit: no vibration is faster [rad/s]
  Objective objective;
  PartsMeasure elements;
  std::unique_ptr<DirectionFinder> finder;
  Descent descent;
  ContactEnergy contact;
  MinimisationReport report;  // of the last substep

  // Rows of the body's particles: where it would be if rigid (explicit: its forces), and what it
  // did a substep ago, of length h_before [s]; 0: not known.
  std::vector<Row4<Real>> rigid, position_before, velocity_before;
  Real h_before = 0;
  double gained = 0;  // by the midpoint rule, out of nothing [J]

  // The body was put elsewhere: what it did before does not count.
  void forget_motion() {
    h_before = 0;
    gained = 0;
    descent.forget();
  }
  int substeps_in(Real dt) const;

  // Finders have none: what they keep from step to step follows from the body, the step and what is
  // held.
  void visit_state(StateBytes& state) {
    for (const auto& term : objective.terms) state(*term);
    state(descent, report, h_before, gained);
    if (integrator == Integrator::kBdf2) state(position_before, velocity_before);
  }
};

// Of a body with a variational solver and `packs` packs of particles: its elements, and then the
// energies of its constraints.
std::unique_ptr<VariationalBody> make_variational_body(
    const SoftBody& body, std::vector<std::unique_ptr<EnergyTerm>> constraints,
    const std::vector<Real>& mass, int packs, Real margin);

// The solver projective takes nothing but squared distances; throws otherwise, naming `what` it is.
void check_projective(const Solver& solver, const EnergyTerm& term, const std::string& what);

}  // namespace sinew
