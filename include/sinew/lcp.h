// Linear complementarity problems with boxes, small and dense, for use outside a world. Find x and
// w = A x + b such that
//   lower ≤ x ≤ upper,   w ≥ 0 where x = lower,   w ≤ 0 where x = upper,   w = 0 in between
// (B. Kenwright, G. Morgan, Practical introduction to rigid body linear complementary problem (LCP)
// constraint solvers, 2012, eq. 1). Constraints of rigid bodies are of this kind: A = J M⁻¹ Jᵀ, x
// are impulses, w velocities. Two direct solvers prove their answers; the iterations are projected
// Gauss–Seidel, successive over-relaxation and Jacobi. These solvers are the reference for those
// that run every step.
//
// Errata of that text: eq. 2 lacks the factor a_ij in its sums; the projection of eq. 3 belongs
// inside the sweep, not after it; eq. 4 does not go to zero where a bound acts; J of m bodies and n
// rows is n × 6m.
//
//   BoxLcp problem = BoxLcp::free_of(1);    // a ball of 2 kg comes down at 3 m/s
//   problem.at(0, 0) = 1 / 2.0;
//   problem.b[0] = -3;
//   problem.lower[0] = 0;                   // contacts push
//   solve_dantzig(problem).x[0];            // 6 N s
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace sinew {

struct BoxLcp {
  std::vector<double> a;      // n × n, row by row
  std::vector<double> b;      // n
  std::vector<double> lower;  // n, may be −∞
  std::vector<double> upper;  // n, may be +∞; equal to `lower`: fixed

  std::size_t size() const { return b.size(); }
  double& at(std::size_t row, std::size_t column) { return a[row * size() + column]; }
  double at(std::size_t row, std::size_t column) const { return a[row * size() + column]; }

  // n unknowns without limits, A and b zero.
  static BoxLcp free_of(std::size_t n);
};

enum class LcpStatus {
  kSolved,          // and verified: the residual is at most the tolerance
  kNoSolution,      // there is none, if A is positive semidefinite; else the method met a ray
  kIterationLimit,  // out of pivots or sweeps
  kFailed           // rounding, or a matrix the method is not made for
};

const char* name_of(LcpStatus status);

struct LcpSolution {
  std::vector<double> x = {};  // always finite and within the box, if perhaps wrong
  LcpStatus status = LcpStatus::kFailed;
  double residual = 0;  // lcp_residual() of x
  int iterations = 0;   // pivots or sweeps
};

// What direct solvers must reach to call an answer solved.
inline constexpr double kLcpTolerance = 1e-9;

// Throws an Error that names the index when sizes differ, a number is NaN, A or b infinite, or
// lower > upper (or both the same infinity).
void check(const BoxLcp& problem);

// A x + b
std::vector<double> lcp_velocity(const BoxLcp& problem, std::span<const double> x);

// The natural residual r = s (x − clamp(x − w / s, lower, upper)), s = A's diagonal: in units of w,
// zero exactly at solutions. The largest |r|, over the largest |A x₀ + b| and |b|, x₀ the point of
// the box nearest to 0. Relative to the problem, not to x: an answer does not improve by being
// huge.
double lcp_residual(const BoxLcp& problem, std::span<const double> x);

// ‖A x + b‖ / ‖b‖, the stop condition of Kenwright and Morgan (eq. 4) as printed, ∞ for b = 0 ≠ A
// x. Where a bound is active w is not zero at the solution, and this does not go to zero either.
double linear_residual(const BoxLcp& problem, std::span<const double> x);

struct PivotOptions {
  int most = 0;  // pivots; 0: 100 + 50 n
};

// Lemke's algorithm with lexicographic ratio tests, which cannot cycle (Cottle, Pang, Stone: The
// Linear Complementarity Problem, 1992, §4.4 and §4.9). For every A that is copositive-plus, so
// also for unsymmetric ones; free unknowns are eliminated before, which asks for a regular or
// positive semidefinite block of them.
LcpSolution solve_lemke(const BoxLcp& problem, const PivotOptions& options = {});

// Dantzig's pivoting as Baraff uses it: one unknown after the other is driven to its place, those
// placed before are kept there (D. Baraff, Fast contact force computation for nonpenetrating rigid
// bodies, 1994, §4). For symmetric positive semidefinite A, singular ones too; an unsymmetric A is
// an Error.
LcpSolution solve_dantzig(const BoxLcp& problem, const PivotOptions& options = {});

enum class PgsStop {
  kNatural,  // lcp_residual(): eq. 4 with w's part that bounds allow left out
  kLinear    // linear_residual(): eq. 4 as printed
};

enum class PgsOrder {
  kGaussSeidel,  // each row sees what the rows before it changed
  kJacobi,       // all rows see the last sweep: parallel, slower, and without relaxation < 1 it
                 // diverges where rows depend on each other
};

enum class PgsProjection {
  kEachRow,    // eq. 3 inside the sweep: projected Gauss–Seidel
  kEachSweep,  // all rows after the sweep, as their code 6 does: not a solver where bounds act
};

struct PgsOptions {
  int sweeps = 100;         // at most
  double tolerance = 1e-6;  // of the stop condition; 0: all sweeps
  double relaxation = 1;    // successive over-relaxation, in (0, 2)
  PgsOrder order = PgsOrder::kGaussSeidel;
  PgsStop stop = PgsStop::kNatural;
  PgsProjection projection = PgsProjection::kEachRow;
};

// Projected Gauss–Seidel (Kenwright and Morgan, eq. 2 and 3, code 6), or Jacobi, from `start`:
// empty is zero. It is solved when the stop condition holds, otherwise kIterationLimit with the
// best there is. Rows with a zero diagonal go to the bound to which w pushes them, or stay.
LcpSolution solve_pgs(const BoxLcp& problem, const PgsOptions& options = {},
                      std::span<const double> start = {});

}  // namespace sinew
