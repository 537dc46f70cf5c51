// The equations of a joint as rows. A coordinate C of two bodies (a length or an angle) changes
// with their motion as
//
//   dC/dt = J·v = linear_a·v_a + angular_a·ω_a + linear_b·v_b + angular_b·ω_b,
//
// and an impulse λ along the row changes their momenta by Jᵀλ. Rows come in two kinds: those of the
// block are equations C = 0, solved together (row_solver.h); loose ones are ranges, springs and
// motors, with impulses that have limits. Each joint (joints/NAME.h) writes its rows from the poses
// of both bodies and parameters of its own, once for plain numbers and packs.
//
// Turns. With B and A the orientations of the joint's frame in b and in a, q = B⁻¹A = (u, w) is the
// turn of a seen from b, and its rate is ½ ω q with ω = B⁻¹(ω_a − ω_b):
//   C = 2uᵢ                    dC/dt = ω·(w eᵢ + u × eᵢ)
//   C = θᵢ = 2 atan2(uᵢ, w)    dC/dt = ω·(w (w eᵢ + u × eᵢ) + uᵢ u) / (w² + uᵢ²)
// 2uᵢ = 0 says that the turn has no part about axis i; its row never vanishes where it holds,
// whatever the other turns are. θᵢ is the angle of that part (the twist of a swing–twist
// decomposition).
#pragma once

#include <sinew/joint_parts.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "math/angle.h"
#include "math/perpendicular.h"
#include "rigid/body_rows.h"

namespace sinew {

inline constexpr Real kUnbounded = Real(1e30);  // stands for ∞, but is a number

template <class T>
struct JointRow {
  Vec3T<T> linear_a, angular_a, linear_b, angular_b;
  T value;  // C [m] or [rad]
};

// A range of C, a spring towards it, or a motor.
template <class T>
struct LooseRow : JointRow<T> {
  T lower = T(-kUnbounded), upper = T(kUnbounded);  // of C
  T frequency = T(Real(0)), damping = T(Real(0));   // of a spring [Hz]; 0: rigid
  T driven = T(Real(0)), speed = T(Real(0));  // 1: C is to change at that speed, within the range
  T powered = T(Real(0));                     // 1: a motor; it may give what it never took
  T most = T(kUnbounded);                     // force or torque
};

// All rows of a joint and what is told of it.
template <class T, int kBlock, int kLoose>
struct JointRows {
  std::array<JointRow<T>, kBlock> block;
  std::array<LooseRow<T>, kLoose> loose;
  T frequency = T(Real(0)), damping = T(Real(0));  // of a spring in place of the block; 0: rigid
  Vec3T<T> arm_b = {T(Real(0)), T(Real(0)), T(Real(0))};  // from b's centre to the joint
  T position = T(Real(0));                                // angle, way or distance
};

// A range among the parameters of a joint, with a spring for its ends or hard.
template <class T>
struct Limit {
  T lower{}, upper{}, frequency{}, damping{};
};
inline Limit<Real> limit_of(const std::optional<Range>& range,
                            const std::optional<Spring>& spring) {
  const Range of = range.value_or(Range{-kUnbounded, kUnbounded});
  const Spring soft = spring.value_or(Spring{0, 0});
  return {of.lower, of.upper, soft.frequency, soft.damping_ratio};
}
// Makes a row that has its Jacobian and value a range's.
template <class T>
SINEW_INLINE void limit_row(LooseRow<T>& row, const Limit<T>& limit) {
  row.lower = limit.lower;
  row.upper = limit.upper;
  row.frequency = limit.frequency;
  row.damping = limit.damping;
}

// A motor among the parameters of a joint.
template <class T>
struct Drive {
  T driven{}, target{}, most{}, frequency{}, damping{};
};
inline Drive<Real> drive_of(const std::optional<Motor>& motor) {
  if (!motor) return {1, 0, 0, 0, 0};  // no force: does nothing
  const bool to_place = motor->kind == MotorKind::kPosition;
  return {to_place ? Real(0) : Real(1), motor->target,
          motor->max_force > 0 ? motor->max_force : kUnbounded,
          to_place ? motor->frequency : Real(0), to_place ? motor->damping_ratio : Real(0)};
}
// Makes a row that has its Jacobian and value a motor's. It aims at nothing outside the range of
// its coordinate, at no place and, in a substep (row_solver.h), at no speed that would lead there:
// what pushed against its own range would win, if it is strong enough, or wind up.
template <class T>
SINEW_INLINE void drive_row(LooseRow<T>& row, const Drive<T>& drive, const Limit<T>& limit) {
  const auto to_speed = drive.driven > T(Real(0));
  const T place = min(max(drive.target, limit.lower), limit.upper);
  row.lower = select(to_speed, limit.lower, place);
  row.upper = select(to_speed, limit.upper, place);
  row.driven = drive.driven;
  row.powered = T(Real(1));
  row.speed = drive.target;
  row.most = drive.most;
  row.frequency = drive.frequency;
  row.damping = drive.damping;
}

// --- parameters ----------------------------------------------------------------------------------
// Parameters<T> are structs of numbers T and nothing else: these are lanes of them, as numbers.
template <template <class> class P, class T>
inline constexpr int kNumbers = sizeof(P<T>) / sizeof(T);

template <template <class> class P, class T>
void set_parameters(P<T>& pack, int lane, const P<NumberOf<T>>& value) {
  using Number = NumberOf<T>;
  static_assert(sizeof(P<T>) == sizeof(P<Number>) * kWidth<T>);
  for (int i = 0; i < kNumbers<P, T>; ++i)
    std::memcpy(reinterpret_cast<std::byte*>(&pack) + (i * kWidth<T> + lane) * sizeof(Number),
                reinterpret_cast<const std::byte*>(&value) + i * sizeof(Number), sizeof(Number));
}
template <template <class> class P, class T>
P<NumberOf<T>> parameters_of(const P<T>& pack, int lane) {
  using Number = NumberOf<T>;
  P<Number> value;
  for (int i = 0; i < kNumbers<P, T>; ++i)
    std::memcpy(reinterpret_cast<std::byte*>(&value) + i * sizeof(Number),
                reinterpret_cast<const std::byte*>(&pack) + (i * kWidth<T> + lane) * sizeof(Number),
                sizeof(Number));
  return value;
}

// From the world to the frame of a body.
inline Vec3 local_point(const BodyPose<Real>& body, const Vec3& world) {
  return body.turn.conjugate().rotate(world - body.center);
}
inline Vec3 local_axis(const BodyPose<Real>& body, const Vec3& world) {
  return body.turn.conjugate().rotate(normalized(world));
}
inline Quat local_frame(const BodyPose<Real>& body, const Quat& world) {
  return normalized(body.turn.conjugate() * normalized(world));
}
// The shortest turn of x to an axis.
inline Quat frame_along(const Vec3& axis) {
  const Vec3 x = normalized(axis);
  if (x.x < Real(-0.9)) {  // to the opposite, and a half turn about anything across
    const Vec3 across = perpendicular(x);
    return normalized(Quat{across.x, across.y, across.z, 0} * frame_along(-x));
  }
  return normalized(Quat{0, -x.z, x.y, 1 + x.x});
}

// The same, turned about the axis so that y is as near as can be to a direction.
inline Quat frame_along(const Vec3& axis, const Vec3& across) {
  const Quat shortest = frame_along(axis);
  const Vec3 local = shortest.conjugate().rotate(across);
  const Real half = std::atan2(local.z, local.y) / 2;
  return normalized(shortest * Quat{std::sin(half), 0, 0, std::cos(half)});
}

// --- parts of joints -----------------------------------------------------------------------------
// The points of a joint: arms from the centres of mass, and the way from b's point to a's.
template <class T>
struct Points {
  Vec3T<T> arm_a, arm_b, apart;
};
template <class T>
SINEW_INLINE Points<T> points_of(const BodyPose<T>& a, const Vec3T<T>& local_a,
                                 const BodyPose<T>& b, const Vec3T<T>& local_b) {
  const Vec3T<T> arm_a = a.turn.rotate(local_a), arm_b = b.turn.rotate(local_b);
  return {arm_a, arm_b, (a.center - b.center) + (arm_a - arm_b)};
}

// C = n·apart for an axis n that is fixed in the world.
template <class T>
SINEW_INLINE void world_axis_row(JointRow<T>& row, const Points<T>& p, const Vec3T<T>& n) {
  row.linear_a = n;
  row.linear_b = -n;
  row.angular_a = cross(p.arm_a, n);
  row.angular_b = -cross(p.arm_b, n);
  row.value = dot(p.apart, n);
}
// The same for an axis fixed in b, which turns with it.
template <class T>
SINEW_INLINE void body_axis_row(JointRow<T>& row, const Points<T>& p, const Vec3T<T>& n) {
  world_axis_row(row, p, n);
  row.angular_b = -cross(p.arm_b + p.apart, n);
}
// C = apart, three rows.
template <class T>
SINEW_INLINE void point_rows(JointRow<T>* rows, const Points<T>& p) {
  const T zero(Real(0)), one(Real(1));
  world_axis_row(rows[0], p, {one, zero, zero});
  world_axis_row(rows[1], p, {zero, one, zero});
  world_axis_row(rows[2], p, {zero, zero, one});
}
// A coordinate that changes by n·(ω_a − ω_b).
template <class T>
SINEW_INLINE void turn_row(JointRow<T>& row, const Vec3T<T>& n, const T& value) {
  const T zero(Real(0));
  row.linear_a = row.linear_b = {zero, zero, zero};
  row.angular_a = n;
  row.angular_b = -n;
  row.value = value;
}

// The turn of a's frame seen from b's.
template <class T>
struct RelativeTurn {
  Mat3T<T> axes;  // of b's frame
  Vec3T<T> u;
  T w;

  SINEW_INLINE RelativeTurn(const QuatT<T>& a, const QuatT<T>& b) : axes(b.matrix()) {
    const QuatT<T> q = b.conjugate() * a;
    u = {q.x, q.y, q.z};
    w = q.w;
  }
  // w eᵢ + u × eᵢ
  SINEW_INLINE Vec3T<T> slope(int i) const {
    if (i == 0) return {w, u.z, -u.y};
    if (i == 1) return {-u.z, w, u.x};
    return {u.y, -u.x, w};
  }
  // C = 2uᵢ
  SINEW_INLINE void lock_row(JointRow<T>& row, int i) const {
    turn_row(row, axes * slope(i), T(Real(2)) * u[i]);
  }
  // θᵢ, in (−2π, 2π]: which of the two is the quaternion's sign.
  SINEW_INLINE T angle(int i) const { return T(Real(2)) * angle_of(u[i], w); }
  SINEW_INLINE void angle_row(JointRow<T>& row, int i, const T& value) const {
    // Turned over by π about another axis, θᵢ may be anything.
    const T norm = max(w * w + u[i] * u[i], T(Real(1e-3)));
    turn_row(row, axes * ((slope(i) * w + u * u[i]) * (T(Real(1)) / norm)), value);
  }
};

// The angle that differs from `angle` by whole turns and is nearest to `from`.
template <class T>
SINEW_INLINE T nearest_turn(const T& angle, const T& from) {
  using Number = NumberOf<T>;
  constexpr Number kTurn = Number(6.283185307179586477);
  // Adding it leaves no bits for a fraction: rounds.
  constexpr Number kRounder = Number(1.5) / std::numeric_limits<Number>::epsilon();
  const T turns = ((from - angle) * T(1 / kTurn) + T(kRounder)) - T(kRounder);
  return angle + turns * T(kTurn);
}

}  // namespace sinew
