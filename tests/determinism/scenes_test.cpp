// Every scene in scenes/: the same bits for any number of threads, and after going back to a
// snapshot.
#include <gtest/gtest.h>
#include <sinew/scene.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "source_dir.h"

namespace sinew {
namespace {

constexpr int kSteps = 24;

std::vector<std::uint64_t> hashes(World& world, Real dt, int steps) {
  std::vector<std::uint64_t> list;
  for (int i = 0; i < steps; ++i) {
    world.step(dt);
    list.push_back(world.state_hash());
  }
  return list;
}

std::vector<std::filesystem::path> all_scenes() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(SINEW_SOURCE_DIR "/scenes"))
    if (entry.path().extension() == ".json") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

class EveryScene : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(EveryScene, IsTheSameOnAnyNumberOfThreadsAndAfterASnapshot) {
  const Scene scene = load_scene(GetParam());
  World one = make_world(scene);
  const std::vector<std::uint64_t> expected = hashes(one, scene.dt, kSteps);
  for (const int threads : {2, 4}) {
    World world = make_world(scene, make_thread_pool(threads));
    for (const int at : {0, 5, 13}) {
      const Snapshot before = world.snapshot();
      (void)hashes(world, scene.dt, 3);
      world.restore(before);
      const int next = at == 0 ? 5 : at == 5 ? 8 : kSteps - 13;
      const std::vector<std::uint64_t> found = hashes(world, scene.dt, next);
      for (int i = 0; i < next; ++i)
        ASSERT_EQ(found[i], expected[at + i]) << threads << " threads, step " << at + i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, EveryScene, testing::ValuesIn(all_scenes()),
                         [](const auto& scene) { return scene.param.stem().string(); });

}  // namespace
}  // namespace sinew
