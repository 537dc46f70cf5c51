#include "rigid/make_collider.h"

#include <cmath>

namespace sinew {
namespace {

struct Maker {
  Collider operator()(const Sphere& s) const {
    return convex({.kind = ConvexKind::kSphere, .radius = s.radius}, s.radius);
  }
  Collider operator()(const Capsule& s) const {
    return convex(
        {.kind = ConvexKind::kCapsule, .radius = s.radius, .half = {0, s.half_height, 0}},
        s.radius + s.half_height);
  }
  Collider operator()(const Box& s) const {
    const Vec3 half = s.size * Real(0.5);
    return convex({.kind = ConvexKind::kBox, .half = half}, length(half));
  }
  Collider operator()(const Plane&) const {
    Collider c;
    c.kind = Collider::Kind::kPlane;
    return c;
  }

 private:
  static Collider convex(const Convex& shape, Real size) {
    Collider c;
    c.convex = shape;
    c.size = size;
    return c;
  }
};

}  // namespace

Collider make_collider(const Shape& shape) { return std::visit(Maker{}, shape); }

}  // namespace sinew
