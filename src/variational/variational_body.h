// What a body needs that is solved by minimising an objective.
#pragma once

#include <memory>

#include "collision/contact_energy.h"
#include "variational/descent.h"
#include "variational/elements_energy.h"

namespace sinew {

struct VariationalBody {
  int substeps = 1;  // in a step of the world
  StopAt stop;
  Objective objective;
  std::unique_ptr<DirectionFinder> finder;
  Descent descent;
  ContactEnergy contact;
  MinimisationReport report;  // of the last substep
};

// Of a body with a variational solver and `packs` packs of particles. Its elements are the first
// term of the objective, the energies of its constraints follow.
std::unique_ptr<VariationalBody> make_variational_body(
    const SoftBody& body, std::vector<std::unique_ptr<EnergyTerm>> constraints,
    const std::vector<Real>& mass, int packs, Real margin);

// The solver projective takes nothing but squared distances; throws otherwise, naming `what` it is.
void check_projective(const Solver& solver, const EnergyTerm& term, const std::string& what);

}  // namespace sinew
