#include "world/publish_rigid.h"

#include <algorithm>

namespace sinew {
namespace {

ContactEvent::Kind kind_of(TouchEvent::Kind kind) {
  switch (kind) {
    case TouchEvent::Kind::kBegin:
      return ContactEvent::Kind::kBegin;
    case TouchEvent::Kind::kPersist:
      return ContactEvent::Kind::kPersist;
    case TouchEvent::Kind::kEnd:
      return ContactEvent::Kind::kEnd;
  }
  return ContactEvent::Kind::kEnd;
}

}  // namespace

void publish_rigid(World::Impl& world) {
  RigidWorld& bodies = world.bodies;
  world.contact_events.clear();
  world.lost_contacts.clear();
  for (const TouchEvent& touch : bodies.touches) {
    const bool whole = world.rigid.contains(touch.body[0]) && world.rigid.contains(touch.body[1]);
    auto& list = whole ? world.contact_events : world.lost_contacts;
    list.push_back({.kind = kind_of(touch.kind),
                    .a = touch.body[0],
                    .b = touch.body[1],
                    .part_a = touch.part[0],
                    .part_b = touch.part[1],
                    .impulse = touch.impulse});
  }
  bodies.touches.clear();
  for (const BodyRow row : bodies.just_frozen)
    world.events.push_back({.kind = Event::Kind::kFrozen, .rigid = bodies.info[row].id});
  bodies.just_frozen.clear();
}

std::vector<JointId> broken_joints(const World::Impl& world) {
  std::vector<JointId> ids;
  if (world.rigid_scratch.broken.empty()) return ids;
  world.joints.for_each([&](JointId id, const JointEntry& entry) {
    const auto& broken = world.rigid_scratch.broken;
    if (std::find(broken.begin(), broken.end(), entry.slot) != broken.end()) ids.push_back(id);
  });
  return ids;
}

}  // namespace sinew
