// Exact continuous collision of bodies marked as bullets. Predictive contacts are made for what
// lies ahead at the start of a step; a bullet that is turned aside in the step may meet something
// else after that. So its way through the step, from where it was to where it is, is followed once
// more, and cut off at the first thing that it would have passed; its velocity stays, and the next
// step has the contact.
#include <algorithm>
#include <cmath>

#include "collision/casts.h"
#include "rigid/rigid_step.h"
#include "rigid/skins.h"

namespace sinew {
namespace {

constexpr Real kNear = Real(0.02);  // share of its size at which it is stopped

Pose pose_of(const Row8<Real>& row) {
  return {{row.c[0], row.c[1], row.c[2]}, {row.c[4], row.c[5], row.c[6], row.c[7]}};
}

// Two that touch already are held apart by their contact.
bool in_contact(const RigidWorld& world, std::uint32_t a, std::uint32_t b) {
  const std::uint32_t pair = world.pair_table.find(pair_key(a, b));
  return pair != kNone && world.pairs[pair].contacts > 0;
}

// The first hit of a skin's way with another one, which is where it is now.
Real hit_with(const RigidWorld& world, const Convex& skin, const Pose& start, const Vec3& way,
              Real target, const Aabb& swept, const Collider& other) {
  const BodyPose<Real> body = motion_pose(world, other.body);
  const Pose pose = Pose{body.center, body.turn} * other.local;
  Real first = 1;
  const auto take = [&](const std::optional<Hit>& hit) {
    if (hit) first = std::min(first, hit->fraction);
  };
  if (other.kind == Collider::Kind::kConvex) {
    take(cast_convex(skin, start, way, skin_of(other), pose, target));
  } else if (other.kind == Collider::Kind::kSurface) {
    const Aabb box = turned(grown(swept, other.margin), pose.inverse());
    for_each_triangle(*other.surface, box, [&](const Vec3(&corner)[3]) {
      take(cast_convex(skin, start, way, skin_of(other, corner), pose, target));
    });
  }
  return first;
}

Real first_hit(const RigidWorld& world, std::uint32_t index, const Pose& start, const Vec3& way) {
  const Collider& collider = world.colliders[index];
  const Convex skin = skin_of(collider);
  const Extent e = extent(skin, start.orientation.matrix());
  const Aabb now{start.position + e.lower, start.position + e.upper};
  const Aabb swept = merged(now, Aabb{now.lower + way, now.upper + way});
  const Real target = kNear * collider.size;
  Real first = 1;
  const auto meet = [&](std::uint32_t other) {
    const Collider& c = world.colliders[other];
    if (c.body == collider.body || !may_meet(world, c.body, collider.body)) return;
    if (world.info[c.body].sensor || in_contact(world, index, other)) return;
    first = std::min(first, hit_with(world, skin, start, way, target, swept, c));
  };
  world.fixed.query(swept, meet);
  world.moving.query(swept, meet);
  return first;
}

}  // namespace

void stop_bullets(const RigidStep& s) {
  RigidWorld& world = s.world;
  for (std::size_t i = 0; i < world.awake.size(); ++i) {
    const BodyRow row = world.awake[i];
    const BodyInfo& info = world.info[row];
    if (!info.bullet || info.sensor || world.track[row].kind != BodyKind::kDynamic) continue;
    const Pose before = pose_of(s.scratch.start[i]), after = pose_of(world.rows.pose[row]);
    const Vec3 way = after.position - before.position;
    Real first = 1;
    for (std::uint32_t index : info.colliders) {
      const Collider& collider = world.colliders[index];
      if (length(way) < Real(0.5) * collider.size) continue;
      // It turns about its centre; what counts is how far that goes.
      const Pose start{before.position + after.orientation.rotate(collider.local.position),
                       after.orientation * collider.local.orientation};
      first = std::min(first, first_hit(world, index, start, way));
    }
    if (first >= 1) continue;
    const Vec3 place = before.position + way * first;
    for (int k = 0; k < 3; ++k) world.rows.pose[row].c[k] = place[k];
  }
}

}  // namespace sinew
