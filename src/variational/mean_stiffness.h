// The stiffness that stands for a material in the constant matrix (Liu, eq. 7.13 and 7.14):
// the slope k of the line through rest that is nearest to the stress f(σ) = ∂Ψ/∂σ₁ at (σ, 1, 1)
// over an interval of stretches,
//   k = argmin ∫ (k (σ − 1) − f(σ))² dσ = ∫ (σ − 1) f dσ / ∫ (σ − 1)² dσ.
#pragma once

#include <algorithm>

#include "solvers/material_at.h"

namespace sinew {

// [Pa]; 0 for a material without stiffness. Simpson's rule, exact for the cubics that f mostly is
// near rest.
template <class Mat>
double mean_stiffness(const Mat& material, double stretch_min, double stretch_max) {
  if constexpr (!Mat::kElastic) {
    return 0;
  } else {
    constexpr int kIntervals = 64;
    const double h = (stretch_max - stretch_min) / kIntervals;
    double above = 0, below = 0;
    for (int i = 0; i <= kIntervals; ++i) {
      const double stretch = stretch_min + h * i, d = stretch - 1;
      const double weight = i == 0 || i == kIntervals ? 1 : i % 2 == 1 ? 4 : 2;
      const auto stress =
          stress_at(material, Mat3T<double>::diagonal({stretch, 1, 1}), Mat3T<double>::identity());
      above += weight * d * stress(0, 0);
      below += weight * d * d;
    }
    return std::max(above / below, 0.0);
  }
}

}  // namespace sinew
