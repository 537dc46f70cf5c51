// The graph of contacts: manifolds in lanes of packs, in zones, and coloured there so that no two
// of a colour move the same body. A contact takes the first colour that is free at both its bodies.
#include <algorithm>
#include <bit>
#include <cmath>

#include "rigid/rigid_world.h"

namespace sinew {
namespace {

constexpr Real kDeep = Real(0.1);  // of the smaller one

struct Place {
  ContactPack<Wide>& pack;
  ContactGeometry<Wide>& geometry;
  int lane;
};

Place place_of(RigidWorld& world, std::uint32_t zone, int colour, std::uint32_t slot) {
  ContactColour& c = world.zones[zone].colours[colour];
  const int lanes = ContactColour::lanes(colour);
  const std::uint32_t pack = slot / lanes;
  return {c.packs[pack], c.geometry[pack], static_cast<int>(slot % lanes)};
}

bool movable(const RigidWorld& world, BodyRow row) {
  return world.track[row].kind == BodyKind::kDynamic;
}

Vec3 lane_of(const Vec3T<Wide>& v, int i) { return {lane(v.x, i), lane(v.y, i), lane(v.z, i)}; }
void put(Vec3T<Wide>& v, int i, const Vec3& value) {
  set_lane(v.x, i, value.x);
  set_lane(v.y, i, value.y);
  set_lane(v.z, i, value.z);
}

void clear_lane(const Place& at) {
  ContactPack<Wide>& p = at.pack;
  const int i = at.lane;
  p.a[i] = p.b[i] = kWorldRow;
  at.geometry.contact[i] = kNone;
  set_lane(at.geometry.friction, i, Real(0));
  set_lane(at.geometry.restitution, i, Real(0));
  set_lane(at.geometry.deep, i, Real(1));
  set_lane(at.geometry.touched, i, Real(0));
  for (int k = 0; k < kPoints; ++k) {
    put(at.geometry.on_a[k], i, {});
    put(at.geometry.on_b[k], i, {});
    set_lane(at.geometry.own[k], i, Real(0));
    set_lane(p.impulse[k], i, Real(0));
    at.geometry.feature[k][i] = 0;
  }
  put(at.geometry.normal, i, {0, 1, 0});
  set_lane(p.slide1, i, Real(0));
  set_lane(p.slide2, i, Real(0));
  set_lane(p.twist, i, Real(0));
  set_lane(p.total, i, Real(0));
  set_lane(p.bounced, i, Real(0));
}

SavedContact read(const Place& at) {
  SavedContact s;
  const int i = at.lane;
  s.manifold.normal = lane_of(at.geometry.normal, i);
  for (int k = 0; k < kPoints; ++k) {
    // A repeated point's impulse belongs to the one it repeats.
    if (!(lane(at.geometry.own[k], i) > 0)) {
      s.impulse[k % s.manifold.count] += lane(at.pack.impulse[k], i);
      continue;
    }
    s.manifold.count = k + 1;
    s.manifold.on_a[k] = lane_of(at.geometry.on_a[k], i);
    s.manifold.on_b[k] = lane_of(at.geometry.on_b[k], i);
    s.manifold.feature[k] = at.geometry.feature[k][i];
    s.impulse[k] = lane(at.pack.impulse[k], i);
  }
  s.slide1 = lane(at.pack.slide1, i);
  s.slide2 = lane(at.pack.slide2, i);
  s.twist = lane(at.pack.twist, i);
  s.touched = lane(at.geometry.touched, i) > 0;
  return s;
}

void write(const Place& at, const SavedContact& s) {
  const int i = at.lane, count = s.manifold.count;
  put(at.geometry.normal, i, s.manifold.normal);
  for (int k = 0; k < kPoints; ++k) {
    const int from = k % count;
    put(at.geometry.on_a[k], i, s.manifold.on_a[from]);
    put(at.geometry.on_b[k], i, s.manifold.on_b[from]);
    at.geometry.feature[k][i] = s.manifold.feature[from];
    set_lane(at.geometry.own[k], i, Real(k < count));
    set_lane(at.pack.impulse[k], i, k < count ? s.impulse[k] : Real(0));
  }
  set_lane(at.pack.slide1, i, s.slide1);
  set_lane(at.pack.slide2, i, s.slide2);
  set_lane(at.pack.twist, i, s.twist);
  set_lane(at.geometry.touched, i, Real(s.touched));
  set_lane(at.pack.share, i, count < 3 ? Real(count) / kPoints : Real(count == 3 ? 0.5 : 1));
}

std::uint32_t zone_of(const RigidWorld& world, const Pair& pair) {
  const std::uint32_t a = world.track[pair.body[0]].zone, b = world.track[pair.body[1]].zone;
  if (!movable(world, pair.body[0])) return b;
  if (!movable(world, pair.body[1])) return a;
  return a == b ? a : kBetween;
}

int free_colour(const RigidWorld& world, const Pair& pair, std::uint32_t zone) {
  std::uint64_t used = 0;
  for (BodyRow row : pair.body)
    if (movable(world, row)) used |= world.track[row].colours[zone != kBetween];
  return std::min(std::countr_one(used), kColours - 1);
}

void mark(RigidWorld& world, const Pair& pair, std::uint32_t zone, int colour, bool on) {
  if (colour == kColours - 1) return;
  const std::uint64_t bit = std::uint64_t(1) << colour;
  for (BodyRow row : pair.body) {
    std::uint64_t& colours = world.track[row].colours[zone != kBetween];
    colours = on ? colours | bit : colours & ~bit;
  }
}

// What the surfaces of two colliders are to each other.
void set_surfaces(RigidWorld& world, const Pair& pair, const Place& at) {
  const Collider& a = world.colliders[pair.collider[0]];
  const Collider& b = world.colliders[pair.collider[1]];
  const Real restitution = std::max(a.restitution, b.restitution);
  set_lane(at.geometry.friction, at.lane, std::sqrt(a.friction * b.friction));
  set_lane(at.geometry.restitution, at.lane, restitution);
  world.bouncing += restitution > 0;
  if (restitution >= kLively)
    for (const BodyRow row : pair.body) world.info[row].lively = true;
}

}  // namespace

void add_to_graph(RigidWorld& world, std::uint32_t index, const SavedContact& content) {
  Contact& contact = world.contacts[index];
  const Pair& pair = world.pairs[contact.pair];
  const std::uint32_t zone = zone_of(world, pair);
  if (world.zones.size() <= zone) world.zones.resize(zone + 1);
  const int number = free_colour(world, pair, zone);
  ContactColour& colour = world.zones[zone].colours[number];
  world.zones[zone].used |= std::uint64_t(1) << number;
  mark(world, pair, zone, number, true);
  contact.zone = zone;
  contact.colour = number;
  contact.slot = static_cast<std::uint32_t>(colour.count++);
  const int lanes = ContactColour::lanes(number);
  if (colour.packs.size() * lanes < std::size_t(colour.count)) {
    colour.packs.emplace_back();
    colour.geometry.emplace_back();
    for (int i = 0; i < kLanes; ++i) clear_lane({colour.packs.back(), colour.geometry.back(), i});
  }
  const Place at = place_of(world, zone, number, contact.slot);
  const Collider& a = world.colliders[pair.collider[0]];
  const Collider& b = world.colliders[pair.collider[1]];
  at.pack.a[at.lane] = pair.body[0];
  at.pack.b[at.lane] = pair.body[1];
  at.geometry.contact[at.lane] = index;
  set_lane(at.geometry.deep, at.lane, kDeep * smaller_size(a, b));
  set_surfaces(world, pair, at);
  write(at, content);
}

SavedContact take_from_graph(RigidWorld& world, std::uint32_t index) {
  Contact& contact = world.contacts[index];
  const int number = contact.colour;
  const std::uint32_t zone = contact.zone;
  ContactColour& colour = world.zones[zone].colours[number];
  const Place hole = place_of(world, zone, number, contact.slot);
  const SavedContact content = read(hole);
  world.bouncing -= lane(hole.geometry.restitution, hole.lane) > 0;
  mark(world, world.pairs[contact.pair], zone, number, false);
  const std::uint32_t last = static_cast<std::uint32_t>(--colour.count);
  const Place end = place_of(world, zone, number, last);
  if (contact.slot != last) {
    const std::uint32_t moved = end.geometry.contact[end.lane];
    write(hole, read(end));
    hole.pack.a[hole.lane] = end.pack.a[end.lane];
    hole.pack.b[hole.lane] = end.pack.b[end.lane];
    hole.geometry.contact[hole.lane] = moved;
    set_lane(hole.geometry.friction, hole.lane, lane(end.geometry.friction, end.lane));
    set_lane(hole.geometry.restitution, hole.lane, lane(end.geometry.restitution, end.lane));
    set_lane(hole.geometry.deep, hole.lane, lane(end.geometry.deep, end.lane));
    world.contacts[moved].slot = contact.slot;
  }
  clear_lane(end);
  const int lanes = ContactColour::lanes(number);
  const std::size_t packs = (std::size_t(colour.count) + lanes - 1) / lanes;
  colour.packs.resize(packs);
  colour.geometry.resize(packs);
  if (colour.count == 0) world.zones[zone].used &= ~(std::uint64_t(1) << number);
  contact.colour = -1;
  return content;
}

void renew_surfaces(RigidWorld& world, std::uint32_t index) {
  const Contact& contact = world.contacts[index];
  if (contact.colour < 0) return;  // its surfaces are looked at when it is taken up
  const Place at = place_of(world, contact.zone, contact.colour, contact.slot);
  world.bouncing -= lane(at.geometry.restitution, at.lane) > 0;
  set_surfaces(world, world.pairs[contact.pair], at);
}

SavedContact read_contact(const RigidWorld& world, std::uint32_t index) {
  const Contact& contact = world.contacts[index];
  return read(place_of(const_cast<RigidWorld&>(world), contact.zone, contact.colour, contact.slot));
}

void write_contact(RigidWorld& world, std::uint32_t index, const SavedContact& content) {
  const Contact& contact = world.contacts[index];
  write(place_of(world, contact.zone, contact.colour, contact.slot), content);
}

void drop_contact(RigidWorld& world, std::uint32_t index) {
  if (world.contacts[index].colour >= 0)
    take_from_graph(world, index);
  else
    world.saved.release(world.contacts[index].slot);
  world.contacts.release(index);
}

void lay_aside(RigidWorld& world, std::uint32_t index) {
  const SavedContact content = take_from_graph(world, index);
  const std::uint32_t slot = world.saved.take();
  world.saved[slot] = content;
  world.contacts[index].slot = slot;
}

void take_up(RigidWorld& world, std::uint32_t index) {
  const std::uint32_t slot = world.contacts[index].slot;
  const SavedContact content = world.saved[slot];
  world.saved.release(slot);
  add_to_graph(world, index, content);
}

}  // namespace sinew
