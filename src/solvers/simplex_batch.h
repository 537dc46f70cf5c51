// Elements with one deformation gradient each, tetrahedra and triangles, for the position-based
// solver; the equations are in stress_multiplier.h.
#pragma once

#include "solvers/material_at.h"
#include "solvers/swept_simplices.h"

namespace sinew {

template <class Element, class Mat, class W>
class SimplexBatch final : public SweptSimplices<Element, Mat::kNeedsRotation, W> {
  using Base = SweptSimplices<Element, Mat::kNeedsRotation, W>;
  using Base::deformation, Base::deformation_at_start, Base::mobility, Base::packs_, Base::push;
  using typename Base::ElementPack;

 public:
  using typename Base::Cell;
  static constexpr int kNodes = Element::kNodes;

  // `thickness` is that of sheets [m]; 1 for solids.
  SimplexBatch(const Mesh<Cell>& mesh, const Mat& material, Real thickness = 1,
               const std::optional<Plasticity>& plasticity = {})
      : Base(mesh, thickness, plasticity), material_(material) {}

  void predict(const Substep& substep) override {
    if constexpr (Mat::kElastic)
      packs_.for_each(substep, material_,
                      [](ElementPack& e, const Mat& material, const Substep& s) {
                        predict_pack(e, material, s);
                      });
  }

  void solve(const Substep& substep) override {
    if constexpr (Mat::kElastic)
      packs_.for_each(substep, material_,
                      [](ElementPack& e, const Mat& material, const Substep& s) {
                        solve_pack(e, material, s);
                      });
  }

  double energy(const Places& at) const override {
    double total = 0;
    this->for_each_deformation(at, [&](const ElementPack& e, const Mat3T<W>& f) {
      total += exact_energy(material_, f, e.rotation.at(f), e.rest.volume, e.count);
    });
    return total;
  }

  double stiffness(const Row4<Real>* rest) const override {
    return this->largest_stiffness(
        tangent_bound_at(material_, Mat3T<W>::identity(), Mat3T<W>::identity()), rest);
  }

 private:
  SINEW_INLINE static void predict_pack(ElementPack& e, const Mat& material, const Substep& s) {
    Vec3T<W> x[kNodes];
    gather_seen_from_first<W>(s.start, e.node, x);
    e.start.set(x);
    const Mat3T<W> f = Element::deformation_gradient(e.rest, x);
    const auto m = tangent_bound_at(material, f, e.rotation.follow(f));
    Rows4<W> u[kNodes];
    gather_nodes<W>(s.displacement, e.node, u);
    e.lambda = predicted_multiplier(m, mobility(e, u), e.rest.volume * W(s.h * s.h),
                                    s.prediction / s.sharing);
    push(e, s, u, e.lambda);
  }

  SINEW_INLINE static void solve_pack(ElementPack& e, const Mat& material, const Substep& s) {
    Rows4<W> u[kNodes];
    gather_nodes<W>(s.displacement, e.node, u);
    const Mat3T<W> f = deformation(e, u);
    auto m = tangent_bound_at(material, f, e.rotation.follow(f));
    if (s.damping > 0)
      add_viscosity(W(material.lame_mu()), W(s.damping / s.h), f, deformation_at_start(e), m);
    const Mat3T<W> delta = multiplier_correction(m, mobility(e, u) * W(s.sharing),
                                                 e.rest.volume * W(s.h * s.h), e.lambda) *
                           W(s.relaxation);
    e.lambda = e.lambda + delta;
    push(e, s, u, delta);
  }

  Mat material_;
};

}  // namespace sinew
