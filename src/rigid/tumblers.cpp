#include "rigid/tumblers.h"

#include <algorithm>
#include <span>

#include "rigid/contact_loops.h"
#include "rigid/contact_memory.h"
#include "rigid/islands.h"

namespace sinew {
namespace {

// Of the bodies that turn far, those that touch or hold something and were not known yet.
void gather_tumblers(const RigidStep& s) {
  RigidScratch& scratch = s.scratch;
  for (std::size_t pack = 0; pack < scratch.turns_far.size(); ++pack) {
    if (scratch.turns_far[pack] == 0) continue;
    for (int l = 0; l < kLanes; ++l) {
      const std::size_t i = pack * kLanes + static_cast<std::size_t>(l);
      const BodyRow row = scratch.awake[i];
      if (!(scratch.turns_far[pack] >> l & 1u) || scratch.tumbling[row]) continue;
      if (!is_held(s.world, row)) continue;
      scratch.tumbling[row] = 1;
      scratch.gyro[i].c[7] = 1;
      scratch.tumblers.push_back(row);
    }
  }
}

// As bodies are now. Gaps move on with the way of the step, so what they have moved is taken off.
// Where contacts were added, packs are shared out anew.
void prepare_again(const RigidStep& s, bool shared_anew) {
  const BodyRows& rows = s.world.rows;
  for_each_contact_pack(s, [&](int i, ContactColour& colour, BodyRow scratch) {
    ContactPack<Wide>& pack = colour.packs[i];
    const auto others = tumbling_lanes(s.scratch, pack) <= Wide(Real(0));
    if (all(others)) {
      if (shared_anew) choose_written(pack, scratch);
      return;
    }
    const ContactFrame<Wide> old = pack;
    prepare_contacts<Wide>(rows, colour.geometry[i], pack);
    choose_written(pack, scratch);
    const PatchMotion<Wide> way = patch_motion(pack, gather_twist<Wide>(rows.way, pack.a),
                                               gather_twist<Wide>(rows.way, pack.b));
    for (int k = 0; k < kPoints; ++k)
      pack.gap[k] -= way.n + pack.along1[k] * way.a + pack.along2[k] * way.b;
    restore_lanes(pack, others, old);
  });
}

}  // namespace

void follow_tumblers(const RigidStep& s, Before what, Real h) {
  RigidWorld& world = s.world;
  RigidScratch& scratch = s.scratch;
  gather_tumblers(s);
  const bool any_tumble = !scratch.tumblers.empty();
  if (what != Before::kCorrection) forget_impulses(s, h);
  if (!any_tumble || what == Before::kFirstSubstep) return;  // the rest is of this moment already
  const auto follow = [&](std::size_t first) {
    for (BodyRow row : std::span(scratch.tumblers).subspan(first)) {
      update_world_inertia(world, row);
      if (what == Before::kSubstep) world.held_velocity[row] = world.rows.velocity[row];
    }
  };
  follow(0);
  const std::size_t known = scratch.tumblers.size();
  const bool more = remake_manifolds(world, scratch, s.executor, h);
  if (more) {
    // Some may have been met only now.
    gather_tumblers(s);
    follow(known);
    list_zones(world, scratch);
  }
  prepare_again(s, more);
}

}  // namespace sinew
