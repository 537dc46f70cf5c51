// Trees find what is near, src/collision tells what is met. Shapes that move are held against every
// candidate only on the part of their way where boxes meet: that saves looking, and digits.
#include "rigid/queries.h"

#include <algorithm>
#include <cmath>

#include "collision/casts.h"
#include "collision/gjk.h"

namespace sinew {
namespace {

bool counts(const RigidWorld& world, const Collider& collider, const QueryFilter& filter) {
  const BodyInfo& info = world.info[collider.body];
  return (static_cast<std::uint32_t>(filter.mask) >> info.group & 1u) != 0 &&
         (filter.sensors || !info.sensor) && info.id != filter.except;
}

Pose pose_of(const RigidWorld& world, const Collider& collider) {
  const BodyPose<Real> body = motion_pose(world, collider.body);
  return Pose{body.center, body.turn} * collider.local;
}

Aabb box_of(const Convex& shape, const Pose& pose) {
  const Extent e = extent(shape, pose.orientation.matrix());
  return {pose.position + e.lower, pose.position + e.upper};
}

// Whether something as near as `value` on A comes before what has been found on B.
bool comes_first(Real value, const Collider& a, Real best, const Collider* b) {
  if (b == nullptr || value != best) return value <= best;
  return a.body != b->body ? a.body < b->body : a.shape < b->shape;
}

struct FirstHit {
  Real fraction = 1;
  const Collider* collider = nullptr;
  Hit hit;  // in the frame of `pose`
  Pose pose;

  void offer(const Collider& on, const std::optional<Hit>& found, const Pose& frame) {
    if (!found || !comes_first(found->fraction, on, fraction, collider)) return;
    fraction = found->fraction;
    collider = &on;
    hit = *found;
    pose = frame;
  }
  std::optional<RayHit> result(const RigidWorld& world) const {
    if (collider == nullptr) return std::nullopt;
    return RayHit{.body = world.info[collider->body].id,
                  .part = static_cast<int>(collider->shape),
                  .fraction = fraction,
                  .point = pose.to_world(hit.point),
                  .normal = pose.orientation.rotate(hit.normal)};
  }
};

// f(collider) for all whose boxes a box meets that starts about `origin` and goes straight, as long
// as they come before the first hit.
template <class F>
void for_each_on_way(const RigidWorld& world, const Vec3& origin, const Vec3& half, const Vec3& way,
                     const QueryFilter& filter, const FirstHit& first, F&& f) {
  const auto visit = [&](std::uint32_t index, Real) {
    const Collider& collider = world.colliders[index];
    if (counts(world, collider, filter)) f(collider);
    return first.fraction;
  };
  for (std::uint32_t index : world.planes) visit(index, 1);
  world.fixed.cast(origin, way, first.fraction, visit, half);
  world.moving.cast(origin, way, first.fraction, visit, half);
}

// --- rays, in the frame of the collider ----------------------------------------------------------
std::optional<Hit> ray_on_plane(const Vec3& origin, const Vec3& way) {
  if (way != Vec3{}) return cast_ray_plane(origin, way);
  if (origin.y > 0) return std::nullopt;
  return Hit{0, origin, {0, 1, 0}};
}

std::optional<Hit> ray_on_surface(const SurfaceShape& surface, const Vec3& origin, const Vec3& way,
                                  Real most) {
  const auto hit =
      std::visit([&](const auto& data) { return data.cast_ray(origin, way, most); }, surface.data);
  if (!hit) return std::nullopt;
  return Hit{hit->fraction, origin + way * hit->fraction, hit->normal};
}

std::optional<Hit> ray_on(const Collider& collider, const Vec3& origin, const Vec3& way,
                          Real most) {
  switch (collider.kind) {
    case Collider::Kind::kPlane:
      return ray_on_plane(origin, way);
    case Collider::Kind::kSurface:
      return ray_on_surface(*collider.surface, origin, way, most);
    case Collider::Kind::kConvex:
      break;
  }
  return cast_ray(collider.convex, origin, way);
}

// --- shapes that move ----------------------------------------------------------------------------
// From where to where, in parts of the way, something is of interest.
struct Stretch {
  Real from, to;
};

// A convex shape that goes straight, in some frame.
class Mover {
 public:
  Mover(const Collider& shape, const Pose& start, const Vec3& way)
      : shape_(shape.convex),
        start_(start),
        way_(way),
        size_(shape.size),
        box_(box_of(shape_, start)),
        ray_(box_.center(), way) {
    const Vec3 reach = box_.half() + Vec3{pad(), pad(), pad()};
    ray_.above += reach;
    ray_.below -= reach;
  }

  const Aabb& box() const { return box_; }

  // Where its own box, and a little more, meets another. The little more sees to it that what is
  // met after the start is clearly apart where the stretch begins.
  std::optional<Stretch> meets(const Aabb& other) const {
    Stretch s;
    ray_.cut(other.lower, other.upper, s.from, s.to);
    s = {max(s.from, Real(0)), min(s.to, Real(1))};
    if (!(s.from <= s.to)) return std::nullopt;
    return s;
  }

  std::optional<Hit> cast(const Convex& other, const Pose& pose, const Stretch& s) const {
    const Pose from{start_.position + way_ * s.from, start_.orientation};
    const Real share = s.to - s.from;
    std::optional<Hit> hit = cast_convex(shape_, from, way_ * share, other, pose);
    if (hit) hit->fraction = min(s.from + share * hit->fraction, Real(1));
    return hit;
  }

  // Of the half-space y ≤ 0: the lowest point is the first to meet it.
  std::optional<Hit> cast_plane() const {
    const Vec3 low = lowest_point(shape_, start_);
    if (low.y > 0 ? !(low.y + way_.y <= 0) : low.y == 0 && way_.y >= 0) return std::nullopt;
    const Real fraction = low.y > 0 ? min(low.y / -way_.y, Real(1)) : Real(0);
    const Vec3 there = low + way_ * fraction;
    return Hit{fraction, {there.x, 0, there.z}, {0, 1, 0}};
  }

  std::optional<Hit> cast_surface(const SurfaceShape& surface) const;

  static Vec3 lowest_point(const Convex& shape, const Pose& pose) {
    const Vec3 down{0, -1, 0};
    const Vec3 core = support(shape, pose.orientation.conjugate().rotate(down));
    return pose.to_world(core) + down * shape.radius;
  }

 private:
  Real pad() const { return Real(0.01) * size_; }
  Aabb box_at(Real fraction) const {
    return {box_.lower + way_ * fraction, box_.upper + way_ * fraction};
  }

  const Convex& shape_;
  Pose start_;
  Vec3 way_;
  Real size_;
  Aabb box_;
  SlabRay<Real> ray_;  // of the middle of the box, ready for boxes of its size
};

// Piece by piece, so that a long way over a large surface need not look at all of it. A triangle
// belongs to the piece in which boxes begin to meet.
std::optional<Hit> Mover::cast_surface(const SurfaceShape& surface) const {
  constexpr Real kMostPieces = 64;
  const std::optional<Stretch> whole = meets(surface_bounds(surface));
  if (!whole) return std::nullopt;
  const Real share = whole->to - whole->from;
  const Real wanted = length(way_) * share / (4 * size_);
  const int pieces = static_cast<int>(min(max(wanted, Real(1)), kMostPieces));
  const auto border = [&](int i) {
    return whole->from + share * (static_cast<Real>(i) / static_cast<Real>(pieces));
  };
  std::optional<Hit> first;
  for (int i = 0; i < pieces; ++i) {
    const Real from = border(i), to = border(i + 1);
    const Aabb box = grown(merged(box_at(from), box_at(to)), 2 * pad());
    for_each_triangle(surface, box, [&](const Vec3(&c)[3]) {
      const Aabb around{least(least(c[0], c[1]), c[2]), most(most(c[0], c[1]), c[2])};
      const std::optional<Stretch> s = meets(around);
      if (!s || (first && s->from > first->fraction)) return;
      if ((i > 0 && s->from < from) || (i + 1 < pieces && s->from >= to)) return;
      const Convex triangle{.kind = ConvexKind::kTriangle, .corner = {c[0], c[1], c[2]}};
      const std::optional<Hit> hit = cast(triangle, {}, *s);
      if (hit && (!first || hit->fraction < first->fraction)) first = hit;
    });
    if (first && first->fraction <= to) break;
  }
  return first;
}

void cast_on(const RigidWorld& world, const Collider& collider, const Collider& shape,
             const Pose& start, const Vec3& way, const Mover& mover, FirstHit& first) {
  if (collider.kind == Collider::Kind::kConvex) {
    if (const auto stretch = mover.meets(collider_bounds(world, collider)))
      first.offer(collider, mover.cast(collider.convex, pose_of(world, collider), *stretch), {});
    return;
  }
  const Pose pose = pose_of(world, collider);
  const Mover local(shape, pose.inverse() * start, pose.orientation.conjugate().rotate(way));
  first.offer(collider,
              collider.kind == Collider::Kind::kPlane ? local.cast_plane()
                                                      : local.cast_surface(*collider.surface),
              pose);
}

// --- overlaps ------------------------------------------------------------------------------------
bool overlaps(const RigidWorld& world, const Collider& collider, const Convex& shape,
              const Pose& start) {
  const Pose in_collider = pose_of(world, collider).inverse() * start;
  switch (collider.kind) {
    case Collider::Kind::kPlane:
      return Mover::lowest_point(shape, in_collider).y <= 0;
    case Collider::Kind::kConvex:
      return overlap(collider.convex, shape, in_collider);
    case Collider::Kind::kSurface:
      break;
  }
  bool found = false;
  const Pose of_triangle = in_collider.inverse();
  for_each_triangle(*collider.surface, box_of(shape, in_collider), [&](const Vec3(&c)[3]) {
    const Convex triangle{.kind = ConvexKind::kTriangle, .corner = {c[0], c[1], c[2]}};
    found = found || overlap(shape, triangle, of_triangle);
  });
  return found;
}

// --- nearest points ------------------------------------------------------------------------------
struct Nearest {
  Real distance;
  const Collider* collider = nullptr;
  Vec3 point, normal;  // in the world

  // In the frame of the collider.
  void offer(const Collider& on, Real away, const Pose& pose, const Vec3& at, const Vec3& out) {
    if (!comes_first(away, on, distance, collider)) return;
    distance = away;
    collider = &on;
    point = pose.to_world(at);
    normal = pose.orientation.rotate(out);
  }
};

void nearest_on(const RigidWorld& world, const Collider& collider, const Vec3& point,
                Nearest& nearest) {
  const Pose pose = pose_of(world, collider);
  const Vec3 p = pose.to_local(point);
  switch (collider.kind) {
    case Collider::Kind::kPlane:
      return nearest.offer(collider, p.y, pose, {p.x, 0, p.z}, {0, 1, 0});
    case Collider::Kind::kConvex: {
      const Closest c = closest_to_point(collider.convex, p);
      return nearest.offer(collider, c.distance, pose, c.on_a, c.normal);
    }
    case Collider::Kind::kSurface:
      break;
  }
  if (nearest.distance < 0) return;
  std::visit(
      [&](const auto& data) {
        const auto at = data.closest_point(p, nearest.distance);
        if (!at) return;
        const Vec3 apart = p - at->point;
        constexpr Real kTiny = Real(1e-20);  // squared: too near to tell a direction [m²]
        const Vec3 out =
            dot(apart, apart) > kTiny ? normalized(apart) : Vec3(data.normal(at->triangle));
        nearest.offer(collider, at->distance, pose, at->point, out);
      },
      collider.surface->data);
}

}  // namespace

std::optional<RayHit> cast_ray(const RigidWorld& world, const Ray& ray) {
  FirstHit first;
  for_each_on_way(world, ray.origin, {}, ray.way, ray.filter, first, [&](const Collider& c) {
    const Pose pose = pose_of(world, c);
    const Vec3 way = pose.orientation.conjugate().rotate(ray.way);
    first.offer(c, ray_on(c, pose.to_local(ray.origin), way, first.fraction), pose);
  });
  return first.result(world);
}

std::optional<RayHit> cast_collider(const RigidWorld& world, const Collider& shape,
                                    const Pose& pose, const Vec3& way, const QueryFilter& filter) {
  FirstHit first;
  const Pose start = pose * shape.local;
  const Mover mover(shape, start, way);
  for_each_on_way(world, mover.box().center(), mover.box().half(), way, filter, first,
                  [&](const Collider& c) { cast_on(world, c, shape, start, way, mover, first); });
  return first.result(world);
}

std::vector<RigidId> find_overlaps(const RigidWorld& world, const Collider& shape, const Pose& pose,
                                   const QueryFilter& filter) {
  const Pose start = pose * shape.local;
  const Aabb box = box_of(shape.convex, start);
  std::vector<RigidId> found;
  const auto visit = [&](std::uint32_t index) {
    const Collider& collider = world.colliders[index];
    if (counts(world, collider, filter) && overlaps(world, collider, shape.convex, start))
      found.push_back(world.info[collider.body].id);
  };
  for (std::uint32_t index : world.planes) visit(index);
  world.fixed.query(box, visit);
  world.moving.query(box, visit);
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

// In boxes about the point, each four times as large, until what is found is nearer than anything
// outside of the box can be.
std::optional<ClosestPoint> closest_point(const RigidWorld& world, const Vec3& point,
                                          Real max_distance, const QueryFilter& filter) {
  constexpr Real kFirstReach = Real(1) / 64;  // [m]
  Nearest nearest{.distance = max_distance, .point = {}, .normal = {}};
  const auto visit = [&](std::uint32_t index) {
    const Collider& collider = world.colliders[index];
    if (counts(world, collider, filter)) nearest_on(world, collider, point, nearest);
  };
  const auto visit_near = [&](std::uint32_t index) {
    const Real bound = max(nearest.distance, Real(0));
    if (distance2(world.colliders[index].fat, point) <= bound * bound) visit(index);
  };
  for (std::uint32_t index : world.planes) visit(index);
  for (Real reach = min(kFirstReach, max_distance);; reach = min(4 * reach, max_distance)) {
    const Aabb box = grown(Aabb{point, point}, reach);
    world.fixed.query(box, visit_near);
    world.moving.query(box, visit_near);
    if (nearest.distance <= reach) break;
  }
  if (nearest.collider == nullptr) return std::nullopt;
  return ClosestPoint{.body = world.info[nearest.collider->body].id,
                      .part = static_cast<int>(nearest.collider->shape),
                      .point = nearest.point,
                      .normal = nearest.normal,
                      .distance = nearest.distance};
}

}  // namespace sinew
