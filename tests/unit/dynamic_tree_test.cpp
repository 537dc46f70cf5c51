// The tree against plain loops over all boxes.
#include "collision/dynamic_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

namespace sinew {
namespace {

using Items = std::vector<std::uint32_t>;
using Pairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;

class Random {
 public:
  explicit Random(unsigned seed) : generator_(seed) {}
  Real real(double a, double b) {
    return static_cast<Real>(a + (b - a) * (generator_() / 4294967296.0));
  }
  std::uint32_t below(std::size_t n) { return static_cast<std::uint32_t>(generator_() % n); }
  Vec3 point(double size) { return {real(-size, size), real(-size, size), real(-size, size)}; }
  Aabb box(double world, double size) {
    const Vec3 c = point(world), h{real(0, size), real(0, size), real(0, size)};
    return {c - h, c + h};
  }

 private:
  std::mt19937 generator_;
};

// A tree and what should be in it.
struct World {
  DynamicTree tree;
  std::map<std::uint32_t, Aabb> truth;  // by leaf; the item is 7 times the leaf
  std::set<std::uint32_t> moved;

  void insert(const Aabb& box) {
    // The handle is not known before: the item is set by a trial on a copy.
    DynamicTree trial = tree;
    const std::uint32_t expected = trial.insert(box, 0);
    const std::uint32_t leaf = tree.insert(box, 7 * expected);
    ASSERT_EQ(leaf, expected);
    ASSERT_FALSE(truth.contains(leaf));
    truth[leaf] = box;
    moved.insert(leaf);
  }
  std::uint32_t any(Random& random) const {
    return std::next(truth.begin(), random.below(truth.size()))->first;
  }
  void move(std::uint32_t leaf, const Aabb& box) {
    tree.move(leaf, box);
    truth[leaf] = box;
    moved.insert(leaf);
  }
  void remove(std::uint32_t leaf) {
    tree.remove(leaf);
    truth.erase(leaf);
    moved.erase(leaf);
  }

  void check_query(const Aabb& box) const {
    Items found, expected;
    tree.query(box, [&](std::uint32_t item) { found.push_back(item); });
    for (const auto& [leaf, b] : truth)
      if (overlap(b, box)) expected.push_back(7 * leaf);
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, expected);
  }
  // Nearest box by the ray: by brute force in double, with its own slab test.
  void check_cast(const Vec3& origin, const Vec3& way, Real most, const Vec3& half) const {
    double nearest = 1e30;
    for (const auto& [leaf, b] : truth) nearest = std::min(nearest, enter(b, origin, way, half));
    if (nearest > static_cast<double>(most)) nearest = 1e30;
    double found = 1e30;
    tree.cast(
        origin, way, most,
        [&](std::uint32_t item, Real limit) {
          const double t = enter(truth.at(item / 7), origin, way, half);
          if (t > static_cast<double>(limit)) return limit;
          found = std::min(found, t);
          return static_cast<Real>(t);
        },
        half);
    EXPECT_NEAR(found, nearest, nearest < 1e29 ? 1e-5 : 0);
  }
  static double enter(const Aabb& box, const Vec3& origin, const Vec3& way, const Vec3& half) {
    double from = 0, to = 1e20;
    for (int k = 0; k < 3; ++k) {
      const double lower = double(box.lower[k]) - double(half[k]) - double(origin[k]);
      const double upper = double(box.upper[k]) + double(half[k]) - double(origin[k]);
      if (way[k] == 0) {
        if (lower > 0 || upper < 0) return 1e30;
        continue;
      }
      const double a = lower / double(way[k]), b = upper / double(way[k]);
      from = std::max(from, std::min(a, b));
      to = std::min(to, std::max(a, b));
    }
    return from <= to ? from : 1e30;
  }
  void check_pairs() const {
    Pairs expected;
    for (auto a = truth.begin(); a != truth.end(); ++a)
      for (auto b = std::next(a); b != truth.end(); ++b)
        if (overlap(a->second, b->second) && (moved.contains(a->first) || moved.contains(b->first)))
          expected.insert({7 * a->first, 7 * b->first});
    const auto gather = [](Pairs& to) {
      return [&to](std::uint32_t a, std::uint32_t b) {
        EXPECT_TRUE(to.insert(std::minmax(a, b)).second) << "twice";
      };
    };
    Pairs found, in_parts;
    tree.find_pairs(gather(found));
    EXPECT_EQ(found, expected);
    std::vector<DynamicTree::PairTask> tasks;
    tree.split_pairs(20, tasks);
    for (const DynamicTree::PairTask& task : tasks) tree.find_pairs(task, gather(in_parts));
    EXPECT_EQ(in_parts, expected);
  }
};

void random_step(World& world, Random& random) {
  const std::uint32_t what = random.below(100);
  if (what < 35 || world.truth.empty()) return world.insert(random.box(10, 1));
  const std::uint32_t leaf = world.any(random);
  if (what < 55) return world.remove(leaf);
  if (what < 57) return world.tree.maintain();
  if (what < 58) return world.tree.rebuild();
  if (what < 59) return world.tree.refit();
  if (what < 80) return world.move(leaf, random.box(10, 1));
  const Vec3 step = random.point(0.2);
  const Aabb& old = world.truth[leaf];
  world.move(leaf, {old.lower + step, old.upper + step});
}

TEST(DynamicTree, AgreesWithPlainLoops) {
  World world;
  Random random(1);
  for (int step = 0; step < 3000; ++step) {
    random_step(world, random);
    ASSERT_EQ(world.tree.size(), world.truth.size());
    world.check_query(random.box(10, step % 3 == 0 ? 5 : 0.5));
    const Vec3 half{random.real(0, 0.5), random.real(0, 0.5), random.real(0, 0.5)};
    Vec3 way = random.point(20);
    if (step % 5 == 0) way[int(random.below(3))] = 0;
    if (step % 15 == 0) way[int(random.below(3))] = 0;
    world.check_cast(random.point(15), way, random.real(0, 2), step % 2 == 0 ? half : Vec3{});
    if (step % 100 == 99) {
      world.check_pairs();
      world.tree.forget_moves();
      world.moved.clear();
    }
    if (HasFailure()) FAIL() << "in step " << step;
  }
  for (const auto& [leaf, box] : world.truth) {
    EXPECT_EQ(world.tree.box(leaf), box);
    EXPECT_EQ(world.tree.item(leaf), 7 * leaf);
  }
  while (!world.truth.empty()) world.remove(world.truth.begin()->first);
  world.check_query({{-99, -99, -99}, {99, 99, 99}});
  world.insert({{0, 0, 0}, {1, 1, 1}});
  world.check_query({{0, 0, 0}, {9, 9, 9}});
}

TEST(DynamicTree, QueryMayEnd) {
  DynamicTree tree;
  for (std::uint32_t i = 0; i < 50; ++i) tree.insert({{0, 0, 0}, {1, 1, 1}}, i);
  int calls = 0;
  tree.query({{0, 0, 0}, {1, 1, 1}}, [&](std::uint32_t) { return ++calls < 10; });
  EXPECT_EQ(calls, 10);
  calls = 0;
  tree.cast({0, 0, -5}, {0, 0, 1}, 100, [&](std::uint32_t, Real) { return ++calls < 5 ? 9 : -1; });
  EXPECT_EQ(calls, 5);
}

TEST(DynamicTree, CastFindsTheNearestFirst) {
  DynamicTree tree;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    const Vec3 at{static_cast<Real>((i * 377) % 1000), 0, 0};
    tree.insert({at, at + Vec3{Real(0.5), 1, 1}}, (i * 377) % 1000);
  }
  tree.rebuild();
  int calls = 0;
  std::uint32_t first = 0;
  tree.cast({Real(-1), Real(0.5), Real(0.5)}, {1, 0, 0}, 5000, [&](std::uint32_t item, Real) {
    first = item;
    ++calls;
    return Real(1);
  });
  EXPECT_EQ(first, 0u);
  EXPECT_EQ(calls, 1);
}

// Orders that make chains of trees without balance.
TEST(DynamicTree, StaysLowWhateverTheOrder) {
  const auto height = [](auto&& box_of) {
    DynamicTree tree;
    for (int i = 0; i < 3000; ++i) tree.insert(box_of(static_cast<Real>(i)), 0);
    std::size_t found = 0;
    const Real far = 1e6;
    tree.query({{-far, -far, -far}, {far, far, far}}, [&](std::uint32_t) { ++found; });
    EXPECT_EQ(found, 3000u);
    return tree.height();
  };
  EXPECT_LE(height([](Real) { return Aabb{{0, 0, 0}, {1, 1, 1}}; }), 90);
  EXPECT_LE(height([](Real) { return Aabb{{2, 2, 2}, {2, 2, 2}}; }), 90);
  EXPECT_LE(height([](Real i) { return Aabb{{i, 0, 0}, {i + 1, 1, 1}}; }), 90);
  EXPECT_LE(height([](Real i) { return Aabb{{-i, -i, -i}, {i, i, i}}; }), 90);
  EXPECT_LE(height([](Real i) { return Aabb{{-9999 + i, 0, 0}, {9999 - i, 1, 1}}; }), 90);
}

TEST(DynamicTree, MaintenanceKeepsQueriesCheap) {
  Random random(3);
  std::vector<Vec3> at;
  DynamicTree tree;
  const Vec3 half{Real(0.5), Real(0.5), Real(0.5)};
  for (std::uint32_t i = 0; i < 4000; ++i) {
    at.push_back(random.point(30));
    tree.insert({at[i] - half, at[i] + half}, i);
  }
  tree.rebuild();
  for (int step = 0; step < 100; ++step) {
    for (std::uint32_t i = 0; i < at.size(); ++i) {
      at[i] += random.point(1);
      tree.move(i, {at[i] - half, at[i] + half});
    }
    tree.maintain();
  }
  DynamicTree fresh = tree;
  fresh.rebuild();
  EXPECT_LT(tree.cost(), 1.6 * fresh.cost());
}

// Everything that a run tells, in the order in which it does.
Items report(World& world, unsigned seed, int steps) {
  Random random(seed);
  Items all;
  for (int step = 0; step < steps; ++step) {
    random_step(world, random);
    world.tree.query(random.box(10, 3), [&](std::uint32_t item) { all.push_back(item); });
  }
  world.tree.find_pairs([&](std::uint32_t a, std::uint32_t b) { all.insert(all.end(), {a, b}); });
  return all;
}

TEST(DynamicTree, SameCallsGiveTheSame) {
  World a, b;
  EXPECT_EQ(report(a, 5, 1000), report(b, 5, 1000));
  World copy = a;
  const Items after = report(a, 6, 500);
  EXPECT_EQ(report(copy, 6, 500), after);
  World assigned;
  report(assigned, 9, 300);
  assigned = b;
  EXPECT_EQ(report(assigned, 6, 500), after);
}

}  // namespace
}  // namespace sinew
