// The linear triangle in space, for cloth. Its deformation gradient is 3×2; with the unit normal n
// as third column, F = [Dₛ Dₘ⁻¹ | n], it is 3×3 and every material for solids works on it. The
// stress along n is dropped. The material must be the one of plane stress: at small strains, σ₃₃ =
// 0 turns Lamé's λ into 2λμ/(λ + 2μ) (plane_stress()). Isotropic materials have P n ∥ n, so that
// turning the normal does no work.
#pragma once

#include <sinew/mesh.h>

#include <cmath>

namespace sinew {

struct TriangleElement {
  using Cell = Triangle;
  static constexpr int kNodes = 3;
  static constexpr bool kSolid = false;  // it has no inside to be turned out

  template <class T>
  struct Rest {
    Mat3T<T> inverse;  // of (X₁−X₀, X₂−X₀, N) [1/m]; its third row is N
    T volume;          // area times thickness [m³]
  };

  // Computed in double, for a thickness of one metre. A triangle flatter than 1e-5 of its size has
  // no stiffness.
  static Rest<double> rest(const Vec3T<double> (&x)[3]) {
    const Vec3T<double> u = x[1] - x[0], v = x[2] - x[0], normal = cross(u, v);
    const double area2 = length(normal), size2 = dot(u, u) + dot(v, v);
    if (!(area2 > 1e-5 * size2)) return {Mat3T<double>{}, 0};
    return {inverse(Mat3T<double>{{u, v, normal / area2}}), area2 / 2};
  }

  template <class T>
  static Mat3T<T> deformation_gradient(const Rest<T>& rest, const Vec3T<T> (&x)[3]) {
    const Vec3T<T> u = x[1] - x[0], v = x[2] - x[0];
    return Mat3T<T>{{u, v, normalized(cross(u, v))}} * rest.inverse;
  }

  // The same without the normal: linear in x, and of rank two.
  template <class T>
  static Mat3T<T> flat_gradient(const Rest<T>& rest, const Vec3T<T> (&x)[3]) {
    return Mat3T<T>{{x[1] - x[0], x[2] - x[0], {T(0), T(0), T(0)}}} * rest.inverse;
  }

  template <class T>
  static void shape_gradients(const Rest<T>& rest, Vec3T<T> (&b)[3]) {
    for (int n = 0; n < 2; ++n)
      b[n + 1] = {rest.inverse(n, 0), rest.inverse(n, 1), rest.inverse(n, 2)};
    b[0] = -(b[1] + b[2]);
  }

  template <class T>
  static void node_forces(const Rest<T>& rest, const Mat3T<T>& a, Vec3T<T> (&f)[3]) {
    for (int n = 0; n < 2; ++n)
      f[n + 1] =
          a.c[0] * rest.inverse(n, 0) + a.c[1] * rest.inverse(n, 1) + a.c[2] * rest.inverse(n, 2);
    f[0] = -(f[1] + f[2]);
  }
};

// The material of a sheet: the same shear modulus, and λ of plane stress.
template <class Mat>
Mat plane_stress(Mat material) {
  if constexpr (requires { material.poisson; }) {
    const double mu = material.lame_mu(), lambda = material.lame_lambda();
    const double flat = 2 * lambda * mu / (lambda + 2 * mu);
    material.poisson = Real(flat / (2 * (flat + mu)));
    material.young = Real(2 * mu * (1 + material.poisson));
  }
  return material;
}

}  // namespace sinew
