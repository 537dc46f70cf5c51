// What tests of grabs share: every solver of soft bodies, and bodies to be held.
#pragma once

#include <sinew/generators.h>
#include <sinew/world.h>

#include <cmath>
#include <string>
#include <vector>

#include "body_kinds.h"

namespace sinew {

struct AnySolver {
  std::string name;
  Solver solver;
};

inline std::vector<AnySolver> every_solver() {
  std::vector<AnySolver> all;
  for (const NamedSolver& one : kSolvers) all.push_back({one.name, one.solver});
  all.push_back({"quasi_newton", QuasiNewton{}});
  all.push_back(
      {"quasi_newton, midpoint", QuasiNewton{.integrator = Integrator::kImplicitMidpoint}});
  all.push_back({"quasi_newton, bdf2", QuasiNewton{.integrator = Integrator::kBdf2}});
  all.push_back({"projective", Projective{}});
  all.push_back({"newton", Newton{}});
  for (Preconditioner p :
       {Preconditioner::kConstant, Preconditioner::kIncomplete, Preconditioner::kJacobi})
    all.push_back(
        {"newton, conjugate gradients " + std::to_string(int(p)),
         Newton{.linear_solver = LinearSolver::kConjugateGradients, .preconditioner = p}});
  all.push_back({"explicit", Explicit{}});
  return all;
}

// A cube of 40 cm and 64 kg about the origin, of what every solver takes.
inline SoftBody cube(const Solver& solver, Real young = Real(1e5)) {
  return {.mesh = box_tets({Real(0.4), Real(0.4), Real(0.4)}, {4, 4, 4}),
          .material = std::holds_alternative<Projective>(solver)
                          ? Material{Arap{.young = young}}
                          : Material{StableNeoHookean{.young = young, .poisson = Real(0.3)}},
          .solver = solver};
}
inline constexpr double kCubeMass = 64;  // [kg]

// k of a grab, by how a mass is to swing on it [N/m].
inline double stiffness_of(const Spring& spring, double mass) {
  const double turn = 6.28318530717958648 * double(spring.frequency);
  return mass * turn * turn;
}

}  // namespace sinew
