// Cells whose deformation is pulled into a set of its stretches:
//   E = ½ V k ‖F − F̂‖²,   F̂ the nearest to F in the set (math/stretch_bounds.h)
// (Liu, §6.2: strain limits and SL(3)). It is isotropic, so that its second derivative follows
// from that of the stretches (math/isotropic_tangent.h). Triangles have no normal here: with a
// third stretch of 0 and no derivative by it, turning out of the plane comes out exactly as
// ∂Ψ/∂σᵢ/σᵢ.
#pragma once

#include "constraints/strain_limit.h"
#include "math/isotropic_tangent.h"
#include "variational/local_energy.h"

namespace sinew {

template <class Shape, template <class> class Bounds>
struct BoundedCellKernel {
  static constexpr int kNodes = Shape::kNodes;
  static_assert(Shape::kSolid || std::is_same_v<Bounds<double>, StretchBounds<double>>,
                "a product of stretches needs three");

  template <class T>
  struct Rest {
    Mat3T<T> inverse;
    T weight;  // V k [J]
    Bounds<T> bounds;
  };
  template <class T>
  static void set_lane(Rest<T>& rest, int lane, const Rest<double>& from) {
    sinew::set_lane(rest.inverse, lane, from.inverse);
    sinew::set_lane(rest.weight, lane, NumberOf<T>(from.weight));
    sinew::set_lane(rest.bounds, lane, from.bounds);
  }

  template <class T>
  SINEW_INLINE static T evaluate(const Rest<T>& rest, const Vec3T<T> (&x)[kNodes],
                                 Vec3T<T> (&gradient)[kNodes]) {
    const SignedSvd<T> svd = signed_svd(Shape::linear_deformation(rest.inverse, x));
    const Vec3T<T> excess = svd.sigma - nearest(rest, svd.sigma);
    const Mat3T<T> stress =
        svd.u.matrix() * Mat3T<T>::diagonal(excess * rest.weight) * transpose(svd.v.matrix());
    Shape::forces(rest.inverse, stress, gradient);
    return T(NumberOf<T>(0.5)) * rest.weight * dot(excess, excess);
  }

  template <class T>
  static void hessian(const Rest<T>& rest, const Vec3T<T> (&x)[kNodes], bool projected,
                      Mat3T<T> (&block)[kNodes][kNodes]) {
    const SignedSvd<T> svd = signed_svd(Shape::linear_deformation(rest.inverse, x));
    PrincipalDerivatives<T> d = rest.bounds.derivatives(svd.sigma, nearest(rest, svd.sigma));
    if constexpr (!Shape::kSolid) d.diagonal.z = T(0);
    auto tangent = IsotropicTangent<T>::of(svd.u.matrix(), svd.sigma, svd.v.matrix(), d);
    if (projected) tangent.project();
    for (int i = 0; i < kNodes; ++i)
      for (int j = 0; j <= i; ++j) block[i][j] = {};
    for (int m = 0; m < 9; ++m) {
      Vec3T<T> g[kNodes];
      Shape::forces(rest.inverse, tangent.mode[m], g);
      // Where the cell has collapsed, turning it is worth infinitely much.
      const T value = max(tangent.value[m], T(NumberOf<T>(-1e6))) * rest.weight;
      for (int i = 0; i < kNodes; ++i)
        for (int j = 0; j <= i; ++j) block[i][j] = block[i][j] + outer_product(g[i], g[j], value);
    }
  }

  template <class T>
  static void metric(const Rest<T>& rest, T (&weight)[kNodes][kNodes]) {
    // Gradients of the shape functions, column by column: what a stress with one entry does to x.
    Vec3T<T> b[3][kNodes];
    for (int k = 0; k < 3; ++k) {
      Mat3T<T> one{};
      one.c[k].x = T(1);
      Shape::forces(rest.inverse, one, b[k]);
    }
    for (int i = 0; i < kNodes; ++i)
      for (int j = 0; j <= i; ++j)
        weight[i][j] =
            rest.weight * (b[0][i].x * b[0][j].x + b[1][i].x * b[1][j].x + b[2][i].x * b[2][j].x);
  }

 private:
  template <class T>
  SINEW_INLINE static Vec3T<T> nearest(const Rest<T>& rest, const Vec3T<T>& sigma) {
    Vec3T<T> q = rest.bounds.nearest(sigma);
    if constexpr (!Shape::kSolid) q.z = sigma.z;
    return q;
  }
};

// For all cells of a mesh; `thickness` is that of sheets, 1 for solids. Cells that are flat at rest
// have no strain.
template <class Shape, template <class> class Bounds>
std::unique_ptr<EnergyTerm> make_bounded_cells(const Mesh<typename Shape::Cell>& mesh,
                                               double stiffness, double thickness,
                                               const Bounds<double>& bounds) {
  using Energy = LocalEnergy<BoundedCellKernel<Shape, Bounds>, Wide>;
  std::vector<typename Energy::Item> items;
  for (const auto& cell : mesh.cells) {
    Vec3T<double> x[Shape::kNodes];
    for (int n = 0; n < Shape::kNodes; ++n) x[n] = to_double(mesh.vertices[cell[n]]);
    const double weight = Shape::volume_of(x) * thickness * stiffness;
    if (weight > 0) items.push_back({cell, {Shape::inverse_of(x), weight, bounds}, weight});
  }
  return std::make_unique<Energy>(items, mesh.vertices.size());
}

}  // namespace sinew
