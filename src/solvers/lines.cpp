// Ropes and threads: springs of stiffness EA/L along the segments, A the area of the round section.
#include "constraints/distance.h"
#include "constraints/scalar_batch.h"
#include "solvers/element_batches.h"
#include "solvers/line_measure.h"

namespace sinew {
namespace {

class LineBatch final : public ElementBatch {
 public:
  using Springs = ScalarBatch<DistanceConstraint, Wide>;

  LineBatch(const LineMesh& mesh, double young, double thickness)
      : measure_(mesh),
        springs_(items(mesh, young, thickness), mesh.vertices.size(), StiffnessKind::kPhysical) {}

  void predict(const Substep& s) override { springs_.predict(s); }
  void solve(const Substep& s) override { springs_.solve(s); }
  void extrapolate(Real omega, bool first) override { springs_.extrapolate(omega, first); }
  double energy(const Places& at) const override { return springs_.energy(at); }
  double stiffness(const Row4<Real>* rest) const override { return springs_.stiffness(rest); }
  ElementSummary summary(const Row4<Real>* position) const override {
    return measure_.summary(position);
  }
  int count() const override { return measure_.count(); }
  int slack_count() const override { return measure_.slack_count(); }

 private:
  static std::vector<Springs::Item> items(const LineMesh& mesh, double young, double thickness) {
    constexpr double kQuarterPi = 0.78539816339744831;
    std::vector<Springs::Item> out;
    for (std::size_t i = 0; i < mesh.cells.size(); ++i) {
      const double rest = measure(mesh, i);
      const double stiffness = rest > 0 ? young * kQuarterPi * thickness * thickness / rest : 0;
      out.push_back({mesh.cells[i], {rest}, stiffness});
    }
    return out;
  }

  LineMeasure measure_;
  Springs springs_;
};

}  // namespace

std::unique_ptr<ElementBatch> make_lines(const LineMesh& mesh, const SoftBody& body) {
  return std::make_unique<LineBatch>(mesh, young_of(body.material), body.thickness);
}

}  // namespace sinew
