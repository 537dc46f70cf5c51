// What every implicit solver can be told. Its integrators all solve for the forces at the end (or
// the middle) of a step, so that no step is too long; they differ in what they do to energy.
#pragma once

#include <sinew/describe.h>

namespace sinew {

enum class Integrator {
  kImplicitEuler,     // vibrations die down, the faster the longer the step: the calm choice
  kImplicitMidpoint,  // vibrations go on: keeps energy to second order; lively, and contacts bounce
  kBdf2,              // second order, too, and damps little but what is too fast for the step
};
template <>
struct EnumWords<Integrator> {
  static constexpr const char* kWords[] = {"implicit_euler", "implicit_midpoint", "bdf2"};
};

// The fields that all implicit solvers have: how often and how long they iterate, and how forces
// become motion.
template <class Visitor, class Solver>
void describe_implicit(Visitor& v, Solver& s) {
  v.field("iterations", s.iterations,
          {.doc = "At most so many in a substep", .min = 1, .max = 10000});
  v.field("substeps", s.substeps, {.doc = "In a step of the world", .min = 1, .max = 1000});
  v.field("tolerance", s.tolerance,
          {.doc = "Iterations end when one lowers the objective by less than this share of what "
                  "the first one did; 0: never",
           .min = 0,
           .max = 1});
  v.field("budget", s.budget,
          {.doc = "No iteration but the first begins later than this in a substep; 0: no such "
                  "bound. With one, results depend on how fast the machine is",
           .unit = "µs",
           .min = 0});
  v.field("integrator", s.integrator,
          {.doc = "Implicit Euler is calm, the implicit midpoint rule keeps the energy of "
                  "vibrations, BDF2 damps only the fastest of them"});
}

}  // namespace sinew
