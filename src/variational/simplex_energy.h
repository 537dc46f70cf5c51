// The elastic energy of elements with one deformation gradient each, tetrahedra and triangles:
//   E = Σ V Ψ(F),   ∂E/∂xₙ = V P(F) bₙ,   L = Σ V k bₙ·bₘ
// with b the gradients of the shape functions and k the material's mean stiffness.
#pragma once

#include "elements/tetrahedron.h"
#include "elements/triangle.h"
#include "math/isotropic_tangent.h"
#include "solvers/element_summary.h"
#include "solvers/local_packs.h"
#include "variational/element_blocks.h"
#include "variational/elements_energy.h"
#include "variational/mean_stiffness.h"
#include "variational/pack_sums.h"
#include "variational/recovery.h"

namespace sinew {

template <class Element, class Mat, class W>
class SimplexEnergy final : public ElementsEnergy {
 public:
  using Cell = typename Element::Cell;
  static constexpr int kNodes = Element::kNodes;

  // `factors` are SoftBody::cell_stiffness; `thickness` is that of sheets [m], 1 for solids.
  SimplexEnergy(const Mesh<Cell>& mesh, const Mat& material, const StretchInterval& stretches,
                std::span<const Real> factors = {}, Real thickness = 1)
      : material_(material),
        stiffness_(mean_stiffness(material, stretches.min, stretches.max)),
        mild_(mild_material(material.lame_mu(), stiffness_)) {
    packs_ = LocalPacks<ElementPack>(
        mesh.cells, mesh.vertices,
        [&](ElementPack& e, int number, int lane, Index cell, bool used) {
          Vec3T<double> x[kNodes];
          for (int n = 0; n < kNodes; ++n) x[n] = to_double(mesh.vertices[mesh.cells[cell][n]]);
          const auto rest = Element::rest(x);
          set_lane(e.rest.inverse, lane, rest.inverse);
          const double volume = used ? rest.volume * thickness : 0;
          set_lane(e.rest.volume, lane, Real(volume * stiffness_factor(factors, cell)));
          if (lane == 0) aside_.emplace_back();
          set_lane(aside_[number].volume, lane, Real(volume));
          aside_[number].count += used;
          slack_count_ += used && rest.volume == 0;
        });
    if constexpr (kRecovers) recovering_.resize(mesh.vertices.size());
    sums_.reserve(aside_.size());
  }

  void begin_step(const Row4<Real>* x, Real h) override {
    if constexpr (kRecovers)
      recovering_.begin_step(aside_.size(), h, [&](std::size_t i) {
        const ElementPack& e = packs_.packs()[i];
        const Mat3T<W> f = deformation(e, x);
        return RecoveringPack<W, kNodes>{
            e.node, aside_[i].count, aside_[i].recovery, {determinant(f), contract(f, f)}};
      });
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
                          const Mat3T<W> f = deformation(e, s.x);
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
      for_each_deformation(x, [&](const ElementPack& e, const Aside& aside, const Mat3T<W>& f) {
        const Response<W> at = aside.recovery.mixed(response_at(material_, f), mild_, f);
        total += sum(W(at.density * e.rest.volume));
      });
    return total;
  }

  // The metric of as-rigid-as-possible elasticity is 2μ, and Ψ = μ‖F − R‖² with R nearest.
  bool projective() const override { return kProjective; }

  double scale() const override {
    double volume = 0;
    for (const ElementPack& e : packs_.packs()) volume += sum(e.rest.volume);
    return volume * stiffness_;
  }

  void add_metric(MetricEntries& entries) const override {
    for (std::size_t p = 0; p < aside_.size(); ++p) {
      const ElementPack& e = packs_.packs()[p];
      Vec3T<W> b[kNodes];
      Element::shape_gradients(e.rest, b);
      for (int i = 0; i < kNodes; ++i)
        for (int j = 0; j <= i; ++j) {
          const W product = dot(b[i], b[j]) * e.rest.volume;
          for (int k = 0; k < aside_[p].count; ++k)
            entries.push_back({static_cast<int>(e.node[i][k]), static_cast<int>(e.node[j][k]),
                               stiffness_ * double(lane(product, k))});
        }
    }
  }

  void add_hessian(const Row4<Real>* x, bool projected, BlockSymmetric& hessian) const override {
    if constexpr (Mat::kElastic)
      for (std::size_t p = 0; p < aside_.size(); ++p) {
        const ElementPack& e = packs_.packs()[p];
        const int count = aside_[p].count;
        if constexpr (!Element::kSolid) {
          Vec3T<W> at[kNodes];
          positions(e, x, at);
          add_tangent(e, count, sheet_tangent_at(material_, Element::flat_gradient(e.rest, at)),
                      W(Real(1)), projected, hessian);
        } else {
          const Mat3T<W> f = deformation(e, x);
          const Recovery<W>& recovery = aside_[p].recovery;
          add_tangent(e, count, tangent_at(material_, f), recovery.share, projected, hessian);
          if (recovery.any_active())
            add_tangent(e, count, tangent_at(mild_, f), W(Real(1)) - recovery.share, projected,
                        hessian);
        }
      }
  }

  ElementSummary summary(const Row4<Real>* x) const override {
    ElementSummary s;
    for_each_deformation(x, [&](const ElementPack&, const Aside& aside, const Mat3T<W>& f) {
      add_elements(f, aside.volume, aside.count, s);
    });
    return s;
  }
  int count() const override { return packs_.count(); }
  int slack_count() const override { return slack_count_; }

  // For what recovers elsewhere, at the vertices. Marks those of elements that are inside out;
  // whether there are any.
  bool mark_inverted(const Row4<Real>* x, RecoveringBody& recovering) const {
    Recovery<W> none;
    return recovering.mark_inverted(aside_.size(), [&](std::size_t i) {
      const ElementPack& e = packs_.packs()[i];
      const Mat3T<W> f = deformation(e, x);
      return RecoveringPack<W, kNodes>{e.node, aside_[i].count, none, {determinant(f), W(Real(0))}};
    });
  }
  // Elements have the mean of the shares of their vertices.
  void set_shares(std::span<const Real> of_vertex) {
    recovering_.set_active(false);
    for (std::size_t p = 0; p < aside_.size(); ++p) {
      Recovery<W>& recovery = aside_[p].recovery;
      for (int k = 0; k < kLanesHere; ++k) {
        Real share = 0;
        for (const auto& node : packs_.packs()[p].node) share += of_vertex[node[k]] / kNodes;
        set_lane(recovery.share, k, share);
      }
      recovery.active = any(recovery.share < W(Real(1)));
      if (recovery.active) recovering_.set_active(true);
    }
  }
  bool recovering() const { return recovering_.active(); }

  bool steady() const override { return !recovering_.active(); }
  void visit_state(StateBytes& state) override {
    if constexpr (kRecovers) {
      state(recovering_);
      for (Aside& aside : aside_) state(aside.recovery);
    }
  }

 private:
  static constexpr int kLanesHere = kWidth<W>;
  struct ElementPack {
    Index node[kNodes][kLanesHere];
    typename Element::template Rest<W> rest;  // its volume times the factor on its stiffness
  };
  // What a pack has beside: not read where the body is whole and nobody asks.
  struct Aside {
    Recovery<W> recovery;
    W volume;
    int count = 0;  // lanes in use
  };
  static constexpr bool kProjective = !Mat::kElastic || requires { Mat::kProjective; };
  // What has no volume to guard needs nothing milder.
  static constexpr bool kRecovers = Mat::kElastic && Element::kSolid && !kProjective;

  SINEW_INLINE static void positions(const ElementPack& e, const Row4<Real>* x,
                                     Vec3T<W> (&at)[kNodes]) {
#pragma GCC unroll 4  // so that they are registers
    for (int i = 0; i < kNodes; ++i) at[i] = gather<W>(x, e.node[i]).xyz;
  }
  SINEW_INLINE static Mat3T<W> deformation(const ElementPack& e, const Row4<Real>* x) {
    Vec3T<W> at[kNodes];
    positions(e, x, at);
    return Element::deformation_gradient(e.rest, at);
  }
  // Σ V value gₙ gₘᵀ over the modes, g what a mode does to the nodes.
  static void add_tangent(const ElementPack& e, int count, IsotropicTangent<W> tangent,
                          const W& share, bool projected, BlockSymmetric& hessian) {
    if (projected) tangent.project();
    ElementBlocks<kNodes, W> blocks;
    for (int m = 0; m < IsotropicTangent<W>::kModes; ++m) {
      Vec3T<W> g[kNodes];
      Element::node_forces(e.rest, tangent.mode[m], g);
      blocks.add_mode(tangent.value[m] * e.rest.volume * share, g);
    }
    blocks.add_to(hessian, e.node, count);
  }
  template <class F>
  void for_each_deformation(const Row4<Real>* x, F&& f) const {
    for (std::size_t i = 0; i < aside_.size(); ++i)
      f(packs_.packs()[i], aside_[i], deformation(packs_.packs()[i], x));
  }

  Mat material_;
  double stiffness_;  // k [Pa]
  Corotated mild_;
  RecoveringBody recovering_;
  LocalPacks<ElementPack> packs_;
  std::vector<Aside> aside_;  // of each pack
  PackSums sums_;
  int slack_count_ = 0;
};

}  // namespace sinew
