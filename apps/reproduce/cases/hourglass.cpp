// Figure 4.3 of Lewin: hexahedra with one quadrature point do not feel hourglass modes. A bar is
// given such a mode, alternating from vertex to vertex, and released: without control it stays.
#include <fmt/format.h>

#include "elements/hexahedron.h"
#include "reproduce/bodies.h"
#include "reproduce/experiment.h"

namespace sinew {
namespace {

// Root mean square of all hourglass amplitudes, by the edge of a cell.
double hourglassing(const HexMesh& mesh, const std::vector<Vec3>& positions, double edge) {
  double sum = 0;
  for (const Hexahedron& cell : mesh.cells) {
    Vec3T<double> x[8];
    for (int n = 0; n < 8; ++n) x[n] = to_double(positions[cell[n]]);
    const HexModes<double> m = to_modes(x);
    for (const Vec3T<double>& h : m.hourglass) sum += dot(h, h) / 64;
  }
  return std::sqrt(sum / double(mesh.cells.size())) / edge;
}

Series release(HexIntegration integration, int across) {
  constexpr Real kSize = Real(0.4);
  const double edge = double(kSize) / across;
  const HexMesh mesh = bar_hexes(Real(1.2), kSize, kSize, across);
  World world({.gravity = {}});
  const SoftId id = world.add(SoftBody{
      .mesh = mesh,
      .material = Corotated{.young = 1e5, .poisson = Real(0.3)},
      .integration = integration,
      .damping = Real(0.01),
      .pins = select_vertices(mesh.vertices, [](const Vec3& x) { return x.x < Real(1e-4); }),
  });
  std::vector<Vec3> x = world.positions(id);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto along = [&](Real place) { return std::lround(double(place) / edge); };
    const Vec3& r = mesh.vertices[i];
    const bool odd = (along(r.x) + along(r.y + kSize / 2) + along(r.z + kSize / 2)) % 2 != 0;
    if (r.x > Real(1e-4)) x[i].y += Real(odd ? 0.1 : -0.1) * Real(edge);
  }
  world.set_positions(id, x);
  Series curve;
  for (int frame = 0; frame <= 60; ++frame) {
    if (frame > 0) world.step(Real(1.0 / 60));
    curve.x.push_back(world.time());
    curve.y.push_back(100 * hourglassing(mesh, world.positions(id), edge));
  }
  return curve;
}

void run(const ExperimentOptions& options, ExperimentReport& report) {
  const int across = options.small ? 2 : 6;
  Plot plot{"Hourglass amplitude of a released bar",
            {"time [s]"},
            {"amplitude by edge of a cell [%]", true},
            {}};
  const std::pair<HexIntegration, const char*> controls[] = {
      {HexIntegration::kOnePoint, "none"},
      {HexIntegration::kPerturbation, "perturbation (eq. 4.34)"},
      {HexIntegration::kSelective, "selective integration"},
      {HexIntegration::kAssumedStrain, "assumed strain"},
  };
  for (const auto& [integration, name] : controls) {
    Series curve = release(integration, across);
    const double first = curve.y.front(), last = curve.y.back();
    if (integration == HexIntegration::kOnePoint)
      report.check("without control an hourglass mode stays (figure 4.3, right)",
                   fmt::format("{:.0f} % of it left after 1 s", 100 * last / first),
                   last > 0.5 * first);
    else
      report.check(fmt::format("{}: it is gone (figure 4.3, left)", name),
                   fmt::format("{:.2f} % of it left after 1 s", 100 * last / first),
                   last < 0.05 * first);
    curve.label = name;
    plot.series.push_back(std::move(curve));
  }
  report.plot("released", std::move(plot));
}

}  // namespace

extern const Experiment k_hourglass;
const Experiment k_hourglass = {"hourglass", "Hourglass modes with and without control",
                                "Lewin, figures 4.3 and 4.4", run};

}  // namespace sinew
