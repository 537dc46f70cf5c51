// What a body needs that is solved by minimising an objective.
#pragma once

#include "collision/contact_energy.h"
#include "variational/elements_energy.h"
#include "variational/quasi_newton_solver.h"

namespace sinew {

struct VariationalBody {
  explicit VariationalBody(const QuasiNewton& chosen) : settings(chosen), solver(chosen) {}

  QuasiNewton settings;
  Objective objective;
  ConstantMetric metric;
  QuasiNewtonSolver solver;
  ContactEnergy contact;
  MinimisationReport report;  // of the last substep
};

// The energy of a body's elements; null if there is none for its kind of mesh.
std::unique_ptr<ElementsEnergy> make_elements_energy(const SoftBody& body,
                                                     const StretchInterval& stretches);

}  // namespace sinew
