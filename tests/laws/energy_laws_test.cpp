// Laws that the energies of the variational solvers obey, for every material and kind of element.
#include <gtest/gtest.h>
#include <sinew/generators.h>
#include <sinew/materials.h>

#include <random>

#include "math/rows.h"
#include "variational/elements_energy.h"

namespace sinew {
namespace {

using RowVector = std::vector<Row4<Real>>;

constexpr bool kFloat = sizeof(Real) == 4;

struct NamedEnergy {
  std::string name;
  std::unique_ptr<ElementsEnergy> energy;
  std::vector<Vec3> rest;
  bool invariant;
};

// Every elastic material on a few tetrahedra and triangles.
std::vector<NamedEnergy> energies_of_every_kind() {
  std::vector<NamedEnergy> all;
  MaterialList::for_each([&]<class M>() {
    if constexpr (M::kElastic) {
      SoftBody body;
      body.material = M{};
      body.thickness = Real(0.1);
      const TetMesh tets = box_tets({1, 1, 1}, {2, 1, 2});
      all.push_back({std::string(M::kName) + ", tetrahedra", make_tetrahedra_energy(tets, body, {}),
                     tets.vertices, M::kRotationInvariant});
      // A sheet is in no plane of its own accord: it takes whatever rotation its material does.
      if (M::kRotationInvariant) {
        const TriMesh sheet = box_surface({1, 1, 1}, {2, 1, 1});
        all.push_back({std::string(M::kName) + ", triangles",
                       make_triangles_energy(sheet, body, {}), sheet.vertices, true});
      }
    }
  });
  return all;
}

class Random {
 public:
  Real number(double size) {
    return Real(std::uniform_real_distribution<double>(-size, size)(generator_));
  }
  RowVector moved(const std::vector<Vec3>& rest, double by) {
    RowVector x;
    for (const Vec3& v : rest)
      x.push_back({v.x + number(by), v.y + number(by), v.z + number(by), 1});
    x.resize((x.size() + kLanes - 1) / kLanes * kLanes);
    return x;
  }
  RowVector direction(std::size_t rows) {
    RowVector d;
    for (std::size_t i = 0; i < rows; ++i) d.push_back({number(1), number(1), number(1), 0});
    return d;
  }

 private:
  std::mt19937 generator_{5};
};

RowVector along(const RowVector& x, double h, const RowVector& d) {
  RowVector out(x.size());
  sum_of(x, Real(h), d, out);
  return out;
}

RowVector gradient_at(ElementsEnergy& energy, const RowVector& x) {
  RowVector g(x.size());
  const auto executor = make_serial_executor();
  energy.add_gradient(x.data(), g.data(), *executor);
  return g;
}

TEST(EnergyLaws, GradientIsTheDerivative) {
  Random random;
  for (const NamedEnergy& e : energies_of_every_kind())
    for (double by : {0.05, 0.2}) {
      SCOPED_TRACE(e.name + " moved by " + std::to_string(by));
      const RowVector x = random.moved(e.rest, by), d = random.direction(x.size());
      const double h = kFloat ? 3e-3 : 1e-5;
      const double change =
          (e.energy->energy(along(x, h, d).data()) - e.energy->energy(along(x, -h, d).data())) /
          (2 * h);
      const RowVector g = gradient_at(*e.energy, x);
      const double size = std::sqrt(dot(g, g) * dot(d, d));
      EXPECT_NEAR(dot(g, d), change, (kFloat ? 3e-3 : 1e-6) * size);
    }
}

TEST(EnergyLaws, EnergyIsTheSameWithAndWithoutGradient) {
  Random random;
  const auto executor = make_serial_executor();
  for (const NamedEnergy& e : energies_of_every_kind()) {
    const RowVector x = random.moved(e.rest, 0.1);
    RowVector g(x.size());
    const double with = e.energy->add_gradient(x.data(), g.data(), *executor);
    EXPECT_NEAR(with / e.energy->energy(x.data()), 1, 1e-6) << e.name;
  }
}

TEST(EnergyLaws, HessianIsTheDerivativeOfTheGradient) {
  Random random;
  for (const NamedEnergy& e : energies_of_every_kind()) {
    SCOPED_TRACE(e.name);
    const RowVector x = random.moved(e.rest, 0.1), d = random.direction(x.size());
    MetricEntries entries;
    e.energy->add_metric(entries);
    BlockSymmetric hessian(assemble(static_cast<int>(x.size()), entries));
    e.energy->add_hessian(x.data(), false, hessian);
    RowVector product(x.size());
    hessian.multiply(d, product);
    const double h = kFloat ? 3e-3 : 1e-5;
    const RowVector after = gradient_at(*e.energy, along(x, h, d)),
                    before = gradient_at(*e.energy, along(x, -h, d));
    RowVector change(x.size()), error(x.size());
    sum_of(after, -1, before, change);
    sum_of(product, Real(-1 / (2 * h)), change, error);
    EXPECT_LT(std::sqrt(dot(error, error) / dot(product, product)), kFloat ? 1e-2 : 1e-6);
  }
}

TEST(EnergyLaws, ProjectedHessianHasNoNegativeCurvature) {
  Random random;
  for (const NamedEnergy& e : energies_of_every_kind())
    for (int trial = 0; trial < 20; ++trial) {
      const RowVector x = random.moved(e.rest, 0.5), d = random.direction(x.size());
      MetricEntries entries;
      e.energy->add_metric(entries);
      BlockSymmetric hessian(assemble(static_cast<int>(x.size()), entries));
      e.energy->add_hessian(x.data(), true, hessian);
      RowVector product(x.size());
      hessian.multiply(d, product);
      EXPECT_GE(dot(d, product), 0) << e.name;
    }
}

TEST(EnergyLaws, ForcesHaveNoSumAndNoTorque) {
  Random random;
  for (const NamedEnergy& e : energies_of_every_kind()) {
    const RowVector x = random.moved(e.rest, 0.2), g = gradient_at(*e.energy, x);
    Vec3T<double> sum{}, torque{};
    double size = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Vec3T<double> at{x[i].x, x[i].y, x[i].z}, force{g[i].x, g[i].y, g[i].z};
      sum += force;
      torque += cross(at, force);
      size += length(force);
    }
    EXPECT_LT(length(sum), 1e-5 * size) << e.name;
    if (e.invariant) {
      EXPECT_LT(length(torque), 2e-5 * size) << e.name;
    }
  }
}

// The constant matrix is positive semi-definite, and does not resist translation.
TEST(EnergyLaws, MetricKnowsNoTranslation) {
  for (const NamedEnergy& e : energies_of_every_kind()) {
    MetricEntries entries;
    e.energy->add_metric(entries);
    double sum = 0, size = 0;
    for (const auto& entry : entries) {
      sum += entry.value * (entry.row == entry.column ? 1 : 2);
      size += std::abs(entry.value);
    }
    EXPECT_GT(size, 0);
    EXPECT_NEAR(sum / size, 0, 1e-6) << e.name;
  }
}

}  // namespace
}  // namespace sinew
