// The small parts that everything stands on.
#include <gtest/gtest.h>
#include <sinew/error.h>
#include <sinew/executor.h>

#include <atomic>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <vector>

#include "core/arena.h"
#include "core/atomic_file.h"
#include "core/parallel.h"
#include "core/slot_map.h"
#include "core/state_hash.h"

namespace sinew {
namespace {

TEST(Executor, RunsEveryBlockOnce) {
  for (int threads : {1, 2, 4}) {
    const auto executor = make_thread_pool(threads);
    EXPECT_EQ(executor->workers(), threads);
    for (int count : {0, 1, 2, 3, 17, 1000}) {
      for (int repeat = 0; repeat < 50; ++repeat) {
        std::vector<std::atomic<int>> visits(std::size_t(count) + 1);
        executor->run(count, Task([&](int i) { ++visits[std::size_t(i)]; }));
        for (int i = 0; i < count; ++i) ASSERT_EQ(visits[std::size_t(i)], 1);
        ASSERT_EQ(visits[std::size_t(count)], 0);
      }
    }
  }
}

TEST(Executor, BlocksCoverTheRange) {
  const auto executor = make_thread_pool(3);
  for (int items : {0, 1, 63, 64, 65, 1000}) {
    std::vector<int> seen(std::size_t(items), 0);
    parallel_for(*executor, items, 64, [&](int begin, int end) {
      EXPECT_LE(end - begin, 64);
      for (int i = begin; i < end; ++i) ++seen[std::size_t(i)];
    });
    EXPECT_EQ(std::accumulate(seen.begin(), seen.end(), 0), items);
    for (int s : seen) EXPECT_EQ(s, 1);
  }
}

TEST(Arena, GivesAlignedMemoryAndReusesIt) {
  Arena arena(1024);
  double* first = arena.allocate<double>(3).data();
  const auto bytes = arena.allocate<char>(1);
  const auto numbers = arena.allocate<double>(5);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(numbers.data()) % alignof(double), 0u);
  EXPECT_GE(reinterpret_cast<char*>(numbers.data()), bytes.data() + 1);
  const auto large = arena.allocate<double>(10000);  // more than a block
  std::fill(large.begin(), large.end(), 1.0);
  arena.reset();
  EXPECT_EQ(arena.allocate<double>(3).data(), first);
}

TEST(SlotMap, GenerationsTellOldFromNew) {
  SlotMap<SoftId, int> map;
  const SoftId a = map.insert(1), b = map.insert(2);
  map.erase(a, "thing");
  const SoftId c = map.insert(3);
  EXPECT_EQ(c.index, a.index);
  EXPECT_FALSE(map.contains(a));
  EXPECT_EQ(map.at(b, "thing"), 2);
  EXPECT_EQ(map.at(c, "thing"), 3);
  EXPECT_THROW(map.at(a, "thing"), Error);
  int sum = 0;
  map.for_each([&](SoftId, int value) { sum += value; });
  EXPECT_EQ(sum, 5);
}

TEST(StateHash, SeesEveryBitAndTheOrder) {
  const auto hash = [](std::vector<float> values) {
    StateHash h;
    h.add(std::span<const float>(values));
    return h.value();
  };
  EXPECT_EQ(hash({1, 2, 3}), hash({1, 2, 3}));
  EXPECT_NE(hash({1, 2, 3}), hash({1, 3, 2}));
  EXPECT_NE(hash({1, 2, 3}), hash({1, 2, std::nextafter(3.f, 4.f)}));
  EXPECT_NE(hash({0}), hash({0, 0}));
  EXPECT_NE(hash({0.f}), hash({-0.f}));
}

TEST(AtomicFile, AppearsWholeOrNotAtAll) {
  const auto folder = std::filesystem::temp_directory_path() / "sinew_atomic_file_test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  write_file(folder / "a.txt", "hello");
  EXPECT_EQ(read_file(folder / "a.txt"), "hello");
  {
    AtomicFile abandoned(folder / "b.txt");
    abandoned.stream() << "half";
  }
  {
    AtomicFile abandoned(folder / "a.txt");
    abandoned.stream() << "half";
  }
  EXPECT_EQ(read_file(folder / "a.txt"), "hello");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
  EXPECT_THROW(AtomicFile(folder / "no" / "such" / "folder.txt"), Error);
  EXPECT_THROW(AtomicFile(std::filesystem::path(folder)), Error);
  EXPECT_THROW(read_file(folder / "missing.txt"), Error);

  std::filesystem::create_symlink("a.txt", folder / "link.txt");
  write_file(folder / "link.txt", "through the link");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.txt"));
  EXPECT_EQ(read_file(folder / "a.txt"), "through the link");
  std::filesystem::create_symlink("/dev/null", folder / "device");
  write_file(folder / "device", "gone");
  EXPECT_TRUE(std::filesystem::is_character_file(folder / "device"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 3);
  EXPECT_THROW(read_file(folder), Error);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace sinew
