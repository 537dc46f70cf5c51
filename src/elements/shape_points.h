// Where cells of any kind are integrated, as what all kinds have in common: at a point, F = Σ xₙ
// bₙᵀ with b the gradients of the shape functions, Σ bₙ = 0, and a share of the volume. Sheets and
// lines have F in their plane and along their axis only. For energies that know nothing of the
// material, and for hexahedra.
#pragma once

#include <sinew/bodies.h>

#include <vector>

#include "core/pack.h"
#include "elements/hexahedron.h"

namespace sinew {

template <class Cell>
inline constexpr int kCornersOf = static_cast<int>(std::tuple_size_v<Cell>);

template <int N>
struct ShapePoint {
  Vec3T<double> gradient[N] = {};  // b [1/m]
  double volume = 0;               // [m³]; 0: it has no stiffness
};

template <class Cell>
struct ShapePoints {
  int per_cell = 1;
  std::vector<ShapePoint<kCornersOf<Cell>>> at = {};  // cell by cell
};

// `thickness` is that of sheets, and the diameter of lines [m].
ShapePoints<Segment> shape_points(const LineMesh& mesh, double thickness);
ShapePoints<Triangle> shape_points(const TriMesh& mesh, double thickness);
ShapePoints<Tetrahedron> shape_points(const TetMesh& mesh);
// The mean gradient of hexahedra, or the gradients at the eight Gauss points.
enum class HexPoints { kMean, kGauss };
ShapePoints<Hexahedron> shape_points(const HexMesh& mesh, HexPoints points);
// Where what is beside the material acts: on the hourglass modes, too, unless nothing else does.
inline HexPoints hex_points(HexIntegration integration) {
  return integration == HexIntegration::kOnePoint ? HexPoints::kMean : HexPoints::kGauss;
}

// Of a hexahedron: what its mean gradient makes of the corners, and what a Gauss point does.
ShapePoint<8> mean_shape_point(const HexRest& rest);
ShapePoint<8> gauss_shape_point(const HexRest& rest, int q);
// γᵢ of hexahedron.h: qᵢ = Σ γᵢₙ xₙ.
std::array<std::array<double, 8>, 4> hourglass_shapes(const HexRest& rest);

// F at a point. From differences, which far from the origin are more exact than places.
template <int N, class W>
SINEW_INLINE Mat3T<W> gradient_of(const Vec3T<W> (&b)[N], const Vec3T<W> (&x)[N]) {
  Mat3T<W> f = {};
  for (int n = 1; n < N; ++n) {
    const Vec3T<W> d = x[n] - x[0];
    for (int k = 0; k < 3; ++k) f.c[k] += d * b[n][k];
  }
  return f;
}

}  // namespace sinew
