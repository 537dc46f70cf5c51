// What the direct solvers of box LCPs share: the problem in numbers of size 1, and the way back.
#pragma once

#include <sinew/lcp.h>

namespace sinew::lcp {

// Relative sizes below which a number is rounding, in a scaled problem.
inline constexpr double kSingular = 1e-12;  // pivots
inline constexpr double kZero = 1e-12;      // velocities

// With x = origin + factor y:  A' = D A D,  b' = D (A origin + b) / size. The diagonal of A' is 1
// where A's is positive, |b'| at most 1, and y = 0 is in the box.
struct Scaled {
  BoxLcp problem;
  std::vector<double> origin;  // the point of the box nearest to 0
  std::vector<double> factor;
};

Scaled scaled(const BoxLcp& problem);

// Takes the answer back, solves once more for the unknowns between their bounds, and says kSolved
// if and only if the residual proves it. `status` is what the method thinks.
LcpSolution finish(const BoxLcp& problem, const Scaled& scaled, std::span<const double> y,
                   LcpStatus status, int pivots);

inline int most_pivots(const PivotOptions& options, std::size_t n) {
  return options.most > 0 ? options.most : 100 + 50 * static_cast<int>(n);
}

}  // namespace sinew::lcp
