// Ropes and threads: springs of stiffness EA/L along the segments, A the area of the round section.
#include <algorithm>
#include <cmath>

#include "constraints/distance.h"
#include "constraints/scalar_batch.h"
#include "solvers/element_batches.h"

namespace sinew {
namespace {

class LineBatch final : public ElementBatch {
 public:
  using Springs = ScalarBatch<DistanceConstraint, Wide>;

  LineBatch(const LineMesh& mesh, double young, double thickness)
      : segments_(mesh.cells),
        springs_(items(mesh, young, thickness), mesh.vertices.size(), StiffnessKind::kPhysical) {
    for (std::size_t i = 0; i < mesh.cells.size(); ++i) rest_length_.push_back(measure(mesh, i));
  }

  void predict(const Substep& s) override { springs_.predict(s); }
  void solve(const Substep& s) override { springs_.solve(s); }
  void extrapolate(Real omega, bool first) override { springs_.extrapolate(omega, first); }
  double energy(const Row4<Real>* position) const override { return springs_.energy(position); }
  int count() const override { return springs_.count(); }
  double stiffness(const Row4<Real>* rest) const override { return springs_.stiffness(rest); }
  int slack_count() const override {
    return static_cast<int>(std::count(rest_length_.begin(), rest_length_.end(), 0.0));
  }

  ElementSummary summary(const Row4<Real>* position) const override {
    ElementSummary s;
    for (std::size_t i = 0; i < segments_.size(); ++i) {
      const Row4<Real>&a = position[segments_[i][0]], &b = position[segments_[i][1]];
      const double now = std::hypot(double(b.x) - a.x, double(b.y) - a.y, double(b.z) - a.z);
      s.volume += now;
      if (rest_length_[i] > 0)
        s.strain_max = std::max(s.strain_max, std::abs(now / rest_length_[i] - 1));
    }
    return s;
  }

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

  std::vector<Segment> segments_;
  std::vector<double> rest_length_;  // [m]
  Springs springs_;
};

}  // namespace

std::unique_ptr<ElementBatch> make_lines(const LineMesh& mesh, const SoftBody& body) {
  const double young = std::visit(
      [](const auto& m) -> double {
        if constexpr (requires { m.young; })
          return m.young;
        else
          return 0;
      },
      body.material);
  return std::make_unique<LineBatch>(mesh, young, body.thickness);
}

}  // namespace sinew
