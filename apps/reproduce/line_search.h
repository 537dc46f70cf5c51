// Two line searches for a descent, to compare. One backtracks until g has dropped enough, as the
// library does (variational/descent.h). The other asks that the slope has become flatter, too
// (Wolfe). Both take the same differences of g for rounding.
#pragma once

#include "reproduce/convergence.h"

namespace sinew {

enum class LineSearch {
  kArmijo,  // halves α from 1: g(x + αd) ≤ g(x) + γ α ∇g·d
  kWolfe,  // … and ∇g(x + αd)·d ≥ 0.9 ∇g·d: α doubles, or halves the bracket (Lewis and Overton,
           // "Nonsmooth optimization via quasi-Newton methods", 2013, Algorithm 4.6)
};

struct Searched {
  Convergence convergence;
  // Until each iteration: trials, each with an energy, and those of which the search needs the
  // gradient, too.
  std::vector<int> trials{0}, gradients{0};
  int refused = 0;  // first trials, α = 1, all in all
};

// From the free motion of the frame.
Searched descend(Frame& frame, DirectionFinder& finder, LineSearch search, int iterations);

}  // namespace sinew
