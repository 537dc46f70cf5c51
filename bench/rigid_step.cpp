// What threads do for a step of rigid bodies: a pyramid, which is one island, and many columns,
// each an island of its own; 1 and 2 threads, and the pyramid also with its cubes added in no
// order.
#include <benchmark/benchmark.h>
#include <sinew/world.h>

#include <algorithm>
#include <random>
#include <vector>

namespace sinew {
namespace {

constexpr Real kDt = Real(1.0 / 60);

std::vector<Vec3> pyramid() {
  std::vector<Vec3> places;
  constexpr int kLayers = 15;  // 1,240 cubes
  for (int layer = 0; layer < kLayers; ++layer)
    for (int i = 0; i < kLayers - layer; ++i)
      for (int k = 0; k < kLayers - layer; ++k)
        places.push_back({Real(2 * i + layer), Real(2 * layer + 1), Real(2 * k + layer)});
  return places;
}

std::vector<Vec3> shuffled_pyramid() {
  std::vector<Vec3> places = pyramid();
  std::mt19937 random(5);
  for (std::size_t i = places.size(); i > 1; --i) std::swap(places[i - 1], places[random() % i]);
  return places;
}

std::vector<Vec3> columns() {
  std::vector<Vec3> places;  // 256 columns of 8
  for (int i = 0; i < 16; ++i)
    for (int k = 0; k < 16; ++k)
      for (int y = 0; y < 8; ++y) places.push_back({Real(6 * i), Real(2 * y + 1), Real(6 * k)});
  return places;
}

void step(benchmark::State& state, std::vector<Vec3> (*places)()) {
  World world({.rigid = {.sleeping = false}}, make_thread_pool(static_cast<int>(state.range(0))));
  world.add(StaticBody{});
  for (const Vec3& place : places())
    world.add(RigidBody{.shape = Box{.size = {2, 2, 2}}, .pose = {place}});
  for (int i = 0; i < 90; ++i) world.step(kDt);
  for (auto _ : state) world.step(kDt);
}

BENCHMARK_CAPTURE(step, pyramid, pyramid)->Arg(1)->Arg(2)->UseRealTime();
BENCHMARK_CAPTURE(step, shuffled_pyramid, shuffled_pyramid)->Arg(1)->Arg(2)->UseRealTime();
BENCHMARK_CAPTURE(step, columns, columns)->Arg(1)->Arg(2)->UseRealTime();

}  // namespace
}  // namespace sinew

BENCHMARK_MAIN();
