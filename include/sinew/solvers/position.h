// The position-based solver: for coarse, violent, heavily constrained bodies.
#pragma once

#include <sinew/describe.h>
#include <sinew/real.h>

namespace sinew {

enum class SweepOrder {
  kForward,    // Gauss–Seidel, always in the same order
  kSymmetric,  // Gauss–Seidel, to and fro in every iteration: no direction is favoured
  kJacobi,     // all constraints from the same positions, corrections summed
};
template <>
struct EnumWords<SweepOrder> {
  static constexpr const char* kWords[] = {"forward", "symmetric", "jacobi"};
};

// Forward sweeps over viscous elements are no symmetric operator, and may gain energy. So a body
// with damping is swept as with kSymmetric, even if `order` is kForward, if a constraint has more
// than a quarter of the k/m of its stiffest element, or if tetrahedra or triangles are very
// viscous.
struct Position {
  static constexpr const char* kName = "position";
  static constexpr const char* kDoc =
      "Position-based: coloured sweeps over elements and constraints. For coarse, violent, heavily "
      "constrained bodies.";

  SweepOrder order = SweepOrder::kForward;
  bool chebyshev = true;  // accelerates Jacobi sweeps

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("order", order,
            {.doc = "Gauss–Seidel forwards, to and fro (two sweeps an iteration), or Jacobi; "
                    "bodies with damping that are stiff, or have stiff constraints, go to and fro "
                    "instead of forwards"});
    v.field("chebyshev", chebyshev,
            {.doc = "Accelerates Jacobi sweeps, of two iterations or more, by the Chebyshev "
                    "semi-iterative method"});
  }
};

}  // namespace sinew
