// The variational solver for any hyperelastic material: implicit Euler as a minimisation, by
// L-BFGS with a constant, prefactored matrix (Liu, chapter 7). What a substep learns is kept for
// the next, so that a few iterations in each of a few substeps find the right motion.
#pragma once

#include <sinew/implicit.h>
#include <sinew/real.h>

namespace sinew {

struct QuasiNewton {
  static constexpr const char* kName = "quasi_newton";
  static constexpr const char* kDoc =
      "Variational: minimises inertia and energy by L-BFGS with a constant matrix that is factored "
      "once. For detailed solids of any material, with large steps.";

  int iterations = 4;
  int history = 10;
  int substeps = 3;
  Real tolerance = 0;  // relative decrement at which iterations end
  Real budget = 0;     // of time in a substep [µs]; 0: none
  Integrator integrator = Integrator::kImplicitEuler;
  Real stretch_min = Real(0.5), stretch_max = Real(1.5);

  template <class Visitor>
  void describe(Visitor& v) {
    describe_implicit(v, *this);
    v.field(
        "history", history,
        {.doc = "Iterations that L-BFGS remembers, of earlier substeps as well; 0: the constant "
                "matrix alone",
         .min = 0,
         .max = 100});
    v.field("stretch_min", stretch_min,
            {.doc = "The matrix has the mean stiffness of stretches from this …",
             .min = 0,
             .max = 1,
             .exclusive_min = true,
             .exclusive_max = true});
    v.field("stretch_max", stretch_max,
            {.doc = "… to this", .min = 1, .max = 10, .exclusive_min = true});
  }
};

}  // namespace sinew
