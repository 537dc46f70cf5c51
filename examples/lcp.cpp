// A column of four crates on the ground as a box LCP, solved in four ways.
// Contact i is between crate i and what is below it: x is its impulse [N s], w the velocity at
// which the two part [m/s]; w = A x + b with A = J M⁻¹ Jᵀ.
#include <sinew/lcp.h>

#include <cstdio>

int main() {
  using namespace sinew;
  const double mass[4] = {1, 1, 1, 10}, gravity_step = 9.81 / 60;
  BoxLcp problem = BoxLcp::free_of(4);
  for (std::size_t i = 0; i < 4; ++i) {
    problem.at(i, i) = 1 / mass[i] + (i > 0 ? 1 / mass[i - 1] : 0);
    if (i > 0) problem.at(i, i - 1) = problem.at(i - 1, i) = -1 / mass[i - 1];
    problem.lower[i] = 0;  // contacts push
  }
  problem.b[0] = -gravity_step;  // all fall alike: only the lowest would pass into the ground

  const auto tell = [](const char* name, const LcpSolution& s) {
    std::printf("%-14s %-10s %4d  ground bears %.4f N s\n", name, name_of(s.status), s.iterations,
                s.x[0]);
  };
  tell("Lemke", solve_lemke(problem));
  tell("Dantzig", solve_dantzig(problem));
  tell("Gauss-Seidel", solve_pgs(problem, {.sweeps = 1000}));
  tell("SOR 1.5", solve_pgs(problem, {.sweeps = 1000, .relaxation = 1.5}));
  tell("Jacobi", solve_pgs(problem, {.sweeps = 5000, .order = PgsOrder::kJacobi}));
}
