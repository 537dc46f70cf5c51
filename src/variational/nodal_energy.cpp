#include "variational/nodal_energy.h"

#include "variational/simplex_energy.h"

namespace sinew {
namespace {

// Nothing but what recovers is in it: a material without an energy of its own.
struct OnlyMild {
  static constexpr bool kElastic = true;
  static constexpr bool kRotationInvariant = true;
  static constexpr bool kNeedsRotation = false;

  double mu, stiffness;

  template <class T>
  T energy(const Mat3T<T>&) const {
    return T(Real(0));
  }
  template <class T>
  Mat3T<T> stress(const Mat3T<T>&) const {
    return {};
  }
  template <class T>
  PrincipalDerivatives<T> principal(const Vec3T<T>&) const {
    return {};
  }
  Real lame_mu() const { return Real(mu); }
};
// That of the whole, for the constant matrix.
double mean_stiffness(const OnlyMild& material, double, double) { return material.stiffness; }

class MildTetrahedra final : public PlainTetrahedra {
 public:
  MildTetrahedra(const TetMesh& mesh, const OnlyMild& mild, std::span<const Real> factors)
      : tets_(mesh, mild, {}, factors) {}

  double add_gradient(const Row4<Real>* x, Row4<Real>* gradient, Executor& executor) override {
    return tets_.add_gradient(x, gradient, executor);
  }
  double energy(const Row4<Real>* x) const override { return tets_.energy(x); }
  double scale() const override { return tets_.scale(); }
  void add_metric(MetricEntries& entries) const override { tets_.add_metric(entries); }
  void add_hessian(const Row4<Real>* x, bool projected, BlockSymmetric& hessian) const override {
    tets_.add_hessian(x, projected, hessian);
  }
  ElementSummary summary(const Row4<Real>* x) const override { return tets_.summary(x); }
  int count() const override { return tets_.count(); }
  int slack_count() const override { return tets_.slack_count(); }
  void visit_state(StateBytes& state) override { state(tets_); }
  bool mark_inverted(const Row4<Real>* x, RecoveringBody& recovering) const override {
    return tets_.mark_inverted(x, recovering);
  }
  void set_shares(std::span<const Real> of_vertex) override { tets_.set_shares(of_vertex); }
  bool recovering() const override { return tets_.recovering(); }

 private:
  SimplexEnergy<TetrahedronElement, OnlyMild, Wide> tets_;
};

}  // namespace

std::unique_ptr<PlainTetrahedra> make_plain_tetrahedra(const TetMesh& mesh, double mu, double k,
                                                       std::span<const Real> factors) {
  return std::make_unique<MildTetrahedra>(mesh, OnlyMild{mu, k}, factors);
}

std::unique_ptr<ElementsEnergy> make_averaged_tetrahedra_energy(const TetMesh& mesh,
                                                                const SoftBody& body,
                                                                const StretchInterval& stretches) {
  const bool newton = std::holds_alternative<Newton>(body.solver);
  return std::visit(
      [&]<class M>(const M& material) -> std::unique_ptr<ElementsEnergy> {
        using Prepared = decltype(prepared(material));
        if constexpr (M::kElastic)
          return std::make_unique<NodalEnergy<Prepared, Wide>>(mesh, prepared(material), stretches,
                                                               body.cell_stiffness, newton);
        else
          return make_tetrahedra_energy(mesh, body, stretches);
      },
      body.material);
}

}  // namespace sinew
