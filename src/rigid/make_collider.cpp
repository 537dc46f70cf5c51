#include "rigid/make_collider.h"

#include <cmath>

namespace sinew {
namespace {

struct Maker {
  Collider operator()(const Sphere& s) const {
    return convex({.kind = ConvexKind::kSphere, .radius = s.radius}, s.radius);
  }
  Collider operator()(const Capsule& s) const {
    return convex({.kind = ConvexKind::kCapsule, .radius = s.radius, .half = {0, s.half_height, 0}},
                  s.radius + s.half_height);
  }
  Collider operator()(const Box& s) const {
    const Vec3 half = s.size * Real(0.5);
    return convex({.kind = ConvexKind::kBox, .half = half}, length(half));
  }
  Collider operator()(const Cylinder& s) const {
    return convex({.kind = ConvexKind::kCylinder, .half = {s.radius, s.half_height, 0}},
                  std::hypot(s.radius, s.half_height));
  }
  // Moved so that its own origin is its middle, which bounds are about.
  Collider operator()(const ConvexHull& s) const {
    auto hull = std::make_shared<Hull>(s.hull());
    const Vec3 middle = hull->center;
    for (Vec3& v : hull->vertices) v -= middle;
    for (Hull::Face& f : hull->faces) f.offset -= dot(f.normal, middle);
    hull->center = {};
    Collider c = convex({.kind = ConvexKind::kHull, .hull = hull.get()}, hull->radius);
    c.hull = std::move(hull);
    c.local.position = middle;
    return c;
  }
  Collider operator()(const TriangleMesh& s) const { return surface(make_surface(s)); }
  Collider operator()(const HeightField& s) const { return surface(make_surface(s)); }
  Collider operator()(const Plane&) const {
    Collider c;
    c.kind = Collider::Kind::kPlane;
    return c;
  }

 private:
  static Collider surface(std::shared_ptr<const SurfaceShape> data) {
    Collider c;
    c.kind = Collider::Kind::kSurface;
    c.size = length(surface_bounds(*data).half());
    c.surface = std::move(data);
    return c;
  }
  static Collider convex(const Convex& shape, Real size) {
    Collider c;
    c.convex = shape;
    c.size = size;
    c.inner = inner_radius(shape);
    return c;
  }
};

}  // namespace

Collider make_collider(const Shape& shape) { return std::visit(Maker{}, shape); }

void prepare_shape(Shape& shape) {
  std::visit(
      [](auto& one) {
        if constexpr (requires { one.prepare(); }) one.prepare();
      },
      shape);
}

const char* surface_name(const Shape& shape) {
  const auto name = []<class S>(const S&) -> const char* {
    constexpr bool kSurface = std::is_same_v<S, Plane> || std::is_same_v<S, HeightField> ||
                              std::is_same_v<S, TriangleMesh>;
    return kSurface ? S::kName : nullptr;
  };
  return std::visit(name, shape);
}

}  // namespace sinew
