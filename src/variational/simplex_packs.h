// What elements with one deformation gradient each are, whatever they are made of: their packs, how
// much of their own material they are at the moment (recovery.h), and their part of the constant
// matrix,
//   L = Σ V k bₙ·bₘ
// with b the gradients of the shape functions and k the material's mean stiffness. One
// instantiation serves all materials.
#pragma once

#include "elements/tetrahedron.h"
#include "elements/triangle.h"
#include "math/isotropic_tangent.h"
#include "solvers/element_summary.h"
#include "solvers/local_packs.h"
#include "variational/element_blocks.h"
#include "variational/elements_energy.h"
#include "variational/recovery.h"

namespace sinew {

template <class Element, class W>
class SimplexPacks : public ElementsEnergy {
 public:
  using Cell = typename Element::Cell;
  static constexpr int kNodes = Element::kNodes;

  // `factors` are SoftBody::cell_stiffness; `thickness` is that of sheets [m], 1 for solids;
  // `stiffness` is k [Pa].
  SimplexPacks(const Mesh<Cell>& mesh, std::span<const Real> factors, Real thickness,
               double stiffness, bool recovers)
      : stiffness_(stiffness), recovers_(recovers) {
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
    if (recovers_) recovering_.resize(mesh.vertices.size());
  }

  void begin_step(const Row4<Real>* x, Real h) override {
    if (!recovers_) return;
    recovering_.begin_step(aside_.size(), h, [&](std::size_t i) {
      const ElementPack& e = packs_.packs()[i];
      const Mat3T<W> f = deformation(e, x);
      return RecoveringPack<W, kNodes>{
          e.node, aside_[i].count, aside_[i].recovery, {determinant(f), contract(f, f)}};
    });
  }

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
    if (!recovers_) return;
    state(recovering_);
    for (Aside& aside : aside_) state(aside.recovery);
  }

 protected:
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

  double stiffness_;  // k [Pa]
  RecoveringBody recovering_;
  LocalPacks<ElementPack> packs_;
  std::vector<Aside> aside_;  // of each pack

 private:
  bool recovers_;
  int slack_count_ = 0;
};

}  // namespace sinew
