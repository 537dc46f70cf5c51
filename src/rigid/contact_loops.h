// Loops over all packs of contacts, shared out to threads: zones share no body that moves, nor do
// packs of a colour, so that they run in parallel with the same result.
#pragma once

#include <algorithm>

#include "core/parallel.h"
#include "rigid/contact_prepare.h"
#include "rigid/rigid_step.h"

namespace sinew {

// Blocks of a loop, at least as large as `least`, and so large that each has a row for what is
// written for bodies that cannot move.
inline int block_of(int items, int least) {
  return std::max(least, (items + kScratchRows - 1) / kScratchRows);
}

// f(pack number, colour, scratch row) for all packs, zone by zone and colour after colour, and
// those between zones at the end; or backwards.
template <class F>
void for_each_contact_pack(const RigidStep& s, F&& f, bool backwards = false) {
  const auto inside = [&] {
    const int zones = static_cast<int>(s.scratch.zones.size()), block = block_of(zones, 1);
    parallel_for(s.executor, zones, block, [&](int begin, int end) {
      const BodyRow scratch = 1 + BodyRow(begin / block);
      for (int z = begin; z < end; ++z)
        for_each_colour(s.world.zones[s.scratch.zones[z]], backwards,
                        [&](int, ContactColour& colour) {
                          const int packs = static_cast<int>(colour.packs.size());
                          for (int i = 0; i < packs; ++i) f(i, colour, scratch);
                        });
    });
  };
  const auto between = [&](int number, ContactColour& colour) {
    constexpr int kLeast = 8;
    const int packs = static_cast<int>(colour.packs.size());
    const int block = number == kColours - 1 ? packs : block_of(packs, kLeast);
    parallel_for(s.executor, packs, block, [&](int begin, int end) {
      for (int i = begin; i < end; ++i) f(i, colour, 1 + BodyRow(begin / block));
    });
  };
  if (s.world.zones.empty()) return;
  if (!backwards) inside();
  for_each_colour(s.world.zones[kBetween], backwards, between);
  if (backwards) inside();
}

// What is written for bodies that cannot move goes to `scratch`.
inline void choose_written(ContactPack<Wide>& pack, BodyRow scratch) {
  for (int l = 0; l < kLanes; ++l) {
    pack.write_a[l] = lane(pack.mass_a.mass, l) > 0 ? pack.a[l] : scratch;
    pack.write_b[l] = lane(pack.mass_b.mass, l) > 0 ? pack.b[l] : scratch;
  }
}

}  // namespace sinew
