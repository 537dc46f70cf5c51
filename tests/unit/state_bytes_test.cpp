#include "core/state_bytes.h"

#include <gtest/gtest.h>

#include "core/pack.h"

namespace sinew {
namespace {

struct Inner {
  double potential = 0;
  int constant = 7;

  void visit_state(StateBytes& state) { state(potential); }
};

struct Nothing {};

struct Outer {
  Vec3T<Wide> lanes{Wide(Real(0)), Wide(Real(0)), Wide(Real(0))};
  // An empty member may lie upon what is next to it: no byte of it may be written.
  [[no_unique_address]] Nothing nothing;
  char beside = 'a';
  Real few[3] = {};
  std::vector<int> many;
  Inner inner;

  void visit_state(StateBytes& state) { state(nothing, lanes, few, many, inner); }
};

std::vector<std::byte> kept(Outer& outer) {
  StateBytes bytes;
  EXPECT_FALSE(bytes.restoring());
  bytes(outer);
  return bytes.take();
}

TEST(StateBytes, PutBackWhatWasKeptAndNothingElse) {
  Outer outer;
  outer.lanes.y = Wide(Real(3));
  outer.few[1] = 4;
  outer.many = {1, 2, 3};
  outer.inner.potential = 5;
  const std::vector<std::byte> bytes = kept(outer);

  outer = {};
  outer.beside = 'b';
  outer.many = {9, 9, 9, 9, 9};
  outer.inner.constant = 8;
  StateBytes back(bytes);
  EXPECT_TRUE(back.restoring());
  back(outer);
  EXPECT_TRUE(back.done());
  EXPECT_EQ(lane(outer.lanes.y, 0), Real(3));
  EXPECT_EQ(lane(outer.lanes.z, 0), Real(0));
  EXPECT_EQ(outer.few[1], Real(4));
  EXPECT_EQ(outer.many, (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(outer.inner.potential, 5);
  EXPECT_EQ(outer.beside, 'b');
  EXPECT_EQ(outer.inner.constant, 8);
}

TEST(StateBytes, KeepOnlyWhatTheyAreShown) {
  Outer outer;
  const std::size_t empty = kept(outer).size();
  EXPECT_EQ(empty, sizeof(outer.lanes) + sizeof(outer.few) + sizeof(std::size_t) + sizeof(double));
  outer.many.resize(10);
  EXPECT_EQ(kept(outer).size(), empty + 10 * sizeof(int));
}

TEST(StateBytes, AreNotDoneBeforeTheEnd) {
  int a = 1, b = 2;
  StateBytes bytes;
  EXPECT_TRUE(bytes.done());
  bytes(a, b);
  const std::vector<std::byte> taken = bytes.take();
  StateBytes back(taken);
  back(a);
  EXPECT_FALSE(back.done());
  back(b);
  EXPECT_TRUE(back.done());
}

}  // namespace
}  // namespace sinew
