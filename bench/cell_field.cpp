// What World::cell_field costs for each cell of a body of 100,000, which a viewer asks for in every
// picture.
#include <benchmark/benchmark.h>
#include <sinew/generators.h>
#include <sinew/world.h>

namespace sinew {
namespace {

template <class Make>
void measure(benchmark::State& state, Make&& make, CellField field, const Material& material) {
  World world;
  SoftBody body{.mesh = make(), .material = material};
  body.thickness = Real(0.01);
  const SoftId id = world.add(body);
  std::vector<Vec3> x = world.positions(id);
  for (Vec3& v : x) v = {v.x * Real(1.1) + v.y * v.z, v.y * Real(0.9), v.z + v.x * v.x};
  world.set_positions(id, x);
  std::size_t cells = world.cell_field(id, field).size();  // the first time, packs are made
  for (auto _ : state) benchmark::DoNotOptimize(world.cell_field(id, field));
  state.counters["s_per_cell"] = benchmark::Counter(
      double(cells), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

BodyMesh tets() { return box_tets({1, 1, 1}, {27, 27, 27}); }
BodyMesh hexes() { return box_hexes({1, 1, 1}, {46, 46, 46}); }
BodyMesh sheet() { return cloth(1, 1, 223, 223); }

#define SINEW_FIELD(mesh, field, material) \
  BENCHMARK_CAPTURE(measure, mesh##_##field##_##material, mesh, CellField::field, material{})
SINEW_FIELD(tets, kStrain, StableNeoHookean);
SINEW_FIELD(tets, kVolume, StableNeoHookean);
SINEW_FIELD(tets, kStress, StableNeoHookean);
SINEW_FIELD(tets, kStress, Corotated);
SINEW_FIELD(tets, kColour, StableNeoHookean);
SINEW_FIELD(hexes, kStrain, StableNeoHookean);
SINEW_FIELD(hexes, kStress, StableNeoHookean);
SINEW_FIELD(sheet, kStrain, StableNeoHookean);
SINEW_FIELD(sheet, kStress, StableNeoHookean);

}  // namespace
}  // namespace sinew

BENCHMARK_MAIN();
