// Projective dynamics: implicit Euler as a minimisation, by alternating projections and one
// constant, prefactored matrix (Liu, chapters 5 and 6).
#pragma once

#include <sinew/implicit.h>
#include <sinew/real.h>

namespace sinew {

struct Projective {
  static constexpr const char* kName = "projective";
  static constexpr const char* kDoc =
      "Variational: minimises inertia and energy by projecting every element and solving with a "
      "constant matrix that is factored once, in turn. For springs, cloth and whatever else pulls "
      "with the square of a distance: the materials \"arap\" and \"none\". Few iterations resist "
      "turning, so that cloth falls too slowly; \"quasi_newton\" does not. While it touches "
      "something it does as \"quasi_newton\".";

  int iterations = 10;
  int substeps = 1;
  Real tolerance = 0;  // relative decrement at which iterations end
  Real budget = 0;     // of time in a substep [µs]; 0: none
  Integrator integrator = Integrator::kImplicitEuler;

  template <class Visitor>
  void describe(Visitor& v) {
    describe_implicit(v, *this);
  }
};

}  // namespace sinew
