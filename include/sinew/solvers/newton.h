// Newton's method: the variational solver to compare others with, and for the last digits.
#pragma once

#include <sinew/implicit.h>
#include <sinew/real.h>

namespace sinew {

enum class LinearSolver {
  kDirect,              // a Cholesky factor in every iteration
  kConjugateGradients,  // with a preconditioner
};
template <>
struct EnumWords<LinearSolver> {
  static constexpr const char* kWords[] = {"direct", "conjugate_gradients"};
};

enum class Preconditioner {
  kJacobi,      // the diagonal blocks
  kIncomplete,  // an incomplete Cholesky factor, without fill-in
  kConstant,    // the constant matrix of the quasi-Newton solver
};
template <>
struct EnumWords<Preconditioner> {
  static constexpr const char* kWords[] = {"jacobi", "incomplete", "constant"};
};

enum class Definiteness {
  kProjection,  // negative eigenvalues of every element's tangent are dropped
  kTikhonov,    // the whole matrix gets a diagonal, as much as it needs
};
template <>
struct EnumWords<Definiteness> {
  static constexpr const char* kWords[] = {"projection", "tikhonov"};
};

struct Newton {
  static constexpr const char* kName = "newton";
  static constexpr const char* kDoc =
      "Variational: minimises inertia and energy by Newton's method. A few costly iterations; for "
      "comparison, and for the last digits.";

  int iterations = 5;
  int substeps = 1;
  Real tolerance = 0;  // relative decrement at which iterations end
  Real budget = 0;     // of time in a substep [µs]; 0: none
  Integrator integrator = Integrator::kImplicitEuler;
  LinearSolver linear_solver = LinearSolver::kDirect;
  Preconditioner preconditioner = Preconditioner::kConstant;
  Definiteness definiteness = Definiteness::kProjection;
  int linear_iterations = 100;
  Real linear_tolerance = Real(1e-3);

  template <class Visitor>
  void describe(Visitor& v) {
    describe_implicit(v, *this);
    v.field("linear_solver", linear_solver, {.doc = "How the linear systems are solved"});
    v.field("preconditioner", preconditioner, {.doc = "Of conjugate gradients"});
    v.field("definiteness", definiteness,
            {.doc = "What is done where the energy curves the wrong way"});
    v.field(
        "linear_iterations", linear_iterations,
        {.doc = "Conjugate gradients: at most so many in an iteration", .min = 1, .max = 100000});
    v.field("linear_tolerance", linear_tolerance,
            {.doc = "Conjugate gradients end at this share of the residual",
             .min = 0,
             .max = 1,
             .exclusive_min = true});
  }
};

}  // namespace sinew
