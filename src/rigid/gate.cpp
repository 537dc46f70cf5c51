// The gate that every rigid body passes at the end of a step, and at its beginning: nothing that is
// not finite gets through. A body that is broken goes back to its last sound place and is frozen
// there: it does not move any more, and an event tells of it. Nothing of its numbers stays, neither
// in contacts nor in joints, so that it takes nothing else with it.
#include <algorithm>
#include <cmath>

#include "rigid/rigid_step.h"

namespace sinew {
namespace {

constexpr Real kPassableSpeed = Real(3e8);  // of light: squares of more are next to overflow

bool is_finite(const Row8<Real>& row) {
  Real sum = 0;  // not finite if any of its terms is not: 0·∞ and 0·NaN are NaN
  for (const Real x : row.c) sum += Real(0) * x;
  return sum == 0;
}

bool is_broken(const Row8<Real>& pose, const Row8<Real>& velocity) {
  Real fastest = 0;
  for (const Real x : velocity.c) fastest = std::max(fastest, std::abs(x));
  return !is_finite(pose) || !is_finite(velocity) || fastest > kPassableSpeed;
}

// Never a place that is not finite: then where its way was last followed to, or the origin.
Row8<Real> sound_pose(const Row8<Real>& pose, const BodyTrack& track) {
  if (is_finite(pose)) return pose;
  const Vec3& p = track.followed;
  const Row8<Real> followed{{p.x, p.y, p.z, 0, 0, 0, 0, 1}};
  return is_finite(followed) ? followed : Row8<Real>{{0, 0, 0, 0, 0, 0, 0, 1}};
}

void freeze(RigidWorld& world, BodyRow row, const Row8<Real>& pose) {
  BodyTrack& track = world.track[row];
  world.rows.pose[row] = sound_pose(pose, track);
  world.rows.velocity[row] = world.rows.mass[row] = world.rows.way[row] = {};
  world.held_velocity[row] = {};
  const auto& p = world.rows.pose[row].c;
  track.kind = BodyKind::kKinematic;
  track.travel = 0, track.travel_boxed = -1e30;
  track.jolt = track.credit = track.reach = 0, track.recall = 1;
  track.followed = {p[0], p[1], p[2]};
  while (track.first_pair != kNone) erase_pair(world, track.first_pair);
  for (const BodyInfo::Held& held : world.info[row].joints) world.joints.renew(held.joint);
  world.joints.regroup();
  // A body that is given such a velocity again is told of once.
  if (std::find(world.frozen.begin(), world.frozen.end(), row) != world.frozen.end()) return;
  world.frozen.push_back(row);
  world.just_frozen.push_back(row);
}

}  // namespace

void freeze_thrown(RigidWorld& world) {
  for (const BodyRow row : world.awake)
    if (is_broken(world.rows.pose[row], world.rows.velocity[row]))
      freeze(world, row, world.rows.pose[row]);
}

void freeze_broken(const RigidStep& s) {
  RigidWorld& world = s.world;
  for (std::size_t i = 0; i < world.awake.size(); ++i) {
    const BodyRow row = world.awake[i];
    if (is_broken(world.rows.pose[row], world.rows.velocity[row]))
      freeze(world, row, s.scratch.start[i]);
  }
}

}  // namespace sinew
