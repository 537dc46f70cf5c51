#include "rigid/tumblers.h"

#include <algorithm>
#include <cmath>

#include "rigid/contact_loops.h"

namespace sinew {
namespace {

bool touches(const BodyTrack& track) { return (track.colours[0] | track.colours[1]) != 0; }

// Of the bodies that turn far, those that touch something and were not known yet.
void gather_tumblers(const RigidStep& s) {
  RigidScratch& scratch = s.scratch;
  for (std::size_t pack = 0; pack < scratch.turns_far.size(); ++pack) {
    if (scratch.turns_far[pack] == 0) continue;
    for (int l = 0; l < kLanes; ++l) {
      const std::size_t i = pack * kLanes + static_cast<std::size_t>(l);
      const BodyRow row = scratch.awake[i];
      if (!(scratch.turns_far[pack] >> l & 1u) || scratch.tumbling[row]) continue;
      if (!touches(s.world.track[row])) continue;
      scratch.tumbling[row] = 1;
      scratch.gyro[i].c[7] = 1;
      scratch.tumblers.push_back(row);
    }
  }
}

// 1 in lanes whose contact has a tumbler.
Wide tumbling_lanes(const RigidScratch& scratch, const ContactPack<Wide>& pack) {
  Real lanes[kLanes];
  for (int l = 0; l < kLanes; ++l)
    lanes[l] = Real(scratch.tumbling[pack.a[l]] | scratch.tumbling[pack.b[l]]);
  return load_lanes<Wide>(lanes);
}

// Impulses of the last substep are forgotten, and taken out of what is done again in this one.
void forget_impulses(const RigidStep& s) {
  std::vector<Row8<Real>>& held = s.world.held_velocity;
  const Wide zero(Real(0));
  for_each_contact_pack(s, [&](int i, ContactColour& colour, BodyRow) {
    ContactPack<Wide>& pack = colour.packs[i];
    const Wide share = tumbling_lanes(s.scratch, pack);
    const auto tumbles = share > zero;
    if (!any(tumbles)) return;
    PatchMotion<Wide> f = patch_impulse(pack);
    f = {f.n * share, f.a * share, f.b * share, f.t1 * share, f.t2 * share, f.g * share};
    Twist<Wide> a = gather_twist<Wide>(held, pack.a), b = gather_twist<Wide>(held, pack.b);
    apply(pack, f, a, b);
    scatter_twist(held, pack.write_a, a);
    scatter_twist(held, pack.write_b, b);
    for (Wide& impulse : pack.impulse) impulse = select(tumbles, zero, impulse);
    pack.slide1 = select(tumbles, zero, pack.slide1);
    pack.slide2 = select(tumbles, zero, pack.slide2);
    pack.twist = select(tumbles, zero, pack.twist);
  });
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
  if (scratch.tumblers.empty()) return;
  if (what != Before::kCorrection) forget_impulses(s);
  if (what == Before::kFirstSubstep) return;  // all the rest is of this moment already
  for (BodyRow row : scratch.tumblers) {
    update_world_inertia(world, row);
    if (what == Before::kSubstep) world.held_velocity[row] = world.rows.velocity[row];
  }
  const bool more = remake_manifolds(world, scratch, s.executor, h);
  if (more) list_zones(world, scratch);
  prepare_again(s, more);
}

}  // namespace sinew
