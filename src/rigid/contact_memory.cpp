#include "rigid/contact_memory.h"

#include <algorithm>

#include "rigid/contact_loops.h"
#include "rigid/islands.h"

namespace sinew {
namespace {

constexpr Real kDeepWeights = 4;  // remembered where contacts overlap deeply, times the weight
constexpr Real kJoltWeights = 2;  // and by what was jolted
constexpr Real kCalm = 2;         // times gravity: no jolt

// The weight of all that hangs together with each body, and what joints load it with: motors press,
// and levers make more of a weight. Once a step.
void weigh_islands(const RigidStep& s) {
  const RigidWorld& world = s.world;
  RigidScratch& scratch = s.scratch;
  Islands islands(scratch.island, world.track.size());
  const auto join = [&](BodyRow a, BodyRow b) {
    if (is_movable(world, a) && is_movable(world, b)) islands.join(a, b);
  };
  for_each_bond(world, std::numeric_limits<Real>::max(), join);
  world.joints.for_each_pair([&](BodyRow a, BodyRow b, JointSlot) { join(a, b); });
  scratch.weight.assign(world.track.size(), 0);
  for (std::size_t i = 0; i < world.awake.size(); ++i) {
    const BodyRow row = world.awake[i];
    const auto& a = scratch.drive[i].c;
    if (is_movable(world, row))
      scratch.weight[islands.find(row)] += world.info[row].mass * length(Vec3{a[0], a[1], a[2]});
  }
  world.joints.for_each_pair([&](BodyRow a, BodyRow b, JointSlot joint) {
    const BodyRow row = is_movable(world, a) ? a : b;
    if (is_movable(world, row))
      scratch.weight[islands.find(row)] += length(world.joints.state(joint).force);
  });
  for (BodyRow row : world.awake)
    if (is_movable(world, row)) scratch.weight[row] = scratch.weight[islands.find(row)];
  scratch.weighed = true;
}

// What share of its impulses a contact forgets.
Wide forgotten_share(const RigidScratch& scratch, const ContactPack<Wide>& pack, Real h) {
  const Wide one(Real(1)), zero(Real(0)), tumbling = tumbling_lanes(scratch, pack);
  Real jolts[kLanes], weights[kLanes], kept[kLanes];
  for (int l = 0; l < kLanes; ++l) {
    const BodyRow a = pack.a[l], b = pack.b[l];
    jolts[l] = 1 - std::min(scratch.recall[a], scratch.recall[b]);
    weights[l] = std::max(scratch.weight[a], scratch.weight[b]);
    kept[l] = std::min(scratch.kept[a], scratch.kept[b]);
  }
  const Wide least = max(tumbling, one - load_lanes<Wide>(kept));
  const Wide jolted = load_lanes<Wide>(jolts);
  if (!any(jolted + pack.deep > zero)) return least;
  const Wide load = (pack.impulse[0] + pack.impulse[1]) + (pack.impulse[2] + pack.impulse[3]);
  const Wide weight = load_lanes<Wide>(weights) * Wide(h);
  const auto beyond = [&](Real times) {
    const Wide most = weight * Wide(times);
    return select(load > most, one - most / max(load, Wide(std::numeric_limits<Real>::min())),
                  zero);
  };
  return max(max(pack.deep * beyond(kDeepWeights), min(jolted, beyond(kJoltWeights))), least);
}

// By bodies that move, what their contacts forget of what their joints keep.
void note_forgotten(RigidScratch& scratch, const ContactPack<Wide>& pack, const Wide& share) {
  for (int l = 0; l < kLanes; ++l) {
    const BodyRow a = pack.a[l], b = pack.b[l];
    const Real kept = std::min(scratch.kept[a], scratch.kept[b]), left = 1 - lane(share, l);
    if (!(left < kept)) continue;
    const Real forgotten = 1 - left / kept;
    for (const BodyRow row : {a, b})
      if (row == pack.write_a[l] || row == pack.write_b[l])
        scratch.forgotten[row] = std::max(scratch.forgotten[row], forgotten);
  }
}

// What holds tumblers has the right to be stronger than any weight, but an impact ends there, too:
// rods that were thrown against their hinges stopped, and in the next substep spun up again.
void forget_jolts_of_joints(const RigidStep& s) {
  RigidScratch& scratch = s.scratch;
  std::vector<Real>& left = scratch.changes;
  left.assign(scratch.kept.begin(), scratch.kept.end());
  for (BodyRow row : scratch.tumblers) left[row] = std::min(left[row], scratch.recall[row]);
  s.world.joints.forget(left);
}

}  // namespace

void note_depth(const RigidStep& s, const ContactGeometry<Wide>& geometry,
                ContactPack<Wide>& pack) {
  const Wide least = min(min(pack.gap[0], pack.gap[1]), min(pack.gap[2], pack.gap[3]));
  const auto deep = least < -geometry.deep;
  pack.deep = select(deep, Wide(Real(1)), Wide(Real(0)));
  if (any(deep)) s.scratch.any_deep.store(true, std::memory_order_relaxed);
}

void begin_jolts(const RigidStep& s) {
  RigidScratch& scratch = s.scratch;
  const RigidWorld& world = s.world;
  scratch.weighed = false;
  scratch.recall.assign(world.track.size(), 1);
  scratch.jolt.assign(scratch.awake.size(), 0);
  scratch.jolted.assign(scratch.awake.size() / kLanes, 0);
  for (std::size_t i = 0; i < world.awake.size(); ++i) {
    const BodyTrack& track = world.track[world.awake[i]];
    scratch.jolt[i] = track.jolt;
    scratch.recall[world.awake[i]] = track.recall;
    if (track.recall < 1) scratch.jolted[i / kLanes] = 1;
  }
}

void note_jolts(const RigidStep& s, int first, const BodyRow* rows, const Vec3T<Wide>& change,
                Real h) {
  RigidScratch& scratch = s.scratch;
  const Wide one(Real(1)), jolt = length(change);
  const Wide calm = load_lanes<Wide>(&scratch.jolt[first]) + Wide(kCalm * length(s.gravity) * h);
  store_lanes(&scratch.jolt[first], jolt);
  const auto jolted = jolt > calm;
  std::uint8_t& noted = scratch.jolted[first / kLanes];
  if (!any(jolted) && !noted) return;
  noted = any(jolted);
  const Wide recall = select(jolted, calm / max(jolt, Wide(std::numeric_limits<Real>::min())), one);
  for (int l = 0; l < kLanes; ++l) scratch.recall[rows[l]] = lane(recall, l);
}

void end_jolts(const RigidStep& s) {
  RigidWorld& world = s.world;
  for (std::size_t i = 0; i < world.awake.size(); ++i) {
    BodyTrack& track = world.track[world.awake[i]];
    track.jolt = s.scratch.jolt[i];
    track.recall = s.scratch.recall[world.awake[i]];
  }
}

Wide tumbling_lanes(const RigidScratch& scratch, const ContactPack<Wide>& pack) {
  Real lanes[kLanes];
  for (int l = 0; l < kLanes; ++l)
    lanes[l] = Real(scratch.tumbling[pack.a[l]] | scratch.tumbling[pack.b[l]]);
  return load_lanes<Wide>(lanes);
}

void forget_impulses(const RigidStep& s, Real h) {
  RigidScratch& scratch = s.scratch;
  if (s.world.joints.size() > 0 && (!scratch.tumblers.empty() || scratch.any_forgotten))
    forget_jolts_of_joints(s);
  const auto& jolted = scratch.jolted;
  const bool any_jolted = std::find(jolted.begin(), jolted.end(), 1) != jolted.end();
  if (!any_jolted && !scratch.any_deep && scratch.tumblers.empty() && !scratch.any_forgotten)
    return;
  if (!scratch.weighed) weigh_islands(s);
  std::vector<Row8<Real>>& held = s.world.held_velocity;
  scratch.forgotten.assign(s.world.track.size(), 0);
  const Wide one(Real(1)), zero(Real(0));
  for_each_contact_pack(s, [&](int i, ContactColour& colour, BodyRow) {
    ContactPack<Wide>& pack = colour.packs[i];
    const Wide share = forgotten_share(scratch, pack, h);
    if (!any(share > zero)) return;
    PatchMotion<Wide> f = patch_impulse(pack);
    f = {f.n * share, f.a * share, f.b * share, f.t1 * share, f.t2 * share, f.g * share};
    Twist<Wide> a = gather_twist<Wide>(held, pack.a), b = gather_twist<Wide>(held, pack.b);
    apply(pack, f, a, b);
    scatter_twist(held, pack.write_a, a);
    scatter_twist(held, pack.write_b, b);
    note_forgotten(scratch, pack, share);
    const Wide left = one - share;
    for (Wide& impulse : pack.impulse) impulse *= left;
    pack.slide1 *= left, pack.slide2 *= left, pack.twist *= left;
  });
  s.world.direct.forget(s.world.joints, scratch.forgotten);
}

}  // namespace sinew
