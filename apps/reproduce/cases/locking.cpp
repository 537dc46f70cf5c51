// Figure 4.2 of Lewin: nearly incompressible tetrahedra lock in bending, whether the mesh is
// coarse or refined; one-point hexahedra do not. The figure's own bars are in bent_bar.cpp; here a
// slender bar sags under its weight, and its deflection is compared with beam theory.
#include <fmt/format.h>

#include "reproduce/bodies.h"
#include "reproduce/experiment.h"

namespace sinew {
namespace {

constexpr double kLength = 1, kSide = 0.15, kYoung = 1e5, kDensity = 1000, kDeflection = 0.02;

double sag(BodyMesh mesh, double poisson, HexIntegration integration) {
  const double gravity = kDeflection * 8 * kYoung * kSide * kSide / (12 * kDensity);
  const double slowest = 3.516 * std::sqrt(kYoung * kSide * kSide / (12 * kDensity));
  const std::span<const Vec3> rest = vertices_of(mesh);
  const Index tip = nearest_vertex(rest, {Real(kLength), 0, 0});
  const Real start = rest[tip].y;
  SoftBody body{.mesh = mesh,
                .material = StableNeoHookean{.young = Real(kYoung), .poisson = Real(poisson)},
                .integration = integration,
                .drag = Real(1.4 * slowest)};
  body.pins = select_vertices(rest, [](const Vec3& x) { return x.x < Real(1e-5); });
  World world({.gravity = {0, Real(-gravity), 0}});
  const SoftId id = world.add(std::move(body));
  while (world.time() < 12 / slowest) world.step(Real(1.0 / 60));
  const double shear = kYoung / (2 * (1 + poisson));
  const double theory = kDeflection + kDensity * gravity / (2 * (5.0 / 6) * shear);
  return (start - world.positions(id)[tip].y) / theory;
}

void run(const ExperimentOptions& options, ExperimentReport& report) {
  struct Row {
    const char* name;
    BodyMesh mesh;
    HexIntegration integration;
  };
  const auto tets = [](int n) {
    return bar_tets(Real(kLength), Real(kSide), Real(kSide), n, Split::kFive);
  };
  const auto hexes = [](int n) { return bar_hexes(Real(kLength), Real(kSide), Real(kSide), n); };
  const Row rows[] = {
      {"tetrahedra, coarse", tets(2), {}},
      {"tetrahedra, refined", tets(options.small ? 3 : 5), {}},
      {"hexahedra, eight points", hexes(2), HexIntegration::kEightPoint},
      {"hexahedra, one point, assumed strain", hexes(2), HexIntegration::kAssumedStrain},
      {"hexahedra, one point, one across", hexes(1), HexIntegration::kAssumedStrain},
      {"hexahedra, one point, finest", hexes(options.small ? 4 : 6),
       HexIntegration::kAssumedStrain},
  };
  const double poissons[] = {0.3, 0.49};
  Table table{"Deflection by beam theory", {"elements", "number", "ν = 0.3", "ν = 0.49"}, {}};
  std::vector<std::array<double, 2>> ratios;
  for (const Row& row : rows) {
    std::array<double, 2> r{};
    for (int i = 0; i < 2; ++i) r[i] = sag(row.mesh, poissons[i], row.integration);
    ratios.push_back(r);
    const auto count = std::visit([](const auto& m) { return m.cells.size(); }, row.mesh);
    table.rows.push_back({row.name, std::to_string(count), fmt::format("{:.3f}", r[0]),
                          fmt::format("{:.3f}", r[1])});
  }
  // Against the finest hexahedra: a clamped end that may not contract is stiffer than beam theory
  // has it, the more so the larger ν.
  const double finest = ratios.back()[1];
  const auto part = [&](int row) { return ratios[row][1] / finest; };
  const auto shown = [&](int row) { return fmt::format("{:.1f} % of it", 100 * part(row)); };
  report.check(
      "coarse tetrahedra lock at ν = 0.49: they bend by less than 70 % of what the finest "
      "mesh does",
      shown(0), part(0) < 0.7);
  report.check("refined ones lock too, by more than 10 %", shown(1), part(1) < 0.9);
  report.check("one-point hexahedra, as coarse, bend by 95 to 105 %", shown(3),
               std::abs(part(3) - 1) < 0.05);
  report.note(
      "The figure shows a bar that is bent into a C under a volume constraint, of 855 and 3,840 "
      "tetrahedra and 171 hexahedra: see `bent-bar`. Here a slender bar of nearly incompressible "
      "material sags, because its deflection is known.");
  report.table(std::move(table));
}

}  // namespace

extern const Experiment k_locking;
const Experiment k_locking = {"locking", "Tetrahedra lock, one-point hexahedra do not",
                              "Lewin, figure 4.2", run};

}  // namespace sinew
