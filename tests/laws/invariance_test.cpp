// What does not change: a turned body feels no force, an affine deformation has the energy of the
// material and nothing else, a patch under constant stress is in balance.
#include <gtest/gtest.h>

#include "body_kinds.h"
#include "math/rotation.h"
#include "solvers/element_batches.h"
#include "solvers/material_at.h"

namespace sinew {
namespace {

// Of positions by their size: some units in the last place.
constexpr double kRounding = sizeof(Real) == 4 ? 1e-6 : 2e-15;

Vec3 apply(const Mat3T<double>& f, const Vec3& v) {
  const Vec3T<double> x = f * to_double(v);
  return {Real(x.x), Real(x.y), Real(x.z)};
}

std::vector<Vec3> deformed(const BodyMesh& mesh, const Mat3T<double>& f) {
  std::vector<Vec3> x;
  for (const Vec3& v : vertices_of(mesh)) x.push_back(apply(f, v));
  return x;
}

// The largest elastic force on the vertices that count [N], from the free motion of a substep.
double largest_force(const SoftBody& body, const std::vector<Vec3>& x, auto&& counts) {
  const std::vector<Real> mass = std::visit(
      [&](const auto& mesh) { return lumped_masses(mesh, mass_per_measure(body)); }, body.mesh);
  std::vector<Row4<Real>> previous;
  for (std::size_t i = 0; i < x.size(); ++i)
    previous.push_back({x[i].x, x[i].y, x[i].z, 1 / mass[i]});
  std::vector<Row4<Real>> displacement(previous.size());
  for (std::size_t i = 0; i < x.size(); ++i) displacement[i].w = previous[i].w;
  const auto executor = make_serial_executor();
  const Real h = Real(0.02);  // small enough that no force is scaled down
  make_element_batch(body)->predict({displacement.data(), {previous.data()}, h, 0, *executor});
  double largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!counts(i)) continue;
    const Row4<Real>& u = displacement[i];
    const Vec3T<double> moved{u.x, u.y, u.z};
    largest = std::max(largest, length(moved) * double(mass[i]) / double(h * h));
  }
  return largest;
}

TEST(Invariance, ATurnedBodyFeelsNoForce) {
  for (const NamedBody& b : bodies_of_every_kind())
    for (const Quat& turn : {Quat::from_axis_angle({1, 2, 3}, Real(0.7)),
                             Quat::from_axis_angle({-2, 1, 0}, Real(3.1))}) {
      const Vec3T<double> axis{turn.x, turn.y, turn.z};
      const QuatT<double> q{axis.x, axis.y, axis.z, turn.w};
      const std::vector<Vec3> x = deformed(b.body.mesh, q.matrix());
      // Strains of rounding by the stiffest spring, E·A by the length of a cell; and what moves a
      // vertex by its last digit.
      const double noise = kRounding * (2e4 * 0.05 + 3 / (0.02 * 0.02));
      EXPECT_LT(largest_force(b.body, x, [](std::size_t) { return true; }), noise) << b.name;
      World world;
      const SoftId id = world.add(b.body);
      world.set_positions(id, x);
      EXPECT_LT(std::abs(world.energy().elastic), noise) << b.name;
      EXPECT_LT(world.state(id).strain_max, 20 * kRounding) << b.name;
    }
}

const Mat3T<double> kStretch{{{1.1, 0.05, -0.02}, {0.08, 0.9, 0.03}, {-0.04, 0.06, 1.05}}};

template <class M>
void expect_energy_of_the_material(const SoftBody& body, const std::string& name) {
  World world;
  const SoftId id = world.add(body);
  world.set_positions(id, deformed(body.mesh, kStretch));
  const double density = energy_at(M{}, kStretch, rotation_of(kStretch).matrix());
  const double volume = std::visit([](const auto& m) { return total_measure(m); }, body.mesh);
  EXPECT_NEAR(world.energy().elastic / (volume * density), 1, sizeof(Real) == 4 ? 1e-4 : 1e-11)
      << M::kName << ", " << name;
  EXPECT_NEAR(world.state(id).volume_ratio, determinant(kStretch), 1e-5);
}

TEST(Invariance, AnAffineDeformationHasTheEnergyOfTheMaterial) {
  MaterialList::for_each([]<class M>() {
    if constexpr (M::kElastic)
      for (double shake : {0.0, 0.03}) {
        const Vec3 size{1, Real(0.5), Real(0.4)};
        expect_energy_of_the_material<M>({.mesh = shaken(box_tets(size, {5, 3, 2}), shake),
                                          .material = M{},
                                          .solver = QuasiNewton{}},
                                         "tetrahedra, shaken by " + std::to_string(shake));
        if constexpr (HasTangentBound<M>)
          for (HexIntegration integration : kIntegrations)
            expect_energy_of_the_material<M>(
                {.mesh = shaken(box_hexes(size, {5, 3, 2}), shake),
                 .material = M{},
                 .integration = integration},
                word(integration) + (", shaken by " + std::to_string(shake)));
      }
  });
}

// The patch test: under a constant stress the vertices inside are in balance, however skewed the
// cells.
TEST(Invariance, APatchUnderConstantStressIsInBalance) {
  const HexMesh straight = box_hexes({1, 1, 1}, {4, 4, 4});
  const auto inside = [&](std::size_t i) {
    const Vec3& v = straight.vertices[i];
    return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)}) < Real(0.49);
  };
  for (HexIntegration integration : kIntegrations)
    for (double shake : {0.0, 0.05}) {
      const SoftBody body{.mesh = shaken(straight, shake),
                          .material = StableNeoHookean{.young = 1e4, .poisson = Real(0.3)},
                          .integration = integration};
      const std::vector<Vec3> x = deformed(body.mesh, kStretch);
      const double on_faces = largest_force(body, x, [&](std::size_t i) { return !inside(i); });
      EXPECT_GT(on_faces, 10);  // [N]; 0.1 of strain on an area of 0.06 m²
      EXPECT_LT(largest_force(body, x, inside), on_faces * (sizeof(Real) == 4 ? 1e-3 : 1e-10))
          << word(integration) << ", shaken by " << shake;
    }
}

}  // namespace
}  // namespace sinew
