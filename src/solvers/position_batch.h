// Extended position-based dynamics (Macklin, Müller and Chentanez, "XPBD", MIG 2016) for finite
// elements, with the element's whole stress as its multiplier. One substep of implicit Euler asks
// of every element
//   Λ = −h²V P(F),      x = y + M⁻¹ Σ Gᵀ Λ,      so that ΔF = ΔΛ K,  K = Σᵢ wᵢ bᵢ bᵢᵀ
// (y: free motion; bᵢ: gradient of node i's shape function; wᵢ: inverse mass; G: ∂F/∂x). Elements
// are visited colour by colour (Gauss–Seidel); each solves its own equation by one Newton step with
// the material's bound on the tangent, ∂P/∂F ≈ a I + b d⊗d, and with κ = ‖K‖ for K beside a:
//   β ΔΛ + h²V b d (d : ΔΛ K) = R,      β = 1 + h²V a κ,      R = −h²V P(F) − Λ
// which is Sherman–Morrison: no singular values, no branch, and no division that can fail, whatever
// the stiffness, the masses or the shape of the element. Splitting the energy into scalar
// constraints instead (√(2Ψ), or ‖F‖ and det F) leaves the stiffness across their gradients
// explicit, and stiff bodies never come to rest.
//
// A sweep alone leaves a force imbalance that grows with h²k/m, so that bodies sag more the larger
// the substep or the finer the mesh. Therefore each substep starts from the elastic forces where it
// found the body (predict): Λ = −θ h²V P(F_prev), added to the free motion, and the sweep only
// corrects them. With θ = 1 a body in equilibrium is a fixed point of the solver for any number of
// substeps and iterations: its stiffness is the material's own. An explicit force is stable only up
// to a stiffness and a size, so θ falls below 1 for elements that are too stiff for the substep or
// too far from rest; those fall back by degrees to the plain sweep, which is always stable, but
// soft.
#pragma once

#include <sinew/tangent_bound.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/parallel.h"
#include "math/stretches.h"
#include "math/sym3.h"
#include "solvers/element_batch.h"

namespace sinew {

template <class Element, class Mat, class W>
class PositionBatch final : public ElementBatch {
 public:
  using Cell = typename Element::Cell;
  static constexpr int kNodes = Element::kNodes;
  static constexpr int kLanesHere = kWidth<W>;

  PositionBatch(const Mesh<Cell>& mesh, const Mat& material) : material_(material) {
    const std::vector<int> colour = colour_cells<Cell>(mesh.cells, mesh.vertices.size());
    std::vector<Index> order(mesh.cells.size());
    for (Index i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](Index a, Index b) { return colour[a] < colour[b]; });
    for (std::size_t i = 0; i < order.size();) {
      const int c = colour[order[i]];
      colour_begin_.push_back(static_cast<int>(packs_.size()));
      while (i < order.size() && colour[order[i]] == c) {
        std::size_t end = i;
        while (end < order.size() && end < i + kLanesHere && colour[order[end]] == c) ++end;
        add_pack(mesh, {order.data() + i, end - i});
        i = end;
      }
    }
    colour_begin_.push_back(static_cast<int>(packs_.size()));
    element_count_ = static_cast<int>(order.size());
  }

  void predict(const Substep& substep) override {
    for_each_pack(substep, [](ElementPack& e, const Mat& material, const Substep& s) {
      predict_pack(e, material, s);
    });
  }

  void solve(const Substep& substep) override {
    if (substep.damping > 0)
      for_each_pack(substep, [](ElementPack& e, const Mat& material, const Substep& s) {
        solve_pack<true>(e, material, s);
      });
    else
      for_each_pack(substep, [](ElementPack& e, const Mat& material, const Substep& s) {
        solve_pack<false>(e, material, s);
      });
  }

  ElementSummary summary(const Row4<Real>* position) const override {
    ElementSummary s;
    for (const ElementPack& e : packs_) {
      Vec3T<W> x[kNodes];
      for (int n = 0; n < kNodes; ++n) x[n] = gather<W>(position, e.node[n]).xyz;
      const Mat3T<W> f = Element::deformation_gradient(e.rest, x);
      const W det = determinant(f);
      s.energy += sum(W(material_.energy(f) * e.rest.volume), e.count);
      s.volume += sum(W(det * e.rest.volume), e.count);
      for (int i = 0; i < e.count; ++i) {
        if (lane(e.rest.volume, i) == 0) continue;
        s.inverted += lane(det, i) < 0;
        Mat3T<double> one;
        for (int k = 0; k < 9; ++k) one(k % 3, k / 3) = lane(f(k % 3, k / 3), i);
        for (double stretch : principal_stretches(one))
          s.strain_max = std::max(s.strain_max, std::abs(stretch - 1));
      }
    }
    return s;
  }

  int element_count() const override { return element_count_; }
  int slack_count() const override { return slack_count_; }

 private:
  struct ElementPack {
    Index node[kNodes][kLanesHere];
    typename Element::template Rest<W> rest;
    Mat3T<W> lambda;  // Λ of the substep under way
    int count;        // lanes in use; the others repeat the first element and so write the same
  };

  void add_pack(const Mesh<Cell>& mesh, std::span<const Index> cells) {
    ElementPack e;
    e.count = static_cast<int>(cells.size());
    for (int i = 0; i < kLanesHere; ++i) {
      const Cell& cell = mesh.cells[i < e.count ? cells[i] : cells[0]];
      Vec3T<double> x[kNodes];
      for (int n = 0; n < kNodes; ++n) {
        e.node[n][i] = cell[n];
        const Vec3& v = mesh.vertices[cell[n]];
        x[n] = {v.x, v.y, v.z};
      }
      const auto rest = Element::rest(x);
      for (int k = 0; k < 9; ++k)
        set_lane(e.rest.inverse(k % 3, k / 3), i, Real(rest.inverse(k % 3, k / 3)));
      set_lane(e.rest.volume, i, Real(rest.volume));
      slack_count_ += i < e.count && rest.volume == 0;
    }
    packs_.push_back(e);
  }

  // Colour after colour; the packs of a colour touch different particles and run in any order. The
  // material and the substep are copied into each block's loop: the compiler then knows that stores
  // to particles do not change them, and computes coefficients once per block.
  template <class F>
  void for_each_pack(const Substep& substep, F&& f) {
    constexpr int kBlock = 512 / kLanesHere;  // some 10 µs of work
    for (std::size_t c = 0; c + 1 < colour_begin_.size(); ++c) {
      ElementPack* first = packs_.data() + colour_begin_[c];
      parallel_for(
          substep.executor, colour_begin_[c + 1] - colour_begin_[c],
          kBlock, [&](int begin, int end) __attribute__((flatten)) {
            const Mat material = material_;
            const Substep s = substep;
            for (int i = begin; i < end; ++i) f(first[i], material, s);
          });
    }
  }

  // Bars of 1e5 to 1e7 Pa and any ν up to 0.49 were seen to be calm up to 6, and no longer at 8.
  static constexpr Real kExplicitStiffness = 4;
  // How much of a strain a predicted force may cause in a substep.
  static constexpr Real kExplicitStrain = Real(0.5);

  SINEW_INLINE static Mat3T<W> deformation(const ElementPack& e, const Rows4<W> (&p)[kNodes]) {
    Vec3T<W> x[kNodes];
    for (int i = 0; i < kNodes; ++i) x[i] = p[i].xyz;
    return Element::deformation_gradient(e.rest, x);
  }

  SINEW_INLINE static void gather_nodes(const ElementPack& e, const Row4<Real>* rows,
                                        Rows4<W> (&p)[kNodes]) {
    for (int i = 0; i < kNodes; ++i) p[i] = gather<W>(rows, e.node[i]);
  }

  // K = Σ wᵢ bᵢ bᵢᵀ [1/(kg m²)]
  SINEW_INLINE static Sym3T<W> mobility(const ElementPack& e, const Rows4<W> (&p)[kNodes]) {
    Vec3T<W> b[kNodes];
    Element::shape_gradients(e.rest, b);
    Sym3T<W> k = outer(b[0], p[0].w);
    for (int i = 1; i < kNodes; ++i) k = k + outer(b[i], p[i].w);
    return k;
  }

  // x ← x + M⁻¹ Gᵀ Λ
  SINEW_INLINE static void push(const ElementPack& e, Row4<Real>* position, Rows4<W> (&p)[kNodes],
                                const Mat3T<W>& lambda) {
    Vec3T<W> force[kNodes];
    Element::node_forces(e.rest, lambda, force);
    for (int i = 0; i < kNodes; ++i) {
      p[i].xyz += force[i] * p[i].w;
      scatter<W>(position, e.node[i], p[i]);
    }
  }

  SINEW_INLINE static void predict_pack(ElementPack& e, const Mat& material, const Substep& s) {
    Rows4<W> p[kNodes];
    gather_nodes(e, s.previous, p);
    const auto m = material.tangent_bound(deformation(e, p));
    const Sym3T<W> k = mobility(e, p);
    const W scale = e.rest.volume * W(s.h * s.h);
    const W stiffness =
        scale * (m.isotropic * trace(k) + m.along * contract(m.direction, m.direction * k));
    const W strain = scale * sqrt(contract(m.stress, m.stress)) * trace(k);
    const W excess = max(stiffness * W(1 / kExplicitStiffness), strain * W(1 / kExplicitStrain));
    e.lambda = m.stress * (-scale / max(excess, W(1)));
    gather_nodes(e, s.position, p);
    push(e, s.position, p, e.lambda);
  }

  template <bool kDamped>
  SINEW_INLINE static void solve_pack(ElementPack& e, const Mat& material, const Substep& s) {
    Rows4<W> p[kNodes];
    gather_nodes(e, s.position, p);
    const Mat3T<W> f = deformation(e, p);
    auto m = material.tangent_bound(f);
    if constexpr (kDamped) {
      Rows4<W> q[kNodes];
      gather_nodes(e, s.previous, q);
      add_viscosity(material, W(s.damping / s.h), f, deformation(e, q), m);
    }
    const Sym3T<W> k = mobility(e, p);
    const W scale = e.rest.volume * W(s.h * s.h);
    const Mat3T<W> residual = m.stress * -scale - e.lambda;
    const W beta = W(1) + scale * m.isotropic * sqrt(contract(k, k));
    const Mat3T<W> dk = m.direction * k;
    const W along = scale * m.along;
    const W share = along * contract(dk, residual) / (beta + along * contract(dk, m.direction));
    const Mat3T<W> delta = (residual - m.direction * share) * (W(1) / beta);
    e.lambda = e.lambda + delta;
    push(e, s.position, p, delta);
  }

  // Viscosity in terms of the Green strain E = ½(FᵀF − I), so that rotating costs nothing and
  // exerts no torque: P += F · 2μ Ė · damping. In shear only: that of volume, λ tr(Ė), is so stiff
  // for nearly incompressible materials that one sweep crumples the body instead.
  SINEW_INLINE static void add_viscosity(const Mat& material, W gamma, const Mat3T<W>& f,
                                         const Mat3T<W>& f_previous, TangentBound<W>& m) {
    // Per stretch²: otherwise what is stretched tenfold would be a hundred times as viscous.
    const W size2 = contract(f, f), size2_previous = contract(f_previous, f_previous);
    const W stretch2 = max(max(size2, size2_previous), W(3)) * W(Real(1.0 / 3));
    const W viscosity = gamma * W(2 * material.lame_mu()) / stretch2;
    const Sym3T<W> stress = (gram(f) - gram(f_previous)) * (viscosity * W(Real(0.5)));
    m.stress = m.stress + f * stress;
    // Its derivative is at most the viscosity times the largest stretch², which is no more than
    // ‖F‖² − 2 (and 1 at rest), and the stress itself, where F has changed much.
    m.isotropic += viscosity * max(size2 - W(2), W(1)) + sqrt(contract(stress, stress));
  }

  Mat material_;
  std::vector<ElementPack> packs_;
  std::vector<int> colour_begin_;  // first pack of each colour, and the end
  int element_count_ = 0, slack_count_ = 0;
};

}  // namespace sinew
