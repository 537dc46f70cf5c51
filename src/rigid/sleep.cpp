// Sleep: an island, all that touches or is joined, sleeps when every body of it has been at rest
// for a while. What sleeps is as immovable as the ground, its contacts are laid aside with their
// impulses, and it costs nothing. It wakes as a whole, when something touches one of it.
#include <algorithm>
#include <limits>

#include "rigid/islands.h"
#include "rigid/rigid_step.h"

namespace sinew {
namespace {

constexpr std::int64_t kSleepEvery = 8;  // steps between looking for islands that can sleep

bool dynamic(const RigidWorld& world, BodyRow row) {
  return world.track[row].kind == BodyKind::kDynamic;
}

// Square of how fast the points of a body turn. No point is farther away than its radius; the
// moments of a box with half extents a, b, c are m/3 (b² + c²), …, and its corners move at 3
// ω·Iω/m. So a needle that rolls about itself is slow.
Real turning(const RigidWorld& world, BodyRow row) {
  const BodyInfo& info = world.info[row];
  const Real radius = world.track[row].radius;
  const auto &v = world.rows.velocity[row].c, &pose = world.rows.pose[row].c;
  const Vec3 spin{v[3], v[4], v[5]};
  const Real bound = radius * radius * dot(spin, spin);
  if (!(info.mass > 0)) return bound;
  const Vec3 local = Quat{pose[4], pose[5], pose[6], pose[7]}.conjugate().rotate(spin);
  const Vec3 moved{info.inertia.x * local.x, info.inertia.y * local.y, info.inertia.z * local.z};
  return std::min(bound, 3 * dot(local, moved) / info.mass);
}

// Rest counts from when a body was last fast, or was moved out of something, which its velocity
// does not tell.
bool count_rest(const RigidStep& s) {
  RigidWorld& world = s.world;
  const Real limit = s.settings.sleep_speed * s.settings.sleep_speed;
  bool any_ready = false;
  for (std::size_t i = 0; i < world.awake.size(); ++i) {
    const BodyRow row = world.awake[i];
    BodyTrack& track = world.track[row];
    const auto& v = world.rows.velocity[row].c;
    const auto &from = s.scratch.start[i].c, &to = world.rows.pose[row].c;
    const Vec3 way{to[0] - from[0], to[1] - from[1], to[2] - from[2]};
    const Real moving = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    const bool rests = moving < limit && dot(way, way) < limit * s.dt * s.dt &&
                       moving + turning(world, row) < limit;
    track.still = rests && world.info[row].can_sleep ? track.still + s.dt : 0;
    any_ready |= track.kind == BodyKind::kDynamic && track.still >= s.settings.sleep_after;
  }
  return any_ready;
}

// A body on a moving platform, or held by one, stays awake with its island.
bool carried(const RigidWorld& world, BodyRow row) {
  const auto carries = [&](BodyRow other) { return !dynamic(world, other) && moves(world, other); };
  for (const BodyInfo::Held& held : world.info[row].joints)
    if (carries(held.other)) return true;
  for (std::uint32_t i = world.track[row].first_pair; i != kNone;) {
    const Pair& pair = world.pairs[i];
    const int side = pair.body[0] == row ? 0 : 1;
    const BodyRow other = pair.body[1 - side];
    if (pair.touching && carries(other)) return true;
    i = pair.next[side];
  }
  return false;
}

void lay_to_sleep(RigidWorld& world, BodyRow row) {
  world.track[row].asleep = true;
  world.rows.velocity[row] = {};
  world.info[row].awake_mass = world.rows.mass[row];
  world.rows.mass[row] = {};
  stop_body(world, row);
}

// Those of an island hold bodies that all sleep, or one that sleeps to what does not move.
void lay_joints_aside(RigidWorld& world, BodyRow row) {
  for (const BodyInfo::Held& held : world.info[row].joints)
    world.joints.set_active(held.joint, false);
}

// To be looked at anew, from nothing.
void forget_contacts(RigidWorld& world, Pair& pair) {
  for (int k = 0; k < pair.contacts; ++k) drop_contact(world, pair.contact[k]);
  pair.contacts = 0;
  pair.good_until = -1;
}

void lay_pairs_aside(RigidWorld& world, BodyRow row) {
  for (std::uint32_t i = world.track[row].first_pair; i != kNone;) {
    Pair& pair = world.pairs[i];
    const int side = pair.body[0] == row ? 0 : 1;
    if (!pair.asleep && !pair.sensor) {
      pair.asleep = !moves(world, pair.body[1 - side]);
      if (pair.asleep)
        for (int k = 0; k < pair.contacts; ++k) lay_aside(world, pair.contact[k]);
      else
        forget_contacts(world, pair);
    }
    i = pair.next[side];
  }
}

}  // namespace

void fall_asleep(const RigidStep& s) {
  RigidWorld& world = s.world;
  const bool any_ready = count_rest(s);
  if (!any_ready || s.number % kSleepEvery != 0) return;
  Islands islands(s.scratch.island, world.track.size());
  const auto join = [&](BodyRow a, BodyRow b) {
    if (dynamic(world, a) && dynamic(world, b)) islands.join(a, b);
  };
  // All that is near, not only what bears: what is awake wakes what it might touch.
  for_each_bond(world, std::numeric_limits<Real>::max(), join);
  world.joints.for_each_pair([&](BodyRow a, BodyRow b, JointSlot) { join(a, b); });
  std::vector<std::uint32_t>& restless = s.scratch.stack;  // by root
  restless.assign(world.track.size(), 0);
  for (BodyRow row : world.awake)
    if (dynamic(world, row) &&
        (world.track[row].still < s.settings.sleep_after || carried(world, row)))
      restless[islands.find(row)] = 1;
  std::vector<BodyRow>& sleepers = world.boxed;
  for (BodyRow row : world.awake)
    if (dynamic(world, row) && !restless[islands.find(row)]) sleepers.push_back(row);
  for (BodyRow row : sleepers) lay_to_sleep(world, row);
  for (BodyRow row : sleepers) {
    lay_pairs_aside(world, row);
    lay_joints_aside(world, row);
  }
  sleepers.clear();
}

void wake_island(RigidWorld& world, BodyRow first) {
  std::vector<BodyRow> stack{first};
  while (!stack.empty()) {
    const BodyRow row = stack.back();
    stack.pop_back();
    BodyTrack& track = world.track[row];
    const bool slept = track.asleep;
    wake_body(world, row);
    if (!slept) continue;
    world.rows.mass[row] = world.info[row].awake_mass;
    for (std::uint32_t i = track.first_pair; i != kNone;) {
      Pair& pair = world.pairs[i];
      const int side = pair.body[0] == row ? 0 : 1;
      const BodyRow other = pair.body[1 - side];
      const bool together = pair.touching || !world.track[other].asleep;
      if (pair.asleep) {
        pair.asleep = false;
        if (together)
          for (int k = 0; k < pair.contacts; ++k) take_up(world, pair.contact[k]);
        else
          forget_contacts(world, pair);
      }
      if (pair.touching && world.track[other].asleep) stack.push_back(other);
      i = pair.next[side];
    }
    for (const BodyInfo::Held& held : world.info[row].joints) {
      world.joints.set_active(held.joint, true);
      if (world.track[held.other].asleep) stack.push_back(held.other);
    }
  }
}

// What rests on a body that goes away or is moved must not hang in the air, and what it comes near
// to is looked at again.
void wake_neighbours(RigidWorld& world, BodyRow row) {
  std::vector<BodyRow> others;
  for (std::uint32_t i = world.track[row].first_pair; i != kNone;) {
    Pair& pair = world.pairs[i];
    const int side = pair.body[0] == row ? 0 : 1;
    if (pair.touching && world.track[pair.body[1 - side]].asleep) {
      others.push_back(pair.body[1 - side]);
    } else if (pair.asleep && !pair.touching) {
      pair.asleep = false;
      forget_contacts(world, pair);
    }
    i = pair.next[side];
  }
  for (const BodyInfo::Held& held : world.info[row].joints)
    if (world.track[held.other].asleep) others.push_back(held.other);
  for (BodyRow other : others) wake_island(world, other);
}

}  // namespace sinew
