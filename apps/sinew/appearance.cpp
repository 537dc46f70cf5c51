#include "appearance.h"

#include <sinew/generators.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr Real kPlaneSize = 8;  // [m]

TriMesh surface_of(const Plane&) { return cloth(kPlaneSize, kPlaneSize, 1, 1); }
TriMesh surface_of(const Sphere& s) { return sphere_surface(s.radius, 4); }
TriMesh surface_of(const Box& s) { return box_surface(s.size, {1, 1, 1}); }
// A short one drawn out, so that a thin one is not cut into a great many cells.
TriMesh surface_of(const Capsule& s) {
  if (s.half_height == 0) return sphere_surface(s.radius, 4);
  const Real half = std::min(s.half_height, s.radius / 20);
  TriMesh mesh = capsule_surface(s.radius, half, 48);
  for (Vec3& v : mesh.vertices) v.y += std::copysign(s.half_height - half, v.y);
  return mesh;
}

TriMesh surface_of(const Cylinder& s) {
  return cylinder_surface(s.radius, 2 * s.half_height, 48, 1);
}
TriMesh surface_of(const ConvexHull& s) { return s.surface(); }
TriMesh surface_of(const HeightField& s) { return s.surface(); }
TriMesh surface_of(const TriangleMesh& s) { return s.mesh; }

// As thick as the rope, but never so thin that a picture of all of it does not show it.
Real tube_radius(const LineMesh& mesh, Real thickness) {
  constexpr Real kThinnest = Real(0.002);  // of the rope's length
  return std::max(thickness / 2, kThinnest * Real(total_measure(mesh)));
}

}  // namespace

SoftSkin::SoftSkin(const World& world, SoftId id) : id_(id) {
  if (const auto* line = std::get_if<LineMesh>(&world.rest_mesh(id))) {
    tube_.emplace(*line, tube_radius(*line, world.thickness(id)));
    triangles_ = tube_->triangles();
  } else {
    triangles_ = world.surface(id).cells;
  }
}

std::vector<Vec3> SoftSkin::vertices(const World& world) const {
  std::vector<Vec3> positions = world.positions(id_);
  return tube_ ? tube_->vertices(positions) : positions;
}

TriMesh visible_surface(const Shape& shape) {
  return std::visit([](const auto& s) { return surface_of(s); }, shape);
}

Vec3 linear_colour(const Vec3& srgb) {
  const auto linear = [](Real c) {
    return c <= Real(0.04045) ? c / Real(12.92)
                              : std::pow((c + Real(0.055)) / Real(1.055), Real(2.4));
  };
  return {linear(srgb.x), linear(srgb.y), linear(srgb.z)};
}

PictureScene picture_of(const World& world) {
  PictureScene scene;
  for (RigidId id : world.rigid_bodies()) {
    const StaticBody& body = world.definition(id);
    if (std::holds_alternative<Plane>(body.shape))
      scene.floors.push_back({body.pose.position, body.pose.orientation.rotate({0, 1, 0})});
    else
      scene.bodies.push_back({.surface = visible_surface(body.shape),
                              .colour = kStaticColour,
                              .look = Look::kMatte,
                              .pose = body.pose});
  }
  std::size_t index = 0;
  for (SoftId id : world.soft_bodies()) {
    const SoftSkin skin(world, id);
    const bool line = std::holds_alternative<LineMesh>(world.rest_mesh(id));
    const bool sheet = std::holds_alternative<TriMesh>(world.rest_mesh(id));
    scene.bodies.push_back({.surface = {skin.vertices(world), skin.triangles()},
                            .colour = body_colour(index++),
                            .look = line || sheet ? Look::kMatte : Look::kJelly,
                            .wire = !line});
  }
  return scene;
}

}  // namespace sinew
