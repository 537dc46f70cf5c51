// A step of rigid bodies, top to bottom.
#include "rigid/rigid_step.h"

#include <algorithm>

#include "rigid/conservation.h"

namespace sinew {
namespace {

// Which contacts carry a load, against those that did.
void note_touches(const RigidStep& s) {
  RigidWorld& world = s.world;
  const auto look_at = [&](int, ContactColour& colour) {
    for (std::size_t i = 0; i < colour.packs.size(); ++i) {
      const Wide load = colour.packs[i].total + colour.packs[i].bounced;
      Wide& touched = colour.geometry[i].touched;
      const Wide now = select(load > Wide(Real(0)), Wide(Real(1)), Wide(Real(0)));
      const auto changed = abs(now - touched) > Wide(Real(0));
      if (!any(changed)) continue;
      for (int l = 0; l < kLanes; ++l) {
        if (lane(now, l) == lane(touched, l)) continue;
        const std::uint32_t contact = colour.geometry[i].contact[l];
        if (contact == kNone) continue;
        world.contacts[contact].touching = lane(now, l) > 0;
        s.scratch.todo.push_back(world.contacts[contact].pair);
      }
      touched = now;
    }
  };
  for (ContactZone& zone : world.zones) for_each_colour(zone, false, look_at);
}

// Begin and end of touching, by pairs.
void publish_touches(const RigidStep& s) {
  RigidWorld& world = s.world;
  s.scratch.todo.clear();
  note_touches(s);
  for (std::uint32_t i : world.sensor_pairs)
    if (world.pairs[i].alive) s.scratch.todo.push_back(i);
  std::sort(s.scratch.todo.begin(), s.scratch.todo.end());
  for (std::uint32_t i : s.scratch.todo) {
    Pair& pair = world.pairs[i];
    bool touching = pair.overlapping;
    for (int k = 0; k < pair.contacts; ++k) touching |= world.contacts[pair.contact[k]].touching;
    if (touching == pair.touching) continue;
    pair.touching = touching;
    world.touches.push_back(
        touch_event(world, pair, touching ? TouchEvent::Kind::kBegin : TouchEvent::Kind::kEnd));
    pair.fresh = touching;
  }
  if (!s.settings.persist_events) return;
  for (Pair& pair : world.pairs.items) {
    if (pair.alive && pair.touching && !pair.asleep && !pair.fresh)
      world.touches.push_back(touch_event(world, pair, TouchEvent::Kind::kPersist));
    pair.fresh = false;
  }
}

}  // namespace

Real pair_impulse(const RigidWorld& world, const Pair& pair) {
  Real sum = 0;
  for (int k = 0; k < pair.contacts; ++k) {
    const Contact& contact = world.contacts[pair.contact[k]];
    if (contact.colour < 0) continue;
    const int lanes = ContactColour::lanes(contact.colour);
    const auto& pack =
        world.zones[contact.zone].colours[contact.colour].packs[contact.slot / lanes];
    const int l = static_cast<int>(contact.slot % lanes);
    sum += lane(pack.total, l) + lane(pack.bounced, l);
  }
  return sum;
}

void step_rigid(const RigidStep& s) {
  RigidWorld& world = s.world;
  if (world.track.empty()) return;
  freeze_thrown(world);
  {
    const Profiler::Scope stage(s.profiler, "rigid pairs");
    find_pairs(world, s.dt, s.gravity);
  }
  {
    const Profiler::Scope stage(s.profiler, "rigid contacts");
    make_manifolds(world, s.scratch, s.executor, s.dt);
    choose_zones(world, s.scratch);
  }
  solve_rigid(s);
  freeze_broken(s);
  stop_fast(s);
  keep_conserved(s);
  freeze_broken(s);
  const Profiler::Scope stage(s.profiler, "rigid publish");
  hold_boxes(world);
  publish_touches(s);
  if (s.settings.sleeping) fall_asleep(s);
}

}  // namespace sinew
