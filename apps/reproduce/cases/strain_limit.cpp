// Figure 6.1 of Liu: the same cloth with its stretches limited to 90–110 %, 80–120 % and
// 70–130 %, by projective dynamics. The wider the limits, the lower it hangs.
#include <fmt/format.h>

#include "reproduce/bodies.h"

namespace sinew {
namespace {

struct Hanging {
  double strain = 0;  // largest |stretch − 1|
  double lowest = 0;  // height of its lowest vertex, from where it is held [m]
  bool finite = false;
};

// A square metre, 0.3 kg, let go lying, held at two corners, after 6 s.
Hanging hang(int cells, Real limit, const ExperimentOptions& options) {
  SoftBody body{
      .mesh = cloth(1, 1, cells, cells),
      .material = None{},
      .density = 300,
      .thickness = Real(1e-3),
      .constraints = {StrainLimit{.min = 1 - limit, .max = 1 + limit, .stiffness = Real(3e6)}},
      .solver = Projective{.iterations = 40},
      .drag = 1};
  const auto rest = vertices_of(body.mesh);
  body.pins = {nearest_vertex(rest, {Real(-0.5), 0, Real(-0.5)}),
               nearest_vertex(rest, {Real(0.5), 0, Real(-0.5)})};
  World world({}, make_thread_pool(options.threads));
  const SoftId id = world.add(body);
  for (int frame = 0; frame < 360; ++frame) world.step(Real(1.0 / 60));
  const std::vector<Vec3> x = world.positions(id);
  return {world.state(id).strain_max, bounds(x).lower.y, world.finite()};
}

void run(const ExperimentOptions& options, ExperimentReport& report) {
  constexpr double kExcess = 0.05;  // the limits are stiff springs
  const int cells = options.small ? 10 : 25;
  Table table{fmt::format("Cloth of {} by {} cells after 6 s", cells, cells),
              {"limits", "largest strain", "hangs down by [m]"},
              {}};
  std::vector<std::string> depths;
  double last = 0;
  bool lower = true;
  for (const Real limit : {Real(0.1), Real(0.2), Real(0.3)}) {
    const Hanging cloth_now = hang(cells, limit, options);
    const std::string name =
        fmt::format("{:.0f} to {:.0f} %", 100 * (1 - limit), 100 * (1 + limit));
    table.rows.push_back(
        {name, fmt::format("{:.3f}", cloth_now.strain), fmt::format("{:.3f}", -cloth_now.lowest)});
    report.check(
        fmt::format("{}: no stretch is further out than by {:g} (figure 6.1)", name, kExcess),
        fmt::format("{:.3f}", cloth_now.strain - limit),
        cloth_now.finite && cloth_now.strain <= limit + kExcess);
    depths.push_back(fmt::format("{:.3f} m", -cloth_now.lowest));
    lower = lower && cloth_now.lowest < last;
    last = cloth_now.lowest;
  }
  report.check("the wider the limits, the lower it hangs (figure 6.1)",
               fmt::format("{}", fmt::join(depths, ", ")), lower);
  report.table(std::move(table));
}

}  // namespace

extern const Experiment k_strain_limit;
const Experiment k_strain_limit = {"strain-limit", "Cloth with limited stretches",
                                   "Liu, figure 6.1", run};

}  // namespace sinew
