// The derivatives of an isotropic energy density Ψ(σ₀, σ₁, σ₂) by the principal stretches, the
// signed singular values of F. Together with the singular vectors they are all there is to know
// about its second derivatives by F.
#pragma once

#include <sinew/math.h>

namespace sinew {

template <class T>
struct PrincipalDerivatives {
  Vec3T<T> gradient;  // ∂Ψ/∂σᵢ [Pa]
  Vec3T<T> diagonal;  // ∂²Ψ/∂σᵢ²
  Vec3T<T> mixed;     // ∂²Ψ/∂σⱼ∂σₖ, of the two that are not i
};

// Of Ψ = a(Σσ²) + c(J), J = σ₀σ₁σ₂, given the derivatives of a by Σσ² and of c by J.
template <class T>
PrincipalDerivatives<T> principal_of_invariants(const Vec3T<T>& s, const T& a1, const T& a2,
                                                const T& c1, const T& c2) {
  PrincipalDerivatives<T> d;
  const Vec3T<T> others{s.y * s.z, s.z * s.x, s.x * s.y};  // ∂J/∂σᵢ
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    d.gradient[i] = T(2) * a1 * s[i] + c1 * others[i];
    d.diagonal[i] = T(2) * a1 + T(4) * a2 * s[i] * s[i] + c2 * others[i] * others[i];
    d.mixed[i] = T(4) * a2 * s[j] * s[k] + c2 * others[j] * others[k] + c1 * s[i];
  }
  return d;
}

// Of Valanis and Landel's form, Ψ = Σ a(σᵢ) + Σ b(σⱼσₖ) + c(J) (Liu, eq. 7.12), given the
// first and second derivatives of a at σᵢ, of b at the product of the two that are not i, and of c
// at J.
template <class T>
PrincipalDerivatives<T> principal_of_valanis_landel(const Vec3T<T>& s, const Vec3T<T>& a1,
                                                    const Vec3T<T>& a2, const Vec3T<T>& b1,
                                                    const Vec3T<T>& b2, const T& c1, const T& c2) {
  PrincipalDerivatives<T> d;
  const Vec3T<T> others{s.y * s.z, s.z * s.x, s.x * s.y};
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    d.gradient[i] = a1[i] + b1[j] * s[k] + b1[k] * s[j] + c1 * others[i];
    d.diagonal[i] = a2[i] + b2[j] * s[k] * s[k] + b2[k] * s[j] * s[j] + c2 * others[i] * others[i];
    d.mixed[i] = b1[i] + b2[i] * others[i] + c1 * s[i] + c2 * others[j] * others[k];
  }
  return d;
}

// Of Hooke's law, Ψ = μ Σ(σ − 1)² + λ/2 (Σσ − 3)².
template <class T>
PrincipalDerivatives<T> principal_of_hooke(const Vec3T<T>& s, const T& mu, const T& lambda) {
  const T mu2 = T(2) * mu, swelling = lambda * (s.x + s.y + s.z - T(3)), both = mu2 + lambda;
  return {
      {mu2 * (s.x - T(1)) + swelling, mu2 * (s.y - T(1)) + swelling, mu2 * (s.z - T(1)) + swelling},
      {both, both, both},
      {lambda, lambda, lambda}};
}

}  // namespace sinew
