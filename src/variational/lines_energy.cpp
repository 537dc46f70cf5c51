// Ropes and threads: springs of stiffness EA/L along the segments, E = Σ EA L/2 (l/L − 1)².
#include "solvers/line_measure.h"
#include "variational/elements_energy.h"
#include "variational/stretch_energy.h"

namespace sinew {
namespace {

class LinesEnergy final : public ElementsEnergy {
 public:
  LinesEnergy(const LineMesh& mesh, double young, double thickness)
      : measure_(mesh), springs_(mesh, 1, items(mesh, young, thickness)) {}

  double add_gradient(const Row4<Real>* x, Row4<Real>* gradient, Executor& executor) override {
    return springs_.add_gradient(x, gradient, executor);
  }
  double energy(const Row4<Real>* x) const override { return springs_.energy(x); }
  double scale() const override { return springs_.scale(); }
  bool projective() const override { return springs_.projective(); }
  void add_metric(MetricEntries& entries) const override { springs_.add_metric(entries); }
  void add_hessian(const Row4<Real>* x, bool projected, BlockSymmetric& hessian) const override {
    springs_.add_hessian(x, projected, hessian);
  }
  ElementSummary summary(const Row4<Real>* x) const override { return measure_.summary(x); }
  int count() const override { return measure_.count(); }
  int slack_count() const override { return measure_.slack_count(); }

 private:
  static std::vector<StretchEnergy<2>::Item> items(const LineMesh& mesh, double young,
                                                   double thickness) {
    std::vector<StretchEnergy<2>::Item> out;
    for (const ShapePoint<2>& point : shape_points(mesh, thickness).at) {
      const double inverse = length(point.gradient[1]);  // 1/L
      out.push_back({{-inverse, inverse}, young * point.volume});
    }
    return out;
  }

  LineMeasure measure_;
  StretchEnergy<2> springs_;
};

}  // namespace

std::unique_ptr<ElementsEnergy> make_lines_energy(const LineMesh& mesh, const SoftBody& body) {
  return std::make_unique<LinesEnergy>(mesh, young_of(body.material), body.thickness);
}

}  // namespace sinew
