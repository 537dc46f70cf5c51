// Tetrahedra by nodal strains (elements/nodal_points.h) for the position-based solver: the energy
// is that of the variational solvers. Each vertex is an element with a deformation gradient of its
// own, F = Σ x bᵀ over a stencil that differs in size, with K = Σ w b bᵀ and one stress as
// multiplier; the equations are in stress_multiplier.h. What stabilises them acts in the tetrahedra
// (nodal_stabiliser.h) and comes after them in a sweep.
#pragma once

#include <algorithm>

#include "solvers/coloured_packs.h"
#include "solvers/element_rotation.h"
#include "solvers/material_at.h"
#include "solvers/nodal_stabiliser.h"
#include "solvers/stencil_packs.h"
#include "solvers/stress_multiplier.h"

namespace sinew {

template <class Mat, class W>
class NodalBatch final : public ElementBatch {
 public:
  NodalBatch(const TetMesh& mesh, const Mat& material)
      : material_(material),
        means_(mesh.vertices.size()),
        measured_(mesh.vertices.size()),
        tets_(make_nodal_stabiliser(mesh, material.lame_mu())) {
    const double mu = double(material.lame_mu());
    packs_ = Packs(nodal_points(mesh, mu, double(material.lame_lambda()), {}), mesh.vertices.size(),
                   [&](Point& p, int lane, const NodalPoint& of) {
                     set_lane(p.volume, lane, Real(of.weight));
                     set_lane(p.share, lane, Real(mu * of.share / 2));
                   });
  }

  void predict(const Substep& substep) override {
    packs_.for_each_with(
        substep.executor, shared(substep),
        [](Point& p, Nodes nodes, const Shared& all) { predict_pack(p, nodes, all); });
    tets_->predict(substep, means_);
  }

  void solve(const Substep& substep) override {
    if (substep.reversed) {
      packs_.for_each_with(substep.executor, shared(substep),
                           [](Point& p, Nodes nodes, const Shared& all) {
                             const Substep& s = all.substep;
                             publish(p, nodes, deformation(p, nodes, s.displacement), *all.means);
                           });
      tets_->solve(substep, means_);
    }
    packs_.for_each_with(
        substep.executor, shared(substep),
        [](Point& p, Nodes nodes, const Shared& all) { solve_pack(p, nodes, all); },
        substep.reversed);
    if (!substep.reversed) tets_->solve(substep, means_);
  }

  void extrapolate(Real omega, bool first) override {
    memory_.extrapolate(
        omega, first,
        [&](auto&& visit) {
          for (auto& pack : packs_.packs()) visit(pack.point.lambda);
        },
        [](const Mat3T<W>& lambda, const Mat3T<W>& before, Real w) {
          return before + (lambda - before) * W(w);
        });
    tets_->extrapolate(omega, first);
  }

  double energy(const Places& at) const override {
    double total = 0;
    for (const auto& pack : packs_.packs()) {
      const Point& p = pack.point;
      const Nodes nodes = packs_.nodes(pack);
      const Mat3T<W> f = deformation_at(nodes, at);
      total += exact_energy(material_, f, p.rotation.at(f), p.volume, pack.count);
      publish(p, nodes, f, measured_);
    }
    return total + tets_->energy(at, measured_);
  }

  double stiffness(const Row4<Real>* rest) const override {
    double largest = 0;
    const Mat3T<W> one = Mat3T<W>::identity();
    for (const auto& pack : packs_.packs()) {
      const Nodes nodes = packs_.nodes(pack);
      publish(pack.point, nodes, one, measured_);
      const W rate = explicit_stiffness(tangent_bound_at(material_, one, one),
                                        mobility(nodes, rest), pack.point.volume);
      for (int i = 0; i < pack.count; ++i) largest = std::max(largest, double(lane(rate, i)));
    }
    return std::max(largest, tets_->stiffness(rest, measured_));
  }

  ElementSummary summary(const Row4<Real>* position) const override {
    return tets_->summary(position);
  }
  int count() const override { return tets_->count(); }
  int slack_count() const override { return tets_->slack_count(); }

  void visit_state(StateBytes& state) override {
    for (auto& pack : packs_.packs()) state(pack.point.rotation);
  }

 private:
  struct Point {
    W volume;           // ω [m³]
    W share;            // 2μ α/4 [Pa]
    Mat3T<W> start;     // F at the start of the substep
    Sym3T<W> mobility;  // K of the substep
    Mat3T<W> lambda{};  // Λ of the substep under way
    [[no_unique_address]] ElementRotation<Mat::kNeedsRotation, W> rotation;
  };
  using Packs = StencilPacks<W, Point>;
  using Nodes = std::span<const typename Packs::Node>;
  struct Shared {
    Mat material;
    Substep substep;
    NodalMeans* means;
  };

  Shared shared(const Substep& substep) { return {material_, substep, &means_}; }

  // Differences keep their digits wherever the body is.
  SINEW_INLINE static Mat3T<W> deformation_at(Nodes nodes, const Places& at) {
    const Vec3T<W> own = gather<W>(at.position, nodes[0].vertex).xyz;
    Mat3T<W> f{};
    for (std::size_t k = 1; k < nodes.size(); ++k)
      add_product(gather<W>(at.position, nodes[k].vertex).xyz - own, nodes[k].b, f);
    if (!at.low) return f;
    const Vec3T<W> own_low = gather<W>(at.low, nodes[0].vertex).xyz;
    for (std::size_t k = 1; k < nodes.size(); ++k)
      add_product(gather<W>(at.low, nodes[k].vertex).xyz - own_low, nodes[k].b, f);
    return f;
  }
  // After displacements u.
  SINEW_INLINE static Mat3T<W> deformation(const Point& p, Nodes nodes, const Row4<Real>* u) {
    return deformation(p, nodes, u, [](std::size_t, const Rows4<W>&) {});
  }
  // … keep(k, row) of every node.
  template <class Keep>
  SINEW_INLINE static Mat3T<W> deformation(const Point& p, Nodes nodes, const Row4<Real>* u,
                                           Keep&& keep) {
    const Rows4<W> own = gather<W>(u, nodes[0].vertex);
    keep(0, own);
    Mat3T<W> change{};
    for (std::size_t k = 1; k < nodes.size(); ++k) {
      const Rows4<W> row = gather<W>(u, nodes[k].vertex);
      keep(k, row);
      add_product(row.xyz - own.xyz, nodes[k].b, change);
    }
    return p.start + change;
  }
  // F += d bᵀ
  SINEW_INLINE static void add_product(const Vec3T<W>& d, const Vec3T<W>& b, Mat3T<W>& f) {
    f.c[0] += d * b.x;
    f.c[1] += d * b.y;
    f.c[2] += d * b.z;
  }

  SINEW_INLINE static Sym3T<W> mobility(Nodes nodes, const Row4<Real>* rows) {
    Sym3T<W> k = outer(nodes[0].b, gather<W>(rows, nodes[0].vertex).w);
    for (std::size_t i = 1; i < nodes.size(); ++i)
      k = k + outer(nodes[i].b, gather<W>(rows, nodes[i].vertex).w);
    return k;
  }

  SINEW_INLINE static void publish(const Point& p, Nodes nodes, const Mat3T<W>& f,
                                   NodalMeans& means) {
    means.set(nodes[0].vertex, p.share, f);
  }

  // u ← u + M⁻¹ Gᵀ Λ, the point's own vertex last; row(k) is u of that node.
  template <class RowOf>
  SINEW_INLINE static void push(Nodes nodes, const Substep& s, const Mat3T<W>& lambda,
                                RowOf&& row) {
    for (std::size_t k = nodes.size(); k-- > 0;) {
      const auto& node = nodes[k];
      Rows4<W> u = row(k);
      const Vec3T<W> move = (lambda * node.b) * u.w;
      if (s.correction) u = gather<W>(s.correction, node.vertex);
      u.xyz += move;
      scatter<W>(s.correction ? s.correction : s.displacement, node.vertex, u);
    }
  }

  SINEW_INLINE static void predict_pack(Point& p, Nodes nodes, const Shared& all) {
    const Substep& s = all.substep;
    p.start = deformation_at(nodes, s.start);
    p.mobility = mobility(nodes, s.displacement);
    publish(p, nodes, p.start, *all.means);
    const auto m = tangent_bound_at(all.material, p.start, p.rotation.follow(p.start));
    p.lambda =
        predicted_multiplier(m, p.mobility, p.volume * W(s.h * s.h), s.prediction / s.sharing);
    push(nodes, s, p.lambda,
         [&](std::size_t k) { return gather<W>(s.displacement, nodes[k].vertex); });
  }

  // Rows of stencils up to this size are kept from when they are read until they are moved.
  static constexpr std::size_t kKept = 32;
  SINEW_INLINE static void solve_pack(Point& p, Nodes nodes, const Shared& all) {
    const Substep& s = all.substep;
    if (nodes.size() <= kKept) {
      Rows4<W> rows[kKept];
      const Mat3T<W> f = deformation(p, nodes, s.displacement,
                                     [&](std::size_t k, const Rows4<W>& row) { rows[k] = row; });
      push(nodes, s, correct(p, nodes, all, f), [&](std::size_t k) { return rows[k]; });
    } else {
      const Mat3T<W> f = deformation(p, nodes, s.displacement);
      push(nodes, s, correct(p, nodes, all, f),
           [&](std::size_t k) { return gather<W>(s.displacement, nodes[k].vertex); });
    }
  }
  // ΔΛ
  SINEW_INLINE static Mat3T<W> correct(Point& p, Nodes nodes, const Shared& all,
                                       const Mat3T<W>& f) {
    const Substep& s = all.substep;
    const auto m = tangent_bound_at(all.material, f, p.rotation.follow(f));
    const Mat3T<W> delta =
        multiplier_correction(m, p.mobility * W(s.sharing), p.volume * W(s.h * s.h), p.lambda) *
        W(s.relaxation);
    p.lambda = p.lambda + delta;
    publish(p, nodes, s.correction ? f : f + delta * p.mobility, *all.means);
    return delta;
  }

  Mat material_;
  Packs packs_;
  NodalMeans means_;             // as points have left them in this sweep
  mutable NodalMeans measured_;  // of energy()
  std::unique_ptr<NodalStabiliser> tets_;
  MultiplierMemory<Mat3T<W>> memory_;
};

}  // namespace sinew
