// Principal stretches: the singular values of F, as square roots of the eigenvalues of FᵀF (the
// trigonometric solution of the characteristic cubic; O. K. Smith, "Eigenvalues of a symmetric 3×3
// matrix", CACM 1961). For metrics; kernels use rotation extraction.
#pragma once

#include <sinew/math.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {

// Largest first.
inline std::array<double, 3> principal_stretches(const Mat3T<double>& f) {
  const Mat3T<double> c = transpose(f) * f;
  const double mean = trace(c) / 3;
  const Mat3T<double> deviator = c - Mat3T<double>::diagonal({mean, mean, mean});
  const double spread = std::sqrt(contract(deviator, deviator) / 6);
  std::array<double, 3> eigen = {mean, mean, mean};
  if (spread > 1e-12 * mean) {
    const double half_det = determinant(deviator * (1 / spread)) / 2;
    const double angle = std::acos(std::clamp(half_det, -1.0, 1.0)) / 3;
    constexpr double kThirdTurn = 2.09439510239319549;  // 2π/3
    eigen[0] = mean + 2 * spread * std::cos(angle);
    eigen[2] = mean + 2 * spread * std::cos(angle + kThirdTurn);
    eigen[1] = 3 * mean - eigen[0] - eigen[2];
  }
  for (double& e : eigen) e = std::sqrt(std::max(e, 0.0));
  return eigen;
}

}  // namespace sinew
