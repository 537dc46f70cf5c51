// The elastic energy of elements with one deformation gradient each, tetrahedra and triangles:
//   E = Σ V Ψ(F),   ∂E/∂xₙ = V P(F) bₙ
// with b the gradients of the shape functions.
#pragma once

#include "variational/mean_stiffness.h"
#include "variational/pack_sums.h"
#include "variational/simplex_packs.h"

namespace sinew {

template <class Element, class Mat, class W>
class SimplexEnergy final : public SimplexPacks<Element, W> {
  using Base = SimplexPacks<Element, W>;
  using Base::aside_, Base::packs_, Base::recovering_;
  using typename Base::Aside;
  using typename Base::ElementPack;

 public:
  using typename Base::Cell;
  static constexpr int kNodes = Element::kNodes;

  // `factors` are SoftBody::cell_stiffness; `thickness` is that of sheets [m], 1 for solids.
  SimplexEnergy(const Mesh<Cell>& mesh, const Mat& material, const StretchInterval& stretches,
                std::span<const Real> factors = {}, Real thickness = 1)
      : Base(mesh, factors, thickness, mean_stiffness(material, stretches.min, stretches.max),
             kRecovers),
        material_(material),
        mild_(mild_material(material.lame_mu(), this->stiffness_)) {
    sums_.reserve(aside_.size());
  }

  double add_gradient(const Row4<Real>* x, Row4<Real>* gradient, Executor& executor) override {
    if constexpr (!Mat::kElastic) {
      return 0;
    } else {
      struct Shared {
        Mat material;
        Corotated mild;
        const Row4<Real>* x;
        Row4<Real>* gradient;
        const ElementPack* first;
        const Aside* aside;  // null: all are of their own material
      };
      return sums_.over(packs_, executor,
                        Shared{material_, mild_, x, gradient, packs_.packs().data(),
                               recovering_.active() ? aside_.data() : nullptr},
                        [](ElementPack& e, const Shared& s) {
                          const Mat3T<W> f = Base::deformation(e, s.x);
                          Response<W> at = response_at(s.material, f);
                          if constexpr (kRecovers)
                            if (s.aside) at = s.aside[&e - s.first].recovery.mixed(at, s.mild, f);
                          Vec3T<W> force[kNodes];
                          Element::node_forces(e.rest, at.stress * e.rest.volume, force);
#pragma GCC unroll 4
                          for (int i = 0; i < kNodes; ++i)
                            add_to_rows<W>(s.gradient, e.node[i], force[i]);
                          return sum(W(at.density * e.rest.volume));
                        });
    }
  }

  double energy(const Row4<Real>* x) const override {
    double total = 0;
    if constexpr (Mat::kElastic)
      this->for_each_deformation(
          x, [&](const ElementPack& e, const Aside& aside, const Mat3T<W>& f) {
            const Response<W> at = aside.recovery.mixed(response_at(material_, f), mild_, f);
            total += sum(W(at.density * e.rest.volume));
          });
    return total;
  }

  // The metric of as-rigid-as-possible elasticity is 2μ, and Ψ = μ‖F − R‖² with R nearest.
  bool projective() const override { return kProjective; }

  void add_hessian(const Row4<Real>* x, bool projected, BlockSymmetric& hessian) const override {
    if constexpr (Mat::kElastic)
      for (std::size_t p = 0; p < aside_.size(); ++p) {
        const ElementPack& e = packs_.packs()[p];
        const int count = aside_[p].count;
        if constexpr (!Element::kSolid) {
          Vec3T<W> at[kNodes];
          Base::positions(e, x, at);
          Base::add_tangent(e, count,
                            sheet_tangent_at(material_, Element::flat_gradient(e.rest, at)),
                            W(Real(1)), projected, hessian);
        } else {
          const Mat3T<W> f = Base::deformation(e, x);
          const Recovery<W>& recovery = aside_[p].recovery;
          Base::add_tangent(e, count, tangent_at(material_, f), recovery.share, projected, hessian);
          if (recovery.any_active())
            Base::add_tangent(e, count, tangent_at(mild_, f), W(Real(1)) - recovery.share,
                              projected, hessian);
        }
      }
  }

 private:
  static constexpr bool kProjective = !Mat::kElastic || requires { Mat::kProjective; };
  // What has no volume to guard needs nothing milder.
  static constexpr bool kRecovers = Mat::kElastic && Element::kSolid && !kProjective;

  Mat material_;
  Corotated mild_;
  PackSums sums_;
};

}  // namespace sinew
