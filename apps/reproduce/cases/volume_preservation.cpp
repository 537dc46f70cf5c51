// Figure 6.2 of Liu: a solid that resists strain (as rigid as possible) and change of volume
// (the nearest F of determinant 1), with different weights, by projective dynamics. A bar is pulled
// to one and a half of its length: the more the volume weighs, the thinner it becomes.
#include <fmt/format.h>

#include "reproduce/bodies.h"

namespace sinew {
namespace {

// The volume of the bar by that at rest, pulled apart in half a second, after three.
double pulled_volume(const TetMesh& mesh, double strain_weight, double volume_weight,
                     const ExperimentOptions& options) {
  constexpr double kStretch = 1.5;
  SoftBody body{.mesh = mesh,
                .material = Arap{.young = Real(strain_weight)},
                .constraints = {CellVolume{.stiffness = Real(volume_weight)}},
                .solver = Projective{.iterations = 20},
                .drag = 3};
  const Bounds box = bounds(mesh.vertices);
  const Real end = Real(1e-3) * (box.upper.x - box.lower.x);
  body.pins = select_vertices(mesh.vertices, [&](const Vec3& x) {
    return x.x < box.lower.x + end || x.x > box.upper.x - end;
  });
  World world({.gravity = {}}, make_thread_pool(options.threads));
  const SoftId id = world.add(body);
  for (int frame = 1; frame <= 180; ++frame) {
    if (frame <= 30)
      for (const Index i : body.pins) {
        Vec3 x = mesh.vertices[i];
        x.x *= Real(1 + (kStretch - 1) * frame / 30);
        world.move_pin(id, i, x);
      }
    world.step(Real(1.0 / 60));
  }
  return world.finite() ? world.state(id).volume_ratio : std::nan("");
}

void run(const ExperimentOptions& options, ExperimentReport& report) {
  const TetMesh mesh = bar_tets(1, Real(0.4), Real(0.4), options.small ? 3 : 6);
  const std::vector<double> weights{1e4, 1e5, 1e6};
  Table table{"Volume by that at rest, pulled to one and a half of the length",
              {"strain [Pa]", "volume [Pa]", "volume ratio"},
              {}};
  // How far the volume is from that at rest, for weights in ascending order.
  const auto errors = [&](bool of_volume) {
    std::vector<double> all;
    for (const double weight : weights) {
      const double strain = of_volume ? 1e5 : weight, volume = of_volume ? weight : 1e5;
      const double ratio = pulled_volume(mesh, strain, volume, options);
      table.rows.push_back(
          {fmt::format("{:g}", strain), fmt::format("{:g}", volume), fmt::format("{:.3f}", ratio)});
      all.push_back(std::abs(ratio - 1));
    }
    return all;
  };
  const std::vector<double> by_strain = errors(false), by_volume = errors(true);
  const auto figure = [](const std::vector<double>& e) {
    return fmt::format("changed by {:.1f}, {:.1f} and {:.1f} %", 100 * e[0], 100 * e[1],
                       100 * e[2]);
  };
  report.check("the more strain weighs, the more the volume changes (figure 6.2, top)",
               figure(by_strain), by_strain[0] < by_strain[1] && by_strain[1] < by_strain[2]);
  report.check("the more volume weighs, the less it changes (figure 6.2, bottom)",
               figure(by_volume), by_volume[0] > by_volume[1] && by_volume[1] > by_volume[2]);
  double apart = 0;  // the same ratios of weights in both rows
  for (int i = 0; i < 3; ++i) apart = std::max(apart, std::abs(by_strain[i] - by_volume[2 - i]));
  report.check("at rest, nothing but the ratio of the weights matters: volumes agree within 0.5 %",
               fmt::format("{:.2f} %", 100 * apart), apart <= 0.005);
  report.table(std::move(table));
}

}  // namespace

extern const Experiment k_volume_preservation;
const Experiment k_volume_preservation = {"volume-preservation", "Strain against volume",
                                          "Liu, figure 6.2", run};

}  // namespace sinew
