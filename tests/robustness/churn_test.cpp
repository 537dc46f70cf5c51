// Bodies and joints that come and go at random, step after step: nothing is lost, nothing grows.
#include <gtest/gtest.h>
#include <malloc.h>
#include <sinew/world.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include <vector>

#ifdef __SANITIZE_ADDRESS__
extern "C" std::size_t __sanitizer_get_current_allocated_bytes();
#endif

namespace sinew {
namespace {

constexpr Real kDt = Real(1.0 / 60);

std::size_t bytes_in_use() {
#ifdef __SANITIZE_ADDRESS__
  return __sanitizer_get_current_allocated_bytes();
#else
  const auto info = mallinfo2();
  return info.uordblks + info.hblkhd;
#endif
}

int number(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return text ? std::atoi(text) : otherwise;
}

// A crowd that hovers around a given number of bodies, one in eight of them on a rod.
class Crowd {
 public:
  Crowd(World& world, int size) : world_(world), size_(size) {
    while (int(bodies_.size()) < size_) add();
  }

  // A hundredth of the crowd is changed: a coin says whether one comes or one goes.
  void change() {
    for (int k = 0; k < std::max(1, size_ / 100); ++k) {
      const bool few = int(bodies_.size()) < size_ - size_ / 20;
      const bool many = int(bodies_.size()) > size_ + size_ / 20;
      if (few || (!many && random_() % 2 == 0)) {
        add();
      } else {
        remove();
      }
    }
  }

  void clear() {
    while (!bodies_.empty()) remove();
  }

  const std::vector<RigidId>& bodies() const { return bodies_; }

 private:
  Real uniform(double from, double to) {
    return Real(from + (to - from) * double(random_() % 100000) / 100000);
  }

  Shape shape() {
    const Real size = uniform(0.2, 0.5);
    switch (random_() % 4) {
      case 0:
        return Sphere{.radius = size / 2};
      case 1:
        return Capsule{.radius = size / 4, .half_height = size / 4};
      case 2:
        return Cylinder{.radius = size / 2, .half_height = size / 3};
      default:
        return Box{.size = {size, size, size}};
    }
  }

  void add() {
    const Real side = std::sqrt(Real(size_)) / 2;
    const Vec3 place{uniform(-side, side), uniform(0.5, 4), uniform(-side, side)};
    bodies_.push_back(world_.add(RigidBody{.shape = shape(), .pose = {place}}));
    if (bodies_.size() > 2 && random_() % 8 == 0)
      world_.add(DistanceJoint{.a = bodies_.back(),
                               .b = bodies_[random_() % (bodies_.size() - 1)],
                               .anchor_a = place,
                               .anchor_b = place + Vec3{1, 0, 0}});
  }

  void remove() {
    const std::size_t which = random_() % bodies_.size();
    world_.remove(bodies_[which]);
    bodies_[which] = bodies_.back();
    bodies_.pop_back();
  }

  World& world_;
  int size_;
  std::mt19937 random_{7};
  std::vector<RigidId> bodies_;
};

// SINEW_CHURN_STEPS and SINEW_CHURN_BODIES make it as long and as large as wanted. A third of the
// run is for warming up; then memory is what is alive, and stays.
TEST(Churn, NothingIsLostNothingGrows) {
  const int steps = number("SINEW_CHURN_STEPS", 900), size = number("SINEW_CHURN_BODIES", 400);
  World world;
  world.add(StaticBody{});
  Crowd crowd(world, size);
  std::size_t most[3] = {};
  for (int i = 0; i < steps; ++i) {
    crowd.change();
    world.step(kDt);
    ASSERT_TRUE(world.finite()) << i;
    std::size_t& bytes = most[std::min(3 * i / steps, 2)];
    bytes = std::max(bytes, bytes_in_use());
  }
  RecordProperty("kilobytes_second_third", int(most[1] >> 10));
  RecordProperty("kilobytes_last_third", int(most[2] >> 10));
  EXPECT_LE(double(most[2]), 1.02 * double(most[1]));
  EXPECT_EQ(world.rigid_bodies().size(), crowd.bodies().size() + 1);
  for (RigidId id : crowd.bodies()) EXPECT_GT(world.pose(id).position.y, -0.1);
  crowd.clear();
  EXPECT_TRUE(world.joints().empty());
  world.step(kDt);
  EXPECT_EQ(world.contacts().rigid_count, 0);
}

// One body on one joint, again and again: the ten thousandth needs no more than the thousandth.
TEST(Churn, WhatHasGoneLeavesNothing) {
  World world;
  world.add(StaticBody{});
  std::size_t warm = 0;
  for (int i = 0; i < 10000; ++i) {
    const RigidId body = world.add(RigidBody{.shape = Box{}, .pose = {{0, Real(0.5), 0}}});
    const RigidId block = world.add(StaticBody{.shape = Box{}, .pose = {{2, Real(0.5), 0}}});
    world.add(FixedJoint{.a = body, .b = block, .anchor = {1, 0, 0}});
    if (i % 10 == 0) world.step(kDt);
    world.remove(body);
    world.remove(block);
    if (i == 1000) warm = bytes_in_use();
  }
  EXPECT_LE(double(bytes_in_use()), double(warm) + 4096);
}

}  // namespace
}  // namespace sinew
