// Joints through the public face of a world.
#include <sinew/error.h>

#include "core/format.h"
#include "world/validate.h"
#include "world/world_impl.h"

namespace sinew {
namespace {

constexpr const char* kJoint = "joint";

BodyRow row_or_world(const World::Impl& world, RigidId id) {
  if (id == RigidId{}) return kWorldRow;
  world.rigid.at(id, "rigid body");
  return row_of(id);
}

bool dynamic(const World::Impl& world, BodyRow row) {
  return world.bodies.track[row].kind == BodyKind::kDynamic;
}

std::uint64_t meeting_key(const JointEntry& entry) { return pair_key(entry.a, entry.b); }

// Joints that keep two bodies from colliding are counted, and pairs that are there already go.
void part(World::Impl& world, const JointEntry& entry) {
  RigidWorld& bodies = world.bodies;
  const std::uint32_t count = bodies.unmeeting.find(meeting_key(entry));
  bodies.unmeeting.insert(meeting_key(entry), count == kNone ? 1 : count + 1);
  for (std::uint32_t i = bodies.track[entry.a].first_pair; i != kNone;) {
    const Pair& pair = bodies.pairs[i];
    const int side = pair.body[0] == entry.a ? 0 : 1;
    const std::uint32_t next = pair.next[side];
    if (pair.body[1 - side] == entry.b) erase_pair(bodies, i);
    i = next;
  }
}

void let_meet(World::Impl& world, const JointEntry& entry) {
  RigidWorld& bodies = world.bodies;
  const std::uint32_t count = bodies.unmeeting.find(meeting_key(entry));
  if (count > 1) {
    bodies.unmeeting.insert(meeting_key(entry), count - 1);
    return;
  }
  bodies.unmeeting.erase(meeting_key(entry));
  // So that broad phase looks at them again.
  for (BodyRow row : {entry.a, entry.b}) bodies.track[row].travel_boxed = -1e30;
}

// Where a joint is on its bodies when it is added [m]: those without a point of their own (gears,
// locks of turning) are at the centres.
struct JointPoints {
  Vec3 a, b;
};
template <class J>
JointPoints points_of(const J& joint, const Vec3& center_a, const Vec3& center_b) {
  if constexpr (requires { joint.anchor_a; })
    return {joint.anchor_a, joint.anchor_b};
  else if constexpr (requires { joint.offset; })
    return {joint.anchor, joint.anchor + joint.offset};
  else if constexpr (requires { joint.anchor; })
    return {joint.anchor, joint.anchor};
  else
    return {center_a, center_b};
}

void wake_held(World::Impl& world, const JointEntry& entry) {
  for (BodyRow row : {entry.a, entry.b})
    if (dynamic(world, row)) wake_island(world.bodies, row);
}

void link(RigidWorld& bodies, const JointEntry& entry) {
  bodies.info[entry.a].joints.push_back({entry.slot, entry.b});
  if (entry.b != kWorldRow) bodies.info[entry.b].joints.push_back({entry.slot, entry.a});
}
void unlink(RigidWorld& bodies, const JointEntry& entry) {
  for (BodyRow row : {entry.a, entry.b})
    std::erase_if(bodies.info[row].joints,
                  [&](const BodyInfo::Held& held) { return held.joint == entry.slot; });
}

}  // namespace

JointId World::add(Joint joint) {
  const char* name = std::visit([](const auto& one) { return one.kName; }, joint);
  Validator v("");
  v.field(formatted("{} joint", name).c_str(), joint, {});
  const auto [a, b] =
      std::visit([&](const auto& one) { return std::pair(one.a, held_by(one)); }, joint);
  if (a == RigidId{}) throw Error(formatted("{} joint: a is not given; name a body", name));
  JointEntry entry{.a = row_or_world(*impl_, a),
                   .b = row_or_world(*impl_, b),
                   .slot = 0,
                   .collide = false,
                   .on_a = {},
                   .on_b = {}};
  if (entry.a == entry.b)
    throw Error(formatted("{} joint: a and b are the same body; name two", name));
  if (!dynamic(*impl_, entry.a) && !dynamic(*impl_, entry.b))
    throw Error(formatted("{} joint: neither a nor b is dynamic; one of them must be", name));
  RigidWorld& bodies = impl_->bodies;
  const BodyPose<Real> pose_a = motion_pose(bodies, entry.a), pose_b = motion_pose(bodies, entry.b);
  const JointPoints points = std::visit(
      [&](const auto& one) {
        return points_of(one, pose_a.center, entry.b == kWorldRow ? pose_a.center : pose_b.center);
      },
      joint);
  entry.on_a = pose_a.turn.conjugate().rotate(points.a - pose_a.center);
  entry.on_b = pose_b.turn.conjugate().rotate(points.b - pose_b.center);
  entry.slot = bodies.joints.add(joint, entry.a, entry.b, pose_a, pose_b);
  entry.collide = std::visit([](const auto& one) { return one.collide; }, joint);
  link(bodies, entry);
  if (!entry.collide && entry.b != kWorldRow) part(*impl_, entry);
  wake_held(*impl_, entry);
  const JointId id = impl_->joints.insert(entry);
  hold_events(*impl_);
  return id;
}

void World::remove(JointId id) {
  const JointEntry entry = impl_->joints.at(id, kJoint);
  RigidWorld& bodies = impl_->bodies;
  wake_held(*impl_, entry);
  unlink(bodies, entry);
  bodies.joints.remove(entry.slot);
  if (!entry.collide && entry.b != kWorldRow) let_meet(*impl_, entry);
  impl_->joints.erase(id, kJoint);
}

bool World::contains(JointId id) const { return impl_->joints.contains(id); }

std::vector<JointId> World::joints() const {
  std::vector<JointId> ids;
  impl_->joints.for_each([&](JointId id, const JointEntry&) { ids.push_back(id); });
  return ids;
}

void World::set_motor(JointId id, const Motor& motor, int axis) {
  const JointEntry& entry = impl_->joints.at(id, kJoint);
  Motor checked = motor;
  Validator v(kJoint);
  v.field("motor", checked, {});
  impl_->bodies.joints.set_motor(entry.slot, motor, axis);
  wake_held(*impl_, entry);
}

void World::move_nail(JointId id, const Vec3& anchor) {
  JointEntry& entry = impl_->joints.at(id, kJoint);
  Vec3 checked = anchor;
  Validator v(kJoint);
  v.field("anchor", checked, {});
  impl_->bodies.joints.set_place(entry.slot, anchor);
  entry.on_b = anchor;
  wake_held(*impl_, entry);
}

JointState World::state(JointId id) const {
  const JointEntry& entry = impl_->joints.at(id, kJoint);
  JointState state = impl_->bodies.joints.state(entry.slot);
  const auto to_world = [&](BodyRow row, const Vec3& point) {
    const BodyPose<Real> pose = motion_pose(impl_->bodies, row);
    return pose.center + pose.turn.rotate(point);
  };
  state.point_a = to_world(entry.a, entry.on_a);
  state.point_b = to_world(entry.b, entry.on_b);
  return state;
}

}  // namespace sinew
