// Hexahedra: the material at their points, and what resists their hourglass modes.
#include <optional>

#include "solvers/element_batches.h"
#include "variational/hex_points_energy.h"
#include "variational/hourglass_energy.h"

namespace sinew {
namespace {

class HexahedraEnergy final : public ElementsEnergy {
 public:
  HexahedraEnergy(std::unique_ptr<ElementsEnergy> points, std::unique_ptr<EnergyTerm> hourglass)
      : points_(std::move(points)), hourglass_(std::move(hourglass)) {}

  void begin_step(const Row4<Real>* x, Real h) override {
    points_->begin_step(x, h);
    hourglass_->begin_step(x, h);
  }
  double add_gradient(const Row4<Real>* x, Row4<Real>* gradient, Executor& executor) override {
    return points_->add_gradient(x, gradient, executor) +
           hourglass_->add_gradient(x, gradient, executor);
  }
  double energy(const Row4<Real>* x) const override {
    return points_->energy(x) + hourglass_->energy(x);
  }
  double scale() const override { return points_->scale(); }
  void add_metric(MetricEntries& entries) const override {
    points_->add_metric(entries);
    hourglass_->add_metric(entries);
  }
  void add_hessian(const Row4<Real>* x, bool projected, BlockSymmetric& hessian) const override {
    points_->add_hessian(x, projected, hessian);
    hourglass_->add_hessian(x, projected, hessian);
  }
  ElementSummary summary(const Row4<Real>* x) const override { return points_->summary(x); }
  int count() const override { return points_->count(); }
  int slack_count() const override { return points_->slack_count(); }
  bool steady() const override { return points_->steady(); }
  void visit_state(StateBytes& state) override { state(*points_, *hourglass_); }

 private:
  std::unique_ptr<ElementsEnergy> points_;
  std::unique_ptr<EnergyTerm> hourglass_;
};

}  // namespace

std::unique_ptr<ElementsEnergy> make_hexahedra_energy(const HexMesh& mesh, const SoftBody& body,
                                                      const StretchInterval& stretches) {
  const HexIntegration how = body.integration;
  const HexRests rests = rests_of(mesh, how, body.hourglass);
  ShapePoints<Hexahedron> points;
  points.per_cell = how == HexIntegration::kEightPoint ? 8 : 1;
  for (const HexRest& rest : rests)
    for (int q = 0; q < points.per_cell; ++q)
      points.at.push_back(points.per_cell == 8 ? gauss_shape_point(rest, q)
                                               : mean_shape_point(rest));
  return std::visit(
      [&]<class M>(const M& material) -> std::unique_ptr<ElementsEnergy> {
        using Prepared = decltype(prepared(material));
        auto at_points = std::make_unique<HexPointsEnergy<Prepared, Wide>>(
            mesh, points, prepared(material), stretches, body.cell_stiffness);
        if (how == HexIntegration::kEightPoint || how == HexIntegration::kOnePoint)
          return at_points;
        return std::make_unique<HexahedraEnergy>(
            std::move(at_points),
            std::make_unique<HourglassEnergy>(mesh, rests, how == HexIntegration::kAssumedStrain,
                                              material.lame_mu(), material.lame_lambda(),
                                              body.cell_stiffness));
      },
      body.material);
}

}  // namespace sinew
