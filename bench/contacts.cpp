// What a sweep over contacts costs: packs of manifolds of four points with friction, against the
// same code on plain numbers. Bodies lie two by two on each other, in more room than the first
// cache has. `held`: every manifold carries its load and sticks, which is one block; `sliding`:
// none sticks, and each does its normal part and its cone; `tilting`: one point is open, and each
// goes over its points one by one.
#include <benchmark/benchmark.h>

#include <algorithm>

#include "core/denormals.h"
#include "rigid/contact_prepare.h"
#include "rigid/contact_solve.h"

namespace sinew {
namespace {

constexpr int kManifolds = 2048;
enum class Case { kHeld, kSliding, kTilting };

template <class W>
struct Stage {
  BodyRows rows;
  std::vector<ContactPack<W>> packs;

  explicit Stage(Case which) {
    constexpr int kN = kWidth<W>;
    rows.velocity.resize(2 * kManifolds), rows.way.resize(2 * kManifolds);
    rows.pose.resize(2 * kManifolds), rows.mass.resize(2 * kManifolds);
    for (int i = 0; i < kManifolds; ++i)
      for (int side = 0; side < 2; ++side) {
        const int row = 2 * i + side;
        rows.pose[row] = {{Real(i), Real(side), 0, 0, 0, 0, 0, 1}};
        rows.mass[row] = {{6, 0, 0, 6, 0, 6, 1, 0}};
        // The upper one comes down, and along.
        rows.velocity[row] = {
            {Real(side * (which == Case::kSliding ? 3 : 0.01)), Real(-0.1 * side), 0, 0, 0, 0}};
      }
    packs.resize(kManifolds / kN);
    ContactGeometry<W> geometry{};
    for (int p = 0; p < kManifolds / kN; ++p) {
      for (int l = 0; l < kN; ++l) {
        packs[p].a[l] = packs[p].write_a[l] = BodyRow(2 * (p * kN + l));
        packs[p].b[l] = packs[p].write_b[l] = BodyRow(2 * (p * kN + l) + 1);
      }
      const W half(Real(0.5)), zero(Real(0));
      for (int k = 0; k < kPoints; ++k) {
        const W x(Real(k & 1 ? 0.5 : -0.5)), z(Real(k & 2 ? 0.5 : -0.5));
        geometry.on_a[k] = {x, half, z};
        geometry.on_b[k] = {x, -half, z};
        if (which == Case::kTilting && k == 3) geometry.on_b[k].y += W(Real(0.01));
      }
      geometry.normal = {zero, W(Real(1)), zero};
      geometry.friction = W(Real(0.5));
      geometry.deep = W(Real(0.09));  // a tenth of what is half a cube's diagonal
      prepare_contacts<W>(rows, geometry, packs[p]);
      std::copy_n(packs[p].gap, kPoints, packs[p].gap_now);
    }
  }
};

template <bool kFirst, class W>
void sweep(benchmark::State& state, Case which) {
  const FlushDenormals scope;
  Stage<W> stage(which);
  const std::vector<Row8<Real>> velocity = stage.rows.velocity;
  for (auto _ : state) {
    // As it was: what a sweep has solved, the next one has nothing to do with. A copy costs little.
    std::copy_n(velocity.data(), velocity.size(), stage.rows.velocity.data());
    for (ContactPack<W>& pack : stage.packs) {
      for (W& impulse : pack.impulse) impulse = W(Real(0));
      pack.slide1 = pack.slide2 = pack.twist = W(Real(0));
      solve_contacts<false, kFirst, W>(stage.rows, pack, W(Real(480)));
    }
  }
  state.counters["ns/point"] = benchmark::Counter(
      double(kManifolds) * kPoints * 1e-9,
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void packs(benchmark::State& state, Case which) { sweep<true, Wide>(state, which); }
void packs_again(benchmark::State& state, Case which) { sweep<false, Wide>(state, which); }
void plain(benchmark::State& state, Case which) { sweep<true, Real>(state, which); }

BENCHMARK_CAPTURE(packs, held, Case::kHeld);
BENCHMARK_CAPTURE(packs_again, held, Case::kHeld);
BENCHMARK_CAPTURE(plain, held, Case::kHeld);
BENCHMARK_CAPTURE(packs, sliding, Case::kSliding);
BENCHMARK_CAPTURE(packs_again, sliding, Case::kSliding);
BENCHMARK_CAPTURE(plain, sliding, Case::kSliding);
BENCHMARK_CAPTURE(packs, tilting, Case::kTilting);
BENCHMARK_CAPTURE(packs_again, tilting, Case::kTilting);
BENCHMARK_CAPTURE(plain, tilting, Case::kTilting);

}  // namespace
}  // namespace sinew

BENCHMARK_MAIN();
