// A frame at a node of a mesh from three of its edges (Lewin §3.1, eq. 3.1 and 3.2; Michels et
// al. 2014):
//
//   n₁ = Σ eᵢ/|eᵢ|,   n₂ = n₁ × e₁/|n₁ × e₁|,   n₃ = n₁ × n₂,   R = [n₁ n₂ n₃] [n₁⁰ n₂⁰ n₃⁰]ᵀ
//
// with n₁ made a unit vector, and the frame at rest (or of the last step) in R. It is exact for
// rigid motion only. As n₃ is a cross product, R always is a rotation, but one that follows two
// directions and not the deformation: an inverted neighbourhood does not show in it. Kept for
// comparison.
#pragma once

#include "math/perpendicular.h"

namespace sinew {

// Edges that leave a direction open (they are zero, or n₁ lies along e₁) get some frame.
template <class T>
Mat3T<T> edge_frame(const Vec3T<T>& e1, const Vec3T<T>& e2, const Vec3T<T>& e3) {
  const Vec3T<T> first = normalized(e1);
  const Vec3T<T> sum = first + normalized(e2) + normalized(e3);
  const auto summed = dot(sum, sum) > T(1e-12F);
  const Vec3T<T> n1 = normalized(select(summed, sum, Vec3T<T>{T(1), T(0), T(0)}));
  const Vec3T<T> across = cross(n1, first);
  const auto crossed = dot(across, across) > T(1e-12F);
  const Vec3T<T> n2 = normalized(select(crossed, across, perpendicular(n1)));
  return {{n1, n2, cross(n1, n2)}};
}

// R that takes one frame to the other.
template <class T>
Mat3T<T> frame_rotation(const Mat3T<T>& now, const Mat3T<T>& before) {
  return now * transpose(before);
}

}  // namespace sinew
