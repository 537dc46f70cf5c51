#include "rigid/tumblers.h"

#include <algorithm>
#include <span>

#include "rigid/contact_loops.h"
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

// 1 in lanes whose contact has a tumbler.
Wide tumbling_lanes(const RigidScratch& scratch, const ContactPack<Wide>& pack) {
  Real lanes[kLanes];
  for (int l = 0; l < kLanes; ++l)
    lanes[l] = Real(scratch.tumbling[pack.a[l]] | scratch.tumbling[pack.b[l]]);
  return load_lanes<Wide>(lanes);
}

// What share of its impulses a contact forgets. Where it overlaps deeply, all but a few times what
// the weight of everything there is asks for in a substep.
Wide forgotten_share(const RigidScratch& scratch, const ContactPack<Wide>& pack, Real h) {
  constexpr Real kTimes = 4;
  const Wide most(kTimes * scratch.weight * h), one(Real(1)), zero(Real(0));
  const Wide load = (pack.impulse[0] + pack.impulse[1]) + (pack.impulse[2] + pack.impulse[3]);
  const Wide beyond = select(load > most, one - most / max(load, most), zero);
  return max(pack.deep * beyond, tumbling_lanes(scratch, pack));
}

// Impulses of the last substep are forgotten, and taken out of what is done again in this one.
void forget_impulses(const RigidStep& s, Real h) {
  std::vector<Row8<Real>>& held = s.world.held_velocity;
  const Wide one(Real(1)), zero(Real(0));
  for_each_contact_pack(s, [&](int i, ContactColour& colour, BodyRow) {
    ContactPack<Wide>& pack = colour.packs[i];
    const Wide share = forgotten_share(s.scratch, pack, h);
    if (!any(share > zero)) return;
    PatchMotion<Wide> f = patch_impulse(pack);
    f = {f.n * share, f.a * share, f.b * share, f.t1 * share, f.t2 * share, f.g * share};
    Twist<Wide> a = gather_twist<Wide>(held, pack.a), b = gather_twist<Wide>(held, pack.b);
    apply(pack, f, a, b);
    scatter_twist(held, pack.write_a, a);
    scatter_twist(held, pack.write_b, b);
    const Wide left = one - share;
    for (Wide& impulse : pack.impulse) impulse *= left;
    pack.slide1 *= left, pack.slide2 *= left, pack.twist *= left;
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

void note_depth(const RigidStep& s, const ContactGeometry<Wide>& geometry,
                ContactPack<Wide>& pack) {
  const Wide least = min(min(pack.gap[0], pack.gap[1]), min(pack.gap[2], pack.gap[3]));
  const auto deep = least < -geometry.deep;
  pack.deep = select(deep, Wide(Real(1)), Wide(Real(0)));
  if (any(deep)) s.scratch.any_deep.store(true, std::memory_order_relaxed);
}

void follow_tumblers(const RigidStep& s, Before what, Real h) {
  RigidWorld& world = s.world;
  RigidScratch& scratch = s.scratch;
  gather_tumblers(s);
  const bool any_tumble = !scratch.tumblers.empty();
  if (what != Before::kCorrection && (any_tumble || scratch.any_deep)) forget_impulses(s, h);
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
