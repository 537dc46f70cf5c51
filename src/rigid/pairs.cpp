// Broad phase: which colliders are near enough to meet within the step. Boxes are made with room to
// spare and with the way of the step; they are looked at again only when what a body may have moved
// since, and may move in this step, has used that room up.
#include <algorithm>
#include <cmath>

#include "rigid/pair_table.h"
#include "rigid/rigid_world.h"

namespace sinew {
namespace {

constexpr Real kRoom = Real(0.05);  // around boxes [m]

Vec3 plane_normal(const RigidWorld& world, const Collider& plane) {
  return motion_pose(world, plane.body).turn.rotate(plane.local.orientation.rotate({0, 1, 0}));
}
Vec3 plane_point(const RigidWorld& world, const Collider& plane) {
  const BodyPose<Real> pose = motion_pose(world, plane.body);
  return Pose{pose.center, pose.turn}.to_world(plane.local.position);
}

bool reaches_plane(const RigidWorld& world, const Collider& plane, const Aabb& box) {
  const Vec3 n = plane_normal(world, plane);
  const Vec3 half = box.half();
  const Real extent = std::abs(n.x) * half.x + std::abs(n.y) * half.y + std::abs(n.z) * half.z;
  return dot(n, box.center() - plane_point(world, plane)) <= extent + plane.margin;
}

// What lies below a height field is looked at from there.
bool reaches_field(const RigidWorld& world, const Collider& field, const Aabb& box) {
  const BodyPose<Real> body = motion_pose(world, field.body);
  const Pose pose = Pose{body.center, body.turn} * field.local;
  return overlap(grown(solid_bounds(*field.surface), field.margin), turned(box, pose.inverse()));
}

bool reaches(const RigidWorld& world, const Collider& endless, const Aabb& box) {
  return endless.kind == Collider::Kind::kPlane ? reaches_plane(world, endless, box)
                                                : reaches_field(world, endless, box);
}

bool near(const RigidWorld& world, const Collider& a, const Collider& b) {
  if (is_endless(a)) return reaches(world, a, b.fat);
  if (is_endless(b)) return reaches(world, b, a.fat);
  return overlap(a.fat, b.fat);
}

void link(RigidWorld& world, std::uint32_t index) {
  Pair& pair = world.pairs[index];
  for (int side = 0; side < 2; ++side) {
    std::uint32_t& first = world.track[pair.body[side]].first_pair;
    pair.next[side] = first;
    pair.previous[side] = kNone;
    if (first != kNone) {
      Pair& other = world.pairs[first];
      other.previous[other.body[0] == pair.body[side] ? 0 : 1] = index;
    }
    first = index;
  }
}

void unlink(RigidWorld& world, std::uint32_t index) {
  const Pair& pair = world.pairs[index];
  for (int side = 0; side < 2; ++side) {
    const BodyRow row = pair.body[side];
    const std::uint32_t next = pair.next[side], previous = pair.previous[side];
    const auto side_of = [&](std::uint32_t p) { return world.pairs[p].body[0] == row ? 0 : 1; };
    if (previous == kNone)
      world.track[row].first_pair = next;
    else
      world.pairs[previous].next[side_of(previous)] = next;
    if (next != kNone) world.pairs[next].previous[side_of(next)] = previous;
  }
}

void add_pair(RigidWorld& world, std::uint32_t i, std::uint32_t j) {
  const Collider* a = &world.colliders[i];
  const Collider* b = &world.colliders[j];
  if (a->body == b->body || !may_meet(world, a->body, b->body)) return;
  const bool convex_a = a->kind == Collider::Kind::kConvex;
  const bool convex_b = b->kind == Collider::Kind::kConvex;
  if (!convex_a && !convex_b) return;
  // Surfaces and planes first, then by body.
  if (convex_a != convex_b ? convex_a : a->body > b->body) {
    std::swap(i, j);
    std::swap(a, b);
  }
  const std::uint64_t key = pair_key(i, j);
  if (world.pair_table.find(key) != kNone) return;
  const std::uint32_t index = world.pairs.take();
  world.pair_table.insert(key, index);
  Pair& pair = world.pairs[index];
  pair.collider[0] = i, pair.collider[1] = j;
  pair.body[0] = a->body, pair.body[1] = b->body;
  pair.alive = true;
  pair.sensor = world.info[a->body].sensor || world.info[b->body].sensor;
  if (pair.sensor) world.sensor_pairs.push_back(index);
  link(world, index);
}

void drop_far_pairs(RigidWorld& world, BodyRow row) {
  for (std::uint32_t index = world.track[row].first_pair; index != kNone;) {
    const Pair& pair = world.pairs[index];
    const std::uint32_t next = pair.next[pair.body[0] == row ? 0 : 1];
    if (!near(world, world.colliders[pair.collider[0]], world.colliders[pair.collider[1]]))
      erase_pair(world, index);
    index = next;
  }
}

// Boxes with the way of the step ahead, and room to spare.
void remake_boxes(RigidWorld& world, BodyRow row, Real dt) {
  BodyTrack& track = world.track[row];
  const auto& v = world.rows.velocity[row].c;
  const Vec3 way{v[0] * dt, v[1] * dt, v[2] * dt};
  const Real turning = std::max(track.reach - length(way), Real(0));
  for (std::uint32_t index : world.info[row].colliders) {
    Collider& collider = world.colliders[index];
    if (collider.kind == Collider::Kind::kPlane) continue;
    const Aabb now = collider_bounds(world, collider);
    collider.fat = grown(merged(now, Aabb{now.lower + way, now.upper + way}), kRoom + turning);
    world.moving.move(collider.leaf, collider.fat);
  }
  track.travel_boxed = track.travel;
}

}  // namespace

bool may_meet(const RigidWorld& world, BodyRow a, BodyRow b) {
  const BodyKind ka = world.track[a].kind, kb = world.track[b].kind;
  const BodyInfo &ia = world.info[a], &ib = world.info[b];
  const bool sensor = ia.sensor || ib.sensor;
  if (ka != BodyKind::kDynamic && kb != BodyKind::kDynamic &&
      !(sensor && (ka != BodyKind::kStatic || kb != BodyKind::kStatic)))
    return false;
  if (!(ia.mask >> ib.group & 1u) || !(ib.mask >> ia.group & 1u)) return false;
  return world.unmeeting.find(pair_key(std::min(a, b), std::max(a, b))) == kNone;
}

Aabb collider_bounds(const RigidWorld& world, const Collider& collider) {
  const BodyPose<Real> body = motion_pose(world, collider.body);
  const Pose pose = Pose{body.center, body.turn} * collider.local;
  if (collider.kind == Collider::Kind::kSurface)
    return grown(turned(surface_bounds(*collider.surface), pose), collider.margin);
  const Extent e = extent(collider.convex, pose.orientation.matrix());
  return grown(Aabb{pose.position + e.lower, pose.position + e.upper}, collider.margin);
}

TouchEvent touch_event(const RigidWorld& world, const Pair& pair, TouchEvent::Kind kind) {
  const Collider& a = world.colliders[pair.collider[0]];
  const Collider& b = world.colliders[pair.collider[1]];
  return {.kind = kind,
          .body = {world.info[a.body].id, world.info[b.body].id},
          .part = {static_cast<int>(a.shape), static_cast<int>(b.shape)},
          .impulse = kind == TouchEvent::Kind::kEnd ? Real(0) : pair_impulse(world, pair)};
}

void erase_pair(RigidWorld& world, std::uint32_t index) {
  Pair& pair = world.pairs[index];
  if (pair.touching) world.touches.push_back(touch_event(world, pair, TouchEvent::Kind::kEnd));
  for (int k = 0; k < pair.contacts; ++k) drop_contact(world, pair.contact[k]);
  if (pair.sensor) std::erase(world.sensor_pairs, index);
  unlink(world, index);
  world.pair_table.erase(pair_key(pair.collider[0], pair.collider[1]));
  world.pairs.release(index);
}

void hold_boxes(RigidWorld& world) {
  for (BodyRow row : world.awake) {
    const BodyTrack& track = world.track[row];
    if (track.travel - track.travel_boxed <= kRoom) continue;
    for (std::uint32_t index : world.info[row].colliders) {
      Collider& collider = world.colliders[index];
      if (collider.leaf == kNone) continue;
      const Aabb now = collider_bounds(world, collider);
      if (contains(collider.fat, now)) continue;
      collider.fat = now;
      world.moving.move(collider.leaf, now);
    }
  }
}

Real reach_within(const RigidWorld& world, BodyRow row, Real time) {
  const auto& v = world.rows.velocity[row].c;
  const Real speed = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  const Real spin = std::sqrt(v[3] * v[3] + v[4] * v[4] + v[5] * v[5]);
  return (speed + spin * world.track[row].radius) * time;
}

void find_pairs(RigidWorld& world, Real dt, const Vec3& gravity) {
  const Real falling = length(gravity) * dt * dt;
  for (BodyRow row : world.awake) {
    BodyTrack& track = world.track[row];
    track.reach = reach_within(world, row, dt) + falling;
    if (track.travel - track.travel_boxed + track.reach <= kRoom) continue;
    remake_boxes(world, row, dt);
    world.boxed.push_back(row);
  }
  world.moving.maintain();
  world.fixed.maintain();
  for (std::uint32_t index : world.new_colliders) {
    const Collider& collider = world.colliders[index];
    if (is_endless(collider)) {
      // Everything there is may reach it.
      for (std::uint32_t other = 0; other < world.colliders.items.size(); ++other)
        if (world.colliders[other].alive &&
            world.colliders[other].kind == Collider::Kind::kConvex &&
            reaches(world, collider, world.colliders[other].fat))
          add_pair(world, index, other);
      continue;
    }
    if (world.track[collider.body].kind == BodyKind::kStatic)
      world.moving.query(collider.fat, [&](std::uint32_t other) { add_pair(world, index, other); });
  }
  world.new_colliders.clear();
  for (BodyRow row : world.boxed) {
    drop_far_pairs(world, row);
    for (std::uint32_t index : world.info[row].colliders) {
      const Collider& collider = world.colliders[index];
      if (collider.kind == Collider::Kind::kPlane) continue;
      world.fixed.query(collider.fat, [&](std::uint32_t other) { add_pair(world, index, other); });
      for (std::uint32_t other : world.endless)
        if (reaches(world, world.colliders[other], collider.fat)) add_pair(world, index, other);
    }
  }
  if (!world.boxed.empty()) {
    world.moving.find_pairs([&](std::uint32_t a, std::uint32_t b) { add_pair(world, a, b); });
    world.moving.forget_moves();
  }
  world.boxed.clear();
}

}  // namespace sinew
