// Projective dynamics: implicit Euler as a minimisation, by alternating projections and one
// constant, prefactored matrix (seed 001, chapters 5 and 6).
#pragma once

#include <sinew/describe.h>
#include <sinew/real.h>

namespace sinew {

struct Projective {
  static constexpr const char* kName = "projective";
  static constexpr const char* kDoc =
      "Variational: minimises inertia and energy by projecting every element and solving with a "
      "constant matrix that is factored once, in turn. For springs, cloth and whatever else pulls "
      "with the square of a distance: the materials \"arap\" and \"none\". While it touches "
      "something it does as \"quasi_newton\".";

  int iterations = 10;
  int substeps = 1;
  Real tolerance = 0;  // relative decrement at which iterations end

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("iterations", iterations,
            {.doc = "At most so many in a substep", .min = 1, .max = 10000});
    v.field("substeps", substeps, {.doc = "In a step of the world", .min = 1, .max = 1000});
    v.field("tolerance", tolerance,
            {.doc = "Iterations end when one lowers the objective by less than this share of what "
                    "the first one did; 0: never",
             .min = 0,
             .max = 1});
  }
};

}  // namespace sinew
