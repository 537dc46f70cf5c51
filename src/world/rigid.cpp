// Rigid bodies through the public face of a world: adding, removing, pushing, reading.
#include <sinew/error.h>

#include <cmath>
#include <limits>

#include "core/format.h"
#include "geometry/shape_mass.h"
#include "rigid/make_collider.h"
#include "rigid/rigid_step.h"
#include "world/soft_runtime.h"
#include "world/validate.h"
#include "world/world_impl.h"

namespace sinew {
namespace {

RigidEntry& entry_at(World::Impl& world, RigidId id) { return world.rigid.at(id, kRigid); }

BodyRow row_at(const World::Impl& world, RigidId id) {
  world.rigid.at(id, kRigid);
  return row_of(id);
}

// A body that forces act on.
BodyRow dynamic_row(const World::Impl& world, RigidId id, const char* what) {
  const BodyRow row = row_at(world, id);
  if (world.bodies.track[row].kind != BodyKind::kDynamic)
    throw Error(formatted("{}: {} has no effect on a body that is not dynamic",
                          label(kRigid, world.bodies.info[row].name), what));
  return row;
}

void check_finite(const std::string& where, const char* what, const Vec3& v) {
  for (int k = 0; k < 3; ++k) check_number(formatted("{}: {}[{}]", where, what, k), v[k], {});
}
void check_finite(const World::Impl& world, RigidId id, const char* what, const Vec3& v) {
  check_finite(label(kRigid, world.bodies.info[row_at(world, id)].name), what, v);
}

Vec3 linear(const Row8<Real>& row) { return {row.c[0], row.c[1], row.c[2]}; }
Vec3 angular(const Row8<Real>& row) { return {row.c[3], row.c[4], row.c[5]}; }

// Axes that are free, by 1 and 0.
Vec3 whole(const Vec3& free) {
  const auto of = [](Real x) { return x > 0 ? Real(1) : Real(0); };
  return {of(free.x), of(free.y), of(free.z)};
}

// But for what is along and about axes that are locked.
void give_velocity(World::Impl& world, BodyRow row, const Vec3& v, const Vec3& w) {
  const Vec3 &move = world.bodies.info[row].free_axes, &turn = world.bodies.info[row].free_turns;
  world.bodies.rows.velocity[row] = {
      {v.x * move.x, v.y * move.y, v.z * move.z, w.x * turn.x, w.y * turn.y, w.z * turn.z, 0, 0}};
}

void add_to_velocity(World::Impl& world, BodyRow row, const Vec3& impulse, const Vec3& twist) {
  wake_island(world.bodies, row);
  const auto& m = world.bodies.rows.mass[row].c;
  const Row8<Real>& v = world.bodies.rows.velocity[row];
  const Vec3 dw = Sym3T<Real>{m[0], m[1], m[2], m[3], m[4], m[5]} * twist;
  give_velocity(world, row, linear(v) + impulse * m[6], angular(v) + dw);
}

Vec3 center_of_mass(const World::Impl& world, BodyRow row) {
  return motion_pose(world.bodies, row).center;
}

bool is_round(const Vec3& m) {
  const Real most = std::max({m.x, m.y, m.z}), least = std::min({m.x, m.y, m.z});
  return most - least <= Real(1e-5) * most;
}

std::vector<Part> parts_of(const RigidBody& body) {
  if (!body.parts.empty()) return body.parts;
  return {{.shape = body.shape,
           .density = body.density,
           .friction = body.friction,
           .restitution = body.restitution,
           .margin = body.margin}};
}

// What is moved by forces needs a mass; errors name the body.
void set_mass(const std::string& where, const RigidBody& body, std::span<const Part> parts,
              BodyInfo& info) {
  Mass mass;
  try {
    mass = body.mass ? *body.mass : mass_of(parts);
    check_inertia(mass.inertia);
  } catch (const Error& error) {
    throw Error(formatted("{}: {}", where, error.what()));
  }
  if (!std::isnormal(mass.mass) || !std::isnormal(1 / mass.mass))
    throw Error(formatted("{}: its mass of {} kg is out of range; change its density or size",
                          where, mass.mass));
  info.mass = mass.mass;
  info.frame = {mass.center, normalized(mass.axes)};
  info.inertia = mass.inertia;
  if (body.point_mass) return;
  for (int k = 0; k < 3; ++k) info.inverse_inertia[k] = 1 / mass.inertia[k];
}

std::vector<ColliderDef> collider_defs(std::span<const Part> parts) {
  std::vector<ColliderDef> defs;
  for (const Part& part : parts)
    defs.push_back({part.shape, part.pose, part.friction, part.restitution, part.margin});
  return defs;
}

}  // namespace

RigidId World::add(StaticBody body) {
  const std::string where = label("static body", body.name);
  validate(where, body);
  prepare_shape(body.shape);
  RigidEntry entry;
  entry.parts = {{.shape = body.shape,
                  .friction = body.friction,
                  .restitution = body.restitution,
                  .margin = body.margin}};
  BodyInfo info;
  info.name = body.name;
  info.sensor = body.sensor;
  info.group = body.group;
  info.mask = static_cast<std::uint32_t>(body.mask);
  const std::vector<ColliderDef> defs = collider_defs(entry.parts);
  const Pose pose = body.pose;
  if (!body.sensor) entry.obstacle = std::move(body);
  const RigidId id = impl_->rigid.insert(std::move(entry));
  info.id = id;
  place_body(impl_->bodies, row_of(id), BodyKind::kStatic, std::move(info), pose, defs);
  return id;
}

RigidId World::add(RigidBody body) {
  const std::string where = label(kRigid, body.name);
  validate(where, body);
  RigidEntry entry;
  entry.parts = parts_of(body);
  for (Part& part : entry.parts) prepare_shape(part.shape);
  BodyInfo info;
  const bool dynamic = body.motion == Motion::kDynamic;
  if (dynamic) set_mass(where, body, entry.parts, info);
  info.name = body.name;
  info.free_axes = whole(body.free_axes);
  info.free_turns = body.point_mass ? Vec3{} : whole(body.free_turns);
  info.drag = body.drag;
  info.angular_drag = body.angular_drag;
  info.gravity_scale = body.gravity_scale;
  info.can_sleep = body.can_sleep;
  info.bullet = body.bullet;
  info.sensor = body.sensor;
  info.group = body.group;
  info.mask = static_cast<std::uint32_t>(body.mask);
  info.round = !dynamic || is_round(info.inertia) || info.free_turns != Vec3{1, 1, 1};
  const std::vector<ColliderDef> defs = collider_defs(entry.parts);
  for (const Part& part : entry.parts)
    if (const char* kind = surface_name(part.shape))
      throw Error(formatted("{}: a {} can only be static; add it as a StaticBody", where, kind));
  const RigidId id = impl_->rigid.insert(std::move(entry));
  const BodyRow row = row_of(id);
  info.id = id;
  place_body(impl_->bodies, row, dynamic ? BodyKind::kDynamic : BodyKind::kKinematic,
             std::move(info), body.pose, defs);
  give_velocity(*impl_, row, body.velocity, body.angular_velocity);
  hold_events(*impl_);
  return id;
}

void World::remove(RigidId id) {
  const BodyRow row = row_at(*impl_, id);
  std::vector<JointId> gone;
  impl_->joints.for_each([&](JointId joint, const JointEntry& entry) {
    if (entry.a == row || entry.b == row) gone.push_back(joint);
  });
  for (JointId joint : gone) remove(joint);
  wake_neighbours(impl_->bodies, row);
  erase_body(impl_->bodies, row);
  impl_->rigid.erase(id, kRigid);
  std::erase_if(impl_->contact_events,
                [&](const ContactEvent& event) { return event.a == id || event.b == id; });
  std::erase_if(impl_->events, [&](const Event& event) { return event.rigid == id; });
}

bool World::contains(RigidId id) const { return impl_->rigid.contains(id); }

std::vector<RigidId> World::rigid_bodies() const {
  std::vector<RigidId> ids;
  impl_->rigid.for_each([&](RigidId id, const RigidEntry&) { ids.push_back(id); });
  return ids;
}
const std::string& World::name(RigidId id) const {
  return impl_->bodies.info[row_at(*impl_, id)].name;
}
std::span<const Part> World::parts(RigidId id) const { return entry_at(*impl_, id).parts; }

RigidState World::state(RigidId id) const {
  const BodyRow row = row_at(*impl_, id);
  const RigidWorld& bodies = impl_->bodies;
  return {.pose = body_pose(bodies, row),
          .center_of_mass = center_of_mass(*impl_, row),
          .velocity = linear(bodies.rows.velocity[row]),
          .angular_velocity = angular(bodies.rows.velocity[row]),
          .mass = bodies.info[row].mass,
          .asleep = bodies.track[row].asleep,
          .is_static = bodies.track[row].kind == BodyKind::kStatic};
}
Pose World::pose(RigidId id) const { return body_pose(impl_->bodies, row_at(*impl_, id)); }

void World::set_pose(RigidId id, const Pose& pose) {
  const BodyRow row = row_at(*impl_, id);
  Pose checked = pose;
  Validator v(label(kRigid, impl_->bodies.info[row].name));
  v.field("pose", checked, {});
  RigidWorld& bodies = impl_->bodies;
  wake_neighbours(bodies, row);
  wake_island(bodies, row);
  set_body_pose(bodies, row, pose);
  if (bodies.track[row].kind == BodyKind::kStatic) replace_static(bodies, row);
  if (auto& obstacle = entry_at(*impl_, id).obstacle) obstacle->pose = pose;
}

void World::move_to(RigidId id, const Pose& pose, Real dt) {
  const BodyRow row = row_at(*impl_, id);
  RigidWorld& bodies = impl_->bodies;
  const std::string where = label(kRigid, bodies.info[row].name);
  if (bodies.track[row].kind != BodyKind::kKinematic)
    throw Error(formatted("{}: move_to() is for kinematic bodies; use set_pose()", where));
  check_number(where + ": dt", dt, {.unit = "s", .min = 0, .exclusive_min = true});
  Pose checked = pose;
  Validator v(where);
  v.field("pose", checked, {});
  const Pose from = body_pose(bodies, row);
  Quat turn = pose.orientation * from.orientation.conjugate();
  if (turn.w < 0) turn = {-turn.x, -turn.y, -turn.z, -turn.w};
  const Vec3 axis{turn.x, turn.y, turn.z};
  const Real sine = length(axis);
  const Real angle = 2 * std::atan2(sine, turn.w);
  // Told to stay where it is, it must not creep by what rounding makes of that, and keep awake all
  // that is upon it.
  constexpr Real kRounding = 4 * std::numeric_limits<Real>::epsilon();
  const Vec3 spin = sine > kRounding ? axis * (angle / (sine * dt)) : Vec3{};
  // Kinematic bodies turn about the origin of their own frame.
  set_velocity(id, (pose.position - from.position) / dt, spin);
}

void World::set_velocity(RigidId id, const Vec3& velocity, const Vec3& angular_velocity) {
  check_finite(*impl_, id, "velocity", velocity);
  check_finite(*impl_, id, "angular_velocity", angular_velocity);
  const BodyRow row = row_at(*impl_, id);
  if (impl_->bodies.track[row].kind == BodyKind::kStatic)
    throw Error(formatted("{}: a static body has no velocity; use a kinematic one",
                          label(kRigid, impl_->bodies.info[row].name)));
  wake_island(impl_->bodies, row);
  if (velocity != Vec3{} || angular_velocity != Vec3{}) wake_neighbours(impl_->bodies, row);
  give_velocity(*impl_, row, velocity, angular_velocity);
}

void World::apply_force(RigidId id, const Vec3& force) {
  check_finite(*impl_, id, "force", force);
  const BodyRow row = dynamic_row(*impl_, id, "a force");
  wake_island(impl_->bodies, row);
  impl_->bodies.info[row].force += force;
}
void World::apply_force(RigidId id, const Vec3& force, const Vec3& point) {
  check_finite(*impl_, id, "point", point);
  apply_force(id, force);
  const BodyRow row = row_of(id);
  impl_->bodies.info[row].torque += cross(point - center_of_mass(*impl_, row), force);
}
void World::apply_torque(RigidId id, const Vec3& torque) {
  check_finite(*impl_, id, "torque", torque);
  const BodyRow row = dynamic_row(*impl_, id, "a torque");
  wake_island(impl_->bodies, row);
  impl_->bodies.info[row].torque += torque;
}
void World::apply_impulse(RigidId id, const Vec3& impulse) {
  check_finite(*impl_, id, "impulse", impulse);
  add_to_velocity(*impl_, dynamic_row(*impl_, id, "an impulse"), impulse, {});
}
void World::apply_impulse(RigidId id, const Vec3& impulse, const Vec3& point) {
  check_finite(*impl_, id, "impulse", impulse);
  check_finite(*impl_, id, "point", point);
  const BodyRow row = dynamic_row(*impl_, id, "an impulse");
  add_to_velocity(*impl_, row, impulse, cross(point - center_of_mass(*impl_, row), impulse));
}
void World::apply_angular_impulse(RigidId id, const Vec3& impulse) {
  check_finite(*impl_, id, "impulse", impulse);
  add_to_velocity(*impl_, dynamic_row(*impl_, id, "an impulse"), {}, impulse);
}
void World::wake(RigidId id) { wake_island(impl_->bodies, row_at(*impl_, id)); }

std::span<const ContactEvent> World::contact_events() const { return impl_->contact_events; }
std::span<const ContactEvent> World::lost_contacts() const { return impl_->lost_contacts; }

std::vector<RigidContact> World::rigid_contacts() const {
  std::vector<RigidContact> list;
  const RigidWorld& bodies = impl_->bodies;
  for (const Pair& pair : bodies.pairs.items) {
    if (!pair.alive || !pair.touching) continue;
    for (int k = 0; k < pair.contacts; ++k) {
      const Contact& contact = bodies.contacts[pair.contact[k]];
      const SavedContact s =
          contact.colour >= 0 ? read_contact(bodies, pair.contact[k]) : bodies.saved[contact.slot];
      const BodyPose<Real> pa = motion_pose(bodies, pair.body[0]);
      const BodyPose<Real> pb = motion_pose(bodies, pair.body[1]);
      RigidContact out{.a = id_of(*impl_, pair.body[0]),
                       .b = id_of(*impl_, pair.body[1]),
                       .normal = pa.turn.rotate(s.manifold.normal),
                       .count = s.manifold.count,
                       .point = {},
                       .separation = {},
                       .impulse = {}};
      for (int i = 0; i < s.manifold.count; ++i) {
        const Vec3 on_a = pa.center + pa.turn.rotate(s.manifold.on_a[i]);
        const Vec3 on_b = pb.center + pb.turn.rotate(s.manifold.on_b[i]);
        out.point[i] = (on_a + on_b) * Real(0.5);
        out.separation[i] = dot(out.normal, on_b - on_a);
        out.impulse[i] = s.impulse[i];
      }
      list.push_back(out);
    }
  }
  return list;
}

}  // namespace sinew
