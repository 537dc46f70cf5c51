// Events after a removal: an ordinary loop over them never meets a handle that is gone.
#include <gtest/gtest.h>
#include <sinew/sinew.h>

namespace sinew {
namespace {

struct Scene {
  World world;
  RigidId floor, box;

  Scene() {
    floor = world.add(StaticBody{.name = "floor", .shape = Plane{}});
    box = world.add(RigidBody{.name = "box", .shape = Box{}, .pose = {{0, Real(0.5), 0}}});
  }
  // As everybody writes it.
  int loop() const {
    int count = 0;
    for (const ContactEvent& event : world.contact_events()) {
      (void)world.name(event.a), (void)world.name(event.b);
      (void)world.state(event.a), (void)world.state(event.b);
      ++count;
    }
    return count;
  }
};

TEST(LostContacts, LoopsOverEventsNeverThrow) {
  Scene s;
  s.world.step(Real(1) / 60);
  EXPECT_EQ(s.loop(), 1);  // they have begun to touch
  s.world.remove(s.box);
  EXPECT_EQ(s.loop(), 0);
  EXPECT_TRUE(s.world.lost_contacts().empty());
  s.world.step(Real(1) / 60);
  EXPECT_EQ(s.loop(), 0);
  ASSERT_EQ(s.world.lost_contacts().size(), 1u);
  const ContactEvent lost = s.world.lost_contacts()[0];
  EXPECT_EQ(lost.kind, ContactEvent::Kind::kEnd);
  const bool box_first = lost.a == s.box;
  EXPECT_EQ(box_first ? lost.a : lost.b, s.box);
  EXPECT_FALSE(s.world.contains(s.box));
  EXPECT_TRUE(s.world.contains(box_first ? lost.b : lost.a));
  s.world.step(Real(1) / 60);
  EXPECT_TRUE(s.world.lost_contacts().empty());
}

TEST(LostContacts, AreInSnapshots) {
  Scene s;
  s.world.step(Real(1) / 60);
  s.world.remove(s.box);
  s.world.step(Real(1) / 60);
  const Snapshot snapshot = s.world.snapshot();
  s.world.step(Real(1) / 60);
  s.world.restore(snapshot);
  EXPECT_EQ(s.world.lost_contacts().size(), 1u);
}

}  // namespace
}  // namespace sinew
