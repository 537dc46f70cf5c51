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
  int steps_done = 0;       // of the last step: substeps, iterations in all of them, and the share
  int iterations_done = 0;  // of its stiffness that the body had
  double stiffness = 1;

  // Rows of the body's particles: where it would be if rigid (explicit: its forces), and what it
  // did a substep ago, of length h_before [s]; 0: not known.
  std::vector<Row4<Real>> rigid, position_before, velocity_before;
  Real h_before = 0;
  // By how much forces moved vertices in the last substep, of length h_pushed [s]; 0: not known.
  // The next starts from there, where all but the change of forces is found already.
  std::vector<Row4<Real>> pushed;
  Real h_pushed = 0;
  double gained = 0;  // out of nothing [J]
  int stuck = 0;      // substeps that friction has kept it where it was, out of balance or not

  // In a step, places are seen from a point near the body, so that floats keep their digits: a
  // whole number of `grid` from the origin, that stays while the body is no further away.
  Vec3T<double> origin{};
  double grid = 1;  // a power of two [m]

  // To a point near `place`; returns by how much further away all places seem then.
  Vec3T<double> move_origin(const Vec3T<double>& place);

  // The body was put elsewhere: what it did before does not count.
  void forget_motion() {
    h_before = 0;
    h_pushed = 0;
    gained = 0;
    stuck = 0;
    descent.forget();
    if (finder) finder->forget();
  }
  int substeps_in(Real dt) const;
  // The share of its stiffness with which that many explicit substeps are stable.
  double stiffness_in(Real dt) const;

  void visit_state(StateBytes& state) {
    for (const auto& term : objective.terms) state(*term);
    state(descent, report, steps_done, iterations_done, stiffness, h_before, gained, stuck,
          h_pushed, origin);
    if (h_pushed > 0) state(pushed);
    if (finder) state(*finder);
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
