// Bodies of every kind of mesh, and every way to solve them, for tests of what holds for all.
#pragma once

#include <sinew/generators.h>
#include <sinew/world.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace sinew {

inline constexpr HexIntegration kIntegrations[] = {
    HexIntegration::kAssumedStrain, HexIntegration::kSelective, HexIntegration::kPerturbation,
    HexIntegration::kOnePoint, HexIntegration::kEightPoint};

inline const char* word(HexIntegration integration) {
  return EnumWords<HexIntegration>::kWords[static_cast<int>(integration)];
}

// Every vertex moved at random by up to `amount` along each axis: no cell keeps its shape.
template <class Cell>
Mesh<Cell> shaken(Mesh<Cell> mesh, double amount) {
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> noise(-amount, amount);
  for (Vec3& v : mesh.vertices)
    v += Vec3{Real(noise(generator)), Real(noise(generator)), Real(noise(generator))};
  return mesh;
}

struct NamedBody {
  std::string name;
  SoftBody body;
};

// About a metre long, 0.4 m across, about the origin. Sheets and lines as thick as they are stiff.
inline std::vector<NamedBody> bodies_of_every_kind() {
  std::vector<NamedBody> bodies;
  const Vec3 size{1, Real(0.5), Real(0.4)};
  bodies.push_back({"tetrahedra", {.mesh = box_tets(size, {6, 3, 3})}});
  const HexMesh straight = box_hexes(size, {6, 3, 3});
  for (HexIntegration integration : kIntegrations) {
    bodies.push_back({std::string("hexahedra, ") + word(integration),
                      {.mesh = straight, .integration = integration}});
    bodies.push_back({std::string("skewed hexahedra, ") + word(integration),
                      {.mesh = shaken(straight, 0.03), .integration = integration}});
  }
  bodies.push_back({"triangles", {.mesh = cloth(1, Real(0.5), 8, 4), .thickness = Real(0.02)}});
  LineMesh line = rope(1, 20);
  for (Vec3& v : line.vertices)  // an arc: a straight line does not resist bending
    v = {v.x - Real(0.5), Real(0.3) * std::sin(3 * v.x), Real(0.1) * std::cos(2 * v.x)};
  bodies.push_back({"lines", {.mesh = line, .thickness = Real(0.02)}});
  for (NamedBody& b : bodies)
    b.body.material = StableNeoHookean{.young = Real(2e4), .poisson = Real(0.3)};
  return bodies;
}

struct NamedSolver {
  const char* name;
  Position solver;
};

inline constexpr NamedSolver kSolvers[] = {
    {"forward", {.order = SweepOrder::kForward}},
    {"symmetric", {.order = SweepOrder::kSymmetric}},
    {"jacobi", {.order = SweepOrder::kJacobi, .chebyshev = false}},
    {"chebyshev", {.order = SweepOrder::kJacobi, .chebyshev = true}},
};

}  // namespace sinew
