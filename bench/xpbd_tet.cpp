// Nanoseconds per tetrahedron and iteration of the position-based solver: packs against the same
// template on plain numbers, one thread, one run. `solve` is one Gauss–Seidel sweep, `predict` the
// pass before it.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <sinew/generators.h>

#include <algorithm>
#include <chrono>
#include <random>

#include "elements/tetrahedron.h"
#include "solvers/simplex_batch.h"

namespace sinew {
namespace {

// A box, a little deformed, so that nothing is trivially zero.
struct Body {
  explicit Body(int cells) : mesh(box_tets({1, 1, 1}, {cells, cells, cells})) {
    const std::vector<Real> mass = lumped_masses(mesh, Real(1000));
    std::mt19937 generator(1);
    std::uniform_real_distribution<Real> noise(Real(-0.1) / Real(cells), Real(0.1) / Real(cells));
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
      const Vec3& v = mesh.vertices[i];
      rest.push_back({v.x, v.y, v.z, 1 / mass[i]});
      position.push_back(
          {v.x + noise(generator), v.y + noise(generator), v.z + noise(generator), 1 / mass[i]});
    }
  }
  TetMesh mesh;
  std::vector<Row4<Real>> rest, position;
};

template <class W>
using Batch = SimplexBatch<TetrahedronElement, StableNeoHookean, W>;

// Best of many sweeps [ns per tetrahedron]: the machine may be busy, the minimum is what the code
// costs.
template <class W, class Pass>
double cost(int cells, int repeats, Pass&& pass) {
  Body body(cells);
  Batch<W> batch(body.mesh, StableNeoHookean{.young = 1e5, .poisson = Real(0.45)});
  const auto executor = make_serial_executor();
  const Substep substep{body.position.data(), body.rest.data(), Real(1.0 / 600), 0, *executor};
  double best = 1e30;
  for (int i = 0; i < repeats; ++i) {
    const auto start = std::chrono::steady_clock::now();
    pass(batch, substep);
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count());
  }
  return best / batch.count();
}

template <class W>
void solve(benchmark::State& state) {
  for (auto _ : state) {
    const double ns =
        cost<W>(int(state.range(0)), 50, [](auto& b, const Substep& s) { b.solve(s); });
    state.counters["ns_per_tet"] = ns;
    state.SetIterationTime(ns * 1e-9);
  }
}

template <class W>
void predict(benchmark::State& state) {
  for (auto _ : state) {
    const double ns =
        cost<W>(int(state.range(0)), 50, [](auto& b, const Substep& s) { b.predict(s); });
    state.counters["ns_per_tet"] = ns;
    state.SetIterationTime(ns * 1e-9);
  }
}

BENCHMARK(solve<Real>)->Name("solve/scalar")->Arg(8)->Arg(20)->Iterations(1)->UseManualTime();
BENCHMARK(solve<Wide>)->Name("solve/pack")->Arg(8)->Arg(20)->Iterations(1)->UseManualTime();
BENCHMARK(predict<Real>)->Name("predict/scalar")->Arg(8)->Iterations(1)->UseManualTime();
BENCHMARK(predict<Wide>)->Name("predict/pack")->Arg(8)->Iterations(1)->UseManualTime();

}  // namespace
}  // namespace sinew

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  using sinew::Substep;
  const auto sweep = [](auto& batch, const Substep& s) { batch.solve(s); };
  const double scalar = sinew::cost<sinew::Real>(10, 100, sweep);
  const double pack = sinew::cost<sinew::Wide>(10, 100, sweep);
  fmt::print(
      "xpbd_tet: {:.1f} ns per tetrahedron and iteration on packs of {}, {:.1f} ns scalar: "
      "{:.1f}×\n",
      pack, sinew::kLanes, scalar, scalar / pack);
}
