#include "rigid/joint_memory.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "rigid/islands.h"

namespace sinew {
namespace {

using Vec = Vec3T<double>;

// Of the energy that gravity gives in a substep to what is at rest: loads are not known at once.
constexpr Real kNoise = 2;

// ⟨δ, v₀⟩ and ⟨δ, δ⟩ of a body.
void add_products(const RigidStep& s, std::size_t i, BodyRow row, Real h, IslandSums& sum) {
  const BodyInfo& info = s.world.info[row];
  const auto &v = s.world.rows.velocity[row].c, &held = s.world.held_velocity[row].c,
             &p = s.world.rows.pose[row].c, &a = s.scratch.drive[i].c;
  const Vec change{v[0] - held[0], v[1] - held[1], v[2] - held[2]};
  const Vec next{v[0] + a[0] * h, v[1] + a[1] * h, v[2] + a[2] * h};
  const Quat back = Quat{p[4], p[5], p[6], p[7]}.conjugate();
  const Vec3 turned = back.rotate({v[3] - held[3], v[4] - held[4], v[5] - held[5]}),
             spin = back.rotate({v[3] + a[3] * h, v[4] + a[4] * h, v[5] + a[5] * h});
  sum.along += info.mass * dot(change, next);
  sum.own += info.mass * dot(change, change);
  for (int k = 0; k < 3; ++k) {
    sum.along += double(info.inertia[k]) * turned[k] * spin[k];
    sum.own += double(info.inertia[k]) * turned[k] * turned[k];
  }
}

// The largest share s ≤ 1 for which s λᵀ(Jv₀ + b) + ½ s² λᵀAλ is at most `noise`.
double share_of(const IslandSums& sum, double noise) {
  const double least = sum.along + sum.own / 2;
  if (!(least > noise)) return 1;
  return std::max(0.0,
                  (std::sqrt(sum.along * sum.along + 2 * sum.own * noise) - sum.along) / sum.own);
}

// Roots of rows; none for bodies whose island has no joint: they pay nothing.
void find_islands(const RigidStep& s) {
  const RigidWorld& world = s.world;
  Islands islands(s.scratch.hung, world.track.size());
  const auto join = [&](BodyRow a, BodyRow b) {
    if (is_movable(world, a) && is_movable(world, b)) islands.join(a, b);
  };
  for_each_bond(world, std::numeric_limits<Real>::max(), join);
  world.joints.for_each_pair([&](BodyRow a, BodyRow b, JointSlot) { join(a, b); });
  std::vector<std::uint32_t>&roots = s.scratch.hung, &jointed = s.scratch.stack;
  for (BodyRow row : world.awake) roots[row] = islands.find(row);
  jointed.assign(world.track.size(), 0);
  world.joints.for_each_pair(
      [&](BodyRow a, BodyRow b, JointSlot) { jointed[roots[a]] = jointed[roots[b]] = 1; });
  for (BodyRow row : world.awake)
    if (is_movable(world, row) && !jointed[roots[row]]) roots[row] = kNone;
}

// Contacts with bodies that are moved by others: λᵀJv₀ is not in the products of the bodies.
void add_moved(const RigidStep& s) {
  const RigidWorld& world = s.world;
  const auto is_moved = [&](BodyRow row) { return !is_movable(world, row) && moves(world, row); };
  if (std::none_of(world.awake.begin(), world.awake.end(), is_moved)) return;
  const auto look_at = [&](int, const ContactColour& colour) {
    for (const ContactPack<Wide>& pack : colour.packs) {
      const PatchMotion<Wide> f = patch_impulse(pack),
                              u = patch_motion(
                                  pack,
                                  moved_velocity<Wide>(world.rows.velocity, pack.a, pack.write_a),
                                  moved_velocity<Wide>(world.rows.velocity, pack.b, pack.write_b));
      const Wide along =
          (f.n * u.n + f.a * u.a) + (f.b * u.b + f.t1 * u.t1) + (f.t2 * u.t2 + f.g * u.g);
      for (int l = 0; l < kLanes; ++l) {
        const BodyRow row = pack.write_a[l] == pack.a[l] ? pack.a[l] : pack.b[l];
        if (is_movable(world, row) && s.scratch.hung[row] != kNone)
          s.scratch.sums[s.scratch.hung[row]].along += lane(along, l);
      }
    }
  };
  for (const ContactZone& zone : world.zones) for_each_colour(zone, false, look_at);
}

}  // namespace

void begin_memory(const RigidStep& s) {
  RigidScratch& scratch = s.scratch;
  scratch.kept.assign(s.world.track.size(), 1);
  scratch.any_forgotten = false;
  if (s.world.joints.size() == 0) return;
  find_islands(s);
  scratch.sums.assign(s.world.track.size(), {});
  scratch.totals.assign(s.world.track.size(), 0);
  for (BodyRow row : s.world.awake) {
    if (scratch.hung[row] == kNone) continue;
    scratch.kept[row] = s.world.track[row].kept;
    scratch.any_forgotten = scratch.any_forgotten || s.world.track[row].kept < 1;
  }
}

void weigh_memory(const RigidStep& s, Real h) {
  RigidWorld& world = s.world;
  RigidScratch& scratch = s.scratch;
  if (world.joints.size() == 0) return;
  scratch.totals.resize(world.track.size());
  for (BodyRow row : world.awake)
    if (scratch.hung[row] == row)
      scratch.sums[row].along = scratch.sums[row].own = scratch.totals[row] = 0;
  for (std::size_t i = 0; i < world.awake.size(); ++i) {
    const BodyRow row = world.awake[i];
    if (scratch.hung[row] == kNone || !is_movable(world, row)) continue;
    const std::uint32_t root = scratch.hung[row];
    add_products(s, i, row, h, scratch.sums[root]);
    const auto& a = scratch.drive[i].c;
    const Vec3 fall = Vec3{a[0], a[1], a[2]} * h;
    scratch.totals[root] += kNoise * world.info[row].mass * dot(fall, fall);
  }
  world.joints.add_sums(world.rows, world.held_velocity, scratch.hung, scratch.sums);
  add_moved(s);
  scratch.any_forgotten = false;
  for (BodyRow row : world.awake) {
    if (scratch.hung[row] == kNone || !is_movable(world, row)) continue;
    const IslandSums& sum = scratch.sums[scratch.hung[row]];
    const double share = share_of(sum, scratch.totals[scratch.hung[row]]);
    scratch.kept[row] = Real(share);
    scratch.any_forgotten = scratch.any_forgotten || share < 1;
  }
}

void end_memory(const RigidStep& s) {
  for (BodyRow row : s.world.awake) s.world.track[row].kept = s.scratch.kept[row];
}

// The work of bodies that are moved on what touches them, at most: their loads, with friction,
// along the speed of the point that is pushed.
void add_pushes(const RigidStep& s) {
  const RigidWorld& world = s.world;
  const auto is_moved = [&](BodyRow row) { return !is_movable(world, row) && moves(world, row); };
  if (std::none_of(world.awake.begin(), world.awake.end(), is_moved)) return;
  const auto add = [&](const ContactPack<Wide>& pack, int l, BodyRow moved, BodyRow other,
                       const Vec3T<Wide>& arm) {
    if (!is_moved(moved) || !is_movable(world, other)) return;
    const auto& v = world.rows.velocity[moved].c;
    const Vec spin{v[3], v[4], v[5]};
    const double speed = length(Vec{v[0], v[1], v[2]} + cross(spin, lane(arm, l))) +
                         length(spin) * lane(pack.twist_arm, l);
    const double load = lane(pack.total, l) + lane(pack.bounced, l);
    s.scratch.sums[other].work += load * (1 + lane(pack.friction, l)) * speed;
  };
  for (const ContactZone& zone : world.zones)
    for_each_colour(zone, false, [&](int, const ContactColour& colour) {
      for (const ContactPack<Wide>& pack : colour.packs)
        for (int l = 0; l < kLanes; ++l) {
          add(pack, l, pack.a[l], pack.b[l], pack.arm_a);
          add(pack, l, pack.b[l], pack.a[l], pack.arm_b);
        }
    });
}

}  // namespace sinew
