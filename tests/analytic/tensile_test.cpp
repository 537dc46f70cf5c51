// A virtual tensile test: a bar of tetrahedra is pulled by forces on its ends until it is in
// balance, and Young's modulus and Poisson's ratio are read off as in the laboratory. The stress is
// the same everywhere, so that linear elements meet the solution exactly; what is left are the
// square of the strain of 5e-4, and rounding.
#include <gtest/gtest.h>
#include <sinew/generators.h>
#include <sinew/materials.h>

#include <cmath>

#include "variational/elements_energy.h"
#include "variational/newton.h"

namespace sinew {
namespace {

constexpr double kLength = 1, kWidth = 0.25, kStrain = 5e-4;

// A dead load: −Σ f·u, u the way from the rest shape.
class Load final : public EnergyTerm {
 public:
  Load(std::vector<Row4<Real>> rest, std::vector<double> force)
      : rest_(std::move(rest)), force_(std::move(force)) {}

  double add_gradient(const Row4<Real>* x, Row4<Real>* gradient, Executor&) override {
    for (std::size_t i = 0; i < force_.size(); ++i) gradient[i].x -= Real(force_[i]);
    return energy(x);
  }
  double energy(const Row4<Real>* x) const override {
    double sum = 0;
    for (std::size_t i = 0; i < force_.size(); ++i)
      sum -= force_[i] * (double(x[i].x) - rest_[i].x);
    return sum;
  }
  void add_metric(MetricEntries&) const override {}
  void add_hessian(const Row4<Real>*, bool, BlockSymmetric&) const override {}

 private:
  std::vector<Row4<Real>> rest_;
  std::vector<double> force_;  // along x [N]
};

// The force of a stress of one along x, outwards, on every vertex of the two ends.
std::vector<double> end_forces(const TetMesh& mesh) {
  std::vector<double> force(mesh.vertices.size());
  const TriMesh surface = boundary(mesh);
  for (const Triangle& t : surface.cells) {
    const Vec3T<double> a = to_double(mesh.vertices[t[0]]), b = to_double(mesh.vertices[t[1]]),
                        c = to_double(mesh.vertices[t[2]]);
    for (double end : {-kLength / 2, kLength / 2})
      if (std::abs(a.x - end) + std::abs(b.x - end) + std::abs(c.x - end) < 1e-4)
        for (Index v : t) force[v] += cross(b - a, c - a).x / 6;
  }
  return force;
}

// The slope of `values` over the places `at`, by least squares through their means: a strain.
double slope(const std::vector<double>& at, const std::vector<double>& values) {
  double mean_at = 0, mean = 0, above = 0, below = 0;
  for (std::size_t i = 0; i < at.size(); ++i)
    mean_at += at[i] / double(at.size()), mean += values[i] / double(at.size());
  for (std::size_t i = 0; i < at.size(); ++i) {
    above += (at[i] - mean_at) * (values[i] - mean);
    below += (at[i] - mean_at) * (at[i] - mean_at);
  }
  return above / below;
}

struct Strains {
  double along, across;
};

Strains pulled(const Material& material, double stress) {
  const TetMesh mesh = box_tets({Real(kLength), Real(kWidth), Real(kWidth)}, {4, 2, 2});
  constexpr double kDensity = 1000;
  const std::size_t count = mesh.vertices.size();
  const std::size_t rows = (count + kLanes - 1) / kLanes * kLanes;
  std::vector<Row4<Real>> rest(rows);
  for (std::size_t i = 0; i < count; ++i)
    rest[i] = {mesh.vertices[i].x, mesh.vertices[i].y, mesh.vertices[i].z, 1};

  SoftBody body;
  body.material = material;
  Objective objective;
  objective.terms.push_back(make_tetrahedra_energy(mesh, body, {}));
  std::vector<double> force = end_forces(mesh);
  for (double& f : force) f *= stress;
  objective.terms.push_back(std::make_unique<Load>(rest, std::move(force)));
  objective.mass = lumped_masses(mesh, Real(kDensity));
  objective.mass.resize(rows);

  // One implicit step, so long that inertia only keeps the bar from drifting.
  const double young = std::max(objective.scale() / (kLength * kWidth * kWidth), 1.0);
  const Real h = Real(std::sqrt(kDensity * kLength * kLength / (1e-5 * young)));
  const auto executor = make_serial_executor();
  std::vector<Row4<Real>> x = rest;
  NewtonDirection newton(rows, Newton{});
  objective.begin(rest, h);
  EXPECT_TRUE(newton.begin(objective, rest, h));
  Descent descent;
  descent.resize(rows, objective.scale());
  descent.minimise(objective, newton, {.iterations = 20}, rest, x, *executor);

  std::vector<double> at[3], way[3];
  for (std::size_t i = 0; i < count; ++i) {
    const double from[3] = {rest[i].x, rest[i].y, rest[i].z}, to[3] = {x[i].x, x[i].y, x[i].z};
    for (int k = 0; k < 3; ++k) at[k].push_back(from[k]), way[k].push_back(to[k] - from[k]);
  }
  return {slope(at[0], way[0]), (slope(at[1], way[1]) + slope(at[2], way[2])) / 2};
}

void expect_constants(const std::string& name, const Material& material, double young,
                      double poisson) {
  const Strains is = pulled(material, kStrain * young);
  EXPECT_NEAR(kStrain / is.along, 1, 0.01) << name << ": E";
  EXPECT_NEAR(-is.across / is.along, poisson, 0.01 * std::max(poisson, 0.1)) << name << ": ν";
}

TEST(Tensile, EveryMaterialHasItsConstants) {
  MaterialList::for_each([]<class M>() {
    if constexpr (M::kElastic)
      for (double poisson : {0.0, 0.3, 0.45}) {
        M material{.young = Real(2e5)};
        if constexpr (requires { material.poisson; })
          material.poisson = Real(poisson);
        else
          poisson = 0;
        expect_constants(M::kName + (" ν " + std::to_string(poisson)), material, 2e5, poisson);
      }
  });
}

TEST(Tensile, PresetsAndSharesKeepTheConstants) {
  for (SplinePreset preset : {SplinePreset::kStiffInCompression, SplinePreset::kStiffInTension})
    for (double poisson : {0.0, 0.3, 0.45})
      expect_constants(EnumWords<SplinePreset>::kWords[static_cast<int>(preset)],
                       Spline{.young = 2e5, .poisson = Real(poisson), .preset = preset}, 2e5,
                       poisson);
  for (double second : {0.0, 1.0})
    expect_constants("mooney_rivlin",
                     MooneyRivlin{.young = 2e5, .poisson = Real(0.3), .second = Real(second)}, 2e5,
                     0.3);
}

// Drawn curves have constants of their own: 2μ = f″ + f₂″ + f′ + f₂′, λ = f₂″ + f₃″ + f₂′ + f₃′.
// The unit of their slopes is E/(2(1 + ν)) = 1e5 Pa.
TEST(Tensile, DrawnCurvesHaveTheConstantsOnPaper) {
  const Spline drawn{.young = Real(2.5e5),
                     .poisson = Real(0.25),
                     .preset = SplinePreset::kNone,
                     .stretch = {{0, -1}, {2, 2}},                // 0.5 and 1.5 at 1
                     .area = {{0, Real(0.25)}, {2, Real(0.75)}},  // 0.5 and 0.25
                     .volume = {{0, Real(-5.5)}, {1, Real(-1.5)}, {2, Real(2.5)}}};  // −1.5 and 4
  const double mu = 1e5 * (1.5 + 0.25 + 0.5 + 0.5) / 2, lambda = 1e5 * (0.25 + 4 + 0.5 - 1.5);
  expect_constants("drawn", drawn, mu * (3 * lambda + 2 * mu) / (lambda + mu),
                   lambda / (2 * (lambda + mu)));
}

}  // namespace
}  // namespace sinew
