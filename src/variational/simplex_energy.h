// The elastic energy of elements with one deformation gradient each, tetrahedra and triangles:
//   E = Σ V Ψ(F),   ∂E/∂xₙ = V P(F) bₙ,   L = Σ V k bₙ·bₘ
// with b the gradients of the shape functions and k the material's mean stiffness.
#pragma once

#include "elements/tetrahedron.h"
#include "elements/triangle.h"
#include "math/isotropic_tangent.h"
#include "math/polar_rotation.h"
#include "solvers/coloured_packs.h"
#include "solvers/element_summary.h"
#include "variational/elements_energy.h"
#include "variational/mean_stiffness.h"
#include "variational/recovery.h"

namespace sinew {

template <class Element, class Mat, class W>
class SimplexEnergy final : public ElementsEnergy {
 public:
  using Cell = typename Element::Cell;
  static constexpr int kNodes = Element::kNodes;

  // `thickness` is that of sheets [m]; 1 for solids.
  SimplexEnergy(const Mesh<Cell>& mesh, const Mat& material, const StretchInterval& stretches,
                Real thickness = 1)
      : material_(material),
        mild_(mild_material(material.lame_mu())),
        stiffness_(mean_stiffness(material, stretches.min, stretches.max)) {
    packs_ = ColouredPacks<ElementPack>(
        mesh.cells, mesh.vertices.size(), [&](ElementPack& e, int lane, Index cell) {
          Vec3T<double> x[kNodes];
          for (int n = 0; n < kNodes; ++n) x[n] = to_double(mesh.vertices[mesh.cells[cell][n]]);
          const auto rest = Element::rest(x);
          set_lane(e.rest.inverse, lane, rest.inverse);
          set_lane(e.rest.volume, lane, Real(rest.volume * thickness));
          slack_count_ += lane < e.count && rest.volume == 0;
        });
    energy_.resize(packs_.packs().size());
    if constexpr (kRecovers) marked_.resize(mesh.vertices.size());
  }

  void begin_step(const Row4<Real>* x, Real h) override {
    if constexpr (kRecovers) {
      const bool inside_out = mark_inverted(x);
      if (!inside_out && !recovering_) return;
      const W all_back(inside_out ? Real(0) : Real(h / recovery_time_));
      recovering_ = false;
      for (ElementPack& e : packs_.packs()) {
        W struck(Real(0));
        if (inside_out)
          for (int i = 0; i < kLanesHere; ++i)  // those that repeat the first one, too
            for (int n = 0; n < kNodes; ++n)
              if (marked_[e.node[n][i]]) set_lane(struck, i, Real(1));
        const Mat3T<W> f = deformation(e, x);
        const W back =
            select(contract(f, f) < W(Real(5)),
                   select(determinant(f) > W(Real(.5)), all_back, W(Real(0))), W(Real(0)));
        e.recovery.follow(struck > W(Real(0)), back);
        recovering_ = recovering_ || e.recovery.any_active();
      }
    }
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
        double* energy;
      };
      packs_.for_each_with(
          executor, false,
          Shared{material_, mild_, x, gradient, packs_.packs().data(), energy_.data()},
          [](ElementPack& e, const Shared& s) {
            s.energy[&e - s.first] = add_pack(e, s.material, s.mild, s.x, s.gradient);
          });
      double total = 0;  // in the same order for any number of threads
      for (double e : energy_) total += e;
      return total;
    }
  }

  double energy(const Row4<Real>* x) const override {
    double total = 0;
    for_each_deformation(x, [&](const ElementPack& e, const Mat3T<W>& f) {
      if constexpr (Mat::kElastic)
        total +=
            sum(W(density(e, material_, mild_, f, rotation_if_needed(f)) * e.rest.volume), e.count);
    });
    return total;
  }

  // The metric of as-rigid-as-possible elasticity is 2μ, and Ψ = μ‖F − R‖² with R nearest.
  bool projective() const override { return kProjective; }

  double scale() const override {
    double volume = 0;
    for (const ElementPack& e : packs_.packs()) volume += sum(e.rest.volume, e.count);
    return volume * stiffness_;
  }

  void add_metric(MetricEntries& entries) const override {
    for (const ElementPack& e : packs_.packs()) {
      Vec3T<W> b[kNodes];
      Element::shape_gradients(e.rest, b);
      for (int i = 0; i < kNodes; ++i)
        for (int j = 0; j <= i; ++j) {
          const W product = dot(b[i], b[j]) * e.rest.volume;
          for (int k = 0; k < e.count; ++k)
            entries.push_back({static_cast<int>(e.node[i][k]), static_cast<int>(e.node[j][k]),
                               stiffness_ * double(lane(product, k))});
        }
    }
  }

  void add_hessian(const Row4<Real>* x, bool projected, BlockSymmetric& hessian) const override {
    if constexpr (Mat::kElastic)
      for (const ElementPack& e : packs_.packs()) {
        if constexpr (!Element::kSolid) {
          Vec3T<W> at[kNodes];
          positions(e, x, at);
          add_tangent(e, sheet_tangent_at(material_, Element::flat_gradient(e.rest, at)),
                      W(Real(1)), projected, hessian);
        } else {
          const Mat3T<W> f = deformation(e, x);
          add_tangent(e, tangent_at(material_, f), kRecovers ? e.recovery.share : W(Real(1)),
                      projected, hessian);
          if constexpr (kRecovers)
            if (e.recovery.any_active())
              add_tangent(e, tangent_at(mild_, f), W(Real(1)) - e.recovery.share, projected,
                          hessian);
        }
      }
  }

  ElementSummary summary(const Row4<Real>* x) const override {
    ElementSummary s;
    for_each_deformation(x, [&](const ElementPack& e, const Mat3T<W>& f) {
      add_elements(f, e.rest.volume, e.count, s);
    });
    return s;
  }
  int count() const override { return packs_.count(); }
  int slack_count() const override { return slack_count_; }

 private:
  static constexpr int kLanesHere = kWidth<W>;
  struct ElementPack {
    Index node[kNodes][kLanesHere];
    typename Element::template Rest<W> rest;
    Recovery<W> recovery;
    int count;  // lanes in use
  };
  static constexpr bool kProjective = !Mat::kElastic || requires { Mat::kProjective; };
  // What has no volume to guard needs nothing milder.
  static constexpr bool kRecovers = Mat::kElastic && Element::kSolid && !kProjective;

  SINEW_INLINE static W density(const ElementPack& e, const Mat& material, const Corotated& mild,
                                const Mat3T<W>& f, const Mat3T<W>& r) {
    W own = energy_at(material, f, r);
    if constexpr (kRecovers)
      if (e.recovery.any_active()) {
        const W other = mild.energy(f, PolarRotation<W>::of(f).rotation);
        own = other + (own - other) * e.recovery.share;
      }
    return own;
  }

  SINEW_INLINE static Mat3T<W> rotation_if_needed(const Mat3T<W>& f) {
    if constexpr (Mat::kNeedsRotation)
      return PolarRotation<W>::of(f).rotation;
    else
      return {};
  }
  SINEW_INLINE static void positions(const ElementPack& e, const Row4<Real>* x,
                                     Vec3T<W> (&at)[kNodes]) {
    for (int i = 0; i < kNodes; ++i) at[i] = gather<W>(x, e.node[i]).xyz;
  }
  SINEW_INLINE static Mat3T<W> deformation(const ElementPack& e, const Row4<Real>* x) {
    Vec3T<W> at[kNodes];
    positions(e, x, at);
    return Element::deformation_gradient(e.rest, at);
  }
  SINEW_INLINE static double add_pack(const ElementPack& e, const Mat& material,
                                      const Corotated& mild, const Row4<Real>* x,
                                      Row4<Real>* gradient) {
    const Mat3T<W> f = deformation(e, x);
    const Mat3T<W> r = rotation_if_needed(f);
    Mat3T<W> stress = stress_at(material, f, r);
    if constexpr (kRecovers)
      if (e.recovery.any_active()) {
        const Mat3T<W> other = mild.stress(f, PolarRotation<W>::of(f).rotation);
        stress = other + (stress - other) * e.recovery.share;
      }
    Vec3T<W> force[kNodes];
    Element::node_forces(e.rest, stress * e.rest.volume, force);
    for (int i = 0; i < kNodes; ++i) {
      Rows4<W> row = gather<W>(gradient, e.node[i]);
      row.xyz += force[i];
      scatter<W>(gradient, e.node[i], row);
    }
    return sum(W(density(e, material, mild, f, r) * e.rest.volume), e.count);
  }
  // Marks the vertices of elements that are inside out; whether there are any.
  bool mark_inverted(const Row4<Real>* x) {
    bool found = false;
    for (const ElementPack& e : packs_.packs()) {
      const W inverted = select(determinant(deformation(e, x)) * e.rest.volume < W(Real(0)),
                                W(Real(1)), W(Real(0)));
      if (!any(inverted > W(Real(0)))) continue;
      if (!found) std::fill(marked_.begin(), marked_.end(), char(0));
      found = true;
      for (int i = 0; i < e.count; ++i)
        if (lane(inverted, i) > 0)
          for (int n = 0; n < kNodes; ++n) marked_[e.node[n][i]] = 1;
    }
    return found;
  }
  // Σ V value gₙ gₘᵀ over the modes, g what a mode does to the nodes.
  static void add_tangent(const ElementPack& e, IsotropicTangent<W> tangent, const W& share,
                          bool projected, BlockSymmetric& hessian) {
    if (projected) tangent.project();
    Mat3T<W> block[kNodes][kNodes] = {};
    for (int m = 0; m < 9; ++m) {
      Vec3T<W> g[kNodes];
      Element::node_forces(e.rest, tangent.mode[m], g);
      const W value = tangent.value[m] * e.rest.volume * share;
      for (int i = 0; i < kNodes; ++i)
        for (int j = 0; j <= i; ++j) {
          const Vec3T<W> scaled = g[i] * value;
          for (int c = 0; c < 3; ++c) block[i][j].c[c] += scaled * g[j][c];
        }
    }
    for (int i = 0; i < kNodes; ++i)
      for (int j = 0; j <= i; ++j)
        for (int k = 0; k < e.count; ++k) {
          Mat3 one;
          for (int c = 0; c < 9; ++c) one(c % 3, c / 3) = lane(block[i][j](c % 3, c / 3), k);
          hessian.add(static_cast<int>(e.node[i][k]), static_cast<int>(e.node[j][k]), one);
        }
  }
  template <class F>
  void for_each_deformation(const Row4<Real>* x, F&& f) const {
    for (const ElementPack& e : packs_.packs()) f(e, deformation(e, x));
  }

  Mat material_;
  Corotated mild_;
  double recovery_time_ = 0.3;  // [s]
  bool recovering_ = false;
  std::vector<char> marked_;  // vertices of elements that are inside out
  double stiffness_;          // k [Pa]
  ColouredPacks<ElementPack> packs_;
  std::vector<double> energy_;  // of each pack, of the last evaluation
  int slack_count_ = 0;
};

}  // namespace sinew
