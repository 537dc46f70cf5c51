// Queries through the public face of a world: arguments are checked here, the rest is in
// rigid/queries.h. Denormal numbers are flushed as in the blocks of parallel loops, so that one ray
// and many give the same bits.
#include "rigid/queries.h"

#include "core/denormals.h"
#include "core/format.h"
#include "core/parallel.h"
#include "rigid/make_collider.h"
#include "world/validate.h"
#include "world/world_impl.h"

namespace sinew {
namespace {

constexpr int kRaysPerBlock = 64;

// Squares and products of lengths up to here are finite, also in float.
constexpr FieldInfo kPlace{.min = -1e15, .max = 1e15};

// `where` says how the argument is called; it is only asked when something is wrong.
template <class Where>
void check(const Vec3& v, Where&& where) {
  for (int k = 0; k < 3; ++k)
    if (!is_within(v[k], kPlace)) check_number(formatted("{}[{}]", where(), k), v[k], kPlace);
}

template <class Where>
void check(const Ray& ray, Where&& where) {
  check(ray.origin, [&] { return where() + ".origin"; });
  check(ray.way, [&] { return where() + ".way"; });
}

// The shape of a query as a collider; it must be convex.
Collider query_collider(const std::string& where, Shape shape, const Pose& pose) {
  if (const char* kind = surface_name(shape))
    throw Error(
        formatted("{}.shape is a {}; it must be convex: a sphere, capsule, box, "
                  "cylinder or convex_hull",
                  where, kind));
  Validator v(where);
  v.field("shape", shape, {});
  v.field("pose", pose, {});
  check(pose.position, [&] { return where + ".pose.position"; });
  return make_collider(shape);
}

Pose unit_pose(const Pose& pose) { return {pose.position, normalized(pose.orientation)}; }

}  // namespace

std::optional<RayHit> World::cast_ray(const Ray& ray) const {
  check(ray, [] { return std::string("ray"); });
  const FlushDenormals scope;
  return sinew::cast_ray(impl_->bodies, ray);
}

void World::cast_rays(std::span<const Ray> rays, std::span<std::optional<RayHit>> hits) const {
  if (rays.size() != hits.size())
    throw Error(formatted("cast_rays: there are {} rays and room for {} hits; make it as many",
                          rays.size(), hits.size()));
  for (std::size_t i = 0; i < rays.size(); ++i)
    check(rays[i], [&] { return formatted("rays[{}]", i); });
  if (rays.empty()) return;
  parallel_for(*impl_->executor, static_cast<int>(rays.size()), kRaysPerBlock,
               [&](int begin, int end) {
                 for (auto i = static_cast<std::size_t>(begin); i < std::size_t(end); ++i)
                   hits[i] = sinew::cast_ray(impl_->bodies, rays[i]);
               });
}

std::optional<RayHit> World::cast_shape(const ShapeCast& cast) const {
  check(cast.way, [] { return std::string("cast.way"); });
  const Collider shape = query_collider("cast", cast.shape, cast.pose);
  const FlushDenormals scope;
  return cast_collider(impl_->bodies, shape, unit_pose(cast.pose), cast.way, cast.filter);
}

std::vector<RigidId> World::overlap(const Shape& shape, const Pose& pose,
                                    const QueryFilter& filter) const {
  const Collider collider = query_collider("overlap", shape, pose);
  const FlushDenormals scope;
  return find_overlaps(impl_->bodies, collider, unit_pose(pose), filter);
}

std::optional<ClosestPoint> World::closest_point(const Vec3& point, Real max_distance,
                                                 const QueryFilter& filter) const {
  check(point, [] { return std::string("point"); });
  check_number("max_distance", max_distance, {.min = 0, .max = kPlace.max});
  const FlushDenormals scope;
  return sinew::closest_point(impl_->bodies, point, max_distance, filter);
}

}  // namespace sinew
