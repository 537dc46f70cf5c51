#include "reproduce/peers/stage.h"

#include <algorithm>
#include <numbers>

namespace sinew {

double volume(const Form& form) {
  struct Visitor {
    double operator()(const GroundForm&) const { return 0; }
    double operator()(const BoxForm& f) const {
      return 8 * double(f.half.x) * double(f.half.y) * double(f.half.z);
    }
    double operator()(const SphereForm& f) const {
      const double r = double(f.radius);
      return 4.0 / 3 * std::numbers::pi * r * r * r;
    }
    double operator()(const CapsuleForm& f) const {
      const double r = double(f.radius);
      return (*this)(SphereForm{f.radius}) + std::numbers::pi * r * r * 2 * double(f.half_height);
    }
    double operator()(const HullForm& f) const { return f.solid.volume; }
  };
  return std::visit(Visitor{}, form);
}

Vec3 half_extents(const HullForm& form) {
  Vec3T<double> half{};
  for (const Vec3T<double>& p : form.solid.points)
    for (int k = 0; k < 3; ++k) half[k] = std::max(half[k], std::abs(p[k]));
  return {Real(half.x), Real(half.y), Real(half.z)};
}

}  // namespace sinew
