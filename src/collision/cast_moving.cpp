// Conservative advancement: along the normal n of the shortest way from A to B the gap closes, for
// all time to come, no faster than
//   (v_A − v_B)·n + |n × ω_A| R_A + |n × ω_B| R_B,
// R being how far the cores reach from where they turn about (rounding does not turn). So the gap
// cannot be crossed before it is divided by that; there we look again. For straight motion this is
// Newton's method on a convex function, from its left.
// B. Mirtich, Impulse-based dynamic simulation of rigid body systems, 1996, chapter 2; X. Zhang,
// M. Lee, Y. J. Kim, Interactive continuous collision detection for non-convex polyhedra, 2006.
#include <cmath>

#include "collision/casts.h"
#include "collision/gjk.h"

namespace sinew {
namespace {

// Relative to the lengths in play.
constexpr Real kRounding = sizeof(Real) == 4 ? Real(1e-6) : Real(1e-11);
constexpr int kMostSteps = 100;

Real core_reach(const Convex& convex, const Path& motion) {
  if (motion.turn == Vec3{}) return 0;
  return radius_about(convex, motion.center) - convex.radius;
}

}  // namespace

Pose Path::at(Real time) const {
  const Vec3 there = start.to_world(center) + way * time;
  const Quat turned =
      normalized(Quat::from_axis_angle(turn, length(turn) * time) * start.orientation);
  return {there - turned.rotate(center), turned};
}

std::optional<Hit> cast_moving(const Convex& a, const Path& motion_a, const Convex& b,
                               const Path& motion_b, Real target_distance) {
  // Numbers relative to where A starts have more digits to spare.
  const Vec3 base = motion_a.start.position;
  Path from_a = motion_a, from_b = motion_b;
  from_a.start.position = {};
  from_b.start.position = motion_b.start.position - base;

  const Vec3 way = motion_a.way - motion_b.way;
  const Real reach_a = core_reach(a, motion_a), reach_b = core_reach(b, motion_b);
  const Real most = length(way) + length(motion_a.turn) * reach_a + length(motion_b.turn) * reach_b;
  const Real rounding = kRounding * (length(from_b.start.position) + most);
  const Real slack = max(target_distance / 8, rounding);
  const Real aim = target_distance + slack / 2;

  Real time = 0;
  for (int step = 0;; ++step) {
    const Pose pose_a = from_a.at(time), pose_b = from_b.at(time);
    const Real enough = aim + most * (1 - time);
    const Closest c = closest(a, b, pose_a.inverse() * pose_b, enough);
    if (c.distance > enough) return std::nullopt;
    const Vec3 n = pose_a.orientation.rotate(c.normal);
    const Real closing = dot(way, n) + length(cross(n, motion_a.turn)) * reach_a +
                         length(cross(n, motion_b.turn)) * reach_b;
    if (c.distance <= aim + slack / 2 || step == kMostSteps) {
      if (closing <= 0 && c.distance >= target_distance - rounding) return std::nullopt;
      return Hit{time, base + pose_a.to_world(c.on_b), -n};
    }
    // Written so that nothing overflows when it closes slowly.
    if (!(closing * (1 - time) >= c.distance - aim)) return std::nullopt;
    time = min(Real(1), time + (c.distance - aim) / closing);
  }
}

std::optional<Hit> cast_convex(const Convex& a, const Pose& a_pose, const Vec3& way,
                               const Convex& b, const Pose& b_pose, Real target_distance) {
  return cast_moving(a, {.start = a_pose, .way = way}, b, {.start = b_pose}, target_distance);
}

}  // namespace sinew
