// Laws that the energies of constraints obey, for every one of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "constraint_energies.h"
#include "energy_testing.h"

namespace sinew {
namespace {

double metric_form(const SparseSymmetric<double>& a, const RowVector& d) {
  const auto product = [&](int i, int j) {
    return double(d[i].x) * d[j].x + double(d[i].y) * d[j].y + double(d[i].z) * d[j].z;
  };
  double sum = 0;
  for (int j = 0; j < a.size(); ++j)
    for (int k = a.begin[j]; k < a.begin[j + 1]; ++k)
      sum += a.value[k] * product(a.row[k], j) * (a.row[k] == j ? 1 : 2);
  return sum;
}

// The second derivative times d, with the part of rank one.
RowVector hessian_times(const EnergyTerm& energy, const RowVector& x, const RowVector& d,
                        bool projected) {
  const BlockSymmetric hessian = hessian_at(energy, x, projected);
  RowVector product(x.size()), u(x.size());
  hessian.multiply(d, product);
  if (energy.has_rank_one()) {
    const double c = energy.rank_one(x.data(), u.data());
    EXPECT_GE(c, 0);
    add(Real(c * dot(u, d)), u, product);
  }
  return product;
}

TEST(ConstraintEnergyLaws, GradientIsTheDerivative) {
  Random random;
  for (const ConstraintEnergy& e : constraint_energies())
    for (double by : {0.05, 0.2}) {
      SCOPED_TRACE(e.name + " moved by " + std::to_string(by));
      const RowVector x = random.moved(vertices_of(e.mesh), by),
                      d = random.direction(vertices_of(e.mesh).size(), x.size());
      const double h = kFloat ? 2e-3 : 1e-6;
      const double change =
          (e.energy->energy(along(x, h, d).data()) - e.energy->energy(along(x, -h, d).data())) /
          (2 * h);
      const RowVector g = gradient_at(*e.energy, x);
      const double size = std::sqrt(dot(g, g) * dot(d, d));
      EXPECT_GT(size, 0);
      EXPECT_NEAR(dot(g, d), change, (kFloat ? 3e-3 : 1e-6) * size);
    }
}

TEST(ConstraintEnergyLaws, EnergyIsTheSameWithAndWithoutGradient) {
  Random random;
  const auto executor = make_serial_executor();
  for (const ConstraintEnergy& e : constraint_energies()) {
    const RowVector x = random.moved(vertices_of(e.mesh), 0.1);
    RowVector g(x.size());
    const double with = e.energy->add_gradient(x.data(), g.data(), *executor);
    EXPECT_NEAR(with / e.energy->energy(x.data()), 1, kFloat ? 1e-4 : 1e-9) << e.name;
  }
}

// Where a bound is just reached the second derivative jumps. A difference over such a place is
// spoilt; most are not.
TEST(ConstraintEnergyLaws, HessianIsTheDerivativeOfTheGradient) {
  Random random;
  for (const ConstraintEnergy& e : constraint_energies()) {
    if (!e.exact) continue;
    for (double by : {0.05, 0.2, 0.5}) {
      constexpr int kTrials = 7;
      std::vector<double> errors;
      for (int trial = 0; trial < kTrials; ++trial) {
        const RowVector x = random.moved(vertices_of(e.mesh), by),
                        d = random.direction(vertices_of(e.mesh).size(), x.size());
        const RowVector product = hessian_times(*e.energy, x, d, false);
        const double h = kFloat ? 2e-4 : 1e-7;
        const RowVector after = gradient_at(*e.energy, along(x, h, d)),
                        before = gradient_at(*e.energy, along(x, -h, d));
        RowVector change(x.size()), error(x.size());
        sum_of(after, -1, before, change);
        sum_of(product, Real(-1 / (2 * h)), change, error);
        errors.push_back(std::sqrt(dot(error, error) / dot(product, product)));
      }
      std::sort(errors.begin(), errors.end());
      EXPECT_LT(errors[kTrials / 2], kFloat ? 1e-2 : 1e-6) << e.name << " moved by " << by;
      EXPECT_LT(errors[0], kFloat ? 5e-3 : 1e-6) << e.name << " moved by " << by;
    }
  }
}

TEST(ConstraintEnergyLaws, ProjectedHessianHasNoNegativeCurvature) {
  Random random;
  for (const ConstraintEnergy& e : constraint_energies())
    for (int trial = 0; trial < 20; ++trial) {
      const RowVector x = random.moved(vertices_of(e.mesh), 0.5),
                      d = random.direction(vertices_of(e.mesh).size(), x.size());
      const RowVector product = hessian_times(*e.energy, x, d, true);
      EXPECT_GE(dot(d, product), -1e-6 * std::sqrt(dot(d, d) * dot(product, product))) << e.name;
    }
}

// What the solver projective rests on: with L for its second derivative an energy is overestimated
// everywhere, also far away, turned inside out or fallen into one point.
TEST(ConstraintEnergyLaws, MetricOverestimatesProjectiveEnergies) {
  Random random;
  for (const ConstraintEnergy& e : constraint_energies()) {
    if (!e.energy->projective()) continue;
    const SparseSymmetric<double> metric =
        metric_of(*e.energy, random.moved(vertices_of(e.mesh), 0).size());
    for (double from : {0.0, 0.1, 1.0})
      for (double by : {0.01, 0.3, 2.0})
        for (int trial = 0; trial < 10; ++trial) {
          RowVector x = random.moved(vertices_of(e.mesh), from);
          if (trial == 0)
            for (Row4<Real>& r : x) r = {Real(0.1), 0, 0, r.w};
          if (trial == 1)
            for (Row4<Real>& r : x) r.y = -r.y;
          const RowVector d = random.direction(vertices_of(e.mesh).size(), x.size()),
                          g = gradient_at(*e.energy, x);
          const double here = e.energy->energy(x.data());
          const double slope = dot(g, d) * by, curve = metric_form(metric, d) * by * by / 2;
          const double there = e.energy->energy(along(x, by, d).data());
          const double rounding =
              (kFloat ? 3e-5 : 1e-10) * (here + std::abs(slope) + curve + e.energy->scale());
          EXPECT_LE(there, here + slope + curve + rounding)
              << e.name << " from " << from << " by " << by << " trial " << trial;
        }
  }
}

TEST(ConstraintEnergyLaws, ForcesHaveNoSumAndNoTorque) {
  Random random;
  for (const ConstraintEnergy& e : constraint_energies()) {
    EXPECT_EQ(e.energy->external(), e.outside);
    if (e.outside) continue;
    const RowVector x = random.moved(vertices_of(e.mesh), 0.2), g = gradient_at(*e.energy, x);
    Vec3T<double> sum{}, torque{};
    double size = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Vec3T<double> at{x[i].x, x[i].y, x[i].z}, force{g[i].x, g[i].y, g[i].z};
      sum += force;
      torque += cross(at, force);
      size += length(force);
    }
    EXPECT_LT(length(sum), (kFloat ? 1e-5 : 1e-12) * size) << e.name;
    EXPECT_LT(length(torque), (kFloat ? 2e-5 : 1e-11) * size) << e.name;
  }
}

TEST(ConstraintEnergyLaws, NothingHappensAtRest) {
  Random random;
  for (const ConstraintEnergy& e : constraint_energies()) {
    const RowVector x = random.moved(vertices_of(e.mesh), 0);
    EXPECT_LT(e.energy->energy(x.data()), (kFloat ? 1e-10 : 1e-20) * (e.energy->scale() + 1))
        << e.name;
  }
}

// Springs without a length to tell their direction, and whole bodies in one point: there is still a
// way out, the same for every spring.
TEST(ConstraintEnergyLaws, CollapsedBodiesHaveFiniteForces) {
  for (const ConstraintEnergy& e : constraint_energies()) {
    RowVector x = Random().moved(vertices_of(e.mesh), 0);
    for (Row4<Real>& r : x) r = {1, 2, 3, r.w};
    const RowVector g = gradient_at(*e.energy, x);
    EXPECT_TRUE(std::isfinite(e.energy->energy(x.data()))) << e.name;
    EXPECT_TRUE(std::isfinite(dot(g, g))) << e.name;
    for (bool projected : {false, true}) {
      const RowVector d = Random().direction(vertices_of(e.mesh).size(), x.size());
      EXPECT_TRUE(std::isfinite(dot(d, hessian_times(*e.energy, x, d, projected)))) << e.name;
    }
    if (e.name.find("springs") != std::string::npos) {
      EXPECT_GT(dot(g, g), 0) << e.name;
    }
  }
}

TEST(ConstraintEnergyLaws, NotANumberComesOutAsSuch) {
  for (const ConstraintEnergy& e : constraint_energies()) {
    RowVector x = Random().moved(vertices_of(e.mesh), 0.1);
    x[0].y = std::numeric_limits<Real>::quiet_NaN();
    const RowVector g = gradient_at(*e.energy, x);
    EXPECT_FALSE(std::isfinite(e.energy->energy(x.data())) && std::isfinite(dot(g, g))) << e.name;
  }
}

// Same bits for any number of workers.
TEST(ConstraintEnergyLaws, SameBitsWithAnyNumberOfThreads) {
  const TetMesh tets = box_tets({1, 1, 1}, {12, 12, 12});
  const TriMesh sheet = cloth(1, 1, 40, 40);
  std::vector<ConstraintEnergy> large;
  large.push_back(constraint_energy("springs", tets, Distance{.stiffness = 100}));
  large.push_back(constraint_energy("strain", tets, StrainLimit{}));
  large.push_back(constraint_energy("cell volume", tets, CellVolume{}));
  large.push_back(constraint_energy("matching", tets, ShapeMatching{.stiffness = 10}));
  large.push_back(constraint_energy("volume", tets, Volume{.bulk = 1e4}));
  large.push_back(constraint_energy("bending", sheet, Bending{}));
  for (const ConstraintEnergy& e : large) {
    const RowVector x = Random().moved(vertices_of(e.mesh), 0.02);
    RowVector first(x.size());
    const double energy = e.energy->add_gradient(x.data(), first.data(), *make_serial_executor());
    for (int threads : {2, 5}) {
      RowVector g(x.size());
      EXPECT_EQ(e.energy->add_gradient(x.data(), g.data(), *make_thread_pool(threads)), energy);
      for (std::size_t i = 0; i < g.size(); ++i) {
        EXPECT_EQ(g[i].x, first[i].x);
        EXPECT_EQ(g[i].y, first[i].y);
        EXPECT_EQ(g[i].z, first[i].z);
      }
    }
  }
}

}  // namespace
}  // namespace sinew
