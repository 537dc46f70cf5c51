// Figure 7.2 of Liu: all vertices of a hippo are put to random places, half of its elements
// are inside out then, and it finds back to its shape. One in fifteen of the hippo's tetrahedra is
// a sliver; so it is with the look-alike that is made without the data.
#include <fmt/format.h>

#include <random>

#include "reproduce/bodies.h"

namespace sinew {
namespace {

constexpr double kSliver = 0.1;  // quality below which a tetrahedron is one

// A torso of 1.7 m by 1 m by 0.6 m, thinner in front, in which every ninth vertex was pushed until
// one of its cells is almost flat.
TetMesh hippo_like(int cells) {
  TetMesh mesh = box_tets({Real(1.7), 1, Real(0.6)}, {3 * cells, 2 * cells, cells}, Split::kSix);
  for (Vec3& v : mesh.vertices) {
    const Real narrow = 1 - Real(0.25) * (v.x + Real(0.85));
    v.y *= narrow * (1 - Real(0.8) * v.z * v.z);
    v.z *= narrow;
  }
  std::vector<std::vector<std::size_t>> around(mesh.vertices.size());
  for (std::size_t c = 0; c < mesh.cells.size(); ++c)
    for (const Index i : mesh.cells[c]) around[i].push_back(c);
  const Real step = Real(1.7) / Real(3 * cells);
  for (std::size_t i = 0; i < mesh.vertices.size(); i += 9) {
    const Vec3 from = mesh.vertices[i];
    const auto worst_at = [&](Real way) {
      mesh.vertices[i] = from + Vec3{way, way / 2, way / 3};
      double worst = 1;
      for (const std::size_t c : around[i]) worst = std::min(worst, quality(mesh, c));
      return worst;
    };
    Real low = 0, high = step;  // bisection: as far as keeps the worst at a tenth of a sliver's
    for (int k = 0; k < 20; ++k) {
      const Real middle = (low + high) / 2;
      (worst_at(middle) > kSliver / 10 ? low : high) = middle;
    }
    worst_at(low);
  }
  return mesh;
}

struct Outcome {
  int inverted_at_start = 0, inverted = 0;
  double error = 0;  // of shape
  bool finite = false;
  Series curve = {};  // shape error over time
};

Outcome recover(const TetMesh& mesh, const Material& material, const ExperimentOptions& options) {
  World world({.gravity = {}}, make_thread_pool(options.threads));
  const SoftId id =
      world.add(SoftBody{.mesh = mesh, .material = material, .solver = QuasiNewton{}});
  const std::vector<Vec3> rest = world.positions(id);
  const Bounds box = bounds(rest);
  std::vector<Vec3> x = rest;
  std::mt19937 generator(1);
  for (Vec3& v : x)
    for (int k = 0; k < 3; ++k)
      v[k] =
          box.lower[k] + (box.upper[k] - box.lower[k]) * (Real(generator() >> 8) / Real(1 << 24));
  world.set_positions(id, x);
  Outcome out{.inverted_at_start = world.state(id).inverted};
  for (int frame = 0; frame <= 600; ++frame) {
    if (frame > 0) world.step(Real(1.0 / 60));
    if (frame % 10 != 0) continue;
    out.curve.x.push_back(world.time());
    out.curve.y.push_back(100 * shape_error(world.positions(id), rest));
  }
  out.inverted = world.state(id).inverted;
  out.error = out.curve.y.back() / 100;
  out.finite = world.finite();
  return out;
}

void run(const ExperimentOptions& options, ExperimentReport& report) {
  const TetMesh mesh =
      data_mesh(options, "hippo.mesh", [&] { return hippo_like(options.small ? 4 : 8); });
  int slivers = 0;
  for (std::size_t c = 0; c < mesh.cells.size(); ++c) slivers += quality(mesh, c) < kSliver;
  // μ and λ are in the ratio of the document's.
  const Real young = Real(1e5), poisson = Real(5.0 / 12);
  const std::pair<const char*, Material> materials[] = {
      {"corotated", Corotated{young, poisson}},
      {"Neo-Hookean", NeoHookean{young, poisson}},
      {"stable Neo-Hookean", StableNeoHookean{young, poisson}}};
  Table table{fmt::format("{} tetrahedra, {} of them slivers (quality below {:g}); after 10 s",
                          mesh.cells.size(), slivers, kSliver),
              {"material", "inverted at the start", "inverted", "shape error [%]"},
              {}};
  Plot plot{"From random vertices", {"time [s]"}, {"shape error [%]", true}, {}};
  for (const auto& [name, material] : materials) {
    Outcome out = recover(mesh, material, options);
    table.rows.push_back({name, std::to_string(out.inverted_at_start), std::to_string(out.inverted),
                          fmt::format("{:.2f}", 100 * out.error)});
    report.check(
        fmt::format("{}: from random vertices back to its shape in 10 s, helped by a milder "
                    "material: no element inside out, shape error at most 1 % (figure 7.2: without "
                    "help)",
                    name),
        fmt::format("{} of {} inverted at the start, {} at the end, error {:.2f} %",
                    out.inverted_at_start, mesh.cells.size(), out.inverted, 100 * out.error),
        out.finite && out.inverted == 0 && out.error <= 0.01);
    out.curve.label = name;
    plot.series.push_back(std::move(out.curve));
  }
  report.table(std::move(table));
  report.plot("recovery", std::move(plot));
  report.note(
      fmt::format("E = 100 kPa, λ = 5 μ, steps of 1/60 s, ten iterations of L-BFGS each; {}.",
                  sizeof(Real) == 4 ? "float" : "double"));
  report.note(
      "The document has no special treatment of inverted elements. Here there is one, without a "
      "switch: an element that is inside out, and those around it, are made of a milder, corotated "
      "material for a while (`variational/recovery.h`). The figure's claim is met with that help.");
}

}  // namespace

extern const Experiment k_hippo;
const Experiment k_hippo = {"hippo", "Recovery from random vertices", "Liu, figure 7.2", run};

}  // namespace sinew
