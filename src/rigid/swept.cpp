#include "rigid/swept.h"

#include <optional>

#include "collision/casts.h"
#include "rigid/skins.h"

namespace sinew {
namespace {

constexpr Real kNearInSweep =
    Real(1e-3);  // shapes that come as near have met, by this share of the smaller

// What is not met, but near, by shares of the smaller. Joints change velocities within the step: of
// knots that fell beside a ball, a taut net pulled some through it.
constexpr Real kMissed = Real(0.1), kMissedOnJoints = 2;

Path path_of(const RigidWorld& world, const Collider& collider, Real dt) {
  const BodyPose<Real> body = motion_pose(world, collider.body);
  const auto& v = world.rows.velocity[collider.body].c;
  return {.start = Pose{body.center, body.turn} * collider.local,
          .way = Vec3{v[0], v[1], v[2]} * dt,
          .turn = Vec3{v[3], v[4], v[5]} * dt,
          .center = collider.local.to_local({})};
}

// Where B may get to, seen from A, as far as A does not move: nearer to its start than it goes, and
// in a ball about its centre, however often it turns.
Aabb swept_box(const RigidWorld& world, const Convex& skin, BodyRow row, const Path& path_a,
               const Path& path_b) {
  const Pose start = path_a.start.inverse() * path_b.start;
  const Extent e = extent(skin, start.orientation.matrix());
  const Aabb near =
      grown(Aabb{start.position + e.lower, start.position + e.upper}, world.track[row].reach);
  const Vec3 center = start.to_world(path_b.center);
  const Vec3 end = center + path_a.start.orientation.conjugate().rotate(path_b.way);
  const Aabb ball =
      grown(Aabb{least(center, end), most(center, end)}, radius_about(skin, path_b.center));
  return {most(near.lower, ball.lower), least(near.upper, ball.upper)};
}

// Of a surface, the triangle that is met first.
std::optional<Hit> first_hit(const RigidWorld& world, const Collider& a, const Path& path_a,
                             const Collider& b, const Path& path_b, Real target) {
  const Convex skin = skin_of(b);
  if (a.kind == Collider::Kind::kConvex)
    return cast_moving(skin, path_b, skin_of(a), path_a, target);
  const Aabb box = grown(swept_box(world, skin, b.body, path_a, path_b),
                         world.track[a.body].reach + target + a.margin);
  std::optional<Hit> first;
  for_each_triangle(*a.surface, box, [&](const Vec3(&corner)[3]) {
    const Convex triangle = rounded(
        {.kind = ConvexKind::kTriangle, .corner = {corner[0], corner[1], corner[2]}}, a.margin);
    const std::optional<Hit> hit = cast_moving(skin, path_b, triangle, path_a, target);
    if (hit && (!first || hit->fraction < first->fraction)) first = hit;
  });
  return first;
}

// Tells a manifold of the moment of the hit as if nothing turned on the way there and everything
// went on as it does then.
void tell_from_start(const Path& path_a, const Path& path_b, Real time, Manifold& m) {
  const Pose then_a = path_a.at(time), then_b = path_b.at(time);
  const Vec3 n = then_a.orientation.rotate(m.normal);
  const Vec3 middle_a = path_a.start.to_world(path_a.center);
  const Vec3 middle_b = path_b.start.to_world(path_b.center);
  m.normal = path_a.start.orientation.conjugate().rotate(n);
  for (int i = 0; i < m.count; ++i) {
    const Vec3 on_a = then_a.to_world(m.on_a[i]) - path_a.way * time;
    Vec3 on_b = then_b.to_world(m.on_b[i]) - path_b.way * time;
    const Vec3 closing = path_b.way + cross(path_b.turn, on_b - middle_b) - path_a.way -
                         cross(path_a.turn, on_a - middle_a);
    const Real gap = m.separation[i] - min(dot(closing, n), Real(0)) * time;
    on_b += n * (gap - dot(n, on_b - on_a));
    m.on_a[i] = path_a.start.to_local(on_a);
    m.on_b[i] = path_b.start.to_local(on_b);
    m.separation[i] = gap;
  }
}

}  // namespace

int collide_swept(const RigidWorld& world, const Pair& pair, const Pose& b_in_a, Real dt,
                  Real within, std::span<Manifold> out) {
  const Collider& a = world.colliders[pair.collider[0]];
  const Collider& b = world.colliders[pair.collider[1]];
  const Real size = smaller_size(a, b);
  const Real target = kNearInSweep * size;
  const Path path_a = path_of(world, a, dt), path_b = path_of(world, b, dt);
  const std::optional<Hit> hit = first_hit(world, a, path_a, b, path_b, target);
  Pose then = b_in_a;
  if (hit) then = path_a.at(hit->fraction).inverse() * path_b.at(hit->fraction);
  // With what is met, all of B that may follow: the other end of a rod that hits with one swings
  // down within the step. Nothing is met: what is near all the same is kept, with no more than the
  // usual margin, or more where joints may pull.
  const bool jointed = !world.info[a.body].joints.empty() || !world.info[b.body].joints.empty();
  const Real missed = (jointed ? kMissedOnJoints : kMissed) * size;
  const Real near = std::min(within, hit ? 2 * b.size : missed);
  const int count = collide_skins(a, b, then, near, out);
  if (hit)
    for (int i = 0; i < count; ++i) tell_from_start(path_a, path_b, hit->fraction, out[i]);
  out[0].distance = 0;  // nothing is known of the other ways they may go
  return count;
}

}  // namespace sinew
