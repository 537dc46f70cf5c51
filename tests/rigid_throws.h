// Places and motions at random, the same on every machine.
#pragma once

#include <sinew/math.h>

#include <random>

namespace sinew {

class Throws {
 public:
  explicit Throws(unsigned seed) : random_(seed) {}

  Real uniform(double from, double to) {
    return Real(from + (to - from) * double(random_() % 100000) / 100000);
  }
  // Each of its coordinates within ±1.
  Vec3 vector() {
    const Real x = uniform(-1, 1), y = uniform(-1, 1), z = uniform(-1, 1);
    return {x, y, z};
  }
  Quat turn() {
    const Vec3 v = vector();
    return normalized(Quat{v.x, v.y, v.z, uniform(0.1, 1)});
  }

 private:
  std::mt19937 random_;
};

}  // namespace sinew
