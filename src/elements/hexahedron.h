// The trilinear hexahedron (Lewin §4.3), in modal coordinates. The eight corners, ξ ∈ {−1, 1}³,
// are turned by additions alone (a Walsh–Hadamard transform) into
//   x(ξ) = ⅛ (m₀ + Σₖ mₖ ξₖ + h₁ ξ₂ξ₃ + h₂ ξ₃ξ₁ + h₃ ξ₁ξ₂ + h₄ ξ₁ξ₂ξ₃),
// a middle, three edge vectors and four hourglass vectors, the rows H of eq. 4.32. At the centre
//   F₀ = ⅛ (m₁ m₂ m₃) J₀⁻¹,      J₀ = ⅛ (M₁ M₂ M₃)
// with M the same at rest, and Belytschko's hourglass amplitudes (eq. 4.33) are
//   qᵢ = γᵢ x = ⅛ (hᵢ − Σₖ mₖ gᵢₖ),      gᵢ = ⅛ J₀⁻¹ Hᵢ,
// zero for every affine deformation of the rest shape, whatever that shape is. The mean of the
// deformation gradient over the element (Flanagan and Belytschko, "A uniform strain hexahedron and
// quadrilateral with orthogonal hourglass control", 1981), without which a mesh of skewed cells
// under a constant stress is not in balance, is
//   F̄ = (⅛ (m₁ m₂ m₃) + Σᵢ qᵢ δᵢᵀ) J₀⁻¹,      δᵢ = 1/V ∫ (J₀⁻¹J)⁻ᵀ ∇(mode i) dV.
// For parallelepipeds g and δ are zero.
#pragma once

#include <sinew/mesh.h>

#include <array>
#include <cmath>

#include "core/pack.h"

namespace sinew {

// Positions, or forces, as modes.
template <class T>
struct HexModes {
  Vec3T<T> middle, edge[3], hourglass[4];
};

namespace hex_detail {

// (a, b) → (a + b, b − a)
template <class V>
SINEW_INLINE void butterfly(V& a, V& b) {
  const V sum = a + b;
  b = b - a;
  a = sum;
}

}  // namespace hex_detail

// Corners in VTK's order (mesh.h), whose signs of (ξ₁, ξ₂, ξ₃) are −−−, +−−, ++−, −+−, then the
// same with ξ₃ = +.
template <class V>
SINEW_INLINE void to_modes(const V (&x)[8], V& middle, V (&edge)[3], V (&hourglass)[4]) {
  using hex_detail::butterfly;
  V v[8] = {x[0], x[1], x[3], x[2], x[4], x[5], x[7], x[6]};  // in binary order
  for (int i = 0; i < 8; i += 2) butterfly(v[i], v[i + 1]);
  for (int i : {0, 1, 4, 5}) butterfly(v[i], v[i + 2]);
  for (int i = 0; i < 4; ++i) butterfly(v[i], v[i + 4]);
  middle = v[0];
  edge[0] = v[1], edge[1] = v[2], edge[2] = v[4];
  hourglass[0] = v[6], hourglass[1] = v[5], hourglass[2] = v[3], hourglass[3] = v[7];
}
template <class T>
SINEW_INLINE HexModes<T> to_modes(const Vec3T<T> (&x)[8]) {
  HexModes<T> m;
  to_modes(x, m.middle, m.edge, m.hourglass);
  return m;
}

// The transpose: what forces on the edge and hourglass modes (the middle feels none) do to corners.
template <class T>
SINEW_INLINE void to_corners(const Vec3T<T> (&edge)[3], const Vec3T<T> (&hourglass)[4],
                             Vec3T<T> (&f)[8]) {
  // Signs in ξ₃ first: v[j + 4k] is the part of all modes at ξ₃ = ±1, still depending on ξ₁, ξ₂ by
  // 1, ξ₁, ξ₂, ξ₁ξ₂ (j).
  Vec3T<T> v[8] = {
      -edge[2], edge[0] - hourglass[1], edge[1] - hourglass[0], hourglass[2] - hourglass[3],
      edge[2],  edge[0] + hourglass[1], edge[1] + hourglass[0], hourglass[2] + hourglass[3]};
  for (int k = 0; k < 8; k += 4) {
    const Vec3T<T> even0 = v[k] - v[k + 2], odd0 = v[k + 1] - v[k + 3];  // ξ₂ = −1
    const Vec3T<T> even1 = v[k] + v[k + 2], odd1 = v[k + 1] + v[k + 3];  // ξ₂ = +1
    f[k] = even0 - odd0;
    f[k + 1] = even0 + odd0;
    f[k + 2] = even1 + odd1;
    f[k + 3] = even1 - odd1;
  }
}

// At rest, and in double.
struct HexRest {
  Mat3T<double> inverse = {};  // J₀⁻¹ [1/m]
  Vec3T<double> skew[4] = {};  // gᵢ
  Vec3T<double> mean[4] = {};  // δᵢ
  // U, upper triangular, of UᵀU = (I − Σ gᵢδᵢᵀ)ᵀ(I − Σ gᵢδᵢᵀ) + Σ δᵢδᵢᵀ: with b the gradients of
  // the corners in F̄, Σ b bᵀ = ⅛ J₀⁻ᵀ UᵀU J₀⁻¹.
  Mat3T<double> spread = Mat3T<double>::identity();
  Vec3T<double> half_size = {};    // lengths of the columns of J₀: half the edges [m]
  QuatT<double> frame = {};        // the rotation nearest to J₀: the element's own axes
  double volume = 0;               // [m³]; 0: too flat to have a stiffness
  Mat3T<double> point_inverse[8];  // J⁻¹ at the eight Gauss points
  double point_volume[8];          // and their share of the volume
  bool point_folded[8] = {};       // where the map from the cube is folded over
  // Of the hourglass modes, over the Gauss points: Σ V (∇Nᵢ − mean)·(∇Nⱼ − mean) [m].
  double laplacian[4][4] = {};
};

// The Gauss points ξ = (±1, ±1, ±1)/√3 (eq. 4.27), in binary order.
inline std::array<double, 3> gauss_point(int q) {
  constexpr double kAt = 0.57735026918962576;
  return {q & 1 ? kAt : -kAt, q & 2 ? kAt : -kAt, q & 4 ? kAt : -kAt};
}
// ∂(mode)/∂ξ of the hourglass modes there.
inline std::array<Vec3T<double>, 4> hourglass_gradients(const std::array<double, 3>& p) {
  return {
      {{0, p[2], p[1]}, {p[2], 0, p[0]}, {p[1], p[0], 0}, {p[1] * p[2], p[0] * p[2], p[0] * p[1]}}};
}

HexRest rest_hexahedron(const Vec3T<double> (&x)[8]);

}  // namespace sinew
