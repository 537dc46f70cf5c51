// The elastic energy of tetrahedra by nodal strains (elements/nodal_points.h):
//   E = Σₙ ωₙ Ψ(Fₙ) + stabiliser
// Means have no more energy than what they are means of, so that the constant matrix of plain
// tetrahedra bounds this one as it bounds theirs. Only the material's part is made for each of
// them. Where tetrahedra are inside out, means of them say nothing: then points about them give
// their share to the tetrahedra, plain ones of something milder (recovery.h).
#pragma once

#include "elements/tetrahedron.h"
#include "math/isotropic_tangent.h"
#include "variational/elements_energy.h"
#include "variational/mean_stiffness.h"
#include "variational/nodal_stencils.h"
#include "variational/recovery.h"

namespace sinew {

// The tetrahedra themselves: what they weigh in the constant matrix, how they are, and while some
// recover the energy of what is milder.
class PlainTetrahedra : public ElementsEnergy {
 public:
  virtual bool mark_inverted(const Row4<Real>* x, RecoveringBody& recovering) const = 0;
  virtual void set_shares(std::span<const Real> of_vertex) = 0;
  virtual bool recovering() const = 0;
};
// Of shear modulus μ and, in the constant matrix, of stiffness k [Pa].
std::unique_ptr<PlainTetrahedra> make_plain_tetrahedra(const TetMesh& mesh, double mu, double k,
                                                       std::span<const Real> factors);

template <class Mat, class W>
class NodalEnergy final : public ElementsEnergy {
 public:
  // `whole_pattern`: the constant matrix has entries, if of nothing, wherever the Hessian has some.
  NodalEnergy(const TetMesh& mesh, const Mat& material, const StretchInterval& stretches,
              std::span<const Real> factors, bool whole_pattern)
      : material_(material),
        whole_pattern_(whole_pattern),
        stencils_(
            nodal_points(mesh, shear(material, stretches), double(material.lame_lambda()), factors),
            shear(material, stretches), mesh.vertices.size()),
        plain_(make_plain_tetrahedra(mesh, shear(material, stretches),
                                     mean_stiffness(material, stretches.min, stretches.max),
                                     factors)),
        recovery_(stencils_.packs().size()),
        rows_(stencils_.packs().size() * kLanes),
        energy_of_(stencils_.packs().size()) {
    recovering_.resize(mesh.vertices.size());
    scratch_.resize(mesh.vertices.size());
    share_of_.assign(mesh.vertices.size(), 1);
  }

  void begin_step(const Row4<Real>* x, Real h) override {
    if constexpr (kRecovers) {
      const bool inside_out = plain_->mark_inverted(x, recovering_);
      if (!inside_out && !recovering_.active()) return;
      if (inside_out) stencils_.spread(recovering_.marked(), scratch_);
      recovering_.follow(recovery_.size(), h, inside_out, [&](std::size_t i) {
        const auto& pack = stencils_.packs()[i];
        NodalRows rows[kLanes];
        stencils_.deform(i, x, rows);
        const Mat3T<W> f = load_columns<W>(rows);
        return RecoveringPack<W, 1>{
            pack.node, pack.count, recovery_[i], {determinant(f), contract(f, f)}};
      });
      for (std::size_t i = 0; i < recovery_.size(); ++i)
        for (int k = 0; k < stencils_.packs()[i].count; ++k)
          share_of_[stencils_.packs()[i].node[0][k]] = lane(recovery_[i].share, k);
      plain_->set_shares(share_of_);
    }
  }

  double add_gradient(const Row4<Real>* x, Row4<Real>* gradient, Executor& executor) override {
    constexpr int kBlock = 16;  // packs
    parallel_for(executor, static_cast<int>(recovery_.size()), kBlock, [&](int begin, int end) {
      const Mat material = material_;
      for (int i = begin; i < end; ++i) {
        NodalRows* const rows = rows_.data() + std::size_t(i) * kLanes;
        stencils_.deform(i, x, rows);
        energy_of_[i] = respond(material, i, rows);
      }
    });
    stencils_.add_forces(rows_.data(), gradient, executor);
    double total = 0;
    for (const double one : energy_of_) total += one;
    if (plain_->recovering()) total += plain_->add_gradient(x, gradient, executor);
    return total;
  }

  double energy(const Row4<Real>* x) const override {
    double total = 0;
    NodalRows rows[kLanes];
    for (std::size_t i = 0; i < recovery_.size(); ++i) {
      stencils_.deform(i, x, rows);
      total += respond(material_, i, rows);
    }
    if (plain_->recovering()) total += plain_->energy(x);
    return total;
  }

  // As of plain tetrahedra: the stabiliser is a squared distance, too.
  bool projective() const override { return kProjective; }
  double scale() const override { return plain_->scale(); }
  void add_metric(MetricEntries& entries) const override {
    plain_->add_metric(entries);
    if (whole_pattern_) stencils_.add_pattern(entries);
  }

  void add_hessian(const Row4<Real>* x, bool projected, BlockSymmetric& hessian) const override {
    NodalRows rows[kLanes];
    for (std::size_t i = 0; i < recovery_.size(); ++i) {
      stencils_.deform(i, x, rows);
      const Mat3T<W> f = load_columns<W>(rows);
      IsotropicTangent<W> own = tangent_at(material_, f);
      if (projected) own.project();
      for (W& value : own.value) value = value * recovery_[i].share;
      for (int k = 0; k < stencils_.packs()[i].count; ++k) {
        Real tangent[9][9] = {};
        add_modes(own, k, tangent);
        stencils_.add_hessian(i * kLanes + k, tangent, hessian);
      }
    }
    if (plain_->recovering()) plain_->add_hessian(x, projected, hessian);
  }

  ElementSummary summary(const Row4<Real>* x) const override { return plain_->summary(x); }
  int count() const override { return plain_->count(); }
  int slack_count() const override { return plain_->slack_count(); }

  bool steady() const override { return !recovering_.active() && !plain_->recovering(); }
  void visit_state(StateBytes& state) override {
    if constexpr (kRecovers) {
      state(recovering_, *plain_);
      for (Recovery<W>& recovery : recovery_) state(recovery);
    }
  }

 private:
  static constexpr bool kProjective = requires { Mat::kProjective; };
  static constexpr bool kRecovers = !kProjective;

  // μ of small strains, or of the mild material where they are free.
  static double shear(const Mat& material, const StretchInterval& stretches) {
    return double(
        mild_material(material.lame_mu(), mean_stiffness(material, stretches.min, stretches.max))
            .lame_mu());
  }

  // The energy of a pack; its rows, F before, are the stress times ω after.
  SINEW_INLINE double respond(const Mat& material, std::size_t i, NodalRows* rows) const {
    const auto& pack = stencils_.packs()[i];
    const Mat3T<W> f = load_columns<W>(rows);
    const Response<W> at = response_at(material, f);
    const W own = pack.weight * recovery_[i].share;
    store_columns<W>(rows, at.stress * own - f * pack.stabiliser);
    double total = sum(W(at.density * own - contract(f, f) * pack.stabiliser * W(Real(0.5))));
    for (int k = 0; k < pack.count; ++k) total += double(rows[k].laplacian.w);
    return total;
  }

  static void add_modes(const IsotropicTangent<W>& t, int k, Real (&out)[9][9]) {
    for (int m = 0; m < IsotropicTangent<W>::kModes; ++m) {
      Real mode[9];
      for (int c = 0; c < 9; ++c) mode[c] = lane(t.mode[m](c % 3, c / 3), k);
      const Real value = lane(t.value[m], k);
      for (int r = 0; r < 9; ++r)
        for (int c = 0; c < 9; ++c) out[r][c] += value * mode[r] * mode[c];
    }
  }

  Mat material_;
  bool whole_pattern_;
  NodalStencils stencils_;
  std::unique_ptr<PlainTetrahedra> plain_;
  RecoveringBody recovering_;
  std::vector<Recovery<W>> recovery_;  // of each pack
  std::vector<char> scratch_;
  std::vector<Real> share_of_;  // of each vertex, of its own material
  std::vector<NodalRows> rows_;
  std::vector<double> energy_of_;  // of each pack
};

}  // namespace sinew
