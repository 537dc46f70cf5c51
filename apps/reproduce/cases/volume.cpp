// Figure 5.1 of Lewin: a bar stretched to 2.5 times its length. The exact volume constraint
// keeps its volume; the pressure term of co-rotational elasticity, which is right for small
// strains, loses most of it.
#include <fmt/format.h>

#include "reproduce/bodies.h"
#include "reproduce/experiment.h"

namespace sinew {
namespace {

constexpr Real kLength = 2;
constexpr Real kStretch = Real(2.5);

double stretched_volume(const BodyMesh& mesh, VolumeMeasure measure, Series& curve) {
  World world({.gravity = {}, .substeps = 20});
  const std::span<const Vec3> rest = vertices_of(mesh);
  const std::vector<Index> left = select_vertices(rest, [](const Vec3& x) { return x.x < 1e-4; });
  const std::vector<Index> right =
      select_vertices(rest, [](const Vec3& x) { return x.x > kLength - Real(1e-4); });
  const SoftId id = world.add(SoftBody{
      .mesh = mesh,
      .material = None{},
      .constraints = {FiniteElements{.shape = Real(0.02), .volume = 1, .measure = measure}},
      .drag = 5,
      .pins = left,
  });
  constexpr int kFrames = 240, kPull = 150;
  for (int frame = 1; frame <= kFrames; ++frame) {
    const Real done = std::min(Real(1), Real(frame) / kPull);
    const Real stretch = 1 + (kStretch - 1) * done;
    const Real across = 1 / std::sqrt(stretch);
    for (const Index v : right)
      world.move_pin(id, v, {kLength * stretch, rest[v].y * across, rest[v].z * across});
    for (const Index v : left) world.move_pin(id, v, {0, rest[v].y * across, rest[v].z * across});
    world.step(Real(1.0 / 60));
    curve.x.push_back(stretch);
    curve.y.push_back(100 * world.state(id).volume_ratio);
  }
  return world.state(id).volume_ratio;
}

void run(const ExperimentOptions& options, ExperimentReport& report) {
  const int across = options.small ? 2 : 4;
  const BodyMesh mesh = bar_hexes(kLength, Real(0.5), Real(0.5), across);
  Series exact{.label = "det F = 1"}, trace{.label = "tr(RᵀF) = 3"};
  const double kept = stretched_volume(mesh, VolumeMeasure::kExact, exact);
  const double lost = stretched_volume(mesh, VolumeMeasure::kTrace, trace);
  report.check(
      "the exact constraint changes the volume by at most 1.5 % at 2.5 times the length "
      "(Lewin: 1.2 %)",
      fmt::format("{:+.2f} %", 100 * (kept - 1)), std::abs(kept - 1) <= 0.015);
  report.check("the trace term loses most of it (Lewin: 90 %)",
               fmt::format("{:.0f} % lost", 100 * (1 - lost)), lost < 0.5);
  report.plot("stretch", {"Volume of a stretched bar",
                          {"length by rest length"},
                          {"volume [%]"},
                          {std::move(exact), std::move(trace)}});
  report.note(
      "The ends are held and narrowed as a bar of constant volume would be, so that what is "
      "measured is the constraint and not the clamps.");
}

}  // namespace

extern const Experiment k_volume;
const Experiment k_volume = {"volume", "Volume of a stretched bar", "Lewin, figure 5.1", run};

}  // namespace sinew
