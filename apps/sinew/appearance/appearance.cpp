#include "appearance/appearance.h"

#include <sinew/generators.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr Real kPlaneSize = 8;  // [m]

// Into how many cells what is round is cut.
struct Roundness {
  int around = 48, subdivisions = 4;
};
// One among a great many is seen small, and all of them have to be drawn.
Roundness roundness_among(std::size_t bodies) {
  return bodies > 100 ? Roundness{.around = 24, .subdivisions = 2} : Roundness{};
}

TriMesh surface_of(const Plane&, Roundness) { return cloth(kPlaneSize, kPlaneSize, 1, 1); }
TriMesh surface_of(const Sphere& s, Roundness r) {
  return sphere_surface(s.radius, r.subdivisions);
}
TriMesh surface_of(const Box& s, Roundness) { return box_surface(s.size, {1, 1, 1}); }
// A short one drawn out, so that a thin one is not cut into a great many cells.
TriMesh surface_of(const Capsule& s, Roundness r) {
  if (s.half_height == 0) return sphere_surface(s.radius, r.subdivisions);
  const Real half = std::min(s.half_height, s.radius / 20);
  TriMesh mesh = capsule_surface(s.radius, half, r.around);
  for (Vec3& v : mesh.vertices) v.y += std::copysign(s.half_height - half, v.y);
  return mesh;
}

TriMesh surface_of(const Cylinder& s, Roundness r) {
  return cylinder_surface(s.radius, 2 * s.half_height, r.around, 1);
}
TriMesh surface_of(const ConvexHull& s, Roundness) { return s.surface(); }
TriMesh surface_of(const HeightField& s, Roundness) { return s.surface(); }
TriMesh surface_of(const TriangleMesh& s, Roundness) { return s.mesh; }

void append(TriMesh& mesh, const TriMesh& more) {
  const auto first = static_cast<Index>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), more.vertices.begin(), more.vertices.end());
  for (Triangle triangle : more.cells) {
    for (Index& corner : triangle) corner += first;
    mesh.cells.push_back(triangle);
  }
}

bool is_plane(const Part& part) { return std::holds_alternative<Plane>(part.shape); }

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
  } else if (const TriMesh& skin = world.skin(id); !skin.cells.empty()) {
    rides_ = true;
    triangles_ = skin.cells;
  } else {
    triangles_ = world.surface(id).cells;
  }
}

std::vector<Vec3> SoftSkin::vertices(const World& world) const {
  if (rides_) return world.skin_positions(id_);
  std::vector<Vec3> positions = world.positions(id_);
  return tube_ ? tube_->vertices(positions) : positions;
}

TriMesh visible_surface(const World& world, RigidId id) {
  const Roundness roundness = roundness_among(world.rigid_bodies().size());
  TriMesh all;
  for (const Part& part : world.parts(id)) {
    TriMesh surface =
        std::visit([&](const auto& s) { return surface_of(s, roundness); }, part.shape);
    transform(surface, part.pose);
    append(all, surface);
  }
  return all;
}

Vec3 Colours::of(const World& world, RigidId id) {
  return world.state(id).is_static ? kStaticColour : body_colour(used_++);
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
  Colours colours;
  for (RigidId id : world.rigid_bodies()) {
    const Pose pose = world.pose(id);
    if (const auto parts = world.parts(id); parts.size() == 1 && is_plane(parts[0]))
      scene.floors.push_back({pose.position, pose.orientation.rotate({0, 1, 0})});
    else
      scene.bodies.push_back({.surface = visible_surface(world, id),
                              .colour = colours.of(world, id),
                              .look = Look::kMatte,
                              .pose = pose});
  }
  for (SoftId id : world.soft_bodies()) {
    const SoftSkin skin(world, id);
    const bool line = std::holds_alternative<LineMesh>(world.rest_mesh(id));
    const bool sheet = std::holds_alternative<TriMesh>(world.rest_mesh(id));
    const bool bare = world.skin(id).cells.empty();
    scene.bodies.push_back({.surface = {skin.vertices(world), skin.triangles()},
                            .colour = colours.next(),
                            .look = line || sheet ? Look::kMatte : Look::kJelly,
                            .wire = !line && bare});
  }
  return scene;
}

}  // namespace sinew
