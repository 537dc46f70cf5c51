// What a frame of the variational solvers is made of, one thread: solving with the constant matrix,
// beside Eigen's factor of it (float) and CHOLMOD's (double, as ours then) in the same run; a frame
// of L-BFGS on a twisting bar; and energy with gradient, on packs and on plain numbers.
//   SINEW_BAR=bar-16600.mesh bench_variational      without it, a bar like it is made
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <sinew/generators.h>
#include <sinew/mesh_io.h>
#include <sinew/world.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <random>

#include "math/sparse_cholesky.h"
#include "variational/simplex_energy.h"
#include "variational/variational_body.h"

#if defined(SINEW_HAS_EIGEN)
#include <Eigen/Sparse>
#endif
#if defined(SINEW_HAS_CHOLMOD)
#include <Eigen/CholmodSupport>
#endif

namespace sinew {
namespace {

using Clock = std::chrono::steady_clock;

// The least time of a call [ms], over long enough for a busy machine to have a quiet moment.
template <class F>
double least_ms(double seconds, F&& f) {
  double best = 1e30;
  const auto began = Clock::now();
  do {
    const auto start = Clock::now();
    f();
    const std::chrono::duration<double, std::milli> time = Clock::now() - start;
    best = std::min(best, time.count());
  } while (Clock::now() - began < std::chrono::duration<double>(seconds));
  return best;
}

// --- the constant matrix -------------------------------------------------------------------------

// Of a cube of tetrahedra with so many nodes along each edge: M/h² + L.
SparseSymmetric<float> cube_metric(int nodes) {
  const int cells = nodes - 1;
  const SoftBody body{.mesh = box_tets({1, 1, 1}, {cells, cells, cells}), .solver = QuasiNewton{}};
  const std::vector<Real> mass = lumped_masses(std::get<TetMesh>(body.mesh), body.density);
  const int packs = static_cast<int>((mass.size() + kLanes - 1) / kLanes);
  const auto variational = make_variational_body(body, {}, mass, packs, 0);
  std::vector<Row4<Real>> target(std::size_t(packs) * kLanes);  // what fills up packs is held
  for (std::size_t i = 0; i < mass.size(); ++i) target[i].w = 1;
  const SparseSymmetric<double> a = variational->objective.metric(target, Real(1.0 / 30));
  return {a.begin, a.row, {a.value.begin(), a.value.end()}};
}

template <class T>
std::vector<Row4<T>> right_hand_sides(std::size_t rows) {
  std::mt19937 generator(1);
  std::uniform_real_distribution<float> number(-1, 1);
  std::vector<Row4<T>> b(rows);
  for (Row4<T>& r : b) {
    const T x = number(generator), y = number(generator), z = number(generator);
    r = {x, y, z, 0};
  }
  return b;
}

struct SolveTimes {
  double analyse, factor, solve;  // [ms]
};

template <class T>
SolveTimes time_ours(const SparseSymmetric<float>& matrix, std::vector<Row4<T>>& x) {
  const SparseSymmetric<T> a{matrix.begin, matrix.row, {matrix.value.begin(), matrix.value.end()}};
  SparseCholesky<T> cholesky;
  const std::vector<Row4<T>> b = right_hand_sides<T>(a.size());
  SolveTimes t{};
  t.analyse = least_ms(0.1, [&] { cholesky.analyse(a); });
  t.factor = least_ms(1, [&] { benchmark::DoNotOptimize(cholesky.factor(a)); });
  t.solve = least_ms(1, [&] { cholesky.solve(b.data(), x.data()); });
  return t;
}

#if defined(SINEW_HAS_EIGEN)
// With one of Eigen's factorisations, or of those that it has an interface to.
template <class Factorisation>
SolveTimes time_eigen(const SparseSymmetric<float>& a,
                      std::vector<Row4<typename Factorisation::Scalar>>& x) {
  using T = typename Factorisation::Scalar;
  std::vector<Eigen::Triplet<T>> entries;
  for (int j = 0; j < a.size(); ++j)
    for (int k = a.begin[j]; k < a.begin[j + 1]; ++k) entries.emplace_back(a.row[k], j, a.value[k]);
  Eigen::SparseMatrix<T> matrix(a.size(), a.size());
  matrix.setFromTriplets(entries.begin(), entries.end());
  const std::vector<Row4<T>> rows = right_hand_sides<T>(a.size());
  Eigen::Matrix<T, Eigen::Dynamic, 3> b(a.size(), 3), solution(a.size(), 3);
  for (int i = 0; i < a.size(); ++i) b.row(i) << rows[i].x, rows[i].y, rows[i].z;
  Factorisation cholesky;
  SolveTimes t{};
  t.analyse = least_ms(0, [&] { cholesky.analyzePattern(matrix); });
  t.factor = least_ms(0.5, [&] { cholesky.factorize(matrix); });
  t.solve = least_ms(1, [&] { solution = cholesky.solve(b); });
  for (int i = 0; i < a.size(); ++i) x[i] = {solution(i, 0), solution(i, 1), solution(i, 2), 0};
  return t;
}
#endif

#if defined(SINEW_HAS_EIGEN)
// By the size of the largest.
template <class T>
double difference(const std::vector<Row4<T>>& a, const std::vector<Row4<T>>& b) {
  double error = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    error = std::max(error, std::abs(double(a[i].x) - b[i].x));
    size = std::max(size, std::abs(double(b[i].x)));
  }
  return error / size;
}
#endif

void measure_solve(benchmark::State& state, int nodes) {
  for (auto _ : state) {
    const SparseSymmetric<float> a = cube_metric(nodes);
    std::vector<Row4<float>> x(a.size());
    const SolveTimes ours = time_ours(a, x);
    state.counters["solve_ms"] = ours.solve;
    state.counters["factor_ms"] = ours.factor;
    state.counters["analyse_ms"] = ours.analyse;
#if defined(SINEW_HAS_EIGEN)
    std::vector<Row4<float>> other(a.size());
    const SolveTimes eigen =
        time_eigen<Eigen::SimplicialLDLT<Eigen::SparseMatrix<float>>>(a, other);
    if (!(difference(x, other) <= 1e-3)) state.SkipWithError("Eigen finds another solution");
    state.counters["eigen_solve_ms"] = eigen.solve;
    state.counters["eigen_factor_ms"] = eigen.factor;
    state.counters["solve_ratio"] = eigen.solve / ours.solve;
    state.counters["factor_ratio"] = eigen.factor / ours.factor;
#endif
#if defined(SINEW_HAS_CHOLMOD)
    std::vector<Row4<double>> in_double(a.size()), cholmods(a.size());
    const SolveTimes wide = time_ours(a, in_double);
    const SolveTimes cholmod =
        time_eigen<Eigen::CholmodSimplicialLDLT<Eigen::SparseMatrix<double>>>(a, cholmods);
    if (!(difference(in_double, cholmods) <= 1e-8))
      state.SkipWithError("CHOLMOD finds another solution");
    state.counters["double_factor_ms"] = wide.factor;
    state.counters["cholmod_factor_ms"] = cholmod.factor;
    state.counters["cholmod_factor_ratio"] = cholmod.factor / wide.factor;
    state.counters["cholmod_solve_ratio"] = cholmod.solve / wide.solve;
#endif
    state.SetIterationTime(ours.solve * 1e-3);
  }
}

// --- a frame -------------------------------------------------------------------------------------

TetMesh bar() {
  const char* file = std::getenv("SINEW_BAR");
  return file ? read_tetrahedra(file) : box_tets({3, 1, 1}, {33, 12, 12});
}

struct FrameTimes {
  double least, median;  // [ms]
  bool finite;
};

// Of a step of the world in which the ends of the bar turn.
FrameTimes time_frames(const TetMesh& mesh, const Material& material, const QuasiNewton& solver) {
  constexpr int kFrames = 90;
  constexpr Real kRate = Real(0.05);  // [rad] a frame
  const Bounds box = bounds(mesh.vertices);
  const Real end = Real(0.02) * (box.upper.x - box.lower.x);
  SoftBody body{.mesh = mesh, .material = material, .solver = solver};
  for (Index i = 0; i < mesh.vertices.size(); ++i) {
    const Real x = mesh.vertices[i].x;
    if (x < box.lower.x + end || x > box.upper.x - end) body.pins.push_back(i);
  }
  World world;
  const SoftId id = world.add(body);
  std::vector<double> ms;
  for (int frame = 1; frame <= kFrames; ++frame) {
    for (const Index i : body.pins) {
      const Vec3& x = mesh.vertices[i];
      const bool far = 2 * x.x > box.lower.x + box.upper.x;
      const Real angle = (far ? kRate : -kRate) * Real(std::min(frame, kFrames - frame));
      const Real c = std::cos(angle), s = std::sin(angle);
      world.move_pin(id, i, {x.x, c * x.y - s * x.z, s * x.y + c * x.z});
    }
    const auto start = Clock::now();
    world.step(Real(1.0 / 30));
    const std::chrono::duration<double, std::milli> time = Clock::now() - start;
    if (frame > 1) ms.push_back(time.count());  // the first has to factor
  }
  std::sort(ms.begin(), ms.end());
  return {ms.front(), ms[ms.size() / 2], world.finite()};
}

// At the default settings, beside ten iterations in one substep.
void measure_frame(benchmark::State& state, const Material& material) {
  const TetMesh mesh = bar();
  for (auto _ : state) {
    const FrameTimes time = time_frames(mesh, material, {});
    const FrameTimes ten =
        time_frames(mesh, material, {.iterations = 10, .history = 5, .substeps = 1});
    if (!time.finite) state.SkipWithError("the bar went to pieces");
    state.counters["tetrahedra"] = double(mesh.cells.size());
    state.counters["least_ms"] = time.least;
    state.counters["median_ms"] = time.median;
    state.counters["ratio_to_ten_iterations"] = time.least / ten.least;
    state.SetIterationTime(time.median * 1e-3);
  }
}

// --- energy and gradient -------------------------------------------------------------------------

double gradient_ns(ElementsEnergy& energy, const TetMesh& mesh) {
  std::mt19937 generator(1);
  std::uniform_real_distribution<Real> noise(Real(-0.01), Real(0.01));
  std::vector<Row4<Real>> x, gradient(mesh.vertices.size());
  for (const Vec3& v : mesh.vertices) {
    const Real a = noise(generator), b = noise(generator), c = noise(generator);
    x.push_back({v.x + a, v.y + b, v.z + c, 1});
  }
  const auto executor = make_serial_executor();
  return least_ms(0.4, [&] { energy.add_gradient(x.data(), gradient.data(), *executor); }) * 1e6 /
         energy.count();
}

template <class M>
void measure_gradient(benchmark::State& state) {
  const TetMesh mesh = box_tets({1, 1, 1}, {14, 14, 14});
  const auto material = prepared(M{});
  using Mat = std::decay_t<decltype(material)>;
  SimplexEnergy<TetrahedronElement, Mat, Wide> in_packs(mesh, material, StretchInterval{});
  SimplexEnergy<TetrahedronElement, Mat, Real> one_by_one(mesh, material, StretchInterval{});
  const auto nodal = make_averaged_tetrahedra_energy(mesh, SoftBody{.material = M{}}, {});
  for (auto _ : state) {
    const double packs = gradient_ns(in_packs, mesh), plain = gradient_ns(one_by_one, mesh),
                 averaged = gradient_ns(*nodal, mesh);
    state.counters["ns_per_tetrahedron"] = packs;
    state.counters["scalar_ns"] = plain;
    state.counters["ratio"] = plain / packs;
    state.counters["averaged_ns"] = averaged;
    state.counters["averaged_ratio"] = averaged / packs;
    state.SetIterationTime(packs * 1e-9);
  }
}

template <class F>
void add(const std::string& name, F&& f) {
  benchmark::RegisterBenchmark(name.c_str(), f)
      ->Iterations(1)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

}  // namespace
}  // namespace sinew

int main(int argc, char** argv) {
  using namespace sinew;
  for (const int nodes : {20, 30})
    add(fmt::format("solve/{}", nodes * nodes * nodes),
        [nodes](benchmark::State& state) { measure_solve(state, nodes); });
  const std::pair<const char*, Material> materials[] = {
      {"neo_hookean", NeoHookean{.poisson = Real(0.3)}},
      {"corotated", Corotated{.poisson = Real(0.3)}},
      {"stable_neo_hookean", StableNeoHookean{.poisson = Real(0.3)}}};
  for (const auto& [name, material] : materials)
    add(fmt::format("frame/{}", name),
        [material](benchmark::State& state) { measure_frame(state, material); });
  MaterialList::for_each([]<class M>() {
    if constexpr (M::kElastic)
      add(fmt::format("gradient/{}", M::kName),
          [](benchmark::State& state) { measure_gradient<M>(state); });
  });
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
