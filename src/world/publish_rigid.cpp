#include "world/publish_rigid.h"

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
  for (const TouchEvent& touch : bodies.touches)
    world.contact_events.push_back({.kind = kind_of(touch.kind),
                                    .a = touch.body[0],
                                    .b = touch.body[1],
                                    .part_a = touch.part[0],
                                    .part_b = touch.part[1],
                                    .impulse = touch.impulse});
  bodies.touches.clear();
}

}  // namespace sinew
