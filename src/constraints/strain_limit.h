// Bounds on the principal stretches of a cell: with the signed singular values F = U Σ Vᵀ, clamped
// to [min, max],
//   C = ‖Σ − Σ̂‖,   ∂C/∂F = U (Σ − Σ̂) Vᵀ / C,
// zero where all are within. Cells that are inside out have a negative stretch, and are turned
// back. For triangles, F with the normal as third column (elements/triangle.h) has a stretch of 1
// there, which is always within. Hexahedra are measured at their centre.
#pragma once

#include "elements/hexahedron.h"
#include "elements/tetrahedron.h"
#include "elements/triangle.h"
#include "math/signed_svd.h"

namespace sinew {

template <class Element>
struct SimplexStrain {
  using Cell = typename Element::Cell;
  static constexpr int kNodes = Element::kNodes;

  static Mat3T<double> inverse_of(const Vec3T<double> (&x)[kNodes]) {
    return Element::rest(x).inverse;
  }
  template <class T>
  SINEW_INLINE static Mat3T<T> deformation(const Mat3T<T>& inverse, const Vec3T<T> (&x)[kNodes]) {
    return Element::deformation_gradient({inverse, T(1)}, x);
  }
  template <class T>
  SINEW_INLINE static void forces(const Mat3T<T>& inverse, const Mat3T<T>& a,
                                  Vec3T<T> (&f)[kNodes]) {
    Element::node_forces({inverse, T(1)}, a, f);
  }
};

struct HexahedronStrain {
  using Cell = Hexahedron;
  static constexpr int kNodes = 8;

  static Mat3T<double> inverse_of(const Vec3T<double> (&x)[8]) {
    return rest_hexahedron(x).inverse * 0.125;
  }
  template <class T>
  SINEW_INLINE static Mat3T<T> deformation(const Mat3T<T>& inverse, const Vec3T<T> (&x)[8]) {
    const HexModes<T> m = to_modes(x);
    return Mat3T<T>{{m.edge[0], m.edge[1], m.edge[2]}} * inverse;
  }
  template <class T>
  SINEW_INLINE static void forces(const Mat3T<T>& inverse, const Mat3T<T>& a, Vec3T<T> (&f)[8]) {
    const Vec3T<T> none[4] = {};
    Vec3T<T> edge[3];
    for (int k = 0; k < 3; ++k)
      edge[k] = a.c[0] * inverse(k, 0) + a.c[1] * inverse(k, 1) + a.c[2] * inverse(k, 2);
    to_corners(edge, none, f);
  }
};

template <class Shape>
struct StrainConstraint {
  static constexpr int kNodes = Shape::kNodes;
  static constexpr bool kInequality = true;  // nothing happens within the bounds

  template <class T>
  struct Rest {
    Mat3T<T> inverse;  // zero for cells flat at rest: they have no strain
    T low, high;       // bounds of the stretches
  };
  template <class T>
  static void set_lane(Rest<T>& rest, int lane, const Rest<double>& from) {
    sinew::set_lane(rest.inverse, lane, from.inverse);
    sinew::set_lane(rest.low, lane, NumberOf<T>(from.low));
    sinew::set_lane(rest.high, lane, NumberOf<T>(from.high));
  }

  template <class T>
  SINEW_INLINE static T value(const Rest<T>& rest, const Vec3T<T> (&x)[kNodes],
                              Vec3T<T> (&gradient)[kNodes]) {
    const SignedSvd<T> svd = signed_svd(Shape::deformation(rest.inverse, x));
    Vec3T<T> excess;
    for (int k = 0; k < 3; ++k)
      excess[k] = svd.sigma[k] - min(max(svd.sigma[k], rest.low), rest.high);
    const T size = length(excess);
    const T tiny(NumberOf<T>(sizeof(NumberOf<T>) == 4 ? 1e-6 : 1e-13));  // rounding of a stretch
    const T inverse = select(size > tiny, T(1) / max(size, tiny), T(0));
    const Mat3T<T> direction =
        svd.u.matrix() * Mat3T<T>::diagonal(excess * inverse) * transpose(svd.v.matrix());
    Shape::forces(rest.inverse, direction, gradient);
    return size;
  }
};

}  // namespace sinew
