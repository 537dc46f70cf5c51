// What fast bodies are kept from once a step is done. Predictive contacts are made for what lies
// ahead at its start; what is turned aside may meet something else after that, and what is held at
// one end only may swing through with the other. So the way of the fast through the step, from
// where they were to where they are, is followed once more: their middles never pass anything, and
// bodies marked as bullets are cut off at the first thing that they would have entered. Velocities
// stay, and the next step has the contact.
//
// What has one side does not push what is behind it. There the way is followed from where that was
// last done, so that what is pressed through slowly is kept in front as well.
#include <algorithm>
#include <cmath>

#include "collision/casts.h"
#include "rigid/rigid_step.h"
#include "rigid/skins.h"

namespace sinew {
namespace {

// Shares of the ball that fits into a body: what is thin passes things soon.
constexpr Real kFast = Real(0.4);            // who goes farther in a step is looked at
constexpr Real kNearAfterStep = Real(0.05);  // how far from things it is stopped
constexpr Real kCore = Real(0.1);            // the radius of a ball in its middle

Pose pose_of(const Row8<Real>& row) {
  return {{row.c[0], row.c[1], row.c[2]}, {row.c[4], row.c[5], row.c[6], row.c[7]}};
}

// How far a body gets: its own way up to a time, and from then on with what it met.
struct Stop {
  Real time = 1;  // share of the step
  Vec3 met = {};  // way of what it met in the whole step [m]
};

Vec3 way_in_step(const RigidStep& s, BodyRow row) {
  const std::uint32_t at = s.world.track[row].awake_at;
  if (at == kNone) return {};
  return pose_of(s.world.rows.pose[row]).position - pose_of(s.scratch.start[at]).position;
}

// Two that touch already are held apart by their contact; only their middles are kept from passing.
bool in_contact(const RigidWorld& world, std::uint32_t a, std::uint32_t b) {
  const std::uint32_t pair = world.pair_table.find(pair_key(a, b));
  return pair != kNone && world.pairs[pair].contacts > 0;
}

// Surfaces have one side: what is behind them may come out.
bool in_front(const Vec3 (&corner)[3], const Vec3& p) {
  return dot(cross(corner[1] - corner[0], corner[2] - corner[0]), p - corner[0]) > 0;
}

// The first hit of a point that goes straight with the front of a surface or a plane. A point,
// because what lies flat on them, however thin, has its middle in front.
Real hit_front(const Vec3& start, const Vec3& way, const Collider& other, const Pose& pose) {
  const Vec3 from = pose.to_local(start), to = pose.to_local(start + way);
  Real first = 1;
  const auto take = [&](const std::optional<Hit>& hit) {
    if (hit) first = std::min(first, hit->fraction);
  };
  if (other.kind == Collider::Kind::kPlane) {
    if (from.y > 0) take(cast_ray_plane(from, to - from));
    return first;
  }
  for_each_triangle(*other.surface, {least(from, to), most(from, to)}, [&](const Vec3(&corner)[3]) {
    take(cast_ray_triangle(corner, from, to - from, Sides::kFront));
  });
  return first;
}

// The first hit of a shape that goes straight with another one, rounded by a margin, that stays.
Real hit_with(const Convex& shape, const Pose& start, const Vec3& way, Real target,
              const Aabb& swept, const Collider& other, const Pose& pose, Real margin) {
  Real first = 1;
  const auto take = [&](const std::optional<Hit>& hit) {
    if (hit) first = std::min(first, hit->fraction);
  };
  if (other.kind == Collider::Kind::kConvex) {
    take(cast_convex(shape, start, way, rounded(other.convex, margin), pose, target));
  } else if (other.kind == Collider::Kind::kSurface) {
    const Aabb box = turned(grown(swept, margin), pose.inverse());
    for_each_triangle(*other.surface, box, [&](const Vec3(&corner)[3]) {
      if (!in_front(corner, pose.to_local(start.position))) return;
      const Convex triangle{.kind = ConvexKind::kTriangle,
                            .corner = {corner[0], corner[1], corner[2]}};
      take(cast_convex(shape, start, way, rounded(triangle, margin), pose, target));
    });
  }
  return first;
}

// Seen from the other, which stays where it was at the start of the step.
Real first_time(const RigidStep& s, std::uint32_t index, std::uint32_t other, const Pose& start,
                const Vec3& way, const Vec3& met) {
  const Collider &collider = s.world.colliders[index], &c = s.world.colliders[other];
  const BodyPose<Real> body = motion_pose(s.world, c.body);
  const Pose pose = Pose{body.center - met, body.turn} * c.local;
  const Vec3 towards = way - met;
  const Convex skin = skin_of(collider);
  const Extent e = extent(skin, start.orientation.matrix());
  const Aabb now{start.position + e.lower, start.position + e.upper};
  const Aabb swept = merged(now, Aabb{now.lower + towards, now.upper + towards});
  const Real near = kNearAfterStep * collider.inner;
  if (s.world.info[collider.body].bullet && !in_contact(s.world, index, other))
    return hit_with(skin, start, towards, near, swept, c, pose, c.margin);
  if (c.kind == Collider::Kind::kSurface) return 1;  // keep_in_front() sees to that
  const Convex core{.kind = ConvexKind::kSphere, .radius = kCore * collider.inner};
  const Real hit = hit_with(core, start, towards, 0, swept, c, pose, 0);
  if (hit >= 1 || hit <= 0) return 1;  // what is in it from the start has to get out
  return std::max(hit - near / length(towards), Real(0));
}

void find_stop(const RigidStep& s, std::uint32_t index, const Pose& start, const Vec3& way,
               Stop& stop) {
  const RigidWorld& world = s.world;
  const Collider& collider = world.colliders[index];
  const Extent e = extent(skin_of(collider), start.orientation.matrix());
  const Aabb now{start.position + e.lower, start.position + e.upper};
  const Aabb swept = merged(now, Aabb{now.lower + way, now.upper + way});
  const auto meet = [&](std::uint32_t other) {
    const Collider& c = world.colliders[other];
    if (c.body == collider.body || !may_meet(world, c.body, collider.body)) return;
    if (world.info[c.body].sensor) return;
    const Vec3 met = way_in_step(s, c.body);
    const Real time = first_time(s, index, other, start, way, met);
    if (time < stop.time) stop = {time, met};
  };
  world.fixed.query(swept, meet);
  world.moving.query(swept, meet);
}

// How far the body gets on its way through the step.
Vec3 place_of(const RigidStep& s, BodyRow row, const Pose& before, const Pose& after) {
  const Vec3 way = after.position - before.position;
  Stop stop;
  for (std::uint32_t index : s.world.info[row].colliders) {
    const Collider& collider = s.world.colliders[index];
    if (length(way) < kFast * collider.inner) continue;
    // It turns about its centre; what counts is how far that goes.
    const Pose start{before.position + after.orientation.rotate(collider.local.position),
                     after.orientation * collider.local.orientation};
    find_stop(s, index, start, way, stop);
  }
  if (stop.time >= 1) return after.position;
  return before.position + (way - stop.met) * stop.time + stop.met;
}

// The share of the way on which a collider's middle stays in front of all that has one side.
Real share_in_front(const RigidWorld& world, const Collider& collider, const Vec3& start,
                    const Vec3& way) {
  Real first = 1;
  const auto meet = [&](std::uint32_t other) {
    const Collider& c = world.colliders[other];
    if (c.kind == Collider::Kind::kConvex || !may_meet(world, c.body, collider.body)) return;
    if (world.info[c.body].sensor) return;
    const BodyPose<Real> body = motion_pose(world, c.body);
    first = std::min(first, hit_front(start, way, c, Pose{body.center, body.turn} * c.local));
  };
  world.fixed.query({least(start, start + way), most(start, start + way)}, meet);
  for (std::uint32_t plane : world.planes) meet(plane);
  return first < 1 ? std::max(first - kNearAfterStep * collider.inner / length(way), Real(0)) : 1;
}

// How far it gets from where it was followed to last.
Vec3 keep_in_front(const RigidWorld& world, BodyRow row, const Quat& turn, const Vec3& place) {
  const Vec3 from = world.track[row].followed;
  Real share = 1;
  for (std::uint32_t index : world.info[row].colliders) {
    const Collider& collider = world.colliders[index];
    const Vec3 start = from + turn.rotate(collider.local.position);
    share = std::min(share, share_in_front(world, collider, start, place - from));
  }
  return share < 1 ? from + (place - from) * share : place;
}

}  // namespace

void stop_fast(const RigidStep& s) {
  RigidWorld& world = s.world;
  for (std::size_t i = 0; i < world.awake.size(); ++i) {
    const BodyRow row = world.awake[i];
    BodyTrack& track = world.track[row];
    const Pose after = pose_of(world.rows.pose[row]);
    const Vec3 way = after.position - track.followed;
    // Most are slower than that for their thinnest part, and that is all there is to do for them.
    if (dot(way, way) < kFast * kFast * track.inner * track.inner && !world.info[row].bullet)
      continue;
    if (world.info[row].sensor || track.kind != BodyKind::kDynamic) continue;
    const Vec3 stopped = place_of(s, row, pose_of(s.scratch.start[i]), after);
    track.followed = keep_in_front(world, row, after.orientation, stopped);
    if (track.followed == after.position) continue;
    for (int k = 0; k < 3; ++k) world.rows.pose[row].c[k] = track.followed[k];
    track.travel += length(track.followed - after.position);
  }
}

}  // namespace sinew
