// Fibres stiffen a body in their direction, and viscosity takes the energy of its vibrations, as
// can be worked out on paper.
#include <gtest/gtest.h>
#include <sinew/generators.h>
#include <sinew/world.h>

#include "soft_support.h"

namespace sinew {
namespace {

constexpr double kYoung = 1e5;

struct NamedMesh {
  const char* name;
  BodyMesh mesh;
  double volume;  // [m³]
};

// A metre long, 0.2 m wide, about the origin.
std::vector<NamedMesh> bars() {
  const Vec3 size{1, Real(0.2), Real(0.2)};
  TriMesh sheet = cloth(1, Real(0.2), 20, 4);
  return {{"tetrahedra", box_tets(size, {10, 2, 2}), 0.04},
          {"hexahedra", box_hexes(size, {10, 2, 2}), 0.04},
          {"triangles", sheet, 0.2 * 0.01}};
}

SoftBody bar(const BodyMesh& mesh) {
  return {.mesh = mesh,
          .material = StableNeoHookean{.young = Real(kYoung), .poisson = 0},
          .density = 1000,
          .thickness = Real(0.01)};
}

auto end_of(const BodyMesh& mesh, double side) {
  return vertices_where(mesh, [&](const Vec3& v) { return std::abs(v.x - side) < 1e-5; });
}

// The modulus with which a bar resists being drawn out along x.
double modulus(const NamedMesh& m, const Vec3& direction, double stiffness) {
  const double drawn = 0.01;
  SoftBody body = bar(m.mesh);
  body.fibres = {{.stiffness = Real(stiffness), .direction = direction}};
  body.solver = QuasiNewton{.iterations = 30};
  body.drag = 20;
  body.pins = end_of(m.mesh, -0.5);
  for (Index i : end_of(m.mesh, 0.5)) body.pins.push_back(i);
  World world({.gravity = {0, 0, 0}});
  const SoftId id = world.add(body);
  for (Index i : end_of(m.mesh, 0.5))
    world.move_pin(id, i, vertices_of(m.mesh)[i] + Vec3{Real(drawn), 0, 0});
  run(world, 2);
  return 2 * world.energy().elastic / (drawn * drawn * m.volume);
}

TEST(Fibres, StiffenABarInTheirDirection) {
  for (const NamedMesh& m : bars()) {
    const double stiffness = 3e5, alone = modulus(m, {1, 0, 0}, 0);
    EXPECT_NEAR(alone / kYoung, 1, 0.02) << m.name;
    EXPECT_NEAR(modulus(m, {7, 0, 0}, stiffness) / (alone + stiffness), 1, 0.01) << m.name;
    EXPECT_NEAR(modulus(m, {0, 0, 1}, stiffness) / alone, 1, 0.01) << m.name;
  }
}

// A direction across a sheet is in none of its triangles.
TEST(Fibres, AcrossASheetAreNone) {
  const NamedMesh sheet = bars()[2];
  EXPECT_NEAR(modulus(sheet, {0, 1, 0}, 1e6) / modulus(sheet, {1, 0, 0}, 0), 1, 0.01);
  EXPECT_NEAR(modulus(sheet, {1, 5, 0}, 3e5) / modulus(sheet, {1, 0, 0}, 3e5), 1, 0.01);
}

// A beam with one hexahedron across, of fibres along it, bends as one of E + κ.
TEST(Fibres, ResistBendingWithOneCellAcross) {
  const HexMesh mesh = bar_hexes(1, Real(0.1), Real(0.1), 1);
  const auto sag = [&](double young, double stiffness) {
    World world({.gravity = {0, Real(-0.1), 0}});
    SoftBody body = bar(mesh);
    body.material = StableNeoHookean{.young = Real(young), .poisson = 0};
    body.fibres = {{.stiffness = Real(stiffness)}};
    body.solver = QuasiNewton{.iterations = 20};
    body.drag = 8;
    body.pins = vertices_where(mesh, [](const Vec3& v) { return v.x < Real(1e-4); });
    const SoftId id = world.add(body);
    run(world, 3);
    return -mean_position(world, id, end_of(mesh, 1)).y;
  };
  EXPECT_NEAR(sag(5e5, 5e5) / sag(1e6, 0), 1, 0.03);
  EXPECT_LT(sag(5e5, 5e5), 0.6 * sag(5e5, 0));
}

// Newton's method and quasi-Newton minimise the same objective, and so end in the same place.
TEST(Fibres, BothSolversAgreeOnReinforcedHexahedra) {
  const HexMesh mesh = box_hexes({1, Real(0.2), Real(0.2)}, {8, 2, 2});
  const auto after = [&](const Solver& solver) {
    SoftBody body = bar(mesh);
    body.material = StableNeoHookean{.young = Real(kYoung), .poisson = Real(0.4)};
    body.fibres = {{.stiffness = 1e5, .direction = {1, 1, 0}}};
    body.damping = Real(0.01);
    body.solver = solver;
    body.pins = end_of(mesh, -0.5);
    World world;
    const SoftId id = world.add(body);
    for (int i = 0; i < 10; ++i) world.step(Real(1.0 / 60));
    return world.positions(id);
  };
  const auto a = after(Newton{.iterations = 30}),
             b = after(QuasiNewton{.iterations = 300, .substeps = 1});
  double most = 0, moved = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, length(to_double(a[i]) - to_double(b[i])));
    moved = std::max(moved, length(to_double(a[i]) - to_double(mesh.vertices[i])));
  }
  EXPECT_GT(moved, 0.05);
  EXPECT_LT(most / moved, sizeof(Real) == 4 ? 1e-4 : 1e-6);
}

// A clamped bar that vibrates along itself, ω = π/2L √(E/ρ): with σ = E (ε + τ dε/dt) its energy
// decays as exp(−ω² τ t), beside what implicit Euler takes.
TEST(Viscosity, DampsAVibrationAtItsRate) {
  const double omega = M_PI / 2 * std::sqrt(kYoung / 1000), damping = 0.02, time = 0.6;
  for (const NamedMesh& m : bars()) {
    const auto left = [&](double tau) {
      SoftBody body = bar(m.mesh);
      body.damping = Real(tau);
      body.solver = QuasiNewton{.substeps = 10};
      body.pins = end_of(m.mesh, -0.5);
      World world({.gravity = {0, 0, 0}});
      const SoftId id = world.add(body);
      std::vector<Vec3> v;
      for (const Vec3& x : vertices_of(m.mesh))
        v.push_back({Real(0.1 * std::sin(M_PI / 2 * (double(x.x) + 0.5))), 0, 0});
      world.set_velocities(id, v);
      const auto all = [&] { return world.energy().kinetic + world.energy().elastic; };
      const double before = all();
      run(world, time);
      return all() / before;
    };
    EXPECT_NEAR(std::log(left(0) / left(damping)) / (omega * omega * damping * time), 1, 0.1)
        << m.name;
  }
}

// Bending is damped, too, where one hexahedron across has it in its hourglass modes: a beam's
// slowest vibration, ω = 3.516 √(EI/ρA)/L². At the Gauss points there is some shear beside it, so
// that it is damped by more than its rate.
TEST(Viscosity, DampsBendingWithOneCellAcross) {
  const double young = 1e6, across = 0.1, damping = 0.02, time = 2;
  const double omega = 3.516 * std::sqrt(young * across * across / 12 / 1000);
  const HexMesh mesh = bar_hexes(1, Real(across), Real(across), 1);
  const auto left = [&](double tau) {
    SoftBody body = bar(mesh);
    body.material = StableNeoHookean{.young = Real(young), .poisson = 0};
    body.damping = Real(tau);
    body.solver = QuasiNewton{.substeps = 10};
    body.pins = vertices_where(mesh, [](const Vec3& v) { return v.x < Real(1e-4); });
    World world({.gravity = {0, 0, 0}});
    const SoftId id = world.add(body);
    std::vector<Vec3> v;
    for (const Vec3& x : mesh.vertices) v.push_back({0, Real(0.5) * x.x * x.x, 0});
    world.set_velocities(id, v);
    run(world, time);
    return world.energy().kinetic + world.energy().elastic;
  };
  const double rate = std::log(left(0) / left(damping)) / (omega * omega * damping * time);
  EXPECT_GT(rate, 1);
  EXPECT_LT(rate, 2);
}

TEST(Viscosity, LetsABodySpin) {
  for (const NamedMesh& m : bars()) {
    const auto spun = [&](double tau) {
      SoftBody body = bar(m.mesh);
      body.damping = Real(tau);
      body.solver = QuasiNewton{.iterations = 20};
      body.angular_velocity = {0, 3, 0};
      World world({.gravity = {0, 0, 0}});
      world.add(body);
      run(world, 3);
      return world.energy().kinetic;
    };
    EXPECT_NEAR(spun(0.5) / spun(0), 1, 0.01) << m.name;
  }
}

}  // namespace
}  // namespace sinew
