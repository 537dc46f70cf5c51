#include "solvers/element_batches.h"

#include <algorithm>

#include "variational/regions.h"

namespace sinew {
namespace {

// C_HG = c μ/a² (Lewin, eq. 4.34) for the perturbation method: of the size of a shear across the
// cell.
void set_perturbation(HexRest& rest, double factor) {
  const Vec3T<double>& a = rest.half_size;
  const double stiffness = rest.volume > 0 ? factor * rest.volume * 3 / dot(a, a) : 0;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) rest.laplacian[i][j] = i == j ? stiffness : 0;
}

std::unique_ptr<ElementBatch> make_hexahedra(const HexMesh& mesh, const SoftBody& body) {
  const HexRests rests = rests_of(mesh, body.integration, body.hourglass);
  if (body.integration == HexIntegration::kAssumedStrain)
    return make_assumed_strain_hexahedra(mesh, rests, body);
  if (body.integration == HexIntegration::kEightPoint)
    return make_eight_point_hexahedra(mesh, rests, body);
  return make_laplacian_hexahedra(mesh, rests, body);
}

struct Make {
  const SoftBody& body;
  auto operator()(const TetMesh& mesh) const {
    return body.tetrahedra == TetIntegration::kAveraged ? make_averaged_tetrahedra(mesh, body)
                                                        : make_tetrahedra(mesh, body);
  }
  auto operator()(const TriMesh& mesh) const { return make_triangles(mesh, body); }
  auto operator()(const LineMesh& mesh) const { return make_lines(mesh, body); }
  auto operator()(const HexMesh& mesh) const { return make_hexahedra(mesh, body); }
};

// The elements of a body of several materials: a batch for each, one after the other.
class PartsBatch final : public ElementBatch {
 public:
  explicit PartsBatch(std::vector<std::unique_ptr<ElementBatch>> parts)
      : parts_(std::move(parts)) {}

  void predict(const Substep& s) override {
    for (const auto& part : parts_) part->predict(s);
  }
  void solve(const Substep& s) override {
    if (s.reversed)
      std::for_each(parts_.rbegin(), parts_.rend(), [&](const auto& part) { part->solve(s); });
    else
      for (const auto& part : parts_) part->solve(s);
  }
  void damp(const Substep& s) override {
    for (const auto& part : parts_) part->damp(s);
  }
  void enforce(const Substep& s) override {
    for (const auto& part : parts_) part->enforce(s);
  }
  void yield(const Substep& s) override {
    for (const auto& part : parts_) part->yield(s);
  }
  void extrapolate(Real omega, bool first) override {
    for (const auto& part : parts_) part->extrapolate(omega, first);
  }
  double energy(const Places& at) const override {
    double sum = 0;
    for (const auto& part : parts_) sum += part->energy(at);
    return sum;
  }
  double stiffness(const Row4<Real>* rest) const override {
    double largest = 0;
    for (const auto& part : parts_) largest = std::max(largest, part->stiffness(rest));
    return largest;
  }
  int count() const override {
    int sum = 0;
    for (const auto& part : parts_) sum += part->count();
    return sum;
  }
  int slack_count() const override {
    int sum = 0;
    for (const auto& part : parts_) sum += part->slack_count();
    return sum;
  }
  ElementSummary summary(const Row4<Real>* x) const override {
    ElementSummary all;
    for (const auto& part : parts_) {
      const ElementSummary one = part->summary(x);
      all.volume += one.volume;
      all.inverted += one.inverted;
      all.strain_max = std::max(all.strain_max, one.strain_max);
    }
    return all;
  }
  void visit_state(StateBytes& state) override {
    for (const auto& part : parts_) state(*part);
  }

 private:
  std::vector<std::unique_ptr<ElementBatch>> parts_;
};

}  // namespace

HexRests rests_of(const HexMesh& mesh, HexIntegration integration, Real factor) {
  HexRests rests;
  rests.reserve(mesh.cells.size());
  for (const Hexahedron& cell : mesh.cells) {
    Vec3T<double> x[8];
    for (int n = 0; n < 8; ++n) x[n] = to_double(mesh.vertices[cell[n]]);
    HexRest& rest = rests.emplace_back(rest_hexahedron(x));
    if (integration == HexIntegration::kPerturbation) set_perturbation(rest, factor);
    if (integration == HexIntegration::kOnePoint) std::fill_n(&rest.laplacian[0][0], 16, 0.0);
  }
  return rests;
}

bool any_skewed(const HexRests& rest) {
  return std::any_of(rest.begin(), rest.end(), [](const HexRest& r) {
    double skew = 0;
    for (const Vec3T<double>& g : r.skew) skew += dot(g, g);
    return skew > 1e-10;
  });
}

std::unique_ptr<ElementBatch> make_element_batch(const SoftBody& body) {
  if (body.regions.empty()) return std::visit(Make{body}, body.mesh);
  std::vector<std::unique_ptr<ElementBatch>> parts;
  for (const SoftBody& part : parts_of(body)) parts.push_back(std::visit(Make{part}, part.mesh));
  return std::make_unique<PartsBatch>(std::move(parts));
}

}  // namespace sinew
