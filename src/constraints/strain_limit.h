// Bounds on the principal stretches of a cell, or on their product: with the signed singular values
// F = U Σ Vᵀ, and Σ̂ the nearest ones within bounds (math/stretch_bounds.h),
//   C = ‖Σ − Σ̂‖,   ∂C/∂F = U (Σ − Σ̂) Vᵀ / C,
// zero where all are within. Cells that are inside out have a negative stretch, and are turned
// back. For triangles, F with the normal as third column (elements/triangle.h) has a stretch of 1
// there, which is always within. Hexahedra are measured at their centre.
#pragma once

#include "elements/hexahedron.h"
#include "elements/tetrahedron.h"
#include "elements/triangle.h"
#include "math/signed_svd.h"
#include "math/stretch_bounds.h"

namespace sinew {

template <class Element>
struct SimplexStrain {
  using Cell = typename Element::Cell;
  static constexpr int kNodes = Element::kNodes;

  static constexpr bool kSolid = Element::kSolid;

  static Mat3T<double> inverse_of(const Vec3T<double> (&x)[kNodes]) {
    return Element::rest(x).inverse;
  }
  // [m³]; of triangles that of one metre's thickness.
  static double volume_of(const Vec3T<double> (&x)[kNodes]) { return Element::rest(x).volume; }
  template <class T>
  SINEW_INLINE static Mat3T<T> deformation(const Mat3T<T>& inverse, const Vec3T<T> (&x)[kNodes]) {
    return Element::deformation_gradient({inverse, T(1)}, x);
  }
  // The same, but of triangles without the normal: linear in x, with a third stretch of 0.
  template <class T>
  SINEW_INLINE static Mat3T<T> linear_deformation(const Mat3T<T>& inverse,
                                                  const Vec3T<T> (&x)[kNodes]) {
    if constexpr (kSolid)
      return deformation(inverse, x);
    else
      return Element::flat_gradient({inverse, T(1)}, x);
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
  static constexpr bool kSolid = true;

  static Mat3T<double> inverse_of(const Vec3T<double> (&x)[8]) {
    return rest_hexahedron(x).inverse * 0.125;
  }
  static double volume_of(const Vec3T<double> (&x)[8]) { return rest_hexahedron(x).volume; }
  template <class T>
  SINEW_INLINE static Mat3T<T> deformation(const Mat3T<T>& inverse, const Vec3T<T> (&x)[8]) {
    const HexModes<T> m = to_modes(x);
    return Mat3T<T>{{m.edge[0], m.edge[1], m.edge[2]}} * inverse;
  }
  template <class T>
  SINEW_INLINE static Mat3T<T> linear_deformation(const Mat3T<T>& inverse, const Vec3T<T> (&x)[8]) {
    return deformation(inverse, x);
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

template <class Shape, template <class> class Bounds = StretchBounds>
struct StrainConstraint {
  static constexpr int kNodes = Shape::kNodes;
  static constexpr bool kInequality = true;  // nothing happens within the bounds

  template <class T>
  struct Rest {
    Mat3T<T> inverse;  // zero for cells flat at rest: they have no strain
    Bounds<T> bounds;
  };
  template <class T>
  static void set_lane(Rest<T>& rest, int lane, const Rest<double>& from) {
    sinew::set_lane(rest.inverse, lane, from.inverse);
    sinew::set_lane(rest.bounds, lane, from.bounds);
  }

  template <class T>
  SINEW_INLINE static T value(const Rest<T>& rest, const Vec3T<T> (&x)[kNodes],
                              Vec3T<T> (&gradient)[kNodes]) {
    const SignedSvd<T> svd = signed_svd(Shape::deformation(rest.inverse, x));
    const Vec3T<T> excess = svd.sigma - rest.bounds.nearest(svd.sigma);
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
