// Kenwright and Morgan, "Solver (LCP)": projected Gauss–Seidel against pivoting on random box LCPs
// and on chains, what a warm start saves, what the stop condition (eq. 4) and the order of sweep
// and projection (code 6) do, and what Jacobi and over-relaxation come to ("Future research").
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "math/lcp_samples.h"
#include "reference/constraint_rows.h"
#include "reproduce/experiment.h"

namespace sinew {
namespace {

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

bool bounded(const BoxLcp& p, const std::vector<double>& x) {
  for (std::size_t i = 0; i < x.size(); ++i)
    if (x[i] == p.lower[i] || x[i] == p.upper[i]) return true;
  return false;
}

// One solver's record.
struct Tally {
  std::string name;
  int problems = 0, solved = 0;
  double residual = 0, iterations = 0, seconds = 0;

  template <class Solve>
  LcpSolution time(Solve&& solve) {
    const auto start = std::chrono::steady_clock::now();
    LcpSolution solution = solve();
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    ++problems;
    iterations += solution.iterations;
    if (solution.status == LcpStatus::kSolved) {
      ++solved;
      residual = std::max(residual, solution.residual);
    }
    return solution;
  }
  std::vector<std::string> row() const {
    return {name, fmt::format("{} of {}", solved, problems), fmt::format("{:.1e}", residual),
            fmt::format("{:.1f}", iterations / problems),
            fmt::format("{:.1f}", 1e6 * seconds / problems)};
  }
};

const std::vector<std::string> kColumns{"solver", "solved", "worst residual", "pivots or sweeps",
                                        "time [µs]"};

void agreement(int problems, ExperimentReport& report) {
  Tally lemke{"Lemke"}, dantzig{"Dantzig"}, pgs{"PGS to 1e-9"}, few{"PGS, 10 sweeps to 1e-3"};
  LcpSamples samples(1);
  double direct = 0, iterative = 0;
  for (int k = 0; k < problems; ++k) {
    const BoxLcp p = samples.regular(1 + static_cast<std::size_t>(k) % 24);
    const LcpSolution a = lemke.time([&] { return solve_lemke(p); });
    const LcpSolution b = dantzig.time([&] { return solve_dantzig(p); });
    const LcpSolution c =
        pgs.time([&] { return solve_pgs(p, {.sweeps = 20000, .tolerance = 1e-9}); });
    few.time([&] { return solve_pgs(p, {.sweeps = 10, .tolerance = 1e-3}); });
    direct = std::max(direct, distance(a.x, b.x));
    iterative = std::max(iterative, distance(a.x, c.x));
  }
  report.table({fmt::format("{} random problems of 1 to 24 unknowns, regular", problems),
                kColumns,
                {lemke.row(), dantzig.row(), pgs.row(), few.row()}});
  report.check(
      "every problem is solved by Lemke, by Dantzig and, given time, by PGS",
      fmt::format("{}, {} and {} of {}", lemke.solved, dantzig.solved, pgs.solved, problems),
      lemke.solved == problems && dantzig.solved == problems && pgs.solved == problems);
  report.check("their answers are the same to 1e-5",
               fmt::format("{:.1e} between the direct ones, {:.1e} to PGS", direct, iterative),
               direct < 1e-9 && iterative < 1e-5);
}

void singular(int problems, ExperimentReport& report) {
  Tally lemke{"Lemke"}, dantzig{"Dantzig"}, pgs{"PGS to 1e-6, 1000 sweeps"};
  LcpSamples samples(2);
  double w = 0;
  for (int k = 0; k < problems; ++k) {
    const std::size_t freedoms = 2 + samples.below(8);
    const BoxLcp p = samples.redundant(freedoms + 1 + samples.below(12), freedoms);
    const LcpSolution a = lemke.time([&] { return solve_lemke(p); });
    const LcpSolution b = dantzig.time([&] { return solve_dantzig(p); });
    pgs.time([&] { return solve_pgs(p, {.sweeps = 1000, .tolerance = 1e-6}); });
    w = std::max(w, distance(lcp_velocity(p, a.x), lcp_velocity(p, b.x)));
  }
  report.table({fmt::format("{} singular problems, more rows than freedoms", problems),
                kColumns,
                {lemke.row(), dantzig.row(), pgs.row()}});
  report.check("singular problems: pivoting solves them too, and both find the same velocities",
               fmt::format("{} and {} of {}, velocities to {:.1e}", lemke.solved, dantzig.solved,
                           problems, w),
               lemke.solved == problems && dantzig.solved == problems && w < 1e-8);
  report.check("singular problems: PGS finds acceptable results (\"ill-conditioned or singular\")",
               fmt::format("{} of {} to 1e-6", pgs.solved, problems), pgs.solved > 0.9 * problems);
}

// "For a large number of constraints they can produce erroneous results."
void large(int size, ExperimentReport& report) {
  Tally lemke{"Lemke"}, dantzig{"Dantzig"}, pgs{"PGS to 1e-6, 1000 sweeps"};
  LcpSamples samples(3);
  const auto n = static_cast<std::size_t>(size);
  for (int k = 0; k < 20; ++k) {
    const BoxLcp p = samples.redundant(n, n / 2);
    lemke.time([&] { return solve_lemke(p); });
    dantzig.time([&] { return solve_dantzig(p); });
    pgs.time([&] { return solve_pgs(p, {.sweeps = 1000, .tolerance = 1e-6}); });
  }
  report.table({fmt::format("20 singular problems of {} rows", n),
                kColumns,
                {lemke.row(), dantzig.row(), pgs.row()}});
  report.check(fmt::format("pivoting in double, with scaling and one more solution at the end, "
                           "makes no errors with {} constraints",
                           n),
               fmt::format("{} and {} of 20 solved", lemke.solved, dantzig.solved),
               lemke.solved == 20 && dantzig.solved == 20);
}

// Eq. 4 as printed and with the velocities that bounds allow left out; code 6.
void stops(int problems, ExperimentReport& report) {
  const PgsOptions natural{.sweeps = 3000, .tolerance = 1e-6};
  PgsOptions printed = natural, after = natural;
  printed.stop = PgsStop::kLinear;
  after.projection = PgsProjection::kEachSweep;
  struct Row {
    int problems = 0, natural = 0, printed = 0, after = 0;
    double natural_sweeps = 0, printed_sweeps = 0;
  } rows[2];
  LcpSamples samples(4);
  for (int k = 0; k < problems; ++k) {
    BoxLcp p = samples.regular(2 + static_cast<std::size_t>(k) % 8);
    if (k % 2 == 0) {
      const BoxLcp free = BoxLcp::free_of(p.size());
      p.lower = free.lower;
      p.upper = free.upper;
    }
    const bool acts = bounded(p, solve_dantzig(p).x);
    if (k % 2 == 1 && !acts) continue;
    Row& row = rows[acts];
    ++row.problems;
    const LcpSolution a = solve_pgs(p, natural), b = solve_pgs(p, printed);
    row.natural += a.status == LcpStatus::kSolved;
    row.printed += b.status == LcpStatus::kSolved;
    row.after += solve_pgs(p, after).status == LcpStatus::kSolved;
    row.natural_sweeps += a.iterations;
    row.printed_sweeps += b.iterations;
  }
  Table table{"Stop at 1e-6, of 3000 sweeps",
              {"problems", "natural residual stops", "sweeps", "eq. 4 as printed stops", "sweeps",
               "clamped after sweeps (code 6) solves"},
              {}};
  for (const Row& row : rows)
    table.rows.push_back(
        {&row == rows ? fmt::format("{} equalities", row.problems)
                      : fmt::format("{} with bounds that act", row.problems),
         std::to_string(row.natural), fmt::format("{:.0f}", row.natural_sweeps / row.problems),
         std::to_string(row.printed), fmt::format("{:.0f}", row.printed_sweeps / row.problems),
         std::to_string(row.after)});
  report.table(std::move(table));
  report.check("eq. 4 stops PGS on equalities",
               fmt::format("{} of {}", rows[0].printed, rows[0].problems),
               rows[0].printed == rows[0].problems);
  report.check(
      "where bounds act eq. 4 as printed never stops; without the velocities that bounds "
      "allow it does",
      fmt::format("{} against {} of {}", rows[1].printed, rows[1].natural, rows[1].problems),
      rows[1].printed == 0 && rows[1].natural == rows[1].problems);
  report.check(
      "projection must be inside the sweep (eq. 3): after it, as in code 6, four in five "
      "problems with bounds that act, or more, are not solved",
      fmt::format("{} of {} solved", rows[1].after, rows[1].problems),
      rows[1].after < 0.2 * rows[1].problems);
}

// A swinging chain with the textbook's engine.
std::vector<BoxLcp> chain_problems(int links, int frames) {
  std::vector<reference::Body> bodies;
  for (int i = 0; i < links; ++i) {
    bodies.push_back(reference::point_mass({0.1 * (i + 1), 0, 0}, 1));
    bodies.back().force = {0, -9.81, 0};
  }
  std::vector<BoxLcp> problems;
  for (int k = 0; k < frames; ++k) {
    std::vector<reference::Row> rows;
    for (int i = 0; i < links; ++i) add_distance(rows, bodies, i, i - 1, 0.1);
    problems.push_back(assemble(bodies, rows, {}));
    reference::step(bodies, rows, {});
  }
  return problems;
}

std::vector<double> residuals(const BoxLcp& p, std::vector<double> x, int sweeps) {
  std::vector<double> values{lcp_residual(p, x)};
  for (int k = 0; k < sweeps; ++k) {
    x = solve_pgs(p, {.sweeps = 1, .tolerance = 0}, x).x;
    values.push_back(lcp_residual(p, x));
  }
  return values;
}

void warm_start(ExperimentReport& report) {
  const PgsOptions options{.sweeps = 20000, .tolerance = 1e-3};
  Table table{"Sweeps to 1e-3, mean of 60 frames of a swinging chain",
              {"links", "from zero", "from the frame before"},
              {}};
  std::vector<double> cold, warm;
  Plot plot{"A chain of 10 links, frame 30", {"sweeps"}, {"residual", true}, {}};
  for (const int links : {2, 5, 10, 20}) {
    const std::vector<BoxLcp> problems = chain_problems(links, 60);
    std::vector<double> last(problems[0].size());
    double from_zero = 0, from_last = 0;
    for (std::size_t k = 0; k < problems.size(); ++k) {
      if (links == 10 && k == 30) {
        const std::vector<double> zero(last.size());
        std::vector<double> sweeps(201);
        for (std::size_t s = 0; s < sweeps.size(); ++s) sweeps[s] = static_cast<double>(s);
        plot.series.push_back({"from zero", sweeps, residuals(problems[k], zero, 200)});
        plot.series.push_back({"from the frame before", sweeps, residuals(problems[k], last, 200)});
      }
      from_zero += solve_pgs(problems[k], options).iterations;
      const LcpSolution next = solve_pgs(problems[k], options, last);
      from_last += next.iterations;
      last = next.x;
    }
    cold.push_back(from_zero / 60);
    warm.push_back(from_last / 60);
    table.rows.push_back({std::to_string(links), fmt::format("{:.1f}", cold.back()),
                          fmt::format("{:.1f}", warm.back())});
  }
  report.table(std::move(table));
  report.plot("warm-start", std::move(plot));
  report.check("the answer of the frame before saves sweeps (\"Fewer iterations\")",
               fmt::format("{:.0f} against {:.0f} with 10 links", warm[2], cold[2]),
               warm[2] < 0.9 * cold[2] && warm[1] < cold[1] && warm[3] < cold[3]);
  report.check("from a few sweeps to hundreds: long chains take longer",
               fmt::format("{:.0f}, {:.0f}, {:.0f} and {:.0f} for 2, 5, 10 and 20 links", cold[0],
                           cold[1], cold[2], cold[3]),
               cold[0] < 30 && cold[3] > 100 && std::ranges::is_sorted(cold));
}

// Sweeps to 1e-6 over some problems, by ω.
struct Relaxed {
  double relaxation;
  int solved = 0;
  double sweeps = 0;  // mean, of those that are solved
};

std::vector<Relaxed> relaxed(const std::vector<BoxLcp>& problems, PgsOrder order) {
  std::vector<Relaxed> all;
  for (const double relaxation : {0.05, 0.1, 0.2, 0.5, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 1.9}) {
    Relaxed one{relaxation};
    const PgsOptions options{.sweeps = 20000, .relaxation = relaxation, .order = order};
    for (const BoxLcp& p : problems) {
      const LcpSolution solution = solve_pgs(p, options);
      if (solution.status != LcpStatus::kSolved) continue;
      ++one.solved;
      one.sweeps += solution.iterations;
    }
    one.sweeps /= std::max(1, one.solved);
    all.push_back(one);
  }
  return all;
}

// The best of those that solve all; ω = 0: there is none.
Relaxed best(const std::vector<Relaxed>& all, std::size_t problems) {
  Relaxed best{0};
  for (const Relaxed& one : all)
    if (std::size_t(one.solved) == problems && (best.relaxation == 0 || one.sweeps < best.sweeps))
      best = one;
  return best;
}
const Relaxed& at(const std::vector<Relaxed>& all, double relaxation) {
  return *std::ranges::find(all, relaxation, &Relaxed::relaxation);
}

struct Orders {
  std::vector<Relaxed> sor, jacobi;
  Relaxed over, damped;  // the best of each that solve all
};

void follow(const std::string& label, const BoxLcp& p, PgsOptions options, Plot& plot) {
  options.sweeps = 1, options.tolerance = 0;
  std::vector<double> x(p.size()), sweeps{0}, values{lcp_residual(p, x)};
  for (int k = 1; k <= 200 && values.back() < 1e6; ++k) {
    x = solve_pgs(p, options, x).x;
    sweeps.push_back(k);
    values.push_back(lcp_residual(p, x));
  }
  plot.series.push_back({label, std::move(sweeps), std::move(values)});
}

Orders compare_orders(const std::string& title, const std::string& name,
                      const std::vector<BoxLcp>& problems, ExperimentReport& report) {
  Orders o{relaxed(problems, PgsOrder::kGaussSeidel), relaxed(problems, PgsOrder::kJacobi), {}, {}};
  o.over = best(o.sor, problems.size());
  o.damped = best(o.jacobi, problems.size());
  Table table{fmt::format("{} {}: sweeps to 1e-6, of 20,000", problems.size(), title),
              {"ω", "Gauss–Seidel solves", "mean sweeps", "Jacobi solves", "mean sweeps"},
              {}};
  const auto mean = [](const Relaxed& r) {
    return r.solved > 0 ? fmt::format("{:.0f}", r.sweeps) : std::string("–");
  };
  for (std::size_t k = 0; k < o.sor.size(); ++k)
    table.rows.push_back({fmt::format("{:g}", o.sor[k].relaxation), std::to_string(o.sor[k].solved),
                          mean(o.sor[k]), std::to_string(o.jacobi[k].solved), mean(o.jacobi[k])});
  report.table(std::move(table));

  Plot plot{fmt::format("The first of the {}", title), {"sweeps"}, {"residual", true}, {}};
  const BoxLcp& first = problems.front();
  follow("Gauss–Seidel", first, {}, plot);
  follow(fmt::format("SOR, ω = {:g}", o.over.relaxation), first, {.relaxation = o.over.relaxation},
         plot);
  follow("Jacobi", first, {.order = PgsOrder::kJacobi}, plot);
  follow(fmt::format("Jacobi, ω = {:g}", o.damped.relaxation), first,
         {.relaxation = o.damped.relaxation, .order = PgsOrder::kJacobi}, plot);
  report.plot(name, std::move(plot));

  const int n = static_cast<int>(problems.size());
  report.check(
      title + ": Gauss–Seidel solves all with every ω in (0, 2)",
      fmt::format("{} of {} at worst", std::ranges::min(o.sor, {}, &Relaxed::solved).solved, n),
      std::ranges::all_of(o.sor, [&](const Relaxed& r) { return r.solved == n; }));
  report.check(title + ": over-relaxation saves a fifth of the sweeps, or more",
               fmt::format("{:.0f} with ω = {:g}, against {:.0f}", o.over.sweeps, o.over.relaxation,
                           at(o.sor, 1).sweeps),
               o.over.relaxation > 1 && o.over.sweeps <= 0.8 * at(o.sor, 1).sweeps);
  return o;
}

void relaxation(int count, ExperimentReport& report) {
  LcpSamples samples(5);
  std::vector<BoxLcp> random, chains;
  for (int k = 0; k < count; ++k) random.push_back(samples.regular(20));
  const std::vector<BoxLcp> frames = chain_problems(10, 60);
  for (std::size_t k = 0; k < frames.size(); k += 3) chains.push_back(frames[k]);

  const Orders r =
      compare_orders("random problems of 20 unknowns", "relaxation-random", random, report);
  report.check("random problems: Jacobi with ω = 1 solves less than half of them",
               fmt::format("{} of {}", at(r.jacobi, 1).solved, count),
               2 * at(r.jacobi, 1).solved < count);
  report.check(
      "random problems: with the best ω that solves all, Jacobi takes more than twice the "
      "sweeps of Gauss–Seidel with ω = 1",
      fmt::format("{:.0f} with ω = {:g}, against {:.0f}", r.damped.sweeps, r.damped.relaxation,
                  at(r.sor, 1).sweeps),
      r.damped.relaxation > 0 && r.damped.sweeps > 2 * at(r.sor, 1).sweeps);

  const Orders c =
      compare_orders("frames of a chain of 10 links", "relaxation-chain", chains, report);
  const double ratio = at(c.jacobi, 1).sweeps / at(c.sor, 1).sweeps;
  report.check(
      "chain: Jacobi takes twice the sweeps of Gauss–Seidel, as with every tridiagonal A "
      "(Young 1954)",
      fmt::format("{:.2f} times: {:.0f} against {:.0f}", ratio, at(c.jacobi, 1).sweeps,
                  at(c.sor, 1).sweeps),
      at(c.jacobi, 1).solved == int(chains.size()) && std::abs(ratio - 2) < 0.2);
}

void run(const ExperimentOptions& options, ExperimentReport& report) {
  agreement(options.small ? 200 : 1000, report);
  singular(options.small ? 60 : 300, report);
  large(options.small ? 40 : 100, report);
  stops(options.small ? 100 : 400, report);
  warm_start(report);
  relaxation(options.small ? 10 : 40, report);
}

}  // namespace

extern const Experiment k_lcp;
const Experiment k_lcp = {"lcp", "Box LCPs: projected Gauss–Seidel and pivoting",
                          "Kenwright and Morgan, eq. 1 to 4, code 6", run};

}  // namespace sinew
