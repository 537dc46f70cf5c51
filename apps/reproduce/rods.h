// Rods that do not stretch, in a step of implicit Euler (Liu, eq. 4.13): x as near to the free
// motion y as rods allow, by masses. Beside its solution, ways that do not quite come to it:
// Step-and-Project, plain position-based dynamics, and stiff springs. In double, apart from the
// library, to compare with.
#pragma once

#include <sinew/math.h>
#include <sinew/mesh.h>

#include <vector>

namespace sinew {

struct RodNet {
  using Vec = Vec3T<double>;
  using Places = std::vector<Vec>;

  std::vector<double> mass;  // [kg]; 0: held
  std::vector<Segment> rod;
  std::vector<double> length;  // [m]

  double mobility(Index i) const { return mass[i] > 0 ? 1 / mass[i] : 0; }
  double strain(const Places& x, std::size_t r) const;
  double largest_strain(const Places& x) const;  // or its negative, whichever is more
  double mean_strain(const Places& x) const;
  double length_error(const Places& x) const;  // root mean square [m]
  // √(Σ m |a − b|²) [√kg m]
  double distance(const Places& a, const Places& b) const;
};

// One iteration of Step-and-Project (eq. 4.16 to 4.18): as near as possible to x, not to y.
void step_and_project(const RodNet& net, RodNet::Places& x);
// One of plain position-based dynamics, k = 1 (eq. 4.21 and 4.22).
void sweep(const RodNet& net, RodNet::Places& x);

// All corrections from the same places, summed, and α of the sum (the fitting thesis, eq. 3.11).
void sweep_at_once(const RodNet& net, double alpha, RodNet::Places& x);

// ½ Σ m |x − y|² + Σ (λ c + κ/2 c²), c what a rod is too long by; κ = h² times the stiffness of
// springs. Newton's method with backtracking, from x, to the end.
void solve_springs(const RodNet& net, const RodNet::Places& y, double kappa,
                   const std::vector<double>& lambda, RodNet::Places& x);
// Rounds of the local/global solver for the same, without λ (Liu, eq. 5.8 and 5.9), from x.
void local_global(const RodNet& net, const RodNet::Places& y, double kappa, int rounds,
                  RodNet::Places& x);
// The solution of eq. 4.13, from x, by multipliers λ: λ ← λ + κ c until c vanishes.
void solve_rods(const RodNet& net, const RodNet::Places& y, RodNet::Places& x);

}  // namespace sinew
