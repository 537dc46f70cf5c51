// min kᵀGk − 2kᵀr over 0 ≤ k ≤ upper, G positive definite, for a handful of variables: every face
// of the box is tried (each variable free, at 0, or at its upper bound), which is exact. Of the
// stationary points that lie in the box, the least is the minimum, for its own face is among them.
#pragma once

#include <limits>

#include "fit/dense.h"

namespace sinew::fit {

// `upper` may be infinite.
inline Vector minimise_in_box(const Matrix& g, const Vector& r, const Vector& upper) {
  const int n = g.size();
  int faces = 1;
  for (int i = 0; i < n; ++i) faces *= 3;
  Vector best(r.size());
  double least = std::numeric_limits<double>::infinity();
  for (int face = 0; face < faces; ++face) {
    // Variables that are free keep their equation; the others get k_i = bound.
    Matrix system(n);
    Vector right(r.size()), bound(r.size());
    std::vector<bool> free(r.size());
    bool possible = true;
    for (int i = 0, digits = face; i < n; ++i, digits /= 3) {
      const auto at = std::size_t(i);
      free[at] = digits % 3 == 0;
      if (digits % 3 == 2) bound[at] = upper[at];
      possible = possible && std::isfinite(bound[at]);
    }
    if (!possible) continue;
    for (int i = 0; i < n; ++i) {
      const auto at = std::size_t(i);
      if (!free[at]) system(i, i) = 1, right[at] = bound[at];
      if (!free[at]) continue;
      right[at] = r[at];
      for (int j = 0; j < n; ++j)
        if (free[std::size_t(j)])
          system(i, j) = g(i, j);
        else
          right[at] -= g(i, j) * bound[std::size_t(j)];
    }
    const auto factor = Cholesky::factor(system);
    if (!factor) continue;
    const Vector k = factor->solve(right);
    bool inside = true;
    for (std::size_t i = 0; i < k.size(); ++i) inside = inside && k[i] >= 0 && k[i] <= upper[i];
    const double value = dot(k, g * k) - 2 * dot(k, r);
    if (inside && value < least) least = value, best = k;
  }
  return best;
}

}  // namespace sinew::fit
