// Triangle meshes and height fields as rigid bodies see them.
#pragma once

#include <sinew/shapes.h>

#include <memory>
#include <span>
#include <variant>

#include "collision/convex.h"
#include "collision/height_field_data.h"
#include "collision/manifold.h"
#include "collision/triangle_soup.h"

namespace sinew {

struct SurfaceShape {
  std::variant<TriangleSoup, HeightFieldData> data;
};

// Throw Error for surfaces without triangles.
std::shared_ptr<const SurfaceShape> make_surface(const TriangleMesh& mesh);
std::shared_ptr<const SurfaceShape> make_surface(const HeightField& field);

Aabb surface_bounds(const SurfaceShape& surface);
// Height fields are solid below, without end.
inline bool is_endless(const SurfaceShape& surface) {
  return std::holds_alternative<HeightFieldData>(surface.data);
}
// With what is solid behind it, in its own frame.
Aabb solid_bounds(const SurfaceShape& surface);
int collide_surface(const SurfaceShape& a, const Convex& b, const Pose& b_in_a, Real margin,
                    std::span<Manifold> out);

// f(corners of a triangle) for all that overlap the box.
template <class F>
void for_each_triangle(const SurfaceShape& surface, const Aabb& box, F&& f) {
  std::visit(
      [&](const auto& data) {
        data.query(box, [&](Index triangle) {
          Vec3 corner[3];
          data.triangle(triangle, corner);
          f(corner);
        });
      },
      surface.data);
}

// The box about a box that is turned and moved.
Aabb turned(const Aabb& box, const Pose& pose);

}  // namespace sinew
