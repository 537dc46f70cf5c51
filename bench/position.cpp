// Nanoseconds per constraint and iteration of the position-based solver, one thread: packs against
// the same templates on plain numbers, in one run.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <sinew/generators.h>
#include <sinew/materials.h>

#include <algorithm>
#include <chrono>
#include <random>

#include "constraints/bending.h"
#include "constraints/distance.h"
#include "constraints/finite_elements_batch.h"
#include "constraints/matching_batches.h"
#include "constraints/scalar_batch.h"
#include "elements/tetrahedron.h"
#include "geometry/edges.h"
#include "math/rotation_methods.h"
#include "solvers/hex_batch.h"
#include "solvers/simplex_batch.h"

namespace sinew {
namespace {

// The particles of a mesh, a little displaced, so that nothing is trivially zero.
struct Particles {
  Particles(std::span<const Vec3> vertices, const std::vector<Real>& mass, Real noise_size) {
    std::mt19937 generator(1);
    std::uniform_real_distribution<Real> noise(-noise_size, noise_size);
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      const Vec3& v = vertices[i];
      rest.push_back({v.x, v.y, v.z, 1 / mass[i]});
      displacement.push_back({noise(generator), noise(generator), noise(generator), 1 / mass[i]});
    }
    low.resize(rest.size());
  }
  std::vector<Row4<Real>> rest, low, displacement;
};

// [ns per constraint]
struct Cost {
  double sweep = 0, predict = 0;
};

// Best of many sweeps [ns per constraint], over long enough for a busy machine to have a quiet
// moment: the minimum is what the code costs.
template <class F>
double least_time(F&& run) {
  constexpr double kSeconds = 0.6;
  double best = 1e30;
  const auto began = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - began < std::chrono::duration<double>(kSeconds)) {
    const auto start = std::chrono::steady_clock::now();
    run();
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count());
  }
  return best;
}

template <class AnyBatch>
Cost cost(AnyBatch& batch, Particles particles) {
  const auto executor = make_serial_executor();
  const Substep substep{.displacement = particles.displacement.data(),
                        .start = {particles.rest.data(), particles.low.data()},
                        .h = Real(1.0 / 600),
                        .damping = 0,
                        .executor = *executor};
  batch.predict(substep);
  Cost cost;
  cost.sweep = least_time([&] { batch.solve(substep); }) / batch.count();
  cost.predict = least_time([&] { batch.predict(substep); }) / batch.count();
  return cost;
}

template <class W>
Cost tetrahedron() {
  const TetMesh mesh = box_tets({1, 1, 1}, {10, 10, 10});
  SimplexBatch<TetrahedronElement, StableNeoHookean, W> batch(mesh, StableNeoHookean{});
  return cost(batch, {mesh.vertices, lumped_masses(mesh, Real(1000)), Real(0.01)});
}

template <class W>
Cost hexahedron() {
  const HexMesh mesh = box_hexes({1, 1, 1}, {12, 12, 12});
  std::vector<HexRest> rests;
  for (const Hexahedron& cell : mesh.cells) {
    Vec3T<double> x[8];
    for (int n = 0; n < 8; ++n) x[n] = to_double(mesh.vertices[cell[n]]);
    rests.push_back(rest_hexahedron(x));
  }
  HexBatch<StableNeoHookean, AssumedStrainControl, false, W> batch(mesh, rests, {}, {});
  return cost(batch, {mesh.vertices, lumped_masses(mesh, Real(1000)), Real(0.01)});
}

template <class W>
Cost finite_elements() {
  const HexMesh mesh = box_hexes({1, 1, 1}, {12, 12, 12});
  FiniteElementsBatch<HexahedronShape<false>, TrackedRotation, W> batch(mesh, FiniteElements{});
  return cost(batch, {mesh.vertices, lumped_masses(mesh, Real(1000)), Real(0.01)});
}

template <class W>
Cost distance() {
  const TriMesh mesh = cloth(1, 1, 50, 50);
  std::vector<typename ScalarBatch<DistanceConstraint, W>::Item> items;
  for (const Segment& e : edges_of(mesh))
    items.push_back({e, {length(to_double(mesh.vertices[e[1]] - mesh.vertices[e[0]]))}, 1e4});
  ScalarBatch<DistanceConstraint, W> batch(items, mesh.vertices.size(), StiffnessKind::kPhysical);
  return cost(batch, {mesh.vertices, lumped_masses(mesh, Real(0.3)), Real(0.002)});
}

template <class W>
Cost bending() {
  const TriMesh mesh = cloth(1, 1, 50, 50);
  std::vector<typename ScalarBatch<DihedralConstraint, W>::Item> items;
  // A hinge in every pair of triangles that follow each other.
  for (std::size_t i = 0; i + 1 < mesh.cells.size(); i += 2) {
    const Triangle &a = mesh.cells[i], &b = mesh.cells[i + 1];
    Index apart_a = a[0], apart_b = b[0];
    std::vector<Index> shared;
    for (const Index v : a)
      (std::count(b.begin(), b.end(), v) ? shared.push_back(v) : void(apart_a = v));
    for (const Index v : b)
      if (!std::count(a.begin(), a.end(), v)) apart_b = v;
    if (shared.size() == 2)
      items.push_back({{shared[0], shared[1], apart_a, apart_b}, {0, 0.01, 0}, 1e-3});
  }
  ScalarBatch<DihedralConstraint, W> batch(items, mesh.vertices.size(), StiffnessKind::kPhysical);
  return cost(batch, {mesh.vertices, lumped_masses(mesh, Real(0.3)), Real(0.002)});
}

template <class W>
Cost shape_matching() {
  const HexMesh mesh = box_hexes({1, 1, 1}, {12, 12, 12});
  const std::vector<Real> mass = lumped_masses(mesh, Real(1000));
  CellMatchingBatch<8, TrackedRotation, W> batch(mesh, mass, {0, 0.5});
  return cost(batch, {mesh.vertices, mass, Real(0.01)});
}

struct Kernel {
  const char* name;
  Cost (*pack)();
  Cost (*plain)();
  double aim;                        // of a sweep [ns], on one core of Zen 3; 0: none
  Cost pack_ns = {}, plain_ns = {};  // as measured
};

Kernel kernels[] = {
    {"distance", distance<Wide>, distance<Real>, 2},
    {"tetrahedron", tetrahedron<Wide>, tetrahedron<Real>, 15},
    {"hexahedron", hexahedron<Wide>, hexahedron<Real>, 60},
    {"finite_elements", finite_elements<Wide>, finite_elements<Real>, 60},
    {"bending", bending<Wide>, bending<Real>, 0},
    {"shape_matching", shape_matching<Wide>, shape_matching<Real>, 0},
};

void measure_kernel(benchmark::State& state, Cost (*kernel)(), Cost* ns) {
  for (auto _ : state) {
    *ns = kernel();
    state.counters["ns_per_constraint"] = ns->sweep;
    state.counters["ns_to_predict"] = ns->predict;
    state.SetIterationTime(ns->sweep * 1e-9);
  }
}

}  // namespace
}  // namespace sinew

int main(int argc, char** argv) {
  for (sinew::Kernel& k : sinew::kernels) {
    const std::string name = k.name;
    benchmark::RegisterBenchmark((name + "/pack").c_str(), sinew::measure_kernel, k.pack,
                                 &k.pack_ns)
        ->Iterations(1)
        ->UseManualTime();
    benchmark::RegisterBenchmark((name + "/scalar").c_str(), sinew::measure_kernel, k.plain,
                                 &k.plain_ns)
        ->Iterations(1)
        ->UseManualTime();
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  fmt::print("\n{:<16} {:>10} {:>10} {:>7} {:>8} {:>10}\n", "ns, one thread", "packs", "scalar",
             "ratio", "aim", "predict");
  for (const sinew::Kernel& k : sinew::kernels)
    if (k.pack_ns.sweep > 0 && k.plain_ns.sweep > 0)
      fmt::print("{:<16} {:>10.1f} {:>10.1f} {:>6.1f}× {:>8} {:>10.1f}\n", k.name, k.pack_ns.sweep,
                 k.plain_ns.sweep, k.plain_ns.sweep / k.pack_ns.sweep,
                 k.aim > 0 ? fmt::format("≤ {:.0f}", k.aim) : "", k.pack_ns.predict);
}
