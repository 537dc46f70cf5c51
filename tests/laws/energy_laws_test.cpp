// Laws that the energies of the variational solvers obey, for every material and kind of element.
#include <gtest/gtest.h>
#include <sinew/generators.h>
#include <sinew/materials.h>

#include <random>

#include "body_kinds.h"
#include "energy_testing.h"
#include "variational/elements_energy.h"
#include "variational/fibres_energy.h"
#include "variational/viscosity_energy.h"

namespace sinew {
namespace {

struct NamedEnergy {
  std::string name;
  std::unique_ptr<EnergyTerm> energy;
  std::vector<Vec3> rest;
  bool invariant = true;  // to rotation
  bool stored = true;     // what it takes it gives back, so that it is reported
};

void add_elements(const std::string& of, const SoftBody& body, bool invariant,
                  std::vector<NamedEnergy>& all) {
  const TetMesh tets = box_tets({1, 1, 1}, {2, 1, 2});
  all.push_back(
      {of + ", tetrahedra", make_tetrahedra_energy(tets, body, {}), tets.vertices, invariant});
  SoftBody newton = body;  // of which the matrix has room for the Hessian of nodal strains
  newton.solver = Newton{};
  all.push_back({of + ", averaged tetrahedra", make_averaged_tetrahedra_energy(tets, newton, {}),
                 tets.vertices, invariant});
  // A sheet is in no plane of its own accord: it takes whatever rotation its material does.
  if (invariant) {
    const TriMesh sheet = box_surface({1, 1, 1}, {2, 1, 1});
    all.push_back({of + ", triangles", make_triangles_energy(sheet, body, {}), sheet.vertices});
  }
  const HexMesh straight = box_hexes({1, 1, 1}, {2, 1, 2}), skewed = shaken(straight, 0.1);
  all.push_back({of + ", hexahedra", make_hexahedra_energy(straight, body, {}), straight.vertices,
                 invariant});
  SoftBody gauss = body;
  gauss.integration = HexIntegration::kEightPoint;
  all.push_back({of + ", skewed hexahedra with eight points",
                 make_hexahedra_energy(skewed, gauss, {}), skewed.vertices, invariant});
}

// Cells of different stiffness: vertices between them have several points.
void add_uneven(std::vector<NamedEnergy>& all) {
  SoftBody body;
  body.solver = Newton{};
  const TetMesh tets = box_tets({1, 1, 1}, {2, 1, 2});
  for (std::size_t i = 0; i < tets.cells.size(); ++i)
    body.cell_stiffness.push_back(i < 9 ? Real(0.1) : Real(1) + Real(0.02) * Real(i));
  all.push_back({"averaged tetrahedra of uneven stiffness",
                 make_averaged_tetrahedra_energy(tets, body, {}), tets.vertices});
}

// What is in bodies beside their material, whatever that is.
void add_modifiers(std::vector<NamedEnergy>& all) {
  SoftBody body;
  body.thickness = Real(0.1);
  body.fibres = {{.stiffness = 3e5, .direction = {1, 2, 3}}};
  body.damping = Real(0.01);
  LineMesh line = rope(1, 5);
  const std::pair<const char*, BodyMesh> meshes[] = {
      {"tetrahedra", box_tets({1, 1, 1}, {2, 1, 2})},
      {"hexahedra", shaken(box_hexes({1, 1, 1}, {2, 1, 2}), 0.1)},
      {"triangles", box_surface({1, 1, 1}, {2, 1, 1})},
      {"lines", line}};
  for (const auto& [name, mesh] : meshes) {
    body.mesh = mesh;
    const auto vertices = vertices_of(mesh);
    const std::vector<Vec3> rest(vertices.begin(), vertices.end());
    std::vector<std::unique_ptr<EnergyTerm>> fibres, viscosity;
    if (!std::holds_alternative<LineMesh>(mesh)) {
      add_fibres(body, fibres);
      all.push_back({std::string("fibres in ") + name, std::move(fibres.at(0)), rest});
    }
    add_viscosity(body, viscosity);
    all.push_back(
        {std::string("viscosity of ") + name, std::move(viscosity.at(0)), rest, true, false});
  }
  all.push_back({"lines", make_lines_energy(line, body), line.vertices});
  for (HexIntegration integration : kIntegrations) {
    const HexMesh skewed = shaken(box_hexes({1, 1, 1}, {2, 1, 2}), 0.1);
    body.integration = integration;
    all.push_back({std::string("skewed hexahedra, ") + word(integration),
                   make_hexahedra_energy(skewed, body, {}), skewed.vertices});
  }
}

// Every elastic material on every kind of element, and what there is beside. Steps begin from
// somewhere near rest.
std::vector<NamedEnergy> energies_of_every_kind() {
  std::vector<NamedEnergy> all;
  MaterialList::for_each([&]<class M>() {
    if constexpr (M::kElastic) {
      SoftBody body;
      body.material = M{};
      body.thickness = Real(0.1);
      add_elements(M::kName, body, M::kRotationInvariant, all);
    }
  });
  add_uneven(all);
  add_modifiers(all);
  Random random;
  for (const NamedEnergy& e : all)
    e.energy->begin_step(random.moved(e.rest, 0.05).data(), Real(0.01));
  return all;
}

double value_at(EnergyTerm& energy, const RowVector& x) {
  double value;
  gradient_at(energy, x, &value);
  return value;
}

TEST(EnergyLaws, GradientIsTheDerivative) {
  Random random;
  for (const NamedEnergy& e : energies_of_every_kind())
    for (double by : {0.05, 0.2}) {
      SCOPED_TRACE(e.name + " moved by " + std::to_string(by));
      const RowVector x = random.moved(e.rest, by), d = random.direction(x.size(), x.size());
      const double h = kFloat ? 3e-3 : 1e-5;
      const double change =
          (value_at(*e.energy, along(x, h, d)) - value_at(*e.energy, along(x, -h, d))) / (2 * h);
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
    if (e.stored)  // but for rounding: they are two kernels
      EXPECT_NEAR(with / e.energy->energy(x.data()), 1, kFloat ? 1e-5 : 1e-12) << e.name;
    else
      EXPECT_EQ(e.energy->energy(x.data()), 0) << e.name;
  }
}

TEST(EnergyLaws, AtRestThereIsNoForce) {
  Random random;
  for (const NamedEnergy& e : energies_of_every_kind()) {
    if (!e.stored) continue;
    const RowVector g = gradient_at(*e.energy, random.moved(e.rest, 0)),
                    strained = gradient_at(*e.energy, random.moved(e.rest, 0.1));
    EXPECT_LT(dot(g, g), (kFloat ? 1e-10 : 1e-24) * dot(strained, strained)) << e.name;
  }
}

TEST(EnergyLaws, HessianIsTheDerivativeOfTheGradient) {
  Random random;
  for (const NamedEnergy& e : energies_of_every_kind()) {
    SCOPED_TRACE(e.name);
    const RowVector x = random.moved(e.rest, 0.1), d = random.direction(x.size(), x.size());
    const BlockSymmetric hessian = hessian_at(*e.energy, x, false);
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

// The curvature along d of s·H + t·I, after steps of power iteration that turn d to the largest.
double largest_curvature(const BlockSymmetric& hessian, double s, double t, RowVector d) {
  RowVector product(d.size());
  double curvature = 0;
  for (int i = 0; i < 100; ++i) {
    const Real scale = Real(1 / std::sqrt(dot(d, d)));
    for (Row4<Real>& r : d) r = {r.x * scale, r.y * scale, r.z * scale, 0};
    hessian.multiply(d, product);
    curvature = s * dot(d, product) + t;
    for (std::size_t k = 0; k < d.size(); ++k)
      d[k] = {Real(s * product[k].x + t * d[k].x), Real(s * product[k].y + t * d[k].y),
              Real(s * product[k].z + t * d[k].z), 0};
  }
  return curvature;
}

TEST(EnergyLaws, ProjectedHessianHasNoNegativeCurvature) {
  Random random;
  for (const NamedEnergy& e : energies_of_every_kind())
    for (int trial = 0; trial < 5; ++trial) {
      const RowVector x = random.moved(e.rest, 0.5), d = random.direction(x.size(), x.size());
      const BlockSymmetric hessian = hessian_at(*e.energy, x, true);
      const double most = largest_curvature(hessian, 1, 0, d);
      const double least = most - largest_curvature(hessian, -1, most, d);
      EXPECT_GT(most, 0) << e.name;
      EXPECT_GE(least, (kFloat ? -1e-5 : -1e-12) * most) << e.name;
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

// Viscosity resists deforming and nothing else: a body that moves as one feels none.
TEST(EnergyLaws, ViscosityIsFreeOfRigidMotion) {
  Random random;
  const Mat3 turn = Quat::from_axis_angle({1, 2, 3}, Real(0.7)).matrix();
  for (const NamedEnergy& e : energies_of_every_kind()) {
    if (e.stored) continue;
    const RowVector start = random.moved(e.rest, 0.2);
    RowVector turned = start, stretched = start;
    for (std::size_t i = 0; i < start.size(); ++i) {
      const Vec3 x = turn * Vec3{start[i].x, start[i].y, start[i].z};
      turned[i] = {x.x + 3, x.y, x.z, 1};
      stretched[i] = {start[i].x * Real(1.1), start[i].y, start[i].z, 1};
    }
    e.energy->begin_step(start.data(), Real(0.01));
    double lost;
    const RowVector g = gradient_at(*e.energy, turned),
                    resisted = gradient_at(*e.energy, stretched, &lost);
    EXPECT_GT(lost, 0) << e.name;
    EXPECT_LT(dot(g, g), (kFloat ? 1e-8 : 1e-24) * dot(resisted, resisted)) << e.name;
  }
}

// The constant matrix is positive semi-definite, and does not resist translation.
TEST(EnergyLaws, MetricIsSemiDefiniteAndKnowsNoTranslation) {
  Random random;
  for (const NamedEnergy& e : energies_of_every_kind()) {
    SCOPED_TRACE(e.name);
    MetricEntries entries;
    e.energy->add_metric(entries);
    const int count = static_cast<int>(e.rest.size());
    std::vector<double> row_sum(count);
    double size = 0;
    for (const auto& entry : entries) {
      row_sum[entry.row] += entry.value;
      if (entry.row != entry.column) row_sum[entry.column] += entry.value;
      size = std::max(size, std::abs(entry.value));
    }
    EXPECT_GT(size, 0);
    for (double sum : row_sum) EXPECT_NEAR(sum / size, 0, 1e-5);
    for (int trial = 0; trial < 20; ++trial) {
      std::vector<double> x;
      for (int i = 0; i < count; ++i) x.push_back(random.number(1));
      double curvature = 0;
      for (const auto& entry : entries)
        curvature +=
            entry.value * x[entry.row] * x[entry.column] * (entry.row == entry.column ? 1 : 2);
      EXPECT_GE(curvature, -1e-5 * size);
    }
  }
}

}  // namespace
}  // namespace sinew
