// The linear tetrahedron: constant deformation gradient F = Dₛ Dₘ⁻¹ with Dₛ = (x₁−x₀, x₂−x₀, x₃−x₀)
// and Dₘ the same at rest.
#pragma once

#include <sinew/mesh.h>

#include <cmath>

namespace sinew {

struct TetrahedronElement {
  using Cell = Tetrahedron;
  static constexpr int kNodes = 4;
  static constexpr bool kSolid = true;

  template <class T>
  struct Rest {
    Mat3T<T> inverse;  // Dₘ⁻¹ [1/m]
    T volume;          // [m³]
  };

  // Computed in double. A tetrahedron flatter than 1e-5 of its size has no usable Dₘ⁻¹: it gets no
  // volume, and so no stiffness.
  static Rest<double> rest(const Vec3T<double> (&x)[4]) {
    const Mat3T<double> dm{{x[1] - x[0], x[2] - x[0], x[3] - x[0]}};
    const double det = determinant(dm);
    const double size = std::sqrt(contract(dm, dm));
    if (!(std::abs(det) > 1e-5 * size * size * size)) return {Mat3T<double>{}, 0};
    return {inverse(dm), det / 6};
  }

  template <class T>
  static Mat3T<T> deformation_gradient(const Rest<T>& rest, const Vec3T<T> (&x)[4]) {
    return Mat3T<T>{{x[1] - x[0], x[2] - x[0], x[3] - x[0]}} * rest.inverse;
  }

  // Gradients of the shape functions: the rows of Dₘ⁻¹, and minus their sum for node 0.
  template <class T>
  static void shape_gradients(const Rest<T>& rest, Vec3T<T> (&b)[4]) {
    for (int n = 0; n < 3; ++n)
      b[n + 1] = {rest.inverse(n, 0), rest.inverse(n, 1), rest.inverse(n, 2)};
    b[0] = -(b[1] + b[2] + b[3]);
  }

  // A bₙ for every node n: what a stress A does to the nodes.
  template <class T>
  static void node_forces(const Rest<T>& rest, const Mat3T<T>& a, Vec3T<T> (&f)[4]) {
    for (int n = 0; n < 3; ++n)
      f[n + 1] =
          a.c[0] * rest.inverse(n, 0) + a.c[1] * rest.inverse(n, 1) + a.c[2] * rest.inverse(n, 2);
    f[0] = -(f[1] + f[2] + f[3]);
  }
};

}  // namespace sinew
