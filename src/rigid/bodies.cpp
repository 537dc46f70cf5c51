// Bodies into the rows of a world and out again.
#include <algorithm>

#include "rigid/make_collider.h"
#include "rigid/rigid_world.h"

namespace sinew {
namespace {

void grow(RigidWorld& world, std::size_t rows) {
  const Row8<Real> zero{};
  const Row8<Real> at_origin{{0, 0, 0, 0, 0, 0, 0, 1}};
  world.rows.velocity.resize(rows, zero);
  world.rows.way.resize(rows, zero);
  world.rows.pose.resize(rows, at_origin);
  world.rows.mass.resize(rows, zero);
  world.held_velocity.resize(rows, zero);
  world.track.resize(rows);
  world.info.resize(rows);
}

// R diag(d) Rᵀ.
Sym3T<Real> sandwiched(const Mat3& r, const Vec3& d) {
  const auto entry = [&](int i, int j) {
    return r(i, 0) * d.x * r(j, 0) + r(i, 1) * d.y * r(j, 1) + r(i, 2) * d.z * r(j, 2);
  };
  return {entry(0, 0), entry(0, 1), entry(0, 2), entry(1, 1), entry(1, 2), entry(2, 2)};
}

// Of a body that cannot turn about some axes of the world. Whatever torque holds it about these,
// the others obey I ω̇ = τ with the rows and columns of I that are free: that part is inverted, not
// cut out of I⁻¹, by which a body that lies askew would be turned too easily.
Sym3T<Real> locked_inverse(const Mat3& r, const BodyInfo& info) {
  if (info.inverse_inertia == Vec3{}) return {};
  const Vec3& m = info.inertia;
  const Real largest = std::max({m.x, m.y, m.z});
  const Sym3T<Real> i = sandwiched(r, m * (1 / largest));
  const Vec3 &f = info.free_turns, held = Vec3{1, 1, 1} - f;  // 1 on the diagonal, to be invertible
  const Sym3T<Real> part =
      inverse(Sym3T<Real>{f.x * i.xx + held.x, f.x * f.y * i.xy, f.x * f.z * i.xz,
                          f.y * i.yy + held.y, f.y * f.z * i.yz, f.z * i.zz + held.z});
  const Real scale = 1 / largest;
  return {f.x * part.xx * scale, f.x * f.y * part.xy * scale, f.x * f.z * part.xz * scale,
          f.y * part.yy * scale, f.y * f.z * part.yz * scale, f.z * part.zz * scale};
}

void add_collider(RigidWorld& world, BodyRow row, const ColliderDef& def, std::uint32_t shape) {
  Collider collider = make_collider(def.shape);
  collider.alive = true;
  collider.body = row;
  collider.shape = shape;
  collider.local = world.info[row].frame.inverse() * def.pose * collider.local;
  collider.friction = def.friction;
  collider.restitution = def.restitution;
  collider.margin = def.margin;
  collider.inner += def.margin;
  const std::uint32_t index = world.colliders.take();
  BodyTrack& track = world.track[row];
  const Real reach = collider.size + collider.margin;
  track.radius = std::max(track.radius, length(collider.local.position) + reach);
  const bool first = world.info[row].colliders.empty();
  track.inner = first ? collider.inner : std::min(track.inner, collider.inner);
  world.colliders[index] = std::move(collider);
  world.info[row].colliders.push_back(index);
}

}  // namespace

BodyPose<Real> motion_pose(const RigidWorld& world, BodyRow row) {
  const auto& p = world.rows.pose[row].c;
  return {{p[0], p[1], p[2]}, {p[4], p[5], p[6], p[7]}};
}

Pose body_pose(const RigidWorld& world, BodyRow row) {
  const BodyPose<Real> pose = motion_pose(world, row);
  return Pose{pose.center, pose.turn} * world.info[row].frame.inverse();
}

void update_world_inertia(RigidWorld& world, BodyRow row) {
  const BodyInfo& info = world.info[row];
  const Mat3 r = motion_pose(world, row).turn.matrix();
  const Sym3T<Real> inverse = info.free_turns == Vec3{1, 1, 1} ? sandwiched(r, info.inverse_inertia)
                                                               : locked_inverse(r, info);
  auto& m = world.rows.mass[row].c;
  m[0] = inverse.xx, m[1] = inverse.xy, m[2] = inverse.xz;
  m[3] = inverse.yy, m[4] = inverse.yz, m[5] = inverse.zz;
}

void wake_body(RigidWorld& world, BodyRow row) {
  BodyTrack& track = world.track[row];
  track.still = 0;
  track.asleep = false;
  if (track.kind == BodyKind::kStatic || track.awake_at != kNone) return;
  track.awake_at = static_cast<std::uint32_t>(world.awake.size());
  world.awake.push_back(row);
}

bool moves(const RigidWorld& world, BodyRow row) {
  const BodyTrack& track = world.track[row];
  const auto& v = world.rows.velocity[row].c;
  return track.awake_at != kNone &&
         (track.kind == BodyKind::kDynamic || std::any_of(v, v + 6, [](Real x) { return x != 0; }));
}

void stop_body(RigidWorld& world, BodyRow row) {
  BodyTrack& track = world.track[row];
  if (track.awake_at == kNone) return;
  const BodyRow last = world.awake.back();
  world.awake[track.awake_at] = last;
  world.track[last].awake_at = track.awake_at;
  world.awake.pop_back();
  track.awake_at = kNone;
}

void place_body(RigidWorld& world, BodyRow row, BodyKind kind, BodyInfo info, const Pose& pose,
                std::span<const ColliderDef> shapes) {
  if (world.track.size() <= row) grow(world, std::max<std::size_t>(row + 1, kFirstBody));
  world.track[row] = {};
  BodyTrack& track = world.track[row];
  track.kind = kind;
  track.alive = true;
  track.zone = first_zone(row);
  world.rows.velocity[row] = world.rows.way[row] = world.held_velocity[row] = {};
  world.rows.mass[row] = {};
  if (kind == BodyKind::kDynamic) world.rows.mass[row].c[6] = 1 / info.mass;
  world.info[row] = std::move(info);
  for (std::size_t i = 0; i < shapes.size(); ++i)
    add_collider(world, row, shapes[i], static_cast<std::uint32_t>(i));
  set_body_pose(world, row, pose);
  const Vec3& turns = world.info[row].free_turns;
  if (turns != Vec3{1, 1, 1}) world.locked.push_back(row);
  if (world.info[row].free_axes != Vec3{1, 1, 1}) world.railed.push_back(row);
  if (kind != BodyKind::kStatic) wake_body(world, row);
  for (std::uint32_t index : world.info[row].colliders) {
    Collider& collider = world.colliders[index];
    if (collider.kind == Collider::Kind::kPlane) {
      world.planes.push_back(index);
    } else {
      collider.fat = collider_bounds(world, collider);
      DynamicTree& tree = kind == BodyKind::kStatic ? world.fixed : world.moving;
      collider.leaf = tree.insert(collider.fat, index);
    }
    if (is_endless(collider)) world.endless.push_back(index);
    world.new_colliders.push_back(index);
  }
}

void set_body_pose(RigidWorld& world, BodyRow row, const Pose& pose) {
  const Pose moving = pose * world.info[row].frame;
  const Quat& q = moving.orientation;
  world.rows.pose[row] = {
      {moving.position.x, moving.position.y, moving.position.z, 0, q.x, q.y, q.z, q.w}};
  update_world_inertia(world, row);
  world.track[row].followed = moving.position;
  // Whatever was known of what it is near to is out of date.
  world.track[row].travel += 2 * world.track[row].radius + 1;
  world.track[row].travel_boxed = -1e30;
  // Boxes follow at once: queries may come before the next step.
  DynamicTree& tree = world.track[row].kind == BodyKind::kStatic ? world.fixed : world.moving;
  for (std::uint32_t index : world.info[row].colliders) {
    Collider& collider = world.colliders[index];
    if (collider.leaf == kNone) continue;  // a plane, or not placed yet
    collider.fat = collider_bounds(world, collider);
    tree.move(collider.leaf, collider.fat);
  }
}

void replace_static(RigidWorld& world, BodyRow row) {
  while (world.track[row].first_pair != kNone) erase_pair(world, world.track[row].first_pair);
  for (std::uint32_t index : world.info[row].colliders) world.new_colliders.push_back(index);
}

void erase_body(RigidWorld& world, BodyRow row) {
  while (world.track[row].first_pair != kNone) erase_pair(world, world.track[row].first_pair);
  stop_body(world, row);
  for (std::uint32_t index : world.info[row].colliders) {
    const Collider& collider = world.colliders[index];
    if (collider.kind == Collider::Kind::kPlane)
      std::erase(world.planes, index);
    else
      (world.track[row].kind == BodyKind::kStatic ? world.fixed : world.moving)
          .remove(collider.leaf);
    std::erase(world.endless, index);
    std::erase(world.new_colliders, index);
    world.colliders.release(index);
  }
  std::erase(world.locked, row);
  std::erase(world.railed, row);
  std::erase(world.frozen, row);
  world.info[row] = {};
  world.track[row] = {};
  world.rows.mass[row] = world.rows.velocity[row] = {};
}

}  // namespace sinew
