// What is asked about the bodies of a world (sinew/queries.h). Arguments have been checked.
//
// Convex shapes and planes are solid. Triangle meshes and height fields are what they are for
// contacts: their triangles, without an inside, met from both sides; normals on them are on the
// side of what meets them. Of hits that are equally near, the one on the body with the smallest
// slot counts, and on its first part: answers do not depend on how the trees lie.
//
// Nothing here changes the world, and many may ask at the same time.
#pragma once

#include <optional>
#include <vector>

#include "rigid/rigid_world.h"

namespace sinew {

std::optional<RayHit> cast_ray(const RigidWorld& world, const Ray& ray);

// A convex collider as make_collider() gives it, which starts at `pose` and goes straight.
std::optional<RayHit> cast_collider(const RigidWorld& world, const Collider& shape,
                                    const Pose& pose, const Vec3& way, const QueryFilter& filter);

// The bodies that a convex collider overlaps, in the order of their slots, each once.
std::vector<RigidId> find_overlaps(const RigidWorld& world, const Collider& shape, const Pose& pose,
                                   const QueryFilter& filter);

std::optional<ClosestPoint> closest_point(const RigidWorld& world, const Vec3& point,
                                          Real max_distance, const QueryFilter& filter);

}  // namespace sinew
