#include "rigid/squeezed.h"

#include <algorithm>

#include "rigid/contact_loops.h"
#include "rigid/islands.h"

namespace sinew {
namespace {

constexpr Real kMostCarried = 15;      // times its mass, that a body carries with its own inertia
constexpr Real kSteepest = Real(0.3);  // cosine of what a body stands on, to gravity
constexpr Real kMostInertia = 1000;    // times its own, that a body is given at most
constexpr Real kNear = Real(2e-3);     // contacts that bear, or will [m]
constexpr Real kHeight = Real(2e-3);   // ℓ, as a share of the body's radius

// f(body) for every contact by which a body stands on another; `up` is against gravity.
template <class F>
void for_each_support(const RigidWorld& world, BodyRow row, const Vec3& up, F&& f) {
  for_each_pair(world, row, [&](std::uint32_t index, BodyRow other) {
    const Pair& pair = world.pairs[index];
    const Real side = pair.body[0] == row ? Real(-1) : Real(1);
    for (int k = 0; k < pair.contacts; ++k) {
      const Contact& contact = world.contacts[pair.contact[k]];
      if (contact.colour < 0) continue;
      const int lanes = ContactColour::lanes(contact.colour);
      const auto& pack =
          world.zones[contact.zone].colours[contact.colour].packs[contact.slot / lanes];
      const int l = static_cast<int>(contact.slot % lanes);
      Real least = lane(pack.gap[0], l);
      for (const Wide& gap : pack.gap) least = std::min(least, lane(gap, l));
      const auto normal = lane(pack.normal, l);
      const double cosine = normal.x * up.x + normal.y * up.y + normal.z * up.z;
      if (least < kNear && side * cosine > kSteepest) f(other);
    }
  });
}

// Bodies from the highest to the lowest.
void sort_by_height(const RigidStep& s, const Vec3& up) {
  const RigidWorld& world = s.world;
  auto& order = s.scratch.by_height;
  order.clear();
  for (std::size_t i = 0; i < world.awake.size(); ++i) {
    const BodyRow row = world.awake[i];
    const auto& x = world.rows.pose[row].c;
    if (is_movable(world, row) && is_held(world, row))
      order.push_back({x[0] * up.x + x[1] * up.y + x[2] * up.z, row, static_cast<int>(i)});
  }
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return a.height != b.height ? a.height > b.height : a.row < b.row;
  });
}

Vec3 velocity_of(const RigidWorld& world, BodyRow row) {
  const auto& v = world.rows.velocity[row].c;
  return {v[0], v[1], v[2]};
}

// What a body carries, and itself, to all that it stands on.
void hand_on(const RigidStep& s, BodyRow row, const Vec3& up) {
  std::vector<RigidScratch::Carried>& carried = s.scratch.carried;
  const Real own = s.world.info[row].mass;
  int supports = 0;
  for_each_support(s.world, row, up, [&](BodyRow) { ++supports; });
  if (supports == 0) return;
  const Real mass = (own + carried[row].mass) / Real(supports);
  const Vec3 momentum =
      (velocity_of(s.world, row) * own + carried[row].momentum) * (1 / Real(supports));
  for_each_support(s.world, row, up, [&](BodyRow other) {
    carried[other].mass += mass;
    carried[other].momentum += momentum;
  });
}

// m' of the head of squeezed.h.
Real inertia_under(const RigidWorld& world, BodyRow row, const RigidScratch::Carried& carried,
                   Real gravity) {
  if (!(carried.mass > kMostCarried * world.info[row].mass)) return 0;
  const auto& v = world.rows.velocity[row].c;
  const Real radius = world.track[row].radius;
  const Vec3 apart = velocity_of(world, row) - carried.momentum * (1 / carried.mass);
  const Vec3 spin = Vec3{v[3], v[4], v[5]} * radius;
  const Real speed2 = dot(apart, apart) + dot(spin, spin);
  const Real most = 2 * gravity * kHeight * radius;
  const Real bounded =
      carried.mass * std::min(1 / kMostCarried, most / std::max(speed2, Real(1e-30)));
  return std::min(bounded, kMostInertia * world.info[row].mass);
}

}  // namespace

bool is_uneven(const ContactPack<Wide>& pack) {
  const Wide &a = pack.mass_a.mass, &b = pack.mass_b.mass;
  return any((min(a, b) > Wide(Real(0))) & (max(a, b) > min(a, b) * Wide(kMostCarried)));
}

bool add_inertia(const RigidStep& s) {
  RigidWorld& world = s.world;
  RigidScratch& scratch = s.scratch;
  scratch.squeezed.clear();
  const Real gravity = length(s.gravity);
  if (!(gravity > 0)) return false;
  const Vec3 up = s.gravity * (-1 / gravity);
  sort_by_height(s, up);
  scratch.carried.assign(world.track.size(), {});
  for (const auto& [height, row, i] : scratch.by_height) {
    const Real mass = world.info[row].mass;
    const RigidScratch::Carried& carried = scratch.carried[row];
    hand_on(s, row, up);
    const Real inertia = inertia_under(world, row, carried, gravity);
    if (!(inertia > mass)) continue;
    const Real share = mass / inertia;
    scratch.squeezed.push_back({row, world.rows.mass[row]});
    for (Real& inverse : world.rows.mass[row].c) inverse *= share;
    for (int k = 0; k < 6; ++k) scratch.drive[i].c[k] *= share;
    for (int k = 0; k < 3; ++k) scratch.gyro[i].c[k] /= share, scratch.gyro[i].c[3 + k] *= share;
  }
  return !scratch.squeezed.empty();
}

void take_inertia(const RigidStep& s) {
  for (const auto& [row, mass] : s.scratch.squeezed) {
    s.world.rows.mass[row] = mass;
    update_world_inertia(s.world, row);
  }
  s.scratch.squeezed.clear();
}

}  // namespace sinew
