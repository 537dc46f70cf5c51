#include "rigid/surface_shape.h"

#include "collision/collide_surface.h"

namespace sinew {

std::shared_ptr<const SurfaceShape> make_surface(const TriangleMesh& shape) {
  const auto distance =
      shape.prepared ? shape.prepared : std::make_shared<const MeshDistance>(shape.mesh);
  return std::make_shared<SurfaceShape>(SurfaceShape{TriangleSoup(shape.mesh, distance)});
}

std::shared_ptr<const SurfaceShape> make_surface(const HeightField& f) {
  return std::make_shared<SurfaceShape>(
      SurfaceShape{HeightFieldData(f.columns, f.rows, f.cell, f.cell, f.heights)});
}

Aabb surface_bounds(const SurfaceShape& surface) {
  return std::visit([](const auto& data) -> Aabb { return data.bounds(); }, surface.data);
}

Aabb solid_bounds(const SurfaceShape& surface) {
  Aabb bounds = surface_bounds(surface);
  if (is_endless(surface)) bounds.lower.y = -std::numeric_limits<Real>::infinity();
  return bounds;
}

int collide_surface(const SurfaceShape& a, const Convex& b, const Pose& b_in_a, Real margin,
                    std::span<Manifold> out) {
  return std::visit([&](const auto& data) { return collide_surface(b, b_in_a, margin, data, out); },
                    a.data);
}

Aabb turned(const Aabb& box, const Pose& pose) {
  const Mat3 r = pose.orientation.matrix();
  const Vec3 half = box.half(), center = pose.to_world(box.center());
  Vec3 reach;
  for (int i = 0; i < 3; ++i)
    reach[i] = abs(r(i, 0)) * half.x + abs(r(i, 1)) * half.y + abs(r(i, 2)) * half.z;
  return {center - reach, center + reach};
}

}  // namespace sinew
