// The broad phase's tree with 100,000 bodies that nearly touch, one thread: what a step of it costs
// when all of them move 2 cm, and when they are put in or taken out.
#include <benchmark/benchmark.h>

#include <random>

#include "collision/dynamic_tree.h"

namespace sinew {
namespace {

constexpr std::uint32_t kBodies = 100'000;
constexpr Real kMargin = Real(0.02);  // boxes are larger than the bodies by that [m]

// Cubes of half a metre in a heap, with a tenth of that between them.
struct Bodies {
  Bodies() {
    std::mt19937 generator(1);
    const auto noise = [&](double size) {
      return static_cast<Real>((generator() / 2147483648.0 - 1) * size);
    };
    for (std::uint32_t i = 0; i < kBodies; ++i) {
      const Vec3 cell{Real(i % 50), Real(i / 2500), Real(i / 50 % 50)};
      at.push_back(cell * Real(0.55) + Vec3{noise(0.05), noise(0.05), noise(0.05)});
      step.push_back(normalized(Vec3{noise(1), noise(1), noise(1)}) * Real(0.02));
    }
  }
  Aabb box(std::uint32_t i) const {
    constexpr Real kHalf = Real(0.25) + kMargin;
    const Vec3 half{kHalf, kHalf, kHalf};
    return {at[i] - half, at[i] + half};
  }
  // There and back, so that the heap stays what it is.
  void advance(int count) {
    const Real sign = count / 8 % 2 == 0 ? Real(1) : Real(-1);
    for (std::uint32_t i = 0; i < kBodies; ++i) at[i] += step[i] * sign;
  }
  DynamicTree tree() const {
    DynamicTree made;
    for (std::uint32_t i = 0; i < kBodies; ++i) made.insert(box(i), i);
    return made;
  }
  std::vector<Vec3> at, step;
};

void per_body(benchmark::State& state) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kBodies));
}

void insert_all(benchmark::State& state) {
  const Bodies bodies;
  for (auto _ : state) benchmark::DoNotOptimize(bodies.tree().size());
  per_body(state);
}

void remove_all(benchmark::State& state) {
  const Bodies bodies;
  const DynamicTree full = bodies.tree();
  for (auto _ : state) {
    state.PauseTiming();
    DynamicTree tree = full;
    state.ResumeTiming();
    for (std::uint32_t i = 0; i < kBodies; ++i) tree.remove(i);
  }
  per_body(state);
}

void build(benchmark::State& state) {
  DynamicTree tree = Bodies().tree();
  for (auto _ : state) tree.rebuild();
  per_body(state);
}

void refit(benchmark::State& state) {
  DynamicTree tree = Bodies().tree();
  tree.rebuild();
  for (auto _ : state) tree.refit();
  per_body(state);
}

// Only what leaves its box is moved, as a world does it.
void update(benchmark::State& state) {
  Bodies bodies;
  DynamicTree tree = bodies.tree();
  tree.rebuild();
  std::vector<Vec3> placed = bodies.at;
  int count = 0;
  std::size_t moved = 0;
  for (auto _ : state) {
    state.PauseTiming();
    bodies.advance(count++);
    tree.forget_moves();
    state.ResumeTiming();
    for (std::uint32_t i = 0; i < kBodies; ++i) {
      const Vec3 gone = bodies.at[i] - placed[i];
      if (max(max(std::fabs(gone.x), std::fabs(gone.y)), std::fabs(gone.z)) <= kMargin) continue;
      tree.move(i, bodies.box(i));
      placed[i] = bodies.at[i];
      ++moved;
    }
    tree.maintain();
  }
  state.counters["moved"] = static_cast<double>(moved) / static_cast<double>(state.iterations());
  per_body(state);
}

void update_every_box(benchmark::State& state) {
  Bodies bodies;
  DynamicTree tree = bodies.tree();
  tree.rebuild();
  int count = 0;
  for (auto _ : state) {
    state.PauseTiming();
    bodies.advance(count++);
    state.ResumeTiming();
    for (std::uint32_t i = 0; i < kBodies; ++i) tree.move(i, bodies.box(i));
    tree.maintain();
  }
  per_body(state);
}

void all_pairs(benchmark::State& state) {
  DynamicTree tree = Bodies().tree();
  tree.rebuild();
  std::size_t pairs = 0;
  for (auto _ : state) {
    pairs = 0;
    tree.find_pairs([&](std::uint32_t, std::uint32_t) { ++pairs; });
  }
  state.counters["pairs"] = static_cast<double>(pairs);
  per_body(state);
}

// The same by a query for each body, to compare.
void pairs_by_queries(benchmark::State& state) {
  DynamicTree tree = Bodies().tree();
  tree.rebuild();
  std::size_t pairs = 0;
  for (auto _ : state) {
    pairs = 0;
    for (std::uint32_t i = 0; i < kBodies; ++i)
      tree.query(tree.box(i), [&](std::uint32_t other) { pairs += other < i ? 1 : 0; });
  }
  state.counters["pairs"] = static_cast<double>(pairs);
  per_body(state);
}

void pairs_of_a_hundredth(benchmark::State& state) {
  Bodies bodies;
  DynamicTree tree = bodies.tree();
  tree.rebuild();
  tree.forget_moves();
  for (std::uint32_t i = 0; i < kBodies; i += 100) tree.move(i, bodies.box(i));
  std::size_t pairs = 0;
  for (auto _ : state) {
    pairs = 0;
    tree.find_pairs([&](std::uint32_t, std::uint32_t) { ++pairs; });
  }
  state.counters["pairs"] = static_cast<double>(pairs);
}

void copy(benchmark::State& state) {
  const DynamicTree tree = Bodies().tree();
  DynamicTree other;
  for (auto _ : state) other = tree;
  benchmark::DoNotOptimize(other.size());
}

#define SINEW_BENCH(name) BENCHMARK(name)->Unit(benchmark::kMillisecond)
SINEW_BENCH(insert_all);
SINEW_BENCH(remove_all);
SINEW_BENCH(build);
SINEW_BENCH(refit);
SINEW_BENCH(update);
SINEW_BENCH(update_every_box);
SINEW_BENCH(all_pairs);
SINEW_BENCH(pairs_by_queries);
SINEW_BENCH(pairs_of_a_hundredth);
SINEW_BENCH(copy);

}  // namespace
}  // namespace sinew

BENCHMARK_MAIN();
