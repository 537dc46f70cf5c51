// Newton's method: the variational solver to compare others with, and for the last digits.
#pragma once

#include <sinew/describe.h>
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
  kJacobi,    // the diagonal blocks
  kConstant,  // the constant matrix of the quasi-Newton solver
};
template <>
struct EnumWords<Preconditioner> {
  static constexpr const char* kWords[] = {"jacobi", "constant"};
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
  LinearSolver linear_solver = LinearSolver::kDirect;
  Preconditioner preconditioner = Preconditioner::kConstant;
  Definiteness definiteness = Definiteness::kProjection;
  int linear_iterations = 100;
  Real linear_tolerance = Real(1e-3);

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
