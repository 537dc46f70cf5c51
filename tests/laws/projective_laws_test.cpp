// The solver projective: local and global steps in turn, none of which ever leads up.
#include <gtest/gtest.h>

#include <random>

#include "constraint_energies.h"
#include "variational/elements_energy.h"
#include "variational/newton.h"
#include "variational/quasi_newton.h"

namespace sinew {
namespace {

using RowVector = std::vector<Row4<Real>>;
using Vec = Vec3T<double>;

constexpr bool kFloat = sizeof(Real) == 4;
constexpr Real kStep = Real(1.0 / 30), kMass = Real(0.05);  // [s, kg]

// A body with one term, all of its vertices free but the first.
struct Problem {
  Objective objective;
  RowVector target, start;

  Problem(std::unique_ptr<EnergyTerm> term, std::span<const Vec3> vertices, double spoilt,
          Real mass = kMass) {
    std::mt19937 generator(7);
    std::uniform_real_distribution<double> number(-spoilt, spoilt);
    const std::size_t rows = (vertices.size() + kLanes - 1) / kLanes * kLanes;
    objective.terms.push_back(std::move(term));
    objective.mass.assign(rows, mass);
    target.resize(rows);
    start.resize(rows);
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      const Vec3& v = vertices[i];
      const Real free = i > 0;
      target[i] = {v.x * Real(1.1), v.y + v.x * Real(0.05) - Real(0.01), v.z * Real(0.95), free};
      start[i] = {v.x + Real(number(generator)), v.y + Real(number(generator)),
                  v.z + Real(number(generator)), free};
    }
    start[0] = target[0];
    objective.begin_step(start, kStep);
  }

  MinimisationReport minimise(int iterations, RowVector& x,
                              std::vector<DescentRecord>* history = nullptr) {
    QuasiNewtonDirection finder(x.size(), 0);
    return minimise(finder, iterations, x, history);
  }
  MinimisationReport minimise(DirectionFinder& finder, int iterations, RowVector& x,
                              std::vector<DescentRecord>* history = nullptr) {
    const auto executor = make_serial_executor();
    Descent descent;
    descent.resize(x.size(), objective.scale());
    descent.record(history);
    objective.begin(target, kStep);
    EXPECT_TRUE(finder.begin(objective, target, kStep));
    const RowVector rigid = x;  // no other place to start from
    return descent.minimise(objective, finder, {.iterations = iterations}, rigid, x, *executor);
  }
};

// Liu, eq. 5.9, as it stands there: p from x, then (M/h² + L) x = M/h² y + J p, with a matrix
// that is dense and solved by elimination.
class LocalGlobal {
 public:
  struct Spring {
    int a, b;
    double length;
  };
  std::vector<Vec> x, y;
  std::vector<Spring> springs;
  double mass, h, stiffness;

  void iterate() {
    const int n = static_cast<int>(x.size());
    std::vector<std::vector<double>> a(n, std::vector<double>(n));
    std::vector<Vec> b(n);
    for (int i = 0; i < n; ++i) {
      a[i][i] = mass / (h * h);
      b[i] = y[i] * (mass / (h * h));
    }
    for (const Spring& s : springs) {
      const Vec d = x[s.a] - x[s.b];
      const Vec p = d * (s.length / length(d));
      a[s.a][s.a] += stiffness, a[s.b][s.b] += stiffness;
      a[s.a][s.b] -= stiffness, a[s.b][s.a] -= stiffness;
      b[s.a] += p * stiffness;
      b[s.b] -= p * stiffness;
    }
    // The first is held.
    for (int i = 1; i < n; ++i) b[i] -= y[0] * a[i][0];
    for (int k = 1; k < n; ++k)
      for (int i = k + 1; i < n; ++i) {
        const double factor = a[i][k] / a[k][k];
        for (int j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
        b[i] -= b[k] * factor;
      }
    for (int i = n - 1; i >= 1; --i) {
      for (int j = i + 1; j < n; ++j) b[i] -= x[j] * a[i][j];
      x[i] = b[i] * (1 / a[i][i]);
    }
    x[0] = y[0];
  }
};

TEST(Projective, IsLocalAndGlobalStepsInTurn) {
  const TriMesh mesh = cloth(1, 1, 4, 4);
  const Real stiffness = 500;
  Problem problem(constraint_energy("", mesh, Distance{.stiffness = stiffness}).energy,
                  mesh.vertices, 0.2);
  LocalGlobal reference{.x = {},
                        .y = {},
                        .springs = {},
                        .mass = double(kMass),
                        .h = double(kStep),
                        .stiffness = double(stiffness)};
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    const auto wide = [](const Row4<Real>& r) { return Vec{r.x, r.y, r.z}; };
    reference.x.push_back(wide(problem.start[i]));
    reference.y.push_back(wide(problem.target[i]));
  }
  for (const Triangle& t : mesh.cells)
    for (int k = 0; k < 3; ++k) {
      const int a = static_cast<int>(t[k]), b = static_cast<int>(t[(k + 1) % 3]);
      bool known = false;
      for (const auto& s : reference.springs)
        known = known || (s.a == a && s.b == b) || (s.a == b && s.b == a);
      if (!known)
        reference.springs.push_back(
            {a, b, length(to_double(mesh.vertices[a]) - to_double(mesh.vertices[b]))});
    }
  for (int iterations = 1; iterations <= 6; ++iterations) {
    reference.iterate();
    RowVector x = problem.start;
    problem.minimise(iterations, x);
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
      EXPECT_LT(length(Vec{x[i].x, x[i].y, x[i].z} - reference.x[i]), kFloat ? 1e-5 : 1e-12)
          << "vertex " << i << " after " << iterations;
  }
}

// Every step is a full one, which lowers g by at least half of what the slope promises.
void expect_full_steps(const std::string& name, Problem problem) {
  RowVector x = problem.start;
  std::vector<DescentRecord> history;
  const MinimisationReport report = problem.minimise(40, x, &history);
  // In the end, what there is to win drowns in rounding, and trials may fail.
  const double rounding = (kFloat ? 1e-5 : 1e-13) * (history[0].objective + 1e-3);
  std::size_t full = 1;
  while (full < history.size() && history[full - 1].objective - history[full].objective > rounding)
    ++full;
  // One trial for every iteration, and one or two to see where to start.
  if (full == history.size()) {
    EXPECT_LE(report.evaluations, report.iterations + 2) << name;
  }
  EXPECT_GT(report.iterations, 0) << name;
  for (std::size_t i = 1; i < history.size(); ++i)
    EXPECT_LE(history[i].objective, history[i - 1].objective + rounding) << name;
  for (const Row4<Real>& r : x) EXPECT_TRUE(std::isfinite(r.x + r.y + r.z)) << name;
}

TEST(Projective, FullStepsNeverLeadUp) {
  for (double spoilt : {0.05, 0.5, 3.0}) {
    for (ConstraintEnergy& e : constraint_energies())
      if (e.energy->projective())
        expect_full_steps(e.name + " spoilt by " + std::to_string(spoilt),
                          {std::move(e.energy), vertices_of(e.mesh), spoilt});
    SoftBody body{.material = Arap{.young = 1e4}, .thickness = Real(0.1)};
    const TetMesh tets = box_tets({1, 1, 1}, {2, 1, 2});
    const TriMesh sheet = box_surface({1, 1, 1}, {2, 1, 1});
    expect_full_steps("arap tetrahedra spoilt by " + std::to_string(spoilt),
                      {make_tetrahedra_energy(tets, body, {}), tets.vertices, spoilt});
    expect_full_steps("averaged arap tetrahedra spoilt by " + std::to_string(spoilt),
                      {make_averaged_tetrahedra_energy(tets, body, {}), tets.vertices, spoilt});
    expect_full_steps("arap triangles spoilt by " + std::to_string(spoilt),
                      {make_triangles_energy(sheet, body, {}), sheet.vertices, spoilt});
  }
}

// The same objective has the same minimum, whoever looks for it.
TEST(Projective, AgreesWithQuasiNewtonAndNewtonInTheEnd) {
  for (ConstraintEnergy& e : constraint_energies()) {
    SCOPED_TRACE(e.name);
    const bool projective = e.energy->projective();
    Problem problem(std::move(e.energy), vertices_of(e.mesh), 0.01, 20);
    const std::size_t rows = problem.start.size();
    RowVector by_matrix = problem.start, by_history = problem.start, by_newton = problem.start;
    QuasiNewtonDirection quasi_newton(rows, 5);
    NewtonDirection newton(rows, Newton{});
    const MinimisationReport with_history = problem.minimise(quasi_newton, 300, by_history);
    const MinimisationReport with_newton = problem.minimise(newton, 300, by_newton);
    const auto expect_same = [&](const char* name, const MinimisationReport& report,
                                 const RowVector& x) {
      SCOPED_TRACE(::testing::Message() << name << ", " << report.iterations << " iterations, "
                                        << with_newton.iterations << " of Newton's method");
      // Liu, eq. 5.10.
      const double scale = with_newton.first_drop + with_newton.objective;
      EXPECT_NEAR(report.objective, with_newton.objective, (kFloat ? 1e-4 : 1e-6) * scale);
      double farthest = 0;
      for (std::size_t i = 0; i < rows; ++i)
        farthest = std::max(farthest, length(Vec{x[i].x, x[i].y, x[i].z} -
                                             Vec{by_newton[i].x, by_newton[i].y, by_newton[i].z}));
      // Where g differs by less than it is rounded to, places may by the root of that.
      EXPECT_LT(farthest, kFloat ? 5e-4 : 1e-6);
    };
    expect_same("history", with_history, by_history);
    if (projective) expect_same("matrix alone", problem.minimise(3000, by_matrix), by_matrix);
  }
}

}  // namespace
}  // namespace sinew
