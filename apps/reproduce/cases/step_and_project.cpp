// Liu, §4.3 and figure 4.3: threads that do not stretch, by Step-and-Project (eq. 4.14 to 4.18) and
// by plain position-based dynamics. Both drift from the solution of eq. 4.13. Stiff springs are
// compared with them, by Newton's method and by the local/global solver. The document has a sketch,
// and no figures; here a curtain of threads swings down.
#include <fmt/format.h>

#include "reproduce/bodies.h"
#include "reproduce/rods.h"

namespace sinew {
namespace {

using Places = RodNet::Places;
constexpr double kDt = 1.0 / 30;

// 1 m by 1 m and 1 kg of threads to and fro, held along its upper edge, lying.
RodNet curtain(int cells, Places& x) {
  RodNet net;
  const TriMesh sheet = cloth(1, 1, cells, cells);
  for (const Vec3& v : sheet.vertices) {
    x.push_back(to_double(v));
    net.mass.push_back(v.z < Real(-0.4999) ? 0 : 1.0 / double(sheet.vertices.size()));
  }
  const double most = 1.01 / cells;
  for (Index i = 0; i < x.size(); ++i)
    for (Index j = i + 1; j < x.size(); ++j) {
      const double size = length(x[j] - x[i]);
      if (size > most || (net.mass[i] == 0 && net.mass[j] == 0)) continue;
      net.rod.push_back({i, j});
      net.length.push_back(size);
    }
  return net;
}

constexpr int kMost = 3000;         // sweeps
constexpr double kNoStrain = 1e-6;  // to which sweeps are counted
constexpr double kStiff = 1e4;      // of springs instead of threads [N/m]
const std::vector<double> kStiffness{1e2, 1e3, kStiff, 1e5};

// One frame. Distances are from the solution of eq. 4.13, by that of the free motion.
struct Outcome {
  double projected_strain = 0, projected = 0;  // after ten iterations of Step-and-Project
  double strain_after[3] = {};                 // mean, after 1, 10 and 100 sweeps
  int sweeps = 0;                              // to kNoStrain
  double swept = 0;                            // after kMost
  std::vector<double> springs;                 // by Newton's method, of each stiffness
  double rounds = 0;                           // after ten of the local/global solver, of kStiff
};

Outcome compare(const RodNet& net, const Places& y, const Places& solution) {
  const double all = net.distance(y, solution);
  const auto off = [&](const Places& x) { return net.distance(x, solution) / all; };
  Outcome out;
  Places x = y;
  for (int n = 0; n < 10; ++n) step_and_project(net, x);
  out.projected_strain = net.largest_strain(x);
  out.projected = off(x);
  x = y;
  for (int n = 1; n <= kMost; ++n) {
    sweep(net, x);
    if (n == 1 || n == 10 || n == 100)
      out.strain_after[n == 1 ? 0 : n == 10 ? 1 : 2] = net.mean_strain(x);
    if (out.sweeps == 0 && net.largest_strain(x) <= kNoStrain) out.sweeps = n;
  }
  out.swept = off(x);
  for (const double k : kStiffness) {
    x = y;
    solve_springs(net, y, k * kDt * kDt, std::vector<double>(net.rod.size()), x);
    out.springs.push_back(off(x));
  }
  x = y;
  local_global(net, y, kStiff * kDt * kDt, 10, x);
  out.rounds = off(x);
  return out;
}

// Every fifth of so many frames, in which the curtain follows eq. 4.13.
std::vector<Outcome> swing(int cells, int length) {
  Places x;
  const RodNet net = curtain(cells, x);
  std::vector<RodNet::Vec> v(x.size());
  std::vector<Outcome> outcomes;
  for (int frame = 1; frame <= length; ++frame) {
    Places y = x;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (net.mass[i] > 0) y[i] += (v[i] + RodNet::Vec{0, -9.81, 0} * kDt) * kDt;
    Places next = y;
    solve_rods(net, y, next);
    if (frame % 5 == 0) outcomes.push_back(compare(net, y, next));
    for (std::size_t i = 0; i < x.size(); ++i) v[i] = (next[i] - x[i]) * (1 / kDt);
    x = std::move(next);
  }
  return outcomes;
}

// The least and the most of what `figure` says of each frame.
template <class F>
std::pair<double, double> range(const std::vector<Outcome>& frames, F&& figure) {
  std::pair<double, double> r{figure(frames[0]), figure(frames[0])};
  for (const Outcome& o : frames)
    r = {std::min<double>(r.first, figure(o)), std::max<double>(r.second, figure(o))};
  return r;
}

template <class F>
bool in_all(const std::vector<Outcome>& frames, F&& holds) {
  return std::all_of(frames.begin(), frames.end(), holds);
}

void check_constraints(const std::vector<Outcome>& frames, ExperimentReport& report) {
  const auto strain = range(frames, [](const Outcome& o) { return o.projected_strain; });
  report.check("ten iterations of Step-and-Project leave no strain above 1e-9 (§4.3.2)",
               fmt::format("{:.1e} at most", strain.second), strain.second <= 1e-9);
  const auto sweeps = range(frames, [](const Outcome& o) { return o.sweeps; });
  report.check(
      fmt::format("plain position-based dynamics needs hundreds of sweeps or more to strains of "
                  "{:g} (§4.3.3: hundreds or thousands)",
                  kNoStrain),
      sweeps.first > 0 ? fmt::format("{} to {}", sweeps.first, sweeps.second)
                       : fmt::format("more than {} in some frame", kMost),
      in_all(frames, [](const Outcome& o) { return o.sweeps == 0 || o.sweeps >= 100; }));
  report.check("the fewer its sweeps, the more the threads stretch: 1, 10, 100 (§4.3.3)",
               fmt::format("mean strains {:.1e}, {:.1e}, {:.1e} in the last frame",
                           frames.back().strain_after[0], frames.back().strain_after[1],
                           frames.back().strain_after[2]),
               in_all(frames, [](const Outcome& o) {
                 return o.strain_after[0] > o.strain_after[1] &&
                        o.strain_after[1] > o.strain_after[2];
               }));
}

void check_solution(const std::vector<Outcome>& frames, ExperimentReport& report) {
  const auto projected = range(frames, [](const Outcome& o) { return o.projected; });
  const auto swept = range(frames, [](const Outcome& o) { return o.swept; });
  report.check(
      "neither comes to the solution of eq. 4.13, however long: they stay off by at least 0.5 % "
      "of the way (§4.3.3: drift)",
      fmt::format("Step-and-Project {:.1f} to {:.1f} %, sweeps {:.1f} to {:.1f} %",
                  100 * projected.first, 100 * projected.second, 100 * swept.first,
                  100 * swept.second),
      projected.first >= 0.005 && swept.first >= 0.005);
  report.check(
      "springs instead come to it, the stiffer the nearer, by Newton's method",
      fmt::format("in the last frame off by {:.2g}, {:.2g}, {:.2g} and {:.2g}, from 100 N/m on",
                  frames.back().springs[0], frames.back().springs[1], frames.back().springs[2],
                  frames.back().springs[3]),
      in_all(frames, [](const Outcome& o) {
        return std::is_sorted(o.springs.rbegin(), o.springs.rend());
      }));
  const auto springs = range(frames, [](const Outcome& o) { return o.springs[2]; });
  report.check("springs of 10,000 N/m are nearer to it than Step-and-Project in every frame",
               fmt::format("off by {:.1f} to {:.1f} %", 100 * springs.first, 100 * springs.second),
               in_all(frames, [](const Outcome& o) { return o.springs[2] < o.projected; }));
  const auto rounds = range(frames, [](const Outcome& o) { return o.rounds; });
  report.check(
      "… but ten rounds of the local/global solver for them are further off than ten iterations "
      "of Step-and-Project (figure 5.3: stiff springs are slow)",
      fmt::format("{:.1f} to {:.1f} %", 100 * rounds.first, 100 * rounds.second),
      in_all(frames, [](const Outcome& o) { return o.rounds > o.projected; }));
}

void run(const ExperimentOptions& options, ExperimentReport& report) {
  const int cells = options.small ? 8 : 20;
  const std::vector<Outcome> frames = swing(cells, options.small ? 15 : 30);
  check_constraints(frames, report);
  check_solution(frames, report);
  Table table{fmt::format("Curtain of {0} by {0} cells: how far from the solution of eq. 4.13, by "
                          "the way to it from the free motion",
                          cells),
              {"frame", "Step-and-Project, 10", fmt::format("sweeps, {}", kMost),
               "springs of 10,000 N/m, Newton", "… local/global, 10",
               fmt::format("sweeps to strains of {:g}", kNoStrain)},
              {}};
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const Outcome& o = frames[i];
    table.rows.push_back(
        {std::to_string(5 * (i + 1)), fmt::format("{:.2g}", o.projected),
         fmt::format("{:.2g}", o.swept), fmt::format("{:.2g}", o.springs[2]),
         fmt::format("{:.2g}", o.rounds),
         o.sweeps > 0 ? std::to_string(o.sweeps) : fmt::format("more than {}", kMost)});
  }
  report.table(std::move(table));
  report.note(
      "1 m by 1 m, 1 kg of threads to and fro, without diagonals, held along its upper edge, "
      "lying at first; steps of 1/30 s. Distances weigh particles by mass.");
}

}  // namespace

extern const Experiment k_step_and_project;
const Experiment k_step_and_project = {"step-and-project", "Rods that do not stretch",
                                       "Liu, §4.3 and figure 4.3", run};

}  // namespace sinew
