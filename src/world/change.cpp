// Changing what is there while it runs: soft bodies made anew, settings, surfaces and masses of
// rigid bodies. What is wrong is found before anything is changed.
#include <sinew/error.h>

#include <algorithm>
#include <cmath>

#include "core/format.h"
#include "rigid/rigid_step.h"
#include "world/motion.h"
#include "world/soft_runtime.h"
#include "world/validate.h"

namespace sinew {
namespace {

// Vertices in no element are at rest, too, but nobody holds them.
std::vector<Index> held_vertices(const World::Impl& world, const SoftRuntime& body) {
  std::vector<Index> held;
  for (int i = 0; i < body.count; ++i)
    if (body.mass[i] > 0 && world.particles.position[body.begin + i].w == 0)
      held.push_back(static_cast<Index>(i));
  return held;
}

template <class T>
const T* find_vertex(const std::vector<T>& list, Index vertex) {
  const auto it =
      std::find_if(list.begin(), list.end(), [&](const T& t) { return t.vertex == vertex; });
  return it == list.end() ? nullptr : &*it;
}

// Attached vertices are pulled to where they were pulled to before; new ones to where they are.
void keep_attachments(const World::Impl& world, const SoftRuntime& old, SoftRuntime& soft) {
  const std::vector<Row>& place = soft.attachments->place;
  for (Index v = 0; v < place.size(); ++v) {
    if (!soft.attachments->attached(v)) continue;
    soft.attachments->set(v, old.attachments->attached(v) ? old.attachments->at(v)
                                                          : world.particles.place(old.begin + v));
  }
  for (const PinTarget& target : old.attachment_targets)
    if (soft.attachments->attached(target.vertex)) soft.attachment_targets.push_back(target);
  for (Index v = 0; v < soft.spheres->place.size(); ++v)
    if (old.spheres->attached(v)) soft.spheres->set(v, old.spheres->at(v));
  if (!soft.spheres->place.empty()) soft.sphere_targets = old.sphere_targets;
  if (!soft.variational || place.empty()) return;
  // Energies look where they pull to when what they carry is put back.
  StateBytes kept;
  kept(*soft.variational);
  const std::vector<std::byte> bytes = kept.take();
  StateBytes back(bytes);
  back(*soft.variational);
}

// The sine goes on from where it is, in its own time if it is faster or slower now:
// f (t − start) = f_old (t − start_old).
void keep_anchor(const World::Impl& world, const SoftRuntime& old, std::span<const Index> held,
                 SoftRuntime& soft) {
  if (!soft.anchor_motion) return;
  if (!old.anchor_motion) return anchor(world, soft, held);
  const double before = old.anchor_motion->frequency, now = soft.anchor_motion->frequency;
  soft.anchor_middle = old.anchor_middle;
  soft.anchor_start = old.anchor_start;
  if (now != before && now > 0)
    soft.anchor_start = world.time - (world.time - old.anchor_start) * before / now;
  soft.anchored = old.anchored;
  const auto keep = [&](const AttachmentTargets& places, const AttachmentTargets& earlier,
                        const std::vector<AnchoredPin>& known, std::vector<AnchoredPin>& anchored) {
    for (Index v : places.anchored) {
      if (const AnchoredPin* one = find_vertex(known, v)) {
        anchored.push_back(*one);
      } else if (!earlier.attached(v)) {
        anchored.push_back({v, from_anchor(soft, places.at(v), world.time)});
      }  // else it was sent elsewhere, and follows no more
    }
  };
  keep(*soft.attachments, *old.attachments, old.anchored_attachments, soft.anchored_attachments);
  keep(*soft.spheres, *old.spheres, old.anchored_spheres, soft.anchored_spheres);
}

// All fields of a definition as numbers, to compare two of them.
struct Numbers {
  std::vector<double> all;
  template <class T>
  void field(const char*, const T& value, const FieldInfo&) {
    all.push_back(static_cast<double>(value));
  }
};
std::vector<double> numbers_of(RigidSettings settings) {
  Numbers numbers;
  settings.describe(numbers);
  return numbers.all;
}

// Gives all surfaces of a body what `set` does to a part or a collider, and lets contacts that are
// there know.
template <class Set>
void change_surfaces(World::Impl& world, RigidId id, Set&& set) {
  RigidWorld& bodies = world.bodies;
  RigidEntry& entry = world.rigid.at(id, kRigid);
  const BodyRow row = row_of(id);
  wake_island(bodies, row);
  wake_neighbours(bodies, row);
  for (Part& part : entry.parts) set(part);
  if (entry.obstacle) set(*entry.obstacle);
  for (std::uint32_t index : bodies.info[row].colliders) set(bodies.colliders[index]);
  for_each_pair(bodies, row, [&](std::uint32_t i, BodyRow) {
    const Pair& pair = bodies.pairs[i];
    for (int k = 0; k < pair.contacts; ++k) renew_surfaces(bodies, pair.contact[k]);
  });
}

std::string rigid_label(const World::Impl& world, RigidId id) {
  world.rigid.at(id, kRigid);
  return label(kRigid, world.bodies.info[row_of(id)].name);
}

bool is_usable(Real x) { return std::isnormal(x) && std::isnormal(1 / x); }

}  // namespace

void World::replace(SoftId id, SoftBody body) {
  SoftRuntime& old = soft_at(*impl_, id);
  check_definition(body);
  const std::size_t count = vertices_of(body.mesh).size();
  if (count != std::size_t(old.count))
    throw Error(
        formatted("{} has {} vertices, and cannot be made anew from a mesh of {}; remove it, and "
                  "add the other one",
                  label(kSoft, old.name), old.count, count));
  // Constraints that hold on to pins take those that are held now.
  const std::vector<Index> held = held_vertices(*impl_, old);
  if (!held.empty()) body.pins = held;
  body.pose = old.pose;
  SoftRuntime soft = make_runtime(body);
  soft.begin = old.begin;
  soft.pin_targets = old.pin_targets;
  keep_attachments(*impl_, old, soft);
  keep_anchor(*impl_, old, held, soft);

  // Nothing can go wrong from here on. Snapshots hold on to what the old body had in common with
  // them.
  std::span<Row> x(&impl_->particles.position[old.begin], count);
  for (std::size_t i = 0; i < count; ++i) x[i].w = soft.rest[i].w;
  for (Index v : held) {
    soft.pins += x[v].w > 0;
    x[v].w = 0;
  }
  old = std::move(soft);
}

void World::set_settings(const WorldSettings& settings) {
  WorldSettings checked = settings;
  validate("world", checked);
  const WorldSettings before = impl_->settings;
  impl_->settings = checked;
  if (before.gravity == checked.gravity && numbers_of(before.rigid) == numbers_of(checked.rigid))
    return;
  impl_->soft.for_each([](SoftId, SoftRuntime& body) { body.energy.known = false; });
  // What rests in other gravity, or is solved in another way, may not rest any more.
  impl_->rigid.for_each([&](RigidId id, const RigidEntry&) {
    if (impl_->bodies.track[row_of(id)].asleep) wake_island(impl_->bodies, row_of(id));
  });
}

void World::set_friction(RigidId id, Real friction) {
  check_number(rigid_label(*impl_, id) + ": friction", friction, {.min = 0});
  change_surfaces(*impl_, id, [&](auto& surface) { surface.friction = friction; });
}

void World::set_restitution(RigidId id, Real restitution) {
  check_number(rigid_label(*impl_, id) + ": restitution", restitution, {.min = 0, .max = 1});
  change_surfaces(*impl_, id, [&](auto& surface) { surface.restitution = restitution; });
}

void World::scale_mass(RigidId id, Real factor) {
  const std::string where = rigid_label(*impl_, id);
  const BodyRow row = row_of(id);
  RigidWorld& bodies = impl_->bodies;
  BodyInfo& info = bodies.info[row];
  if (bodies.track[row].kind != BodyKind::kDynamic)
    throw Error(where + ": only dynamic bodies have a mass that can be scaled");
  check_number(where + ": factor", factor, {.min = 0, .exclusive_min = true});
  const Real mass = info.mass * factor;
  const Vec3 inertia = info.inertia * factor;
  const bool turns = info.inverse_inertia != Vec3{};
  const bool usable =
      is_usable(mass) &&
      (!turns || (is_usable(inertia.x) && is_usable(inertia.y) && is_usable(inertia.z)));
  if (!usable)
    throw Error(
        formatted("{}: {} times its mass of {} kg is out of range", where, factor, info.mass));
  wake_island(bodies, row);
  wake_neighbours(bodies, row);
  info.mass = mass;
  info.inertia = inertia;
  if (turns) info.inverse_inertia = {1 / inertia.x, 1 / inertia.y, 1 / inertia.z};
  Real& inverse = bodies.rows.mass[row].c[6];
  if (inverse > 0) {  // else it is frozen
    inverse = 1 / mass;
    update_world_inertia(bodies, row);
  }
  // Which joints are solved directly depends on the masses that hang on them.
  bodies.joints.regroup();
}

}  // namespace sinew
