// Sets of bodies that hold together, by union and find.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "rigid/rigid_world.h"

namespace sinew {

class Islands {
 public:
  // Every row by itself; `parent` is the memory for it.
  Islands(std::vector<std::uint32_t>& parent, std::size_t rows) : parent_(parent) {
    parent_.resize(rows);
    std::iota(parent_.begin(), parent_.end(), 0u);
  }

  std::uint32_t find(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  // The root of a set is its first row.
  void join(std::uint32_t a, std::uint32_t b) {
    a = find(a), b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::uint32_t>& parent_;
};

// Whether constraints can move a body now.
inline bool is_movable(const RigidWorld& world, BodyRow row) {
  return world.track[row].kind == BodyKind::kDynamic && world.track[row].awake_at != kNone;
}

// Whether a body touches something, or nearly, or is on a joint.
inline bool is_held(const RigidWorld& world, BodyRow row) {
  const BodyTrack& track = world.track[row];
  return (track.colours[0] | track.colours[1]) != 0 || !world.info[row].joints.empty();
}

// f(a, b) for the bodies of every contact that bore a load in this step, or began it with a gap
// below `near`.
template <class F>
void for_each_bond(const RigidWorld& world, Real near, F&& f) {
  const Wide zero(Real(0));
  const auto look_at = [&](int, const ContactColour& colour) {
    for (const ContactPack<Wide>& pack : colour.packs) {
      const Wide least = min(min(pack.gap[0], pack.gap[1]), min(pack.gap[2], pack.gap[3]));
      const Wide acts = max(pack.total + pack.bounced, Wide(near) - least);
      if (!any(acts > zero)) continue;
      for (int l = 0; l < kLanes; ++l)
        if (lane(acts, l) > 0) f(pack.a[l], pack.b[l]);
    }
  };
  for (const ContactZone& zone : world.zones) for_each_colour(zone, false, look_at);
}

}  // namespace sinew
