// The second derivative ∂P/∂F of an isotropic energy, as eigenvalues and eigenmatrices (Smith, de
// Goes and Kim, "Analytic eigensystems for isotropic distortion energies", 2019). With F = U Σ Vᵀ
// and derivatives by the stretches,
//   three scalings    U diag(q) Vᵀ,  q and their values from the 3×3 matrix ∂²Ψ/∂σᵢ∂σⱼ;
//   three twists      U (eᵢeⱼᵀ − eⱼeᵢᵀ) Vᵀ/√2,  (Ψᵢ + Ψⱼ)/(σᵢ + σⱼ);
//   three flips       U (eᵢeⱼᵀ + eⱼeᵢᵀ) Vᵀ/√2,  (Ψᵢ − Ψⱼ)/(σᵢ − σⱼ),
// with ∂²Ψ/∂σᵢ² − ∂²Ψ/∂σᵢ∂σⱼ for the last where the stretches are the same. Dropping the negative
// values is the projection onto positive semi-definite tangents that Newton's method needs.
#pragma once

#include <sinew/principal.h>

#include "math/signed_svd.h"

namespace sinew {

// a bᵀ
template <class T>
Mat3T<T> outer_product(const Vec3T<T>& a, const Vec3T<T>& b) {
  return {{a * b.x, a * b.y, a * b.z}};
}

template <class T>
struct IsotropicTangent {
  static constexpr int kModes = 9;
  T value[kModes];        // [Pa]
  Mat3T<T> mode[kModes];  // of norm one

  // `u` and `v` of the decomposition, `d` at its stretches.
  static IsotropicTangent of(const Mat3T<T>& u, const Vec3T<T>& sigma, const Mat3T<T>& v,
                             const PrincipalDerivatives<T>& d) {
    using Number = NumberOf<T>;
    IsotropicTangent t;
    Sym3T<T> scaling{d.diagonal.x, d.mixed.z, d.mixed.y, d.diagonal.y, d.mixed.x, d.diagonal.z};
    const Mat3T<T> q = diagonalise(scaling, kJacobiSweeps<T>).matrix();
    t.value[0] = scaling.xx, t.value[1] = scaling.yy, t.value[2] = scaling.zz;
    for (int m = 0; m < 3; ++m)
      t.mode[m] =
          Mat3T<T>{{u.c[0] * q.c[m].x, u.c[1] * q.c[m].y, u.c[2] * q.c[m].z}} * transpose(v);

    const T size = max(abs(sigma.x), max(abs(sigma.y), abs(sigma.z)));
    // Shrunk to a millionth is as good as a point, where twists would be infinitely stiff.
    const T least =
        max(size, T(Number(1e-6))) * T(std::sqrt(std::numeric_limits<Number>::epsilon()));
    constexpr Number kRootHalf = Number(0.70710678118654752);
    for (int m = 0; m < 3; ++m) {
      const int i = (m + 1) % 3, j = (m + 2) % 3;
      // Of signed stretches the two smallest may add up to nothing, never to less.
      const T sum = max(sigma[i] + sigma[j], least), difference = sigma[i] - sigma[j];
      const T apart = select(abs(difference) > least, difference, T(1));
      t.value[3 + m] = (d.gradient[i] + d.gradient[j]) / sum;
      t.value[6 + m] = select(abs(difference) > least, (d.gradient[i] - d.gradient[j]) / apart,
                              (d.diagonal[i] + d.diagonal[j]) * T(Number(0.5)) - d.mixed[m]);
      const Mat3T<T> one = outer_product(u.c[i], v.c[j]) * T(kRootHalf);
      const Mat3T<T> other = outer_product(u.c[j], v.c[i]) * T(kRootHalf);
      t.mode[3 + m] = one - other;
      t.mode[6 + m] = one + other;
    }
    return t;
  }

  void project() {
    for (T& v : value) v = max(v, T(0));
  }
};

// Of a material at F. Those that take rotation for strain have the same tangent everywhere.
template <class Mat, class T>
IsotropicTangent<T> tangent_at(const Mat& material, const Mat3T<T>& f) {
  if constexpr (Mat::kRotationInvariant) {
    const SignedSvd<T> svd = signed_svd(f);
    return IsotropicTangent<T>::of(svd.u.matrix(), svd.sigma, svd.v.matrix(),
                                   material.principal(svd.sigma));
  } else {
    const Vec3T<T> rest{T(1), T(1), T(1)};
    return IsotropicTangent<T>::of(Mat3T<T>::identity(), rest, Mat3T<T>::identity(),
                                   material.principal(rest));
  }
}

// Of a sheet, without its normal: `f` is of rank two, and the stretch along the normal is always 1.
// With a third stretch of 0, by which nothing changes, turning out of the plane comes out as it
// should, Ψᵢ/σᵢ; with the normal as third column of F it would not, as that turns with it.
template <class Mat, class T>
IsotropicTangent<T> sheet_tangent_at(const Mat& material, const Mat3T<T>& f) {
  if constexpr (Mat::kRotationInvariant) {
    const SignedSvd<T> svd = signed_svd(f);
    PrincipalDerivatives<T> d = material.principal(Vec3T<T>{svd.sigma.x, svd.sigma.y, T(1)});
    d.gradient.z = d.diagonal.z = d.mixed.x = d.mixed.y = T(0);
    return IsotropicTangent<T>::of(svd.u.matrix(), {svd.sigma.x, svd.sigma.y, T(0)}, svd.v.matrix(),
                                   d);
  } else {
    return tangent_at(material, f);
  }
}

}  // namespace sinew
