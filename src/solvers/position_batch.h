// Extended position-based dynamics (Macklin, Müller and Chentanez, "XPBD", MIG 2016) for elements whose
// energy is V·½ Σ kₙ Cₙ(F)². One element's constraints are solved together, as a small block:
//   (I + (1+γ) S W) Δλ = −(S C + λ + γ S ∇C·(x−x_prev)),   x ← x + M⁻¹ ∇Cᵀ Δλ
// with S = diag(kₙ V h²), Wₘₙ = Σᵢ wᵢ ∇ᵢCₘ·∇ᵢCₙ and γ = damping/h. This is XPBD's equation times S = α̃⁻¹: no
// division can fail, whatever the stiffness, the masses or the shape of the element. Solving the block
// at once keeps the rest state, in which the terms of a Neo-Hookean material balance each other, at
// rest exactly; one after the other, they would pull it to and fro.
//
// Multipliers are carried from substep to substep and re-applied with the current gradients before the
// sweep (warm_start). Then a body in equilibrium is a fixed point of the solver for any number of
// substeps and iterations: S C + λ = 0 in every element is the statics of the material itself, so
// stiffness does not depend on the solver's settings. Without, one sweep leaves a force imbalance that
// grows with h²k/m, and bodies sag more the larger the step.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/parallel.h"
#include "math/stretches.h"
#include "solvers/element_batch.h"

namespace sinew {

template <class Element, class Mat, class W>
class PositionBatch final : public ElementBatch {
 public:
  using Cell = typename Element::Cell;
  static constexpr int kNodes = Element::kNodes;
  static constexpr int kTerms = Mat::kConstraints;
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

  void warm_start(const Substep& substep) override {
    for_each_pack(substep.executor, [&](ElementPack& e) { apply_multipliers(e, substep); });
  }

  void solve(const Substep& substep) override {
    if (substep.damping > 0)
      for_each_pack(substep.executor, [&](ElementPack& e) { solve_pack<true>(e, substep); });
    else
      for_each_pack(substep.executor, [&](ElementPack& e) { solve_pack<false>(e, substep); });
  }

  void forget() override {
    for (ElementPack& e : packs_)
      for (W& m : e.multiplier) m = W(0);
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
    W multiplier[kTerms];
    int count;  // lanes in use; the others repeat the first element and so write the same
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
    for (W& m : e.multiplier) m = W(0);
    packs_.push_back(e);
  }

  // Colour after colour; the packs of a colour touch different particles and run in any order.
  template <class F>
  void for_each_pack(Executor& executor, F&& f) {
    constexpr int kBlock = 512 / kLanesHere;  // some 10 µs of work
    for (std::size_t c = 0; c + 1 < colour_begin_.size(); ++c) {
      ElementPack* first = packs_.data() + colour_begin_[c];
      parallel_for(executor, colour_begin_[c + 1] - colour_begin_[c], kBlock,
                   [&](int begin, int end) {
                     for (int i = begin; i < end; ++i) f(first[i]);
                   });
    }
  }

  // ∇ᵢCₙ for all nodes i and terms n, and C itself.
  SINEW_INLINE static void gradients(const ElementPack& e, const Mat& material,
                                     const Rows4<W> (&p)[kNodes], W (&c)[kTerms],
                                     Vec3T<W> (&g)[kTerms][kNodes]) {
    Vec3T<W> x[kNodes];
    for (int i = 0; i < kNodes; ++i) x[i] = p[i].xyz;
    Mat3T<W> dc[kTerms];
    material.constraints(Element::deformation_gradient(e.rest, x), c, dc);
    for (int n = 0; n < kTerms; ++n) Element::node_gradients(e.rest, dc[n], g[n]);
  }

  SINEW_INLINE static void move(const ElementPack& e, Row4<Real>* position, Rows4<W> (&p)[kNodes],
                                const Vec3T<W> (&g)[kTerms][kNodes], const W (&lambda)[kTerms]) {
    for (int i = 0; i < kNodes; ++i) {
      Vec3T<W> push = g[0][i] * lambda[0];
      for (int n = 1; n < kTerms; ++n) push += g[n][i] * lambda[n];
      p[i].xyz += push * p[i].w;
      scatter<W>(position, e.node[i], p[i]);
    }
  }

  __attribute__((flatten)) void apply_multipliers(ElementPack& e, const Substep& s) const {
    const Mat material = material_;
    Rows4<W> p[kNodes];
    for (int i = 0; i < kNodes; ++i) p[i] = gather<W>(s.position, e.node[i]);
    W c[kTerms];
    Vec3T<W> g[kTerms][kNodes];
    gradients(e, material, p, c, g);
    move(e, s.position, p, g, e.multiplier);
  }

  template <bool kDamped>
  __attribute__((flatten)) void solve_pack(ElementPack& e, const Substep& s) const {
    const Mat material = material_;
    Rows4<W> p[kNodes];
    for (int i = 0; i < kNodes; ++i) p[i] = gather<W>(s.position, e.node[i]);
    W c[kTerms];
    Vec3T<W> g[kTerms][kNodes];
    gradients(e, material, p, c, g);

    const auto k = material.stiffness();
    W stiffness[kTerms], rhs[kTerms], w[kTerms][kTerms];
    for (int n = 0; n < kTerms; ++n) {
      stiffness[n] = e.rest.volume * W(k[n] * s.h * s.h);
      rhs[n] = -(stiffness[n] * c[n] + e.multiplier[n]);
      for (int m = 0; m <= n; ++m) {
        w[n][m] = p[0].w * dot(g[n][0], g[m][0]);
        for (int i = 1; i < kNodes; ++i) w[n][m] += p[i].w * dot(g[n][i], g[m][i]);
        w[m][n] = w[n][m];
      }
    }
    if constexpr (kDamped) {
      const W gamma(s.damping / s.h);
      for (int i = 0; i < kNodes; ++i) {
        const Vec3T<W> moved = p[i].xyz - gather<W>(s.previous, e.node[i]).xyz;
        for (int n = 0; n < kTerms; ++n) rhs[n] -= gamma * stiffness[n] * dot(g[n][i], moved);
      }
      for (auto& row : w)
        for (W& entry : row) entry *= W(1) + gamma;
    }
    W delta[kTerms];
    solve_block(stiffness, w, rhs, delta);
    for (int n = 0; n < kTerms; ++n) e.multiplier[n] += delta[n];
    move(e, s.position, p, g, delta);
  }

  // (I + S W) Δ = rhs. The determinant is at least 1: W is positive semi-definite.
  SINEW_INLINE static void solve_block(const W (&s)[kTerms], const W (&w)[kTerms][kTerms],
                                       const W (&rhs)[kTerms], W (&delta)[kTerms]) {
    static_assert(kTerms <= 2);
    if constexpr (kTerms == 1) {
      delta[0] = rhs[0] / (W(1) + s[0] * w[0][0]);
    } else {
      const W a = s[0] * w[0][0], d = s[1] * w[1][1];
      const W gram = max(w[0][0] * w[1][1] - w[0][1] * w[0][1], W(0));
      const W inverse = W(1) / (W(1) + a + d + s[0] * s[1] * gram);
      delta[0] = ((W(1) + d) * rhs[0] - s[0] * w[0][1] * rhs[1]) * inverse;
      delta[1] = ((W(1) + a) * rhs[1] - s[1] * w[0][1] * rhs[0]) * inverse;
    }
  }

  Mat material_;
  std::vector<ElementPack> packs_;
  std::vector<int> colour_begin_;  // first pack of each colour, and the end
  int element_count_ = 0, slack_count_ = 0;
};

}  // namespace sinew
